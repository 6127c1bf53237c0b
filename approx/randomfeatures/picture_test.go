package randomfeatures

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
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

var update = flag.Bool("update", false, "measure the table of docs/methods/features.md again, and draw its picture")

// comparedRows is the number of rows of each set that are compared, the first ones.
const comparedRows = 3000

// TestPicture measures the table of docs/methods/features.md with -update, and else makes sure that
// its picture is there:
//
//	go test ./approx/randomfeatures -run TestPicture -update -v
func TestPicture(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "pictures", "features.png")
	if !*update {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("docs/methods/features.md shows %s: %v; run with -update", path, err)
		}
		return
	}
	sheet, table := figure.Sheet{Columns: 2, Width: 9, Height: 5}, []string(nil)
	dims := []int{30, 100, 300, 1000, 2000}
	for _, set := range []struct{ name, path string }{{"letter", "libsvm/letter.scale.gz"}, {"a9a", "libsvm/a9a.t.gz"}} {
		xs := standardised(t, set.path)
		k := wide(t, xs)
		panel := figure.Panel{Title: fmt.Sprintf("%s, %d columns", set.name, xs.Dim()), X: "features", Y: "relative error", LogX: true, LogY: true}
		lines := []figure.Line{{Name: "orthogonal", Ink: figure.Ink(0)}, {Name: "independent", Ink: figure.Ink(1)}, {Name: "independent, expected", Ink: figure.Ink(2)}, {Name: "Nyström, uniform", Ink: figure.Ink(3)}}
		for _, dim := range dims {
			orthogonal, _ := measured(t, k, xs, Options{Dim: dim})
			independent, expected := measured(t, k, xs, Options{Dim: dim, Frequencies: Independent})
			values := []float64{orthogonal, independent, expected, landmarks(t, k, xs, dim)}
			cells := []string{set.name, fmt.Sprint(dim)}
			for i, v := range values {
				lines[i].X, lines[i].Y = append(lines[i].X, float64(dim)), append(lines[i].Y, max(v, 1e-6))
				cells = append(cells, fmt.Sprintf("%.1e", v))
			}
			table = append(table, "| "+strings.Join(cells, " | ")+" |")
		}
		for _, line := range lines {
			panel.Layers = append(panel.Layers, line)
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
func standardised(t *testing.T, path string) data.Vectors {
	t.Helper()
	table, err := open.Read(background, testkit.Shared(t, path), open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, rows, err := prep.Fit(table, prep.Spec{})
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

// measured returns the relative error of a block over three seeds, and what was expected.
func measured(t *testing.T, k vec.Kernel, xs data.Vectors, o Options) (block, expected float64) {
	t.Helper()
	const seeds = 3
	for seed := range uint64(seeds) {
		o.Seed = seed
		e, err := mapOf(t, k, xs.At(0), o).Errors(background, data.Set[[]float64](xs), 1, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		would := e.Block * e.Expected / e.RMS
		block, expected = block+e.Block*e.Block/seeds, expected+would*would/seeds
	}
	return math.Sqrt(block), math.Sqrt(expected)
}

// landmarks returns the same error of as many landmarks.
func landmarks(t *testing.T, k vec.Kernel, xs data.Vectors, rank int) float64 {
	t.Helper()
	s, _, err := nystrom.Landmarks(background, k, data.Set[[]float64](xs), nystrom.Options{Scheme: nystrom.Uniform, Rank: rank})
	if err != nil {
		t.Fatal(err)
	}
	low, err := nystrom.New(background, k, s.Points, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := low.Errors(background, data.Set[[]float64](xs), 1, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e.Block
}
