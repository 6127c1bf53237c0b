package cli

import (
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/task"
)

var latentLearner = methodSpec{
	name:   "gpc",
	short:  "Gaussian process classification",
	labels: true,
	held:   heldOut{conformal: true},
	long: `A latent function with a Gaussian process prior and P(label) = 1/(1 + e^(−f)) for two labels, one function each and the softmax for
more, by Laplace's approximation. Its mode is kernel logistic regression at the ridge 1 without an intercept; the probabilities are
averaged over the functions' uncertainty, so that all tend to be equal far from the rows, and the label is the most probable.
--optimize moves the parameters of the kernel to where the evidence is largest; --fix keeps some of them. With --landmarks or
--random-features the functions are weights of features, no matrix of the rows is made, and the kernel stays as it is.`,
	examples: []string{
		`heart_scale --kernel '4*rbf(sigma=median)'`,
		`train.csv --target fraud --kernel 'rbf(sigma=median)' --optimize --restarts 2`,
		`big.csv --target kind --kernel '10*rbf(sigma=median)' --landmarks 300`,
		`iris.csv --target species --kernel '10*rbf(sigma=[1,1,1,1])' --optimize --fix scale`,
	},
	flags: func() methodFlags { return &latentFlags{} },
	tuned: []string{"scale"},
}

// latentFlags are the flags of Gaussian process classification.
type latentFlags struct {
	evidenceFlags
	scale     float64
	solver    string
	precision string
}

// latentSolvers are the solvers of Gaussian process classification.
var latentSolvers = []string{string(gp.Cholesky), string(gp.Packed)}

func (f *latentFlags) register(cmd *cobra.Command) {
	cmd.Flags().Float64Var(&f.scale, "scale", 1, "factor of the kernel: how far the log-odds go")
	cmd.Flags().StringVar(&f.solver, "solver", string(gp.Cholesky), "cholesky, or packed: half of the memory, and kernel values computed again in every step")
	cmd.Flags().StringVar(&f.precision, "precision", compute.Double.String(), "double, or single: packed steps in single precision, refined; covariance and evidence in double")
	_ = cmd.RegisterFlagCompletionFunc("solver", cobra.FixedCompletions(latentSolvers, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("precision", cobra.FixedCompletions(precisions, cobra.ShellCompDirectiveNoFileComp))
	f.evidenceFlags.register(cmd, "the kernel's parameters")
}

func (f *latentFlags) method(_ *cobra.Command, inv *invocation, p *task.Task, how compute.Options) (learner.Learner, error) {
	if err := f.check(latentLearner.name, p == nil); err != nil {
		return nil, err
	}
	if !(f.scale > 0) || math.IsInf(f.scale, 1) {
		return nil, usagef("--scale is %g: the factor of a kernel is a positive number", f.scale)
	}
	if !slices.Contains(latentSolvers, f.solver) {
		return nil, usagef("--solver %q is not known; there are %s", f.solver, strings.Join(latentSolvers, " and "))
	}
	how, err := inPrecision(how, f.precision)
	if err != nil {
		return nil, err
	}
	return learner.GPC{ClassOptions: gp.ClassOptions{Solver: gp.Solver(f.solver), Compute: how}, Scale: f.scale, Optimize: f.optimize, Fixed: f.fixed, Restarts: f.restarts, Seed: inv.seed}, nil
}
