package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/space"
)

// systemFlags say how the weighted systems of a method are solved.
type systemFlags struct {
	solver, precision string
}

// systemSolvers are the solvers of spaces.
var systemSolvers = []string{string(space.Auto), string(space.Cholesky), string(space.Packed), string(space.CG), string(space.Features)}

func (f *systemFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.solver, "solver", "auto", strings.Join(systemSolvers, ", ")+": packed takes half of the memory, cg that of products")
	flags.StringVar(&f.precision, "precision", compute.Double.String(), "double, or single: factors and products in single precision with half the memory, refined to a residual in double precision")
	_ = cmd.RegisterFlagCompletionFunc("precision", cobra.FixedCompletions(precisions, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("solver", cobra.FixedCompletions(systemSolvers, cobra.ShellCompDirectiveNoFileComp))
}

// chosen returns the solver, and computing options in the precision.
func (f *systemFlags) chosen(how compute.Options) (space.Solver, compute.Options, error) {
	if !slices.Contains(systemSolvers, f.solver) {
		return "", how, usagef("--solver %q is not known; there are %s", f.solver, strings.Join(systemSolvers, ", "))
	}
	how, err := inPrecision(how, f.precision)
	return space.Solver(f.solver), how, err
}
