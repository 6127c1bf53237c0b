package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

var ridgeLearner = methodSpec{
	name:  "krr",
	short: "kernel ridge regression",
	long: `Kernel ridge regression minimises (1/N) Σ wᵢ (yᵢ − f(xᵢ) − b)² + λ‖f‖², exactly. Targets are numbers, or labels coded by
±1 (then the largest output wins); there may be several.`,
	examples: []string{
		`train.csv --target price --kernel 'rbf(sigma=median)' --lambda 1e-3`,
		`heart_scale --kernel 'poly(degree=2, offset=1)' --ridge 1 --loo`,
		`train.csv --target last --kernel 'rbf(sigma=1)[age,bmi] + linear'`,
	},
	path:  true,
	held:  heldOut{probabilities: true, conformal: true},
	flags: func() methodFlags { return &ridgeFlags{} },
}

// ridgeFlags are the flags of kernel ridge regression.
type ridgeFlags struct {
	lambda      float64
	ridge       float64
	lambdaBy    string
	noIntercept bool
	solver      string
	tolerance   float64
	loo         bool
	precision   string
	updatable   bool
}

func (f *ridgeFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Float64Var(&f.lambda, "lambda", 0, "λ in (1/N)Σ w(y−f)² + λ‖f‖²; default 1e-3, and by --lambda-by on landmarks and features")
	flags.Float64Var(&f.ridge, "ridge", 0, "Nλ, what is added to the diagonal, instead of --lambda")
	flags.StringVar(&f.lambdaBy, "lambda-by", "", "choose λ by a criterion along its path, one decomposition: "+strings.Join(criterionNames, ", ")+"; default on landmarks and features, where none is given: loo")
	flags.BoolVar(&f.noIntercept, "no-intercept", false, "no free constant")
	flags.StringVar(&f.solver, "solver", "auto", strings.Join(solverNames, ", "))
	flags.Float64Var(&f.tolerance, "tolerance", 0, "relative residual at which the solver cg stops; default 1e-10")
	flags.BoolVar(&f.loo, "loo", false, fmt.Sprintf("exact leave-one-out errors, needed for intervals and explanations; about doubles the time of a large fit; default: yes up to %d rows", freeLOO))
	flags.StringVar(&f.precision, "precision", compute.Double.String(), "double, or single: factors and products in single precision with half the memory, refined to a residual in double precision (1e-12, with --solver cg the tolerance)")
	flags.BoolVar(&f.updatable, "updatable", false, updatableHelp+summedHelp)
	_ = cmd.RegisterFlagCompletionFunc("precision", cobra.FixedCompletions(precisions, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("lambda-by", cobra.FixedCompletions(criterionNames, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("solver", cobra.FixedCompletions(solverNames, cobra.ShellCompDirectiveNoFileComp))
}

// criterionNames are the criteria along a path of λ.
var criterionNames = []string{string(krr.LOO), string(krr.GCV), string(krr.Evidence)}

// solverNames are the solvers of kernel ridge regression.
var solverNames = []string{string(krr.Auto), string(krr.Cholesky), string(krr.Packed), string(krr.CG), string(krr.Eigen), string(krr.Primal)}

// precisions are those of tiles and factors.
var precisions = []string{compute.Double.String(), compute.Single.String()}

// inPrecision returns computing options in a precision that is named.
func inPrecision(o compute.Options, name string) (compute.Options, error) {
	if !slices.Contains(precisions, name) {
		return o, usagef("--precision %q is not known; there are %s", name, strings.Join(precisions, ", "))
	}
	if name == compute.Single.String() {
		o.Precision = compute.Single
	}
	return o, nil
}

// defaultLambda is used when neither --lambda nor --ridge is given; it is said so.
const defaultLambda = 1e-3

// freeLOO is the number of rows up to which leave-one-out errors cost next to nothing
// and are computed without being asked for.
const freeLOO = 4000

func (f *ridgeFlags) method(cmd *cobra.Command, inv *invocation, p *task.Task, how compute.Options) (learner.Learner, error) {
	lambda := f.lambda
	given := cmd.Flags().Changed("lambda") || cmd.Flags().Changed("ridge")
	if cmd.Flags().Changed("lambda") && cmd.Flags().Changed("ridge") {
		return nil, usagef("--lambda and --ridge are two ways to give one number (ridge = Nλ): give one")
	}
	if !(lambda >= 0) || !(f.ridge >= 0) {
		return nil, usagef("--lambda is %g and --ridge %g: a penalty is at least 0", lambda, f.ridge)
	}
	if !slices.Contains(solverNames, f.solver) {
		return nil, usagef("--solver %q is not known; there are %s", f.solver, strings.Join(solverNames, ", "))
	}
	how, err := inPrecision(how, f.precision)
	if err != nil {
		return nil, err
	}
	by := krr.Criterion(f.lambdaBy)
	switch {
	case by != "" && given:
		return nil, usagef("--lambda-by chooses λ, and it is given: leave one of them out")
	case by != "" && by.Check() != nil:
		return nil, usagef("--lambda-by %q is not known; there are %s", by, strings.Join(criterionNames, ", "))
	case by == "" && !given && reduced(cmd, p):
		by = krr.LOO
		inv.note("λ is chosen by exact leave-one-out errors along its path (default on landmarks and features; give --lambda or --ridge)")
	case by == "" && !given:
		lambda = defaultLambda
		inv.note("λ = %g (default; give --lambda or --ridge, or let mercer tune choose)", lambda)
	}
	m := learner.KRR{Options: krr.Options{Lambda: lambda, Ridge: f.ridge, NoIntercept: f.noIntercept, Solver: krr.Solver(f.solver),
		Tolerance: f.tolerance, LOO: f.loo, Compute: how}, LambdaBy: by, Updatable: f.updatable}
	sums := f.updatable && m.Explicit(p)
	if n, _, _ := p.Dims(); !cmd.Flags().Changed("loo") && n <= freeLOO && n > 2 && krr.Solver(f.solver) != krr.CG && how.Precision == compute.Double && !sums {
		m.LOO = true
	}
	return m, nil
}

// reduced reports whether the flags ask for landmarks or features, so that λ may be chosen; a way
// that --auto takes is to the same λ as the exact one.
func reduced(cmd *cobra.Command, p *task.Task) bool {
	auto := cmd.Flag(routeNames[0])
	return (p.LandmarkMap != nil || p.FeatureMap != nil) && !(auto != nil && auto.Changed)
}
