package sparsegp_test

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/figure"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/sparsegp"
)

var update = flag.Bool("update", false, "draw the picture of docs/methods/sparsegp.md again, or measure its tables")

// TestPicture draws the exact process and three on seven landmarks, with the kernel and the
// noise that the exact evidence found:
//
//	go test ./supervised/sparsegp -run TestPicture -update
func TestPicture(t *testing.T) {
	rng := testkit.Rand(t, 31)
	const n = 120
	xs, y := data.MakeVectors(n, 1), mat.NewDense(n, 1, nil)
	for i := range n {
		x := 3.2 * rng.Float64()
		if i%2 == 0 {
			x = 4.6 + 1.6*rng.Float64() // nothing between
		}
		xs.At(i)[0] = x
		y.Set(i, 0, math.Sin(2.5*x)+0.4*x+0.25*rng.NormFloat64())
	}
	k, noise, _, err := gp.Tune(t.Context(), parse(t, "rbf(sigma=0.5)+linear()"), data.Set[[]float64](xs), mat.Col(nil, 0, y), gp.TuneOptions{Options: gp.Options{Noise: 0.1}})
	if err != nil {
		t.Fatal(err)
	}
	at := data.MakeVectors(7, 1)
	for j, x := range []float64{0.1, 0.8, 1.5, 2.3, 3.1, 4.8, 5.9} {
		at.At(j)[0] = x
	}
	grid := data.MakeVectors(240, 1)
	for i := range grid.Len() {
		grid.At(i)[0] = -0.8 + 8.2*float64(i)/float64(grid.Len()-1)
	}
	exact, _ := exactly(t, k, xs, y, sparsegp.Options{Noise: noise})
	reference := marginals(t, exact, grid)
	sheet := figure.Sheet{Width: 10.5, Height: 8.5, Columns: 3}
	for _, approximation := range []sparsegp.Approximation{sparsegp.Variational, sparsegp.FITC, sparsegp.SoR} {
		p, r := fit(t, k, xs, at, y, sparsegp.Options{Approximation: approximation, Noise: noise})
		t.Logf("%s: %+v", approximation, r)
		sheet.Panels = append(sheet.Panels, panel(string(approximation), grid, marginals(t, p.Target(0), grid), reference, xs, at, y))
	}
	png, err := sheet.PNG()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "docs", "pictures", "sparsegp.png")
	if *update {
		if err := os.WriteFile(path, png, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("docs/methods/sparsegp.md shows %s: %v; run with -update", path, err)
	}
}

// panel draws mean ± 2 standard deviations of f beside those of the exact process.
func panel(title string, grid data.Vectors, m, exact *gp.Marginals, xs, at data.Vectors, y *mat.Dense) figure.Panel {
	const bottom = -2.1
	ends := func(m *gp.Marginals, side float64) []float64 {
		out := make([]float64, len(m.Mean))
		for i, v := range m.Variance {
			out[i] = m.Mean[i] + side*2*math.Sqrt(v)
		}
		return out
	}
	x := grid.Raw()
	marks := make([]float64, at.Len())
	for j := range marks {
		marks[j] = bottom + 0.15
	}
	return figure.Panel{Title: title, X: "x", Y: "y", Bounds: &figure.Bounds{X0: x[0], X1: x[len(x)-1], Y0: bottom, Y1: 5.5}, Layers: []figure.Layer{
		figure.Lattice{},
		figure.Band{Name: "± 2 deviations of f", X: x, Low: ends(m, -1), Top: ends(m, 1)},
		figure.Dots{X: xs.Raw(), Y: y.RawMatrix().Data, Ink: figure.Grey, Size: 1.4},
		figure.Line{Name: "mean", X: x, Y: m.Mean, Ink: 0},
		figure.Line{Name: "exact", X: x, Y: exact.Mean, Ink: 1, Dashed: true, Thin: true},
		figure.Line{X: x, Y: ends(exact, -1), Ink: 1, Dashed: true, Thin: true},
		figure.Line{X: x, Y: ends(exact, 1), Ink: 1, Dashed: true, Thin: true},
		figure.Dots{Name: "landmarks", X: at.Raw(), Y: marks, Ink: figure.Black, Shape: 2, Size: 3.5},
	}}
}
