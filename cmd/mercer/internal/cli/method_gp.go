package cli

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/pipeline"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/sparsegp"
	"example.org/mercer/task"
)

var processLearner = learner{
	name:    "gp",
	numbers: true,
	short:   "Gaussian process regression",
	long: `A Gaussian process with the kernel as its covariance and independent noise of variance σ², conditioned on the rows. Its mean is
kernel ridge regression at the ridge σ²; predict --interval gives intervals from its variance, without held-out rows.
--optimize moves every parameter of the kernel, and the noise, from where they are given to where the evidence is largest (by
L-BFGS), but for those that --fix names; a kernel without a factor is given one (scale), and a list such as sigma=[1,1,1] has one
width per column (relevance). --noise-column has a variance for each row; predict adds it to the intervals of rows that have it.
--solver cg multiplies with the Gram matrix and need not store it: coefficients and variances to a certified residual, the evidence
by --probes random vectors with its standard error. --landmarks conditions the process through its values at a few points, in
nm² flops for n rows and m landmarks, variances and --optimize included: --sparse says how. The report bounds the exact evidence.`,
	examples: []string{
		`train.csv --target price --kernel 'rbf(sigma=median)' --optimize`,
		`train.csv --target price --kernel '2*matern(nu=2.5, lengthscale=[1,1,1])' --optimize --restarts 4`,
		`train.csv --target price --kernel '10*rbf(sigma=1)' --noise 0.5 --mean zero`,
		`big.csv --target price --kernel 'rbf(sigma=median)' --solver cg`,
		`big.csv --target price --landmarks 500 --optimize`,
		`stars.csv --target flux --noise-column variance --noise 0 --kernel 'rbf(sigma=1)' --optimize --fix noise`,
	},
	flags: func() methodFlags { return &processFlags{} },
	tuned: []string{"noise"},
}

// processFlags are the flags of Gaussian process regression.
type processFlags struct {
	evidenceFlags
	noise  float64
	column string
	mean   string
	solver string

	updatable bool
	tolerance float64
	probes    int
	cache     float64

	sparse string
	jitter float64
}

// sparseNames are the flags that mean nothing without landmarks.
var sparseNames = []string{"sparse", "jitter"}

// columns are those that are no features.
func (f *processFlags) columns() []string {
	if f.column == "" {
		return nil
	}
	return []string{f.column}
}

