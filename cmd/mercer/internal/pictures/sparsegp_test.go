package pictures

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/sparsegp"
)

// TestSparseProcesses draws the picture of docs/methods/sparsegp.md: the exact process and three
// on seven landmarks, with the kernel and the noise that the exact evidence found.
func TestSparseProcesses(t *testing.T) {
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
	k, noise, _, err := gp.Tune(t.Context(), parse(t, "rbf(sigma=0.5)+linear()"), points(xs), mat.Col(nil, 0, y), gp.TuneOptions{Options: gp.Options{Noise: 0.1}})
	if err != nil {
		t.Fatal(err)
	}
	at := data.MakeVectors(7, 1)
	for j, x := range []float64{0.1, 0.8, 1.5, 2.3, 3.1, 4.8, 5.9} {
		at.At(j)[0] = x
	}
	grid := axis(-0.8, 7.4, 240)
	exact, _, err := gp.Fit(t.Context(), k, points(xs), mat.Col(nil, 0, y), gp.Options{Noise: noise})
	if err != nil {
		t.Fatal(err)
	}
	reference := marginals(t, exact, grid)
	sheet := figure.Sheet{Width: 10.5, Height: 8.5, Columns: 3}
	for _, approximation := range []sparsegp.Approximation{sparsegp.Variational, sparsegp.FITC, sparsegp.SoR} {
		p, r, err := sparsegp.Fit(t.Context(), k, points(xs), points(at), y, sparsegp.Options{Approximation: approximation, Noise: noise})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %+v", approximation, r)
		sheet.Panels = append(sheet.Panels, panel(string(approximation), grid, marginals(t, p.Target(0), grid), reference, xs, at, y))
	}
	keep(t, "sparsegp.png", sheet)
}

func marginals(t *testing.T, p *gp.Process[[]float64], xs data.Vectors) *gp.Marginals {
	t.Helper()
	m, err := p.Marginals(t.Context(), xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
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
