package pictures

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/kernel/width"
	"example.org/mercer/model"
)

var update = flag.Bool("update", false, "write the pictures of docs again, and measure the tables beside them")

// pathOf returns where a picture stands.
func pathOf(name string) string {
	return filepath.Join("..", "..", "..", "..", "docs", "pictures", name)
}

// isThere fails where docs have no such picture.
func isThere(t *testing.T, name string) {
	t.Helper()
	if _, err := os.Stat(pathOf(name)); err != nil {
		t.Errorf("a page of docs shows %s: %v; run with -update", name, err)
	}
}

// keep draws a picture, writes it with -update, and wants it to be there.
func keep(t *testing.T, name string, pic figure.Picture) {
	t.Helper()
	draw := pic.SVG
	if filepath.Ext(name) == ".png" {
		draw = pic.PNG
	}
	drawn, err := draw()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if *update {
		if err := os.WriteFile(pathOf(name), drawn, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	isThere(t, name)
}

func parse(t testing.TB, text string) vec.Kernel {
	t.Helper()
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// shared reads a public table, whose columns are given names.
func shared(t *testing.T, name string, columns ...string) *data.Table {
	t.Helper()
	table, err := open.Read(t.Context(), testkit.Shared(t, name), open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(columns) != len(table.Columns) {
		t.Fatalf("%s has %d columns, and %d names", name, len(table.Columns), len(columns))
	}
	table.Headed = true
	for j := range table.Columns {
		table.Columns[j].Name = columns[j]
	}
	return table
}

// small reads a data set of R: a header, row names, columns; the last is the target.
func small(t *testing.T, name string) (data.Vectors, []float64) {
	t.Helper()
	table, err := open.Read(t.Context(), testkit.Shared(t, "small/"+name+".csv"), open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	of := table.Columns[1:]
	d := len(of) - 1
	xs := data.MakeVectors(table.Rows(), d)
	for i := range table.Rows() {
		for j := range d {
			xs.At(i)[j] = of[j].Numbers[i]
		}
	}
	return xs, of[d].Numbers
}

// comparedRows is the number of rows of each set on which approximations are compared.
const comparedRows = 3000

// standardised returns the first rows of a public data set, prepared; target may be "".
func standardised(t *testing.T, path, target string) data.Vectors {
	t.Helper()
	table, err := open.Read(t.Context(), testkit.Shared(t, path), open.Options{})
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
	if node, err = width.Fill(t.Context(), node, xs, vec.Schema{}); err != nil {
		t.Fatal(err)
	}
	return parse(t, node.String())
}

// axis is a grid over a range.
func axis(low, high float64, points int) data.Vectors {
	out := data.MakeVectors(points, 1)
	for i := range points {
		out.At(i)[0] = low + (high-low)*float64(i)/float64(points-1)
	}
	return out
}

// predict evaluates a model on a grid.
func predict(t *testing.T, f model.Predictor[[]float64], grid data.Vectors) *mat.Dense {
	t.Helper()
	values, err := f.Predict(t.Context(), grid, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// points are vectors as the methods take them.
func points(xs data.Vectors) data.Set[[]float64] { return xs }
