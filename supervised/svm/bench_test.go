package svm_test

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/libsvm"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/svm"
)

// readLIBSVM returns a public data set as dense vectors of at least dim columns, and
// its labels.
func readLIBSVM(t testing.TB, name string, dim int) (data.Vectors, []float64) {
	t.Helper()
	f, err := libsvm.Read(t.Context(), name, opened(t, name), libsvm.Options{Dim: dim})
	if err != nil {
		t.Fatal(err)
	}
	xs := data.MakeVectors(f.Points.Len(), f.Points.Dim())
	for i := range xs.Len() {
		p := f.Points.At(i)
		for k, j := range p.Index {
			xs.At(i)[j] = p.Value[k]
		}
	}
	return xs, f.Labels
}

// opened returns a public data set, decompressed.
func opened(t testing.TB, name string) io.Reader {
	t.Helper()
	file, err := os.Open(testkit.Shared(t, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	if !strings.HasSuffix(name, ".gz") {
		return file
	}
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// signs numbers the classes of labels −1 and +1 as 0 and 1.
func signs(labels []float64) []int {
	y := make([]int, len(labels))
	for i, v := range labels {
		if v > 0 {
			y[i] = 1
		}
	}
	return y
}

// readMNIST returns the first n images of MNIST with pixels in [0, 1].
func readMNIST(t testing.TB, n int) (data.Vectors, []int) {
	t.Helper()
	images, err := io.ReadAll(opened(t, "images/mnist-train-images-idx3-ubyte.gz"))
	if err != nil {
		t.Fatal(err)
	}
	labels, err := io.ReadAll(opened(t, "images/mnist-train-labels-idx1-ubyte.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if got := binary.BigEndian.Uint32(images[4:]); int(got) < n {
		t.Fatalf("%d images, want %d", got, n)
	}
	xs, y := data.MakeVectors(n, 784), make([]int, n)
	for i := range n {
		for j := range 784 {
			xs.At(i)[j] = float64(images[16+i*784+j]) / 255
		}
		y[i] = int(labels[8+i])
	}
	return xs, y
}

// readCover returns the first n rows of covertype with standardised columns, and whether
// lodgepole pine grows there.
func readCover(t testing.TB, n int) (data.Vectors, []int) {
	t.Helper()
	const columns = 54
	xs, y := data.MakeVectors(n, columns), make([]int, n)
	lines := bufio.NewScanner(opened(t, "csv/covtype.20k.data.gz"))
	for i := range n {
		if !lines.Scan() {
			t.Fatalf("%d rows, want %d", i, n)
		}
		cells := strings.Split(lines.Text(), ",")
		for c := range columns {
			v, err := strconv.ParseFloat(cells[c], 64)
			if err != nil {
				t.Fatal(err)
			}
			xs.At(i)[c] = v
		}
		if cells[columns] == "2" {
			y[i] = 1
		}
	}
	column := make([]float64, n)
	for c := range columns {
		for i := range n {
			column[i] = xs.At(i)[c]
		}
		mean, deviation := stat.PopMeanStdDev(column, nil)
		for i := range n {
			xs.At(i)[c] -= mean
			if deviation > 0 {
				xs.At(i)[c] /= deviation
			}
		}
	}
	return xs, y
}

// gamma returns exp(−γ‖x−y‖²).
func gamma(g float64) vec.RBF { return vec.RBF{Sigma: math.Sqrt(0.5 / g)} }

func BenchmarkFit(b *testing.B) {
	for _, bc := range []struct{ c, g float64 }{{1, 0.05}, {100, 0.5}} {
		b.Run(fmt.Sprintf("data=a9a.t/C=%g/gamma=%g", bc.c, bc.g), func(b *testing.B) {
			xs, labels := readLIBSVM(b, "libsvm/a9a.t.gz", 123)
			benchmarkFit(b, xs, signs(labels), gamma(bc.g), svm.Options{C: bc.c})
		})
	}
	b.Run("data=covertype/n=20000/C=1", func(b *testing.B) {
		xs, y := readCover(b, 20000)
		benchmarkFit(b, xs, y, gamma(1.0/54), svm.Options{C: 1})
	})
	b.Run("data=mnist/n=10000/C=10/gamma=0.02", func(b *testing.B) {
		xs, y := readMNIST(b, 10000)
		benchmarkFit(b, xs, y, gamma(0.02), svm.Options{C: 10})
	})
}

func benchmarkFit(b *testing.B, xs data.Vectors, y []int, k vec.RBF, o svm.Options) {
	var report *svm.Report
	for b.Loop() {
		var err error
		if _, report, err = svm.Fit(b.Context(), k, xs, y, o); err != nil {
			b.Fatal(err)
		}
	}
	steps, gap, objective := 0, 0.0, 0.0
	for _, m := range report.Problems {
		steps, gap, objective = steps+m.Iterations, gap+m.Gap, objective+m.Objective
	}
	b.ReportMetric(float64(steps), "steps")
	b.ReportMetric(-gap/objective, "gap/objective")
	b.ReportMetric(float64(report.SupportVectors), "sv")
	for _, s := range report.Stages {
		b.Logf("%s %.3f", s.Name, s.Seconds)
	}
	b.Logf("objective %.6f gap %g violation %g converged %v", objective, gap, report.Problems[0].Violation, report.Converged)
}

func BenchmarkPredict(b *testing.B) {
	for _, precision := range []compute.Precision{compute.Double, compute.Single} {
		b.Run(fmt.Sprintf("data=covertype/n=20000/C=1/precision=%v", precision), func(b *testing.B) {
			xs, y := readCover(b, 20000)
			benchmarkPredict(b, xs, y, gamma(1.0/54), svm.Options{C: 1}, precision)
		})
		b.Run(fmt.Sprintf("data=a9a/C=1/precision=%v", precision), func(b *testing.B) {
			xs, labels := readLIBSVM(b, "libsvm/a9a.t.gz", 123)
			benchmarkPredict(b, xs, signs(labels), gamma(0.05), svm.Options{C: 1}, precision)
		})
		b.Run(fmt.Sprintf("data=mnist/n=10000/C=10/precision=%v", precision), func(b *testing.B) {
			xs, y := readMNIST(b, 10000)
			benchmarkPredict(b, xs, y, gamma(0.02), svm.Options{C: 10}, precision)
		})
	}
}

// benchmarkPredict labels the training rows.
func benchmarkPredict(b *testing.B, xs data.Vectors, y []int, k vec.RBF, o svm.Options, precision compute.Precision) {
	f, _, err := svm.Fit(b.Context(), k, xs, y, o)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := f.Predict(b.Context(), xs, compute.Options{Precision: precision}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(f.Points.Len()), "sv")
}
