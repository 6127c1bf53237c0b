package cli

import (
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/sparsegp"
	"example.org/mercer/task"
)

var processLearner = methodSpec{
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
	flags.StringVar(&f.solver, "solver", string(gp.Cholesky), strings.Join(processSolvers, ", "))
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
var processSolvers = []string{string(gp.Cholesky), string(gp.Packed), string(gp.CG)}

// noiseShare is the share of the target's variance that is taken for noise where none
// is given; it is said so.
const noiseShare = 0.1

func (f *processFlags) method(cmd *cobra.Command, inv *invocation, p *task.Task, how compute.Options) (learner.Learner, error) {
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
		return nil, usagef("--solver %q is not known; there are %s", f.solver, strings.Join(processSolvers, ", "))
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
	return learner.GP{Options: gp.Options{Noise: noise, Mean: gp.Mean(f.mean), Solver: gp.Solver(f.solver),
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
