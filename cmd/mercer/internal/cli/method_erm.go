package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/loss"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/task"
)

var lossLearner = methodSpec{
	name:  "erm",
	short: "any loss: robust, quantile, margin",
	long: `Minimises (1/N) Σ wᵢ ℓ(yᵢ, f(xᵢ) + b) + (λ/2)‖f‖² for a loss of your choice, with a certificate of how far the objective is
from its minimum. Losses:

  ` + strings.Join(loss.Names(), "\n  "),
	examples: []string{
		`stars.csv --target light --loss tukey --lambda 1e-3`,
		`train.csv --target price --loss 'huber(k=1.345)' --lambda 1e-3`,
		`train.csv --target delay --loss 'quantile(tau=0.9)'`,
	},
	held:  heldOut{probabilities: true, conformal: true},
	risk:  true,
	flags: func() methodFlags { return &lossFlags{} },
	tuned: []string{"lambda"},
}

var quantileLearner = methodSpec{
	name:    "quantiles",
	numbers: true,
	short:   "several quantiles that do not cross",
	long: `Fits the quantiles of a numeric target, each the minimum of its pinball loss, from one Gram matrix; predictions are put in
order, so that quantiles never cross.`,
	examples: []string{
		`train.csv --target price --taus 0.1,0.5,0.9 --lambda 1e-3`,
		`train.csv --target delay --taus 0.5,0.99 --kernel 'rbf(sigma=median)' --conformal`,
	},
	held:  heldOut{conformal: true},
	flags: func() methodFlags { return &quantileFlags{} },
	tuned: []string{"lambda"},
}

// penaltyFlags are λ and the intercept of methods with (λ/2)‖f‖².
type penaltyFlags struct {
	lambda, ridge float64
	noIntercept   bool
}

func (f *penaltyFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Float64Var(&f.lambda, "lambda", 0, "λ in (1/N)Σ w·loss + (λ/2)‖f‖²; default 1e-2")
	flags.Float64Var(&f.ridge, "ridge", 0, "Nλ instead of --lambda: the 1/C of other programs")
	flags.BoolVar(&f.noIntercept, "no-intercept", false, "no free constant")
}

// defaultPenalty is the λ where none is given; it is said so.
const defaultPenalty = 1e-2

// chosen returns λ, one of the two ways to give it.
func (f *penaltyFlags) chosen(cmd *cobra.Command, inv *invocation) (lambda float64, err error) {
	lambda, given := f.lambda, cmd.Flags().Changed("lambda")
	switch ridge := cmd.Flags().Changed("ridge"); {
	case given && ridge:
		return 0, usagef("--lambda and --ridge are two ways to give one number (ridge = Nλ): give one")
	case given && !(lambda > 0), ridge && !(f.ridge > 0):
		return 0, usagef("--lambda is %g and --ridge %g: this method needs a penalty above 0", lambda, f.ridge)
	case !given && !ridge:
		lambda = defaultPenalty
		inv.note("λ = %g (default; give --lambda or --ridge, or let mercer tune choose)", lambda)
	}
	return lambda, nil
}

// lossFlags are the flags of empirical risk minimisation.
type lossFlags struct {
	penaltyFlags
	systems systemFlags
	loss    string
}

func (f *lossFlags) register(cmd *cobra.Command) {
	f.penaltyFlags.register(cmd)
	f.systems.register(cmd)
	cmd.Flags().StringVar(&f.loss, "loss", "huber", "the loss, see above")
}

func (f *lossFlags) method(cmd *cobra.Command, inv *invocation, _ *task.Task, how compute.Options) (learner.Learner, error) {
	l, err := loss.Parse(f.loss)
	if err != nil {
		return nil, usageError{err}
	}
	solver, how, err := f.systems.chosen(how)
	if err != nil {
		return nil, err
	}
	lambda, err := f.chosen(cmd, inv)
	return learner.ERM{Options: erm.Options{Lambda: lambda, Ridge: f.ridge, NoIntercept: f.noIntercept, Seed: inv.seed, Solver: solver, Compute: how}, Loss: l}, err
}

// quantileFlags are the flags of several quantiles.
type quantileFlags struct {
	penaltyFlags
	systems systemFlags
	taus    []float64
}

func (f *quantileFlags) register(cmd *cobra.Command) {
	f.penaltyFlags.register(cmd)
	f.systems.register(cmd)
	cmd.Flags().Float64SliceVar(&f.taus, "taus", []float64{0.1, 0.5, 0.9}, "quantiles in (0, 1), rising")
}

func (f *quantileFlags) method(cmd *cobra.Command, inv *invocation, _ *task.Task, how compute.Options) (learner.Learner, error) {
	solver, how, err := f.systems.chosen(how)
	if err != nil {
		return nil, err
	}
	lambda, err := f.chosen(cmd, inv)
	return learner.Quantiles{Options: erm.Options{Lambda: lambda, Ridge: f.ridge, NoIntercept: f.noIntercept, Solver: solver, Compute: how}, Taus: f.taus}, err
}
