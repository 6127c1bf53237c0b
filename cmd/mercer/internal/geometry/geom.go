package geometry

import (
	"fmt"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/learner"
	"example.org/mercer/rkhs"
	"example.org/mercer/task"
)

func NewGeom(inv *verb.Invocation) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "geom VERB",
		Short: "Geometry in the feature space of a kernel: distances, barycentres, dimensions; tests of two samples and of independence",
		Long: `geom computes what follows from inner products ⟨φ(x), φ(y)⟩ = k(x, y) alone: the rows of a table are points φ(x) of the
space H of a kernel, and have norms, distances, a barycentre, a variance, in as many dimensions as they take up.

  points     norms, barycentre, variance and dimension of the rows of a table
  distance   distances between rows, or from rows to a set
  alignment  the angle between two kernels on the same rows
  herd       the few rows whose mean is nearest to that of all
  function   the norm of a fitted model, and where it rises as fast as that allows
  mmd        do two samples come from one distribution?
  hsic       are two groups of columns independent?

Every column is a feature unless it is dropped, is the target, names the rows (--id) or weighs them (--weights).`,
		Example: `  mercer geom points iris.csv --target last --kernel 'rbf(sigma=median)' --lambda 1e-3
  mercer geom mmd before.csv after.csv --kernel 'rbf(sigma=median)' --plot witness.png
  mercer geom hsic train.csv --x 'hist*' --y age,bmi`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newGeomPoints(inv), newGeomDistance(inv), newGeomAlignment(inv), newGeomHerd(inv), newGeomFunction(inv), newGeomMMD(inv), newGeomHSIC(inv))
	return cmd
}

// geomFlags are those of a verb on the rows of one table without a target.
func geomFlags(cmd *cobra.Command) *flags.Problem {
	f := &flags.Problem{Prep: flags.Preparation{Learns: learner.NoTarget}}
	f.Register(cmd)
	return f
}

// rootOf prints the root of a squared norm, or says why there is none.
func rootOf(squared, scale float64) string {
	if r, ok := rkhs.NormOf(squared, scale); ok {
		return verb.Num(r)
	}
	return fmt.Sprintf("none: its square is %s", verb.Num(squared))
}

// rootNumber is the root for JSON, null where there is none.
func rootNumber(squared, scale float64) verb.Number {
	r, _ := rkhs.NormOf(squared, scale)
	return verb.Number(r)
}

// warnIndefinite warns of a squared norm that is negative beyond rounding.
func warnIndefinite(inv *verb.Invocation, what string, squared, scale float64) {
	if _, ok := rkhs.NormOf(squared, scale); !ok {
		inv.Note("warning: %s is %s, a negative square: the kernel is not positive definite on these rows (mercer check finds out where)", what, verb.Num(squared))
	}
}

// namedRows finds rows by their ids or numbers.
func namedRows(p *task.Task, wanted []string) ([]int, error) {
	at := map[string]int{}
	for i, name := range p.Names() {
		at[name] = i
	}
	rows := make([]int, len(wanted))
	for i, name := range wanted {
		row, ok := at[name]
		if !ok {
			return nil, verb.Usagef("--rows: %s has no row %q; rows are named by their id (--id), or by their number from 1", p.Source, name)
		}
		rows[i] = row
	}
	return rows, nil
}
