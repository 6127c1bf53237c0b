package nystrom_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/figure"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
)

var update = flag.Bool("update", false, "measure the table of docs/methods/nystrom.md again, and draw its picture")

// comparedRows is the number of rows of each set that are compared, the first ones.
const comparedRows = 3000

var (
	compared = []struct{ name, path, target string }{
		{"airfoil", "csv/airfoil_self_noise.dat", "last"},
		{"abalone", "libsvm/abalone_scale.gz", ""},
		{"svmguide1", "libsvm/svmguide1", ""},
		{"letter", "libsvm/letter.scale.gz", ""},
		{"california", "csv/cal_housing.data.gz", "last"},
		{"a9a", "libsvm/a9a.t.gz", ""},
	}
	ranks = []int{10, 30, 100, 300}
)

// TestSchemes measures the table of docs/methods/nystrom.md with -update, and else makes sure that
// its picture is there:
//
//	go test ./approx/nystrom -run TestSchemes -update -v
func TestSchemes(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "pictures", "nystrom-schemes.png")
	if !*update {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("docs/methods/nystrom.md shows %s: %v; run with -update", path, err)
		}
		return
	}
	sheet, table := figure.Sheet{Columns: 3, Width: 9, Height: 7}, []string(nil)
	for _, set := range compared {
		xs := standardised(t, set.path, set.target)
		k := wide(t, xs)
		panel := figure.Panel{Title: fmt.Sprintf("%s, n=%d", set.name, xs.Len()), X: "landmarks", Y: "left", LogX: true, LogY: true}
		for i, scheme := range nystrom.Schemes {
			line := figure.Line{Name: string(scheme), Ink: figure.Ink(i)}
			cells, last := []string{set.name, string(scheme)}, ""
			for _, rank := range ranks {
				left, seconds := measured(t, k, xs, scheme, rank)
				line.X, line.Y = append(line.X, float64(rank)), append(line.Y, left)
				cells = append(cells, fmt.Sprintf("%.1e", left))
				last = fmt.Sprintf("%.2f s", seconds)
			}
			cells = append(cells, last)
			panel.Layers = append(panel.Layers, line)
			table = append(table, "| "+strings.Join(cells, " | ")+" |")
		}
		sheet.Panels = append(sheet.Panels, panel)
	}
	t.Log("\n" + strings.Join(table, "\n"))
	png, err := sheet.PNG()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, png, 0o644); err != nil {
		t.Fatal(err)
	}
}

// standardised returns the first rows of a public data set, prepared.
func standardised(t *testing.T, path, target string) data.Vectors {
	t.Helper()
	table, err := open.Read(background, testkit.Shared(t, path), open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := prep.Spec{}
	if target != "" {
		s.Targets = []string{target}
	}
	_, rows, err := prep.Fit(table, s)
	if err != nil {
		t.Fatal(err)
	}
	first := make([]int, min(comparedRows, rows.X.Len()))
	for i := range first {
		first[i] = i
	}
	return rows.X.Gather(first)
}

// wide returns the Gaussian whose width is the median of distances.
func wide(t *testing.T, xs data.Vectors) vec.Kernel {
	t.Helper()
	node, err := expr.Parse("rbf(sigma=median)")
	if err != nil {
		t.Fatal(err)
	}
	if node, err = vec.Fill(background, node, xs, vec.Schema{}); err != nil {
		t.Fatal(err)
	}
	return parse(t, node.String())
}

// measured returns the mean trace error over three seeds, and the processor time of one
// choice by one worker.
func measured(t *testing.T, k vec.Kernel, xs data.Vectors, scheme nystrom.Scheme, rank int) (left, seconds float64) {
	t.Helper()
	const seeds = 3
	for seed := range uint64(seeds) {
		before := processorTime(t)
		s, _, err := nystrom.Landmarks(background, k, data.Set[[]float64](xs), nystrom.Options{Scheme: scheme, Rank: rank, Seed: seed, Compute: workers(1)})
		if err != nil {
			t.Fatal(err)
		}
		seconds += (processorTime(t) - before) / seeds
		n, err := nystrom.New(background, k, s.Points, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		e, err := n.TraceError(background, data.Set[[]float64](xs), nil, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		left += e / seeds
	}
	return left, seconds
}

// processorTime is that of this process, in seconds.
func processorTime(t *testing.T) float64 {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
