package learn

import (
	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/predicted"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/learner"
	"example.org/mercer/loss"
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
	defer verb.OutputGroup.Claim(cmd.Flags())()
	cmd.Flags().StringVar(&f.plot, "plot", "", predicted.PictureHelp)
	if f.of = ofModel; s.Losses {
		kinds := []string{ofModel, ofNewton, ofLoss}
		cmd.Flags().StringVar(&f.of, "plot-of", ofModel, "what --plot draws: the model; newton: objective and decrement of every step; loss: that of the rows, on its curve")
		verb.Choices(cmd, "plot-of", kinds)
	}
}

func (f *pictureFlags) check(own learner.Settings) error {
	switch f.of {
	case ofModel, ofLoss:
	case ofNewton:
		if of, ok := own.(interface{ RowLoss() (loss.Loss, error) }); ok {
			if l, err := of.RowLoss(); err == nil {
				if _, straight := l.(loss.Piecewise); straight {
					return verb.Usagef("--plot-of newton: the loss %s has corners and is minimised by an interior point method, which makes no Newton steps on the objective", l)
				}
			}
		}
	default:
		return verb.Usagef("--plot-of %q is not known; there are %s, %s and %s", f.of, ofModel, ofNewton, ofLoss)
	}
	if f.of != ofModel && f.plot == "" {
		return verb.Usagef("--plot-of %s: name the file of the picture with --plot", f.of)
	}
	return verb.CanDraw(f.plot)
}
