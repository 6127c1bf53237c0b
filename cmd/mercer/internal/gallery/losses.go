package gallery

import (
	"context"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/loss"
)

var lossFigures = []Figure{
	{Name: "losses", Title: "Loss functions of regression", Formula: "ℓ(t, y): ½(t − y)², |t − y|, max(0, |t − y| − ε), and Huber's: ½(t − y)² up to k, linear beyond",
		draw:     drawLosses,
		Commands: []string{"mercer fit erm table.csv --target y --loss huber -o robust.mercer --plot loss.png --plot-of loss"},
		See:      "The squared error of an outlier outweighs everything else; the others grow linearly, and the ε-insensitive one ignores what is within the tube."},
	{Name: "logistic", Title: "The sigmoid and the logistic loss", Formula: "σ(u) = 1/(1 + e⁻ᵘ),  ℓ(u) = ln(1 + e⁻ᵘ),  ℓ′(u) = −σ(−u),  ℓ″(u) = σ(u)σ(−u)",
		draw:     drawLogistic,
		Commands: []string{"mercer fit klr table.csv --target label --lambda 1e-2 -o odds.mercer --plot loss.png --plot-of loss"},
		See:      "The logistic loss is convex and smooth, and has a slope where the label is wrong; the 0/1 loss has none anywhere. Far out it rises as the hinge of support vector machines does."},
}

func drawLosses(context.Context, *figureContext) (figure.Picture, error) {
	at := linspace(-3, 3, 301)
	panel := figure.Panel{X: "residual t − y", Y: "loss", Bounds: &figure.Bounds{X0: -3, X1: 3, Y0: 0, Y1: 4}, Layers: []figure.Layer{figure.Lattice{}}}
	for i, l := range []struct {
		name string
		loss.Loss
	}{{"squared", loss.Squared{}}, {"absolute", loss.Absolute{}}, {"ε-insensitive, ε = 1", loss.Insensitive{Epsilon: 1}}, {"Huber, k = 1", loss.Huber{K: 1, Scale: 1}}} {
		line := figure.LineOf(l.name, figure.Ink(i), at, func(x float64) float64 { return l.Value(0, x) })
		line.Dashed = i == 3
		panel.Layers = append(panel.Layers, line)
	}
	return figure.Sheet{Panels: []figure.Panel{panel}, Width: 14, Height: 10}, nil
}

func drawLogistic(context.Context, *figureContext) (figure.Picture, error) {
	at := linspace(-5, 5, 301)
	logistic := loss.Logistic{}
	sigmoid := figure.Panel{Title: "sigmoid", X: "u", Y: "σ(u)", Layers: []figure.Layer{figure.Lattice{}, figure.LineOf("σ(u)", 1, at, loss.Sigmoid),
		figure.LineOf("σ(−u) = 1 − σ(u)", 0, at, func(u float64) float64 { return loss.Sigmoid(-u) }),
		figure.LineOf("σ′(u) = σ(u)σ(−u)", 2, at, func(u float64) float64 { return logistic.Curvature(1, u) })}}
	wrong := func(u float64) float64 { // the label is wrong where u = y·f(x) is negative
		if u < 0 {
			return 1
		}
		return 0
	}
	losses := figure.Panel{Title: "losses of classification", X: "u = y·f(x)", Y: "ℓ(u)", Bounds: &figure.Bounds{X0: -3, X1: 3, Y0: 0, Y1: 4}, Layers: []figure.Layer{figure.Lattice{},
		figure.LineOf("0/1", figure.Grey, at, wrong),
		figure.LineOf("logistic", 1, at, func(u float64) float64 { return logistic.Value(1, u) }),
		figure.LineOf("hinge", 0, at, func(u float64) float64 { return loss.Hinge{}.Value(1, u) }),
		figure.LineOf("squared hinge", 2, at, func(u float64) float64 { return loss.SquaredHinge{}.Value(1, u) })}}
	return figure.Sheet{Panels: []figure.Panel{sigmoid, losses}, Width: 11, Height: 9}, nil
}
