package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"mercer/gp"
	"mercer/gram"
	"mercer/pipeline"
)

var latentLearner = learner{
	name:   "gpc",
	short:  "Gaussian process classification",
	labels: true,
	long: `A latent function with a Gaussian process prior and P(label) = 1/(1 + e^(−f)), for two labels, by Laplace's approximation. Its
mode is kernel logistic regression at the ridge 1 without an intercept; the probabilities are averaged over the function's
uncertainty, so that they tend to ½ far from the rows. --optimize moves the parameters of the kernel to where the evidence is largest.`,
	examples: []string{
		`heart_scale --kernel '4*rbf(sigma=median)'`,
		`train.csv --target fraud --kernel 'rbf(sigma=median)' --optimize --restarts 2`,
	},
	flags: func() methodFlags { return &latentFlags{} },
}

// latentFlags are the flags of Gaussian process classification.
type latentFlags struct {
	optimize bool
	restarts int
}

func (f *latentFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.optimize, "optimize", false, "find the kernel's parameters by the evidence")
	cmd.Flags().IntVar(&f.restarts, "restarts", 0, "further searches of --optimize from random starts")
}

func (f *latentFlags) method(_ *cobra.Command, inv *invocation, _ *pipeline.Problem, compute gram.Options) (pipeline.Method, error) {
	if f.restarts < 0 || f.restarts > 0 && !f.optimize {
		return nil, usagef("--restarts is %d: it is the number of further searches of --optimize", f.restarts)
	}
	return pipeline.GPC{ClassOptions: gp.ClassOptions{Compute: compute}, Optimize: f.optimize, Restarts: f.restarts, Seed: inv.seed}, nil
}

func describeLatent(r *gp.ClassReport, form []string) [][]string {
	lines := [][]string{
		{"rows", fmt.Sprint(r.N)},
		form,
		{"log evidence", num(r.LogEvidence) + " (Laplace)"},
		{"log likelihood", num(r.Likelihood) + " at the mode"},
		{"Newton", fmt.Sprintf("%d steps, gap %s", r.Newton.Iterations, num(r.Newton.Gap))},
		{"training accuracy", num(r.Accuracy)},
	}
	return append(lines, describeEvidence(r.Tuned)...)
}
