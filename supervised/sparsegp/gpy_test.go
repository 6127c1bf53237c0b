package sparsegp_test

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/sparsegp"
)

// reference is testdata/gpy.json, whose field Origin says how it was made.
type reference struct {
	Cases []struct {
		File       string
		Step, Rows int
		Columns    []int
		Target     int
		Landmarks  int
		Kernel     string

		Approximation sparsegp.Approximation
		Noise, Jitter float64

		Value, DNoise  float64
		Gradient       []float64
		Mean, Variance []float64
		Covariance     []float64
	}
}

// TestAgreesWithGPy: objectives, gradients, means and covariances of another program. Conditions
// are below 1e5; the jitters, 1e-10 of the variance, are constant there and move with the variance
// here.
func TestAgreesWithGPy(t *testing.T) {
	text, err := os.ReadFile("testdata/gpy.json")
	if err != nil {
		t.Fatal(err)
	}
	r := new(reference)
	if err := json.Unmarshal(text, r); err != nil {
		t.Fatal(err)
	}
	if len(r.Cases) != 8 {
		t.Fatalf("%d cases", len(r.Cases))
	}
	for _, c := range r.Cases {
		t.Run(c.File+" "+c.Kernel+" "+string(c.Approximation), func(t *testing.T) {
			rows := numbers(t, c.File)
			train, fresh := every(rows, 0, c.Step, c.Rows), every(rows, 1, c.Step, 8)
			xs, news := standardised(train, fresh, c.Columns)
			target, _ := standardised(train, nil, []int{c.Target})
			y, at := mat.NewDense(len(train), 1, target.Raw()), xs.Gather(span(c.Landmarks))
			for j := range c.Landmarks {
				copy(at.At(j), xs.At(j*(c.Rows/c.Landmarks)))
			}
			k, o := parse(t, c.Kernel), sparsegp.Options{Approximation: c.Approximation, Noise: c.Noise, Mean: gp.Zero, Jitter: c.Jitter}
			p, report := fit(t, k, xs, at, y, o)
			testkit.Close(t, "objective", report.LogEvidence[0], c.Value, 1e-8)
			of := p.Target(0)
			m := marginals(t, of, news)
			testkit.CloseSlice(t, "mean", m.Mean, c.Mean, 1e-8)
			testkit.CloseSlice(t, "variance", m.Variance, c.Variance, 1e-8)
			_, cov, err := of.Covariance(t.Context(), news, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			testkit.CloseSlice(t, "covariance", mat.DenseCopyOf(cov).RawMatrix().Data, c.Covariance, 1e-8)
			_, theta, noise := slope(t, k, xs, at, y, o)
			testkit.CloseSlice(t, "gradient", theta, c.Gradient, 1e-7)
			testkit.Close(t, "noise", noise, c.DNoise, 1e-7)
		})
	}
}

// numbers reads a file of fields, without its header.
func numbers(t testing.TB, name string) [][]float64 {
	t.Helper()
	text, err := os.ReadFile(testkit.Shared(t, "csv/"+name))
	if err != nil {
		t.Fatal(err)
	}
	var out [][]float64
	for line := range strings.Lines(string(text)) {
		var row []float64
		for _, field := range strings.Fields(line) {
			if v, err := strconv.ParseFloat(field, 64); err == nil {
				row = append(row, v)
			}
		}
		if len(row) > 1 {
			out = append(out, row)
		}
	}
	return out
}

// every returns rows start, start+step, …, at most count of them.
func every(rows [][]float64, start, step, count int) [][]float64 {
	var out [][]float64
	for i := start; i < len(rows) && len(out) < count; i += step {
		out = append(out, rows[i])
	}
	return out
}

// standardised makes columns points, less the mean and over the deviation of the first rows.
func standardised(train, fresh [][]float64, columns []int) (xs, news data.Vectors) {
	xs, news = data.MakeVectors(len(train), len(columns)), data.MakeVectors(len(fresh), len(columns))
	for c, j := range columns {
		mean, square := 0.0, 0.0
		for _, row := range train {
			mean += row[j] / float64(len(train))
		}
		for _, row := range train {
			square += (row[j] - mean) * (row[j] - mean) / float64(len(train))
		}
		for i, row := range train {
			xs.At(i)[c] = (row[j] - mean) / math.Sqrt(square)
		}
		for i, row := range fresh {
			news.At(i)[c] = (row[j] - mean) / math.Sqrt(square)
		}
	}
	return xs, news
}
