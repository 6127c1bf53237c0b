package cli

import (
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/learner"
	"example.org/mercer/loss"
	"example.org/mercer/supervised/newton"
)

// What --plot-of chooses from, for methods that minimise losses by Newton's method.
const (
	ofModel  = "model"
	ofNewton = "newton"
	ofLoss   = "loss"
)

// pictureFlags are the picture of a fit, and of what it is.
type pictureFlags struct{ plot, of string }

func (f *pictureFlags) register(cmd *cobra.Command, s *learner.Spec) {
	defer output.claim(cmd.Flags())()
	cmd.Flags().StringVar(&f.plot, "plot", "", modelPicture)
	if f.of = ofModel; s.Losses {
		kinds := []string{ofModel, ofNewton, ofLoss}
		cmd.Flags().StringVar(&f.of, "plot-of", ofModel, "what --plot draws: the model; newton: objective and decrement of every step; loss: that of the rows, on its curve")
		_ = cmd.RegisterFlagCompletionFunc("plot-of", cobra.FixedCompletions(kinds, cobra.ShellCompDirectiveNoFileComp))
	}
}

func (f *pictureFlags) check(own learner.Settings) error {
	switch f.of {
	case ofModel, ofLoss:
	case ofNewton:
		if of, ok := own.(interface{ RowLoss() (loss.Loss, error) }); ok {
			if l, err := of.RowLoss(); err == nil {
				if _, straight := l.(loss.Piecewise); straight {
					return usagef("--plot-of newton: the loss %s has corners and is minimised by an interior point method, which makes no Newton steps on the objective", l)
				}
			}
		}
	default:
		return usagef("--plot-of %q is not known; there are %s, %s and %s", f.of, ofModel, ofNewton, ofLoss)
	}
	if f.of != ofModel && f.plot == "" {
		return usagef("--plot-of %s: name the file of the picture with --plot", f.of)
	}
	return canDraw(f.plot)
}

// newton draws the steps of a fit.
func (s shown) newton(plot string) error {
	var trace *newton.Trace
	if r, ok := s.model.Report.(minimised); ok {
		trace = r.NewtonTrace()
	}
	if trace == nil || len(trace.Decrements) == 0 || !(trace.Values[0] > trace.Value && trace.Value > 0) {
		return fmt.Errorf("picture %s: the fit made no Newton step that lowered the objective: there is nothing to draw", plot)
	}
	return writePicture(s.cmd, plot, figure.Convergence(figure.Iteration{Name: s.model.Method, Values: trace.Values, Decrements: trace.Decrements}))
}

// losses draws the loss over residuals or margins, and the rows on it.
func (s shown) losses(plot string) error {
	l, err := s.model.Report.(minimised).RowLoss() // other methods do not offer the picture
	if err != nil {
		return err
	}
	target := s.on.Targets[0]
	n, _ := s.on.Values.Dims()
	panel := figure.Panel{X: "residual f(x) − y", Y: "loss " + l.String(), Layers: []figure.Layer{figure.Lattice{}}}
	at, y, groups := make([]float64, n), 0.0, []string{"rows"}
	for i := range at {
		at[i] = s.on.Values.At(i, 0) - s.on.Rows.Y.At(i, 0)
	}
	switch l.(type) {
	case loss.Logistic, loss.Hinge, loss.SquaredHinge:
		if at, err = s.on.Margins(); err != nil {
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
		d := figure.Dots{Name: name, Ink: figure.Ink(class), Shape: class, Size: size}
		for i, u := range at {
			if len(groups) == 1 || target.Class(s.on.Rows.Y.RawRowView(i)) == class {
				d.X, d.Y = append(d.X, u), append(d.Y, of(u))
			}
		}
		panel.Layers = append(panel.Layers, d)
	}
	return writePicture(s.cmd, plot, figure.Sheet{Panels: []figure.Panel{panel}, Width: 14, Height: 10})
}
