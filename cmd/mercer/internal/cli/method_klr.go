package cli

import (
	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/task"
)

var klrLearner = methodSpec{
	name:   "klr",
	short:  "kernel logistic regression",
	labels: true,
	long: `Kernel logistic regression minimises (1/N) Σ wᵢ ln(1 + e^(−yᵢ(f(xᵢ) + b))) + (λ/2)‖f‖² by Newton's method, each step of
which is a weighted kernel ridge regression; more than two classes are multinomial. It gives probabilities.`,
	examples: []string{
		`heart_scale --kernel 'rbf(sigma=median)' --lambda 1e-2`,
		`iris.csv --target species --kernel linear --ridge 1`,
	},
	held:  heldOut{conformal: true},
	risk:  true,
	flags: func() methodFlags { return &klrFlags{} },
	tuned: []string{"lambda"},
}

// klrFlags are the flags of kernel logistic regression.
type klrFlags struct {
	penaltyFlags
	systems systemFlags
}

func (f *klrFlags) register(cmd *cobra.Command) {
	f.penaltyFlags.register(cmd)
	f.systems.register(cmd)
}

func (f *klrFlags) method(cmd *cobra.Command, inv *invocation, _ *task.Task, how compute.Options) (learner.Learner, error) {
	solver, how, err := f.systems.chosen(how)
	if err != nil {
		return nil, err
	}
	lambda, err := f.penaltyFlags.chosen(cmd, inv)
	return learner.KLR{Options: klr.Options{Lambda: lambda, Ridge: f.ridge, NoIntercept: f.noIntercept, Solver: solver, Compute: how}}, err
}
