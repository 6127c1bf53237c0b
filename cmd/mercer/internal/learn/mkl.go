package learn

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/learner"
	"example.org/mercer/search"
	"example.org/mercer/supervised/mkl"
)

// weighed is what `mercer mkl` prints.
type weighed struct {
	Kernel string      `json:"kernel"` // the weighted sum, an expression
	Report *mkl.Report `json:"report"`
}

func (v weighed) Text(w io.Writer) {
	lines := [][]string{{"share", "weight", "alignment", "term"}}
	for k, term := range v.Report.Terms {
		lines = append(lines, []string{verb.Num(v.Report.Shares[k]), verb.Num(v.Report.Weights[k]), verb.Num(v.Report.Alignments[k]), term})
	}
	verb.Columns(w, lines)
	fmt.Fprintf(w, "\nalignment of the sum: %s\n\n%s\n", verb.Num(v.Report.Alignment), v.Kernel)
}

func NewMKL(inv *verb.Invocation) *cobra.Command {
	f, o, method, kept := &flags.Problem{}, mkl.Options{}, "", &flags.Steps{}
	cmd := &cobra.Command{
		Use:   "mkl TABLE",
		Short: "Weigh the terms of a kernel by what they say of the target",
		Long: `mkl is multiple kernel learning: it finds a weight for each term of a sum of kernels, and prints the weighted sum as an
expression for --kernel. Terms are compared at the same size in feature space (share), and weighted as they are written.

  alignf   the sum with the largest centred alignment with the target
  align    each term by its own alignment
  easymkl  the largest margin between classes; --balance moves from the nearest points (0) to the means (1)`,
		Example: `  mercer mkl heart_scale --kernel 'linear + rbf(sigma=1) + rbf(sigma=5)'
  mercer mkl train.csv --target price --kernel 'rbf(sigma=median)[age] + rbf(sigma=median)[income] + linear' --json
  mercer mkl iris.csv --target species --kernel 'linear + rbf(sigma=1)' --method easymkl --balance 0.1`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Method = mkl.Method(method); !slices.Contains(mkl.Methods, o.Method) {
				return verb.Usagef("--method %q is not known; one of %q is", method, mkl.Methods)
			}
			if !(o.Balance >= 0 && o.Balance <= 1) {
				return verb.Usagef("--balance is %g: it is in [0, 1]", o.Balance)
			}
			if o.Method == mkl.EasyMKL { // which tells classes apart, as the classifiers do
				f.Prep.Learns = learner.LabelTarget
			}
			p, err := f.Task(cmd.Context(), inv, args[0])
			if err != nil {
				return err
			}
			how, stop := inv.Compute()
			defer stop()
			o.Compute = how
			var found weighed
			err = kept.Run(inv, func(file string, every time.Duration) (log *learner.Checkpoint, err error) {
				o, log, err = learner.OpenWeighing(p, o, file, every)
				return log, err
			}, func() (err error) {
				found.Kernel, found.Report, err = search.Weigh(cmd.Context(), p, o)
				return err
			})
			if err != nil {
				return err
			}
			stop()
			inv.Notes(found.Report.Warnings)
			return inv.Emit(found)
		},
	}
	f.Register(cmd)
	kept.Register(cmd)
	cmd.Flags().StringVar(&method, "method", string(mkl.AlignF), "alignf, align or easymkl")
	cmd.Flags().Float64Var(&o.Balance, "balance", 0, "Λ of easymkl in [0, 1]")
	verb.Choices(cmd, "method", []string{string(mkl.AlignF), string(mkl.Align), string(mkl.EasyMKL)})
	return inv.Prints(inv.Cached(cmd), weighed{})
}
