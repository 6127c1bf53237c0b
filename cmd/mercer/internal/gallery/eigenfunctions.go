package gallery

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/linalg"
)

var eigenFigures = []Figure{
	{Name: "eigenfunctions", Title: "Mercer's eigenfunctions of the min kernel", Formula: "min(x, y) = Σᵢ λᵢ φᵢ(x) φᵢ(y),  λᵢ = 1/((i − ½)²π²),  φᵢ(x) = √2 sin((i − ½)πx)",
		draw:     drawEigenfunctions,
		Commands: []string{"mercer embed kpca points.csv --kernel min --components 4 --plot components.png", "mercer gram points.csv --raw x --kernel min --plot gram.png"},
		See:      "The eigenvectors of the Gram matrix of 200 points, times √200, lie on the eigenfunctions of the operator, which are dashed. Sums of the first terms converge to the kernel, everywhere equally fast (Mercer 1909)."},
}

// drawEigenfunctions shows eigenfunctions on [0, 1], and the sums that they make.
func drawEigenfunctions(ctx context.Context, s *figureContext) (figure.Picture, error) {
	const n = 200
	at := make([]float64, n)
	for i := range at {
		at[i] = (float64(i) + 0.5) / n
	}
	k := vec.Min()
	g, err := gram.Dense(ctx, kernel.Bind(k, numbers(at), numbers(at)), s.Compute)
	if err != nil {
		return nil, err
	}
	top, err := linalg.EigenSym(ctx, g, linalg.Options{Workers: s.Compute.Workers})
	if err != nil {
		return nil, err
	}
	functions := figure.Panel{Title: "the first four", X: "x", Y: "φᵢ(x)", Layers: []figure.Layer{figure.Lattice{}}}
	for i := range 4 {
		exact := func(x float64) float64 { return math.Sqrt2 * math.Sin((float64(i)+0.5)*math.Pi*x) }
		found := mat.Col(nil, n-1-i, top.Vectors)
		floats.Scale(math.Copysign(math.Sqrt(n), found[0]), found) // which rises at 0, as the sine does
		closed := figure.LineOf("", figure.Black, at, exact)
		closed.Dashed, closed.Thin = true, true
		functions.Layers = append(functions.Layers, figure.Line{Name: fmt.Sprintf("i = %d, λ = %.4f", i+1, top.Values[n-1-i]/n), Ink: figure.Ink(i), X: at, Y: found}, closed)
	}
	const y = 0.4
	sums := figure.Panel{Title: "sums of the first m terms at y = 0.4", X: "x", Y: "Σ λᵢ φᵢ(x) φᵢ(y)", Layers: []figure.Layer{figure.Lattice{}}}
	for j, m := range []int{1, 3, 10} {
		sums.Layers = append(sums.Layers, figure.LineOf(fmt.Sprintf("m = %d", m), figure.Ink(j), at, func(x float64) float64 { return mercerSum(m, x, y) }))
	}
	whole := figure.LineOf("min(x, y)", figure.Black, at, func(x float64) float64 { return min(x, y) })
	whole.Dashed = true
	sums.Layers = append(sums.Layers, whole)
	return figure.Sheet{Panels: []figure.Panel{functions, sums}, Width: 11, Height: 9}, nil
}

// mercerSum is the sum of the first m terms of the min kernel on [0, 1].
func mercerSum(m int, x, y float64) (sum float64) {
	for i := range m {
		w := (float64(i) + 0.5) * math.Pi
		sum += 2 * math.Sin(w*x) * math.Sin(w*y) / (w * w)
	}
	return sum
}
