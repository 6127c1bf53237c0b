package gallery

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/unsupervised/kpca"
	"example.org/mercer/unsupervised/manifold"
)

var surfaceFigures = []Figure{
	{Name: "swiss-roll", Title: "A rolled-up sheet by each method for surfaces", Formula: "d²(x, z) = k(x, x) + k(z, z) − 2k(x, z)", Takes: Nothing,
		draw: drawRoll,
		Commands: []string{
			"mercer embed isomap roll.csv --target angle --neighbours 8 --plot roll.png",
			"mercer embed lle roll.csv --target angle --neighbours 12 --plot roll.png",
		},
		See: "The shade is the angle along the roll. Distances through the air, and kernel PCA, leave it rolled up. Lengths of paths between neighbours unroll it, and means of neighbours do so but for scale. Walks find the way along it: the first coordinate is the angle, and the second a bent function of it, because the sheet is longer than wide."},
}

// sheet are points on a rolled-up sheet, and their angles.
func sheet(r *random, n int) (xs data.Vectors, angles []float64) {
	xs = data.MakeVectors(n, 3)
	for i := range n {
		angle := 1.5 * math.Pi * (1 + 2*r.Float64())
		x := xs.At(i)
		x[0], x[1], x[2] = angle*math.Cos(angle), 21*r.Float64(), angle*math.Sin(angle)
		angles = append(angles, angle)
	}
	return xs, angles
}

// drawRoll shows a sheet from its side, and what each method makes of it.
func drawRoll(ctx context.Context, s *figureContext) (figure.Picture, error) {
	xs, angles := sheet(s.random(), 900)
	out := figure.Sheet{Columns: 4, Width: 7.6, Height: 6.4, Small: true}
	add := func(title string, names [2]string, x, y []float64) {
		out.Panels = append(out.Panels, figure.Panel{Title: title, X: names[0], Y: names[1],
			Layers: []figure.Layer{figure.Lattice{}, figure.Shaded{Name: "angle", X: x, Y: y, Values: angles, Size: 1.3, NoBar: len(out.Panels) > 0}}})
	}
	add("the sheet, from its side", [2]string{"x₁", "x₃"}, column(xs, 0), column(xs, 2))
	coordinates := [2]string{"z₁", "z₂"}
	near := vec.RBF{Sigma: 2.5}
	for _, c := range []struct {
		title string
		k     kernel.Kernel[[]float64]
		o     manifold.Options
	}{
		{"classical scaling", vec.Linear{}, manifold.Options{Method: manifold.Classical}},
		{"least stress", vec.Linear{}, manifold.Options{Method: manifold.Stress}},
		{"Isomap", vec.Linear{}, manifold.Options{Method: manifold.Isomap, Neighbours: 8}},
		{"locally linear embedding", vec.Linear{}, manifold.Options{Method: manifold.LLE, Neighbours: 12}},
		{"Laplacian eigenmap", near, manifold.Options{Method: manifold.Eigenmap, Neighbours: 10, Binary: true}},
		{"diffusion map, " + kernelName(near), near, manifold.Options{Method: manifold.DiffusionMap, Neighbours: 20, Alpha: 1}},
	} {
		c.o.Compute = s.Compute
		f, _, err := manifold.Fit(ctx, c.k, xs, c.o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.title, err)
		}
		z, err := f.Predict(ctx, xs, s.Compute)
		if err != nil {
			return nil, err
		}
		if c.o.Method == manifold.Eigenmap { // whose numbers are small
			z.Scale(math.Sqrt(float64(xs.Len()))/mat.Norm(mat.NewVecDense(xs.Len(), mat.Col(nil, 0, z)), 2), z)
		}
		add(c.title, coordinates, mat.Col(nil, 0, z), mat.Col(nil, 1, z))
	}
	wide := vec.RBF{Sigma: 5}
	f, _, err := kpca.Fit(ctx, vec.Kernel(wide), xs, kpca.Options{Components: 2, Seed: s.Seed, Compute: s.Compute})
	if err != nil {
		return nil, err
	}
	scores, err := f.Predict(ctx, xs, s.Compute)
	if err != nil {
		return nil, err
	}
	add("kernel PCA, "+kernelName(wide), coordinates, mat.Col(nil, 0, scores), mat.Col(nil, 1, scores))
	return out, nil
}
