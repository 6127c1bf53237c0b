package kernels

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/check"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/learner"
	"example.org/mercer/task"
)

// checked is what `mercer check` prints.
type checked struct{ *check.Report }

func (c checked) Text(w io.Writer) { fmt.Fprintln(w, c.Report) }

// errFalsified makes a falsified kernel exit with 1; the report has said why.
var errFalsified = errors.New("not a positive definite kernel")

func NewCheck(inv *verb.Invocation) *cobra.Command {
	var table flags.Table
	var prepare flags.Preparation
	var domain string
	o := check.Options{}
	cmd := &cobra.Command{
		Use:   "check EXPR [TABLE]",
		Short: "Look for a counter-example to a kernel, on a domain or on the rows of a table",
		Long: `check tests symmetry, the Cauchy–Schwarz inequality and the spectrum of many Gram matrices, and looks for the
smallest counter-example: points x and coefficients a with aᵀKa < 0. A counter-example counts only when 200-bit
arithmetic confirms it, so rounding never accuses a true kernel. Finding none is no proof; a proof is printed where the
rules of the algebra give one. With a TABLE the kernel is checked on its rows, and the answer holds for these alone.

The exit code is 0 where no counter-example was found and 1 where one was.`,
		Example: `  mercer check 'formula("max(x, y)")' --domain positive
  mercer check gcd --domain naturals
  mercer check 'formula("1/(1 - x*y)")' --domain '(-1,1)' --json
  mercer check 'tanh(scale=1, offset=-1)' train.csv --target price`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 && cmd.Flags().Changed("domain") {
				return verb.Usagef("--domain says where points may lie, and a table says which points: give one of them")
			}
			o.Seed = inv.Seed
			k, rows, prepared, err := checkTarget(cmd, inv, args, &table, &prepare)
			if err != nil {
				return verb.Blame(err)
			}
			if rows != nil {
				o.Domain = *rows
			} else if o.Domain, err = check.ParseDomain(domain); err != nil {
				return verb.AsUsage(err)
			}
			how, stop := inv.Compute()
			defer stop()
			o.Progress = how.Progress
			report, err := check.Run(cmd.Context(), k, o)
			stop()
			if err != nil {
				return err
			}
			countRows(report.Witness, prepared)
			if err := inv.Emit(checked{report}); err != nil {
				return err
			}
			if report.Verdict != check.NoCounterexample {
				return errFalsified
			}
			return nil
		},
	}
	registerRows(cmd, &table, &prepare)
	set := cmd.Flags()
	set.StringVar(&domain, "domain", "reals", "reals, positive, unit, naturals, integers, or an interval such as '(-1,1)'")
	set.IntVar(&o.Dim, "dim", 0, "coordinates of a point; default 1")
	set.IntVar(&o.Budget, "budget", 0, "kernel evaluations to spend; default 2000000")
	set.UintVar(&o.Prec, "prec", 0, "bits of the arithmetic that confirms a counter-example; default 200")
	verb.Choices(cmd, "domain", []string{"reals", "positive", "unit", "naturals", "integers"})
	return inv.Prints(cmd, checked{})
}

// countRows counts the rows of a counter-example in the table, of which some may have been left
// out.
func countRows(w *check.Witness, prepared *prep.Prepared) {
	if w == nil || prepared == nil {
		return
	}
	for i, row := range w.Rows {
		w.Rows[i] = prepared.Rows[row-1] + 1
	}
}

// registerRows adds the flags of a table, whose bags keep the target and the weights.
func registerRows(cmd *cobra.Command, table *flags.Table, prepare *flags.Preparation) {
	table.Register(cmd)
	prepare.Register(cmd)
	table.Outcomes = func() []string { return append(slices.Clone(prepare.Targets), prepare.Weights) }
}

// checkAlone returns a kernel to check without a table, and the rows of the precomputed Gram matrix
// that it names, if any.
func checkAlone(ctx context.Context, text string) (kernel.Kernel[[]float64], *check.Domain, error) {
	parsed, err := task.Parse(text)
	if err != nil {
		return nil, nil, err
	}
	switch parsed.Kind {
	case task.OnRowIDs:
		k, numbers, err := task.RowsOf(ctx, parsed)
		domain := check.Rows(numbers)
		return k, &domain, err
	case task.OnRecords:
		return nil, nil, verb.Usagef("%s compares cells of a table: name the table behind it", parsed)
	}
	k, err := expr.Build(parsed.Node, vec.Dictionary(vec.Schema{}))
	return k, nil, err
}

// checkTarget returns the kernel to check, and the rows to check it on if there are
// any: those of the table, which are also returned as they were prepared, or of a precomputed Gram
// matrix.
func checkTarget(cmd *cobra.Command, inv *verb.Invocation, args []string, table *flags.Table, prepare *flags.Preparation) (kernel.Kernel[[]float64], *check.Domain, *prep.Prepared, error) {
	if len(args) == 1 {
		k, domain, err := checkAlone(cmd.Context(), args[0])
		return k, domain, nil, err
	}
	t, err := table.Read(cmd.Context(), inv, args[1], prepare.ID)
	if err != nil {
		return nil, nil, nil, err
	}
	prepare.Learns = learner.NoTarget
	spec, err := prepare.Spec()
	if err != nil {
		return nil, nil, nil, err
	}
	k, points, rows, err := task.KernelOn(cmd.Context(), t, spec, args[0])
	if rows != nil {
		inv.Notes(rows.Notes)
	}
	domain := check.Rows(points)
	return k, &domain, rows, err
}
