package cli

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"mercer/gp"
	"mercer/gram"
	"mercer/pipeline"
)

var processLearner = learner{
	name:  "gp",
	short: "Gaussian process regression",
	long: `A Gaussian process with the kernel as its covariance and independent noise of variance σ², conditioned on the rows. Its mean is
kernel ridge regression at the ridge σ²; predict --interval gives intervals from its variance, without held-out rows.
--optimize moves every parameter of the kernel, and the noise, from where they are given to where the evidence is largest (by
L-BFGS); a kernel without a factor is given one, and a list such as sigma=[1,1,1] has one width per column (relevance).`,
	examples: []string{
		`train.csv --target price --kernel 'rbf(sigma=median)' --optimize`,
		`train.csv --target price --kernel '2*matern(nu=2.5, lengthscale=[1,1,1])' --optimize --restarts 4`,
		`train.csv --target price --kernel '10*rbf(sigma=1)' --noise 0.5 --mean zero`,
	},
	flags: func() methodFlags { return &processFlags{} },
	tuned: []string{"noise"},
}

// processFlags are the flags of Gaussian process regression.
type processFlags struct {
	noise    float64
	mean     string
	optimize bool
	restarts int
}

func (f *processFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Float64Var(&f.noise, "noise", 0, "variance σ² of the noise; default: a tenth of the variance of the target")
	flags.StringVar(&f.mean, "mean", string(gp.Constant), "prior mean: constant (found from the data) or zero")
	flags.BoolVar(&f.optimize, "optimize", false, "find the kernel's parameters and the noise by the evidence")
	flags.IntVar(&f.restarts, "restarts", 0, "further searches of --optimize from random starts")
	_ = cmd.RegisterFlagCompletionFunc("mean", cobra.FixedCompletions([]string{string(gp.Constant), string(gp.Zero)}, cobra.ShellCompDirectiveNoFileComp))
}

// noiseShare is the share of the target's variance that is taken for noise where none
// is given; it is said so.
const noiseShare = 0.1

func (f *processFlags) method(cmd *cobra.Command, inv *invocation, p *pipeline.Problem, compute gram.Options) (pipeline.Method, error) {
	noise := f.noise
	switch given := cmd.Flags().Changed("noise"); {
	case given && (!(noise >= 0) || math.IsInf(noise, 1)):
		return nil, usagef("--noise is %g: a variance is at least 0", noise)
	case f.mean != string(gp.Constant) && f.mean != string(gp.Zero):
		return nil, usagef("--mean %q is not known; there are %s and %s", f.mean, gp.Constant, gp.Zero)
	case f.restarts < 0 || f.restarts > 0 && !f.optimize:
		return nil, usagef("--restarts is %d: it is the number of further searches of --optimize", f.restarts)
	case p == nil && f.optimize:
		return nil, usagef("--optimize finds the noise and the kernel by the evidence, without folds: mercer fit gp --optimize")
	case !given && p != nil: // tune searches the noise
		noise = noiseShare * p.TargetVariance()
		inv.note("noise σ² = %s (default: a tenth of the variance of the target; give --noise or --optimize)", num(noise))
	}
	return pipeline.GP{Options: gp.Options{Noise: noise, Mean: gp.Mean(f.mean), Compute: compute}, Optimize: f.optimize, Restarts: f.restarts, Seed: inv.seed}, nil
}

func describeProcess(r *gp.Report, form []string) [][]string {
	mean := string(r.Mean)
	if r.Mean == gp.Constant {
		mean = "constant " + num(r.Constant)
	}
	lines := [][]string{
		{"noise σ²", num(r.Noise)},
		{"mean", mean},
		{"rows", fmt.Sprint(r.N)},
		form,
		{"log evidence", fmt.Sprintf("%s = fit %s + complexity %s + constant", num(r.LogEvidence), num(r.Fit), num(r.Complexity))},
		{"residual", num(r.Residual)},
		{"condition", num(r.Condition)},
		{"training RMSE", num(r.RMSE)},
	}
	return append(lines, describeEvidence(r.Tuned)...)
}

// describeEvidence says what a search for the largest evidence did.
func describeEvidence(t *gp.TuneReport) [][]string {
	if t == nil {
		return nil
	}
	var values []string
	for _, p := range t.Parameters {
		values = append(values, fmt.Sprintf("%s %s → %s", p.Name, num(p.Start), num(p.Value)))
	}
	return [][]string{
		{"search", fmt.Sprintf("log evidence from %s to %s, gradient %s; %d starts, %d iterations, %d evaluations", num(t.Start), num(t.LogEvidence), num(t.Gradient), len(t.Searches), t.Iterations, t.Evaluations)},
		{"found", strings.Join(values, ", ")},
	}
}
