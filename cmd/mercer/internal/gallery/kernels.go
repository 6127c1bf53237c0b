package gallery

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/seq"
	"example.org/mercer/kernel/vec"
)

var kernelFigures = []Figure{
	{Name: "gram", Title: "Representation by pairwise comparisons", Formula: "[K]ᵢⱼ = k(xᵢ, xⱼ)",
		draw:     drawGram,
		Commands: []string{"mercer gram points.csv --target label --kernel 'rbf(sigma=median)' --plot gram.png"},
		See:      "Three sequences become a 3 × 3 matrix, here of the normalised spectrum kernel with k = 2. An algorithm that reads the matrix need not know what a point is."},
	{Name: "bumps", Title: "Gaussian bumps as feature maps", Formula: "Φ(x): t ↦ exp(−(x − t)²/(2σ²)),  ⟨Φ(x), Φ(y)⟩ = exp(−(x − y)²/(2σ²))", Takes: Number,
		draw:     drawBumps,
		Commands: []string{"mercer kernel 'rbf(sigma=0.8)' --at 2,4.5,5.5 --plot bumps.png"},
		See:      "Every point of the line becomes a bump. Sums of bumps are in the space, too, and are no image of a point."},
	{Name: "min-kernel", Title: "The min kernel's K_x", Formula: "K_x: t ↦ min(x, t) on [0, 1],  f(x) = ∫ f′(t) K_x′(t) dt",
		draw:     drawMin,
		Commands: []string{"mercer kernel min --at 0.25,0.5,0.8 --plot min.png"},
		See:      "K_x rises with slope 1 up to x and is constant from there: its derivative is 1 for t ≤ x, so ⟨f, K_x⟩ = ∫₀ˣ f′ = f(x)."},
}

func drawGram(ctx context.Context, s *figureContext) (figure.Picture, error) {
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
	return figure.Sheet{Panels: []figure.Panel{sequences, {Title: "K, " + k.String(), Bare: true, Equal: true, Bounds: &figure.Bounds{X1: 3, Y1: 3}, Layers: []figure.Layer{matrix}}}, Height: 8}, nil
}

// subscript returns a digit below the line.
func subscript(i int) string { return string(rune('₀' + i)) }

func drawBumps(_ context.Context, s *figureContext) (figure.Picture, error) {
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
	k := vec.RBF{Sigma: sigma}
	at := linspace(lo-4*sigma, hi+4*sigma, 300)
	shown := min(p.X.Len(), 5)
	var of []float64
	for i := range shown {
		of = append(of, p.X.At(i * (p.X.Len() - 1) / max(1, shown-1))[0])
	}
	panel := onNumbers(k, p.Names[0], of, at).Panel(fmt.Sprintf("points become functions Φ(x) = K_x, σ = %.3g", sigma))
	return figure.Sheet{Panels: []figure.Panel{panel}, Width: 15, Height: 8}, nil
}

// onNumbers returns the sections of a kernel on vectors of one coordinate.
func onNumbers(k vec.Kernel, variable string, of, at []float64) figure.Sections {
	return figure.SectionsOf(func(x, t float64) float64 { return k.Eval([]float64{x}, []float64{t}) }, variable, of, at)
}

func drawMin(context.Context, *figureContext) (figure.Picture, error) {
	s := onNumbers(vec.Min(), "t", []float64{0.25, 0.5, 0.8}, linspace(0, 1, 101))
	return figure.Sheet{Panels: []figure.Panel{s.Panel("K_x(t) = min(x, t)"), s.Slopes("its derivative")}}, nil
}
