package predicted

import (
	"fmt"
	"math"
	"slices"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/loss"
	"example.org/mercer/supervised/newton"
)

// Newton draws the steps of a fit.
func (s Picture) Newton(plot string) error {
	var trace *newton.Trace
	if r, ok := s.Model.Report.(minimised); ok {
		trace = r.NewtonTrace()
	}
	if trace == nil || len(trace.Decrements) == 0 || !(trace.Values[0] > trace.Value && trace.Value > 0) {
		return fmt.Errorf("picture %s: the fit made no Newton step that lowered the objective: there is nothing to draw", plot)
	}
	return verb.WritePicture(s.Cmd, plot, figure.Convergence(figure.Iteration{Name: s.Model.Method, Values: trace.Values, Decrements: trace.Decrements}))
}

// Losses draws the loss over residuals or margins, and the rows on it.
func (s Picture) Losses(plot string) error {
	l, err := s.Model.Report.(minimised).RowLoss() // other methods do not offer the picture
	if err != nil {
		return err
	}
	target := s.On.Targets[0]
	n, _ := s.On.Values.Dims()
	panel := figure.Panel{X: "residual f(x) − y", Y: "loss " + l.String(), Layers: []figure.Layer{figure.Lattice{}}}
	at, y, groups := make([]float64, n), 0.0, []string{"rows"}
	for i := range at {
		at[i] = s.On.Values.At(i, 0) - s.On.Rows.Y.At(i, 0)
	}
	switch l.(type) {
	case loss.Logistic, loss.Hinge, loss.SquaredHinge:
		if at, err = s.On.Margins(); err != nil {
			return err
		}
		y, groups, panel.X = 1, target.Labels, "margin y·f(x)"
		if len(groups) > 2 {
			panel.X = "margin: log odds of the own label"
		}
	}
	low, high := min(0, slices.Min(at)), max(0, slices.Max(at))
	if low == high {
		low, high = -1, 1
	}
	const points = 300
	axis := make([]float64, points+1)
	for i := range axis {
		axis[i] = low + (high-low)*float64(i)/points
	}
	of := func(u float64) float64 { return l.Value(y, u) }
	panel.Layers = append(panel.Layers, figure.LineOf("", figure.Grey, axis, of))
	size := max(1, 3.5*math.Pow(max(1, float64(n)/100), -0.25)) // many rows are drawn small
	for class, name := range groups {
		d := figure.Dots{Name: name, Ink: figure.Ink(class), Shape: figure.ShapeOf(class), Size: size}
		for i, u := range at {
			if len(groups) == 1 || target.Class(s.On.Rows.Y.RawRowView(i)) == class {
				d.X, d.Y = append(d.X, u), append(d.Y, of(u))
			}
		}
		panel.Layers = append(panel.Layers, d)
	}
	return verb.WritePicture(s.Cmd, plot, figure.Sheet{Panels: []figure.Panel{panel}, Width: 14, Height: 10})
}

// minimised is the report of a sum of losses, which has pictures.
type minimised interface {
	NewtonTrace() *newton.Trace // nil: it was found otherwise
	RowLoss() (loss.Loss, error)
}
