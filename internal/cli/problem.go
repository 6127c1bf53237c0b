package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mercer/krr"
	"mercer/pipeline"
)

// problemFlags say what to learn and with which kernel and penalty: they are shared by
// plan and fit.
type problemFlags struct {
	table tableFlags
	prep  prepFlags

	kernel      string
	lambda      float64
	ridge       float64
	noIntercept bool
	solver      string
	tolerance   float64
	loo         bool
}

func (f *problemFlags) register(cmd *cobra.Command) {
	f.table.register(cmd)
	f.prep.register(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.kernel, "kernel", "rbf(sigma=median)", "kernel expression; see: mercer kernel")
	flags.Float64Var(&f.lambda, "lambda", 0, "λ in (1/N)Σ w(y−f)² + λ‖f‖²; default 1e-3")
	flags.Float64Var(&f.ridge, "ridge", 0, "Nλ, what is added to the diagonal, instead of --lambda")
	flags.BoolVar(&f.noIntercept, "no-intercept", false, "no free constant")
	flags.StringVar(&f.solver, "solver", "auto", strings.Join(solverNames, ", "))
	flags.Float64Var(&f.tolerance, "tolerance", 0, "relative residual at which the solver cg stops; default 1e-10")
	flags.BoolVar(&f.loo, "loo", false, fmt.Sprintf("exact leave-one-out errors, needed for intervals and explanations; about doubles the time of a large fit; default: yes up to %d rows", freeLOO))
	_ = cmd.RegisterFlagCompletionFunc("solver", cobra.FixedCompletions(solverNames, cobra.ShellCompDirectiveNoFileComp))
}

// solverNames are the solvers of kernel ridge regression.
var solverNames = []string{string(krr.Auto), string(krr.Cholesky), string(krr.Packed), string(krr.CG), string(krr.Eigen), string(krr.Primal)}

// defaultLambda is used when neither --lambda nor --ridge is given; it is said so.
const defaultLambda = 1e-3

// freeLOO is the number of rows up to which leave-one-out errors cost next to nothing
// and are computed without being asked for.
const freeLOO = 4000

// options returns the method's options for a problem.
func (f *problemFlags) options(cmd *cobra.Command, inv *invocation, p *pipeline.Problem) (krr.Options, error) {
	lambda := f.lambda
	given := cmd.Flags().Changed("lambda") || cmd.Flags().Changed("ridge")
	if cmd.Flags().Changed("lambda") && cmd.Flags().Changed("ridge") {
		return krr.Options{}, usagef("--lambda and --ridge are two ways to give one number (ridge = Nλ): give one")
	}
	if !(lambda >= 0) || !(f.ridge >= 0) {
		return krr.Options{}, usagef("--lambda is %g and --ridge %g: a penalty is at least 0", lambda, f.ridge)
	}
	if !slices.Contains(solverNames, f.solver) {
		return krr.Options{}, usagef("--solver %q is not known; there are %s", f.solver, strings.Join(solverNames, ", "))
	}
	if !given {
		lambda = defaultLambda
		inv.note("λ = %g (default; give --lambda or --ridge, or let mercer tune choose)", lambda)
	}
	loo := f.loo
	if n, _, _ := p.Dims(); !cmd.Flags().Changed("loo") && n <= freeLOO && n > 2 && krr.Solver(f.solver) != krr.CG {
		loo = true
	}
	return krr.Options{Lambda: lambda, Ridge: f.ridge, NoIntercept: f.noIntercept, Solver: krr.Solver(f.solver),
		Tolerance: f.tolerance, LOO: loo}, nil
}

// problem reads the table and puts the kernel on its rows.
func (f *problemFlags) problem(ctx context.Context, inv *invocation, path string) (*pipeline.Problem, error) {
	spec, err := f.prep.spec()
	if err != nil {
		return nil, err
	}
	t, err := f.table.read(ctx, inv, path, f.prep.id)
	if err != nil {
		return nil, err
	}
	p, err := pipeline.NewProblem(ctx, t, spec, f.kernel)
	if err != nil {
		return nil, blame(err)
	}
	inv.notes(p.Rows.Notes)
	return p, nil
}

// notes tells what preparation or a method has to say: all of it with --verbose, the
// first few otherwise.
func (inv *invocation) notes(notes []string) {
	const shown = 5
	for i, n := range notes {
		if i == shown && !inv.verbose {
			inv.note("… and %d more notes (--verbose shows them)", len(notes)-shown)
			return
		}
		inv.note("note: %s", strings.TrimSpace(n))
	}
}
