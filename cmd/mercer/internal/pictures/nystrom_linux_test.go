package pictures

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
)

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
//	go test ./cmd/mercer/internal/pictures -run TestSchemes -update -v
func TestSchemes(t *testing.T) {
	if !*update {
		isThere(t, "nystrom-schemes.png")
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
				left, seconds := ofScheme(t, k, xs, scheme, rank)
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
	keep(t, "nystrom-schemes.png", sheet)
}

// ofScheme returns the mean trace error over three seeds, and the processor time of one
// choice by one worker.
func ofScheme(t *testing.T, k vec.Kernel, xs data.Vectors, scheme nystrom.Scheme, rank int) (left, seconds float64) {
	t.Helper()
	const seeds = 3
	for seed := range uint64(seeds) {
		before := processorTime(t)
		s, _, err := nystrom.Landmarks(t.Context(), k, points(xs), nystrom.Options{Scheme: scheme, Rank: rank, Seed: seed, Compute: compute.Options{Workers: 1}})
		if err != nil {
			t.Fatal(err)
		}
		seconds += (processorTime(t) - before) / seeds
		n, err := nystrom.New(t.Context(), k, s.Points, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		e, err := n.TraceError(t.Context(), points(xs), nil, compute.Options{})
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
