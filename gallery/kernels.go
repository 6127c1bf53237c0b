package gallery

import (
	"context"
	"fmt"
	"math"

	"mercer/data"
	"mercer/gram"
	"mercer/internal/figure"
	"mercer/kernel"
	"mercer/kernel/seq"
	"mercer/kernel/vec"
)

var kernelFigures = []Figure{
	{Name: "gram", Title: "Representation by pairwise comparisons", Formula: "[K]ᵢⱼ = k(xᵢ, xⱼ)",
		draw:     drawGram,
		Commands: []string{"mercer gram points.csv --target label --kernel 'rbf(sigma=median)' -o K.npy"},
		See:      "Three sequences become a 3 × 3 matrix, here of the normalised spectrum kernel with k = 2. An algorithm that reads the matrix need not know what a point is."},
	{Name: "bumps", Title: "Gaussian bumps as feature maps", Formula: "Φ(x): t ↦ exp(−(x − t)²/(2σ²)),  ⟨Φ(x), Φ(y)⟩ = exp(−(x − y)²/(2σ²))", Takes: Number,
		draw: drawBumps,
		See:  "Every point of the line becomes a bump. Sums of bumps are in the space, too, and are no image of a point."},
	{Name: "min-kernel", Title: "The min kernel's K_x", Formula: "K_x: t ↦ min(x, t) on [0, 1],  f(x) = ∫ f′(t) K_x′(t) dt",
		draw: drawMin,
		See:  "K_x rises with slope 1 up to x and is constant from there: its derivative is 1 for t ≤ x, so ⟨f, K_x⟩ = ∫₀ˣ f′ = f(x)."},
}

func drawGram(ctx context.Context, s *sitting) (figure.Picture, error) {
	words := data.Slice[string]{"ACGTTTACGA", "AGTTTACG", "GGCGTACCG"}
	k := kernel.Normalized[string]{Of: seq.Spectrum{K: 2}}
	g, err := gram.Dense(ctx, kernel.Bind[string](k, words, words), s.Compute)
	if err != nil {
		return nil, err
	}
	sequences := figure.Panel{Title: "three sequences S", Bare: true, Bounds: &figure.Bounds{X0: 0, X1: 3, Y0: 0, Y1: 3}}
	for i, word := range words {
		y := 2.5 - float64(i)
		sequences.Layers = append(sequences.Layers, figure.Text{X: 1.5, Y: y, Text: fmt.Sprintf("x%s = %s", subscript(i+1), word), Ink: figure.Black, Size: 16})
	}
	matrix := figure.Matrix{Numbers: true}
	for i := range words {
		row := make([]float64, len(words))
		for j := range row {
			row[j] = g.At(i, j)
		}
		matrix.Values = append(matrix.Values, row)
	}
	return figure.Sheet{Panels: []figure.Panel{sequences, {Title: "K, " + k.String(), Bare: true, Equal: true, Layers: []figure.Layer{matrix}}}, Height: 8}, nil
}

// subscript returns a digit below the line.
func subscript(i int) string { return string(rune('₀' + i)) }

func drawBumps(_ context.Context, s *sitting) (figure.Picture, error) {
	p := s.points(func(*random) *Points { return &Points{Names: []string{"t"}, X: numbers([]float64{2, 4.5, 5.5})} })
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range p.X.Raw() {
		lo, hi = min(lo, x), max(hi, x)
	}
	sigma := 0.8
	if s.Points != nil {
		if sigma = (hi - lo) / 8; sigma == 0 {
			return nil, fmt.Errorf("gallery: %s: all numbers are %g; bumps on top of one another cannot be drawn", p.Source, lo)
		}
	}
	k := vec.RBF{Sigma: []float64{sigma}}
	at := linspace(lo-4*sigma, hi+4*sigma, 300)
	panel := figure.Panel{X: p.Names[0], Y: "Φ(x)(t)", Layers: []figure.Layer{figure.Lattice{}}}
	shown := min(p.X.Len(), 5)
	for i := range shown {
		x := p.X.At(i * (p.X.Len() - 1) / max(1, shown-1))
		section := make([]float64, len(at))
		for j, t := range at {
			section[j] = k.Eval(x, []float64{t})
		}
		panel.Layers = append(panel.Layers, figure.Line{Name: fmt.Sprintf("Φ(%.4g)", x[0]), X: at, Y: section, Ink: figure.Ink(i)},
			figure.Dots{X: x, Y: []float64{0}, Ink: figure.Ink(i), Shape: i, Size: 4})
	}
	panel.Title = fmt.Sprintf("points become functions, σ = %.3g", sigma)
	return figure.Sheet{Panels: []figure.Panel{panel}, Width: 15, Height: 8}, nil
}

func drawMin(context.Context, *sitting) (figure.Picture, error) {
	k := vec.Min()
	at := linspace(0, 1, 101)
	values := figure.Panel{Title: "K_x(t) = min(x, t)", X: "t", Y: "K_x(t)", Layers: []figure.Layer{figure.Lattice{}}}
	slopes := figure.Panel{Title: "its derivative", X: "t", Y: "K_x′(t)", Layers: []figure.Layer{figure.Lattice{}}}
	for i, x := range []float64{0.25, 0.5, 0.8} {
		section := make([]float64, len(at))
		for j, t := range at {
			section[j] = k.Eval([]float64{x}, []float64{t})
		}
		name := fmt.Sprintf("x = %g", x)
		values.Layers = append(values.Layers, figure.Line{Name: name, X: at, Y: section, Ink: figure.Ink(i)},
			figure.Dots{X: []float64{x}, Y: []float64{x}, Ink: figure.Ink(i), Shape: i, Size: 4})
		// Differences of K_x at the same places; steps are drawn as they are.
		var tx, ty []float64
		for j := 1; j < len(at); j++ {
			slope := (section[j] - section[j-1]) / (at[j] - at[j-1])
			tx, ty = append(tx, at[j-1], at[j]), append(ty, slope, slope)
		}
		slopes.Layers = append(slopes.Layers, figure.Line{Name: name, X: tx, Y: ty, Ink: figure.Ink(i), Dashed: i > 0})
	}
	return figure.Sheet{Panels: []figure.Panel{values, slopes}}, nil
}
