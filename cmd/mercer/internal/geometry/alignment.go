package geometry

import (
	"io"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/kernel"
	"example.org/mercer/rkhs"
)

// aligned is what `mercer geom alignment` prints.
type aligned struct {
	Kernel  string  `json:"kernel"`
	With    string  `json:"with"`
	Plain   float64 `json:"alignment"`
	Centred float64 `json:"centred"`
}

func (a aligned) Text(w io.Writer) {
	verb.Columns(w, [][]string{{"kernel", verb.Brief(a.Kernel)}, {"with", verb.Brief(a.With)}, {"alignment", verb.Num(a.Plain)}, {"centred", verb.Num(a.Centred)}})
}

func newGeomAlignment(inv *verb.Invocation) *cobra.Command {
	var with string
	cmd := &cobra.Command{
		Use:   "alignment TABLE",
		Short: "The cosine of two kernels on the rows of a table, or of a kernel and the target",
		Long: `alignment gives ⟨A, B⟩/(‖A‖‖B‖) of two Gram matrices: of --kernel and the kernel --with, or the ideal kernel of the
target, which is yyᵀ of its numbers, or of its labels coded by ±1. The centred alignment takes the barycentres off
first and is the one to choose kernels by. mercer mkl weighs the terms of a sum by it.`,
		Example: `  mercer geom alignment iris.csv --target last --kernel 'rbf(sigma=1)'
  mercer geom alignment train.csv --kernel 'rbf(sigma=median)' --with linear --json`,
		Args: cobra.ExactArgs(1),
	}
	f := geomFlags(cmd)
	cmd.Flags().StringVar(&with, "with", "", "the other kernel; default: the ideal kernel of the target")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if with == "" && f.Prep.Targets == nil {
			return verb.Usagef("name what to align with: another kernel (--with) or the target (--target)")
		}
		p, err := f.Task(cmd.Context(), inv, args[0])
		if err != nil {
			return err
		}
		result, other := aligned{Kernel: p.Kernel(), With: "the target"}, kernel.Pairs(nil)
		if with == "" {
			other = rkhs.Outer(p.Rows.Y)
		} else {
			q, err := mercer.WithKernel(cmd.Context(), p, with)
			if err != nil {
				return verb.Blame(err)
			}
			result.With, other = q.Kernel(), q.Pairs()
		}
		how, stop := inv.Compute()
		defer stop()
		if result.Plain, err = rkhs.Alignment(cmd.Context(), p.Pairs(), other, p.Rows.W, false, how); err != nil {
			return err
		}
		if result.Centred, err = rkhs.Alignment(cmd.Context(), p.Pairs(), other, p.Rows.W, true, how); err != nil {
			return err
		}
		stop()
		return inv.Emit(result)
	}
	return inv.Prints(inv.Cached(cmd), aligned{})
}