func (f *processFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Float64Var(&f.noise, "noise", 0, "variance σ² of the noise; default: a tenth of the variance of the target")
	flags.StringVar(&f.mean, "mean", string(gp.Constant), "prior mean: constant (found from the data) or zero")
	flags.StringVar(&f.column, "noise-column", "", "column with the variance that the noise of each row has besides σ²; not a feature")
	flags.BoolVar(&f.updatable, "updatable", false, updatableHelp)
	flags.StringVar(&f.solver, "solver", string(gp.Cholesky), strings.Join(processSolvers, " or "))
	flags.Float64Var(&f.tolerance, "tolerance", 0, "relative residual of the coefficients at which the solver cg stops; default 1e-10")
	flags.IntVar(&f.probes, "probes", 0, "random vectors by which the solver cg estimates the evidence; default 16")
	flags.Float64Var(&f.cache, "variance-cache", 0, "with --solver cg keep a matrix of this rank in the model, by which predict --interval takes no solves; a number below 1 is by how much an interval may then be wider, as a share, and finds the rank")
	_ = cmd.RegisterFlagCompletionFunc("solver", cobra.FixedCompletions(processSolvers, cobra.ShellCompDirectiveNoFileComp))
	words := make([]string, len(sparsegp.Approximations))
	for i, a := range sparsegp.Approximations {
		words[i] = string(a)
	}
	flags.StringVar(&f.sparse, sparseNames[0], string(sparsegp.Variational), "what --landmarks make of the process: variational (a bound of the evidence), fitc, dtc or sor")
	flags.Float64Var(&f.jitter, sparseNames[1], 0, "with --landmarks: what is added to the diagonal of their Gram matrix, beside its mean; default 1e-10")
	_ = cmd.RegisterFlagCompletionFunc(sparseNames[0], cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	f.evidenceFlags.register(cmd, "the kernel's parameters and the noise")
	_ = cmd.RegisterFlagCompletionFunc("mean", cobra.FixedCompletions([]string{string(gp.Constant), string(gp.Zero)}, cobra.ShellCompDirectiveNoFileComp))
}

// processSolvers are the solvers of Gaussian process regression.
var processSolvers = []string{string(gp.Cholesky), string(gp.CG)}

// noiseShare is the share of the target's variance that is taken for noise where none
// is given; it is said so.
const noiseShare = 0.1

func (f *processFlags) method(cmd *cobra.Command, inv *invocation, p *task.Task, how compute.Options) (pipeline.Method, error) {
	if err := f.check(processLearner.name, p == nil); err != nil {
		return nil, err
	}
	if err := f.checkSparse(cmd); err != nil {
		return nil, err
	}
	noise := f.noise
	switch given := cmd.Flags().Changed("noise"); {
	case given && (!(noise >= 0) || math.IsInf(noise, 1)):
		return nil, usagef("--noise is %g: a variance is at least 0", noise)
	case f.mean != string(gp.Constant) && f.mean != string(gp.Zero):
		return nil, usagef("--mean %q is not known; there are %s and %s", f.mean, gp.Constant, gp.Zero)
	case !slices.Contains(processSolvers, f.solver):
		return nil, usagef("--solver %q is not known; there are %s", f.solver, strings.Join(processSolvers, " and "))
	case f.solver == string(gp.CG) && f.updatable:
		return nil, usagef("--updatable keeps a Cholesky factor, and --solver %s makes none", gp.CG)
	case f.solver != string(gp.CG) && f.cache != 0:
		return nil, usagef("--variance-cache stands for the solves of --solver cg: %s has none", f.solver)
	case !(f.cache >= 0) || f.cache >= 1 && f.cache != math.Trunc(f.cache) || math.IsInf(f.cache, 1):
		return nil, usagef("--variance-cache is %g: give a rank, a whole number from 1 on, or a share below 1", f.cache)
	case f.solver != string(gp.CG) && (f.tolerance != 0 || f.probes != 0):
		return nil, usagef("--tolerance and --probes are those of --solver cg: %s is exact", f.solver)
	case !given && p != nil: // tune searches the noise
		noise = noiseShare * p.TargetVariance()
		inv.note("noise σ² = %s (default: a tenth of the variance of the target; give --noise or --optimize)", num(noise))
	}
	cache := gp.CacheOptions{Rank: int(f.cache)}
	if f.cache < 1 {
		cache.Tolerance = f.cache
	}
	return pipeline.GP{Options: gp.Options{Noise: noise, Mean: gp.Mean(f.mean), Solver: gp.Solver(f.solver),
		Tolerance: f.tolerance, Probes: f.probes, Compute: how}, NoiseColumn: f.column, Updatable: f.updatable,
		VarianceCache: cache, Optimize: f.optimize, Fixed: f.fixed, Restarts: f.restarts, Seed: inv.seed, Sparse: sparsegp.Approximation(f.sparse), Jitter: f.jitter}, nil
}

// checkSparse refuses what goes with landmarks alone.
func (f *processFlags) checkSparse(cmd *cobra.Command) error {
	if !slices.Contains(sparsegp.Approximations, sparsegp.Approximation(f.sparse)) {
		return usagef("--sparse %q is not known; there are %q", f.sparse, sparsegp.Approximations)
	}
	if !(f.jitter >= 0) || math.IsInf(f.jitter, 1) {
		return usagef("--jitter is %g: it is at least 0", f.jitter)
	}
	for _, name := range sparseNames {
		if cmd.Flags().Changed(name) && !cmd.Flags().Changed(landmarkNames[0]) && !cmd.Flags().Changed(routeNames[0]) {
			return usagef("--%s says what landmarks make of a process: give --%s", name, landmarkNames[0])
		}
	}
	return nil
}

func describeProcess(r *gp.Report, form []string) [][]string {
	mean := string(r.Mean)
	if r.Mean == gp.Constant {
		mean = "constant " + num(r.Constant)
	}
	noise := num(r.Noise)
	if r.RowNoise {
		noise += ", and of each row its own"
	}
	evidence := num(r.LogEvidence)
	if it := r.Iterated; it != nil {
		evidence += " ± " + num(it.StandardError)
	}
	lines := [][]string{
		{"noise σ²", noise},
		{"mean", mean},
		{"rows", fmt.Sprint(r.N)},
		form,
		{"log evidence", fmt.Sprintf("%s = fit %s + complexity %s + constant", evidence, num(r.Fit), num(r.Complexity))},
	}
	lines = append(lines, describeProducts(r.Iterated)...)
	if c := r.Cache; c != nil {
		lines = append(lines, []string{"variance cache", fmt.Sprintf("rank %d; intervals wider than exact by %s at most, %s in the mean, at %d rows left out", c.Rank, num(c.Widest), num(c.Mean), c.Rows)})
	}
	lines = append(lines, []string{"residual", num(r.Residual)})
	if r.Iterated == nil {
		lines = append(lines, []string{"condition", num(r.Condition)})
	}
	lines = append(lines, []string{"training RMSE", num(r.RMSE)})
	return append(lines, describeEvidence(r.Tuned)...)
}

// describeSparse lays out a process on landmarks.
func describeSparse(r *sparsegp.Report, form []string) [][]string {
	mean, objective := string(r.Mean), "log evidence"
	if r.Mean == gp.Constant {
		mean = "constant " + joinNumbers(r.Constant)
	}
	noise, trace := num(r.Noise), ""
	if r.RowNoise {
		noise += ", and of each row its own"
	}
	if r.Approximation == sparsegp.Variational {
		objective, trace = "evidence bound", " + trace "+num(r.Trace)
	}
	lines := [][]string{
		{"noise σ²", noise},
		{"mean", mean},
		{"rows", fmt.Sprint(r.N)},
		form,
		{"process", fmt.Sprintf("%s, jitter %s; the landmarks leave %s of the prior variance", r.Approximation, num(r.Jitter), num(r.TraceLeft))},
	}
	for j, v := range r.LogEvidence {
		lines = append(lines, []string{objective, fmt.Sprintf("%s = fit %s + complexity %s%s + constant", num(v), num(r.Fit[j]), num(r.Complexity), trace)})
		if r.Within != nil {
			lines = append(lines, []string{"exact evidence", fmt.Sprintf("%s to %s, with this kernel and noise", num(r.Within[j].Least), num(r.Within[j].Most))})
		}
	}
	lines = append(lines, []string{"condition", num(r.Condition)}, []string{"training RMSE", joinNumbers(r.RMSE)})
	return append(lines, describeEvidence(r.Tuned)...)
}

// describeProducts says what conjugate gradients did; nil: there were none.
func describeProducts(it *gp.IteratedReport) [][]string {
	if it == nil {
		return nil
	}
	lines := [][]string{
		{"solver", fmt.Sprintf("conjugate gradients: %d products for the coefficients and %d for %d probes of the evidence, a preconditioner of rank %d, Gram matrix: %s", it.Products, it.Steps, it.Probes, it.Rank, it.Storage)},
	}
	if it.Least != nil {
		lines = append(lines, []string{"evidence within", fmt.Sprintf("%s to %s, without chance", num(*it.Least), num(*it.Most))})
	}
	return lines
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
