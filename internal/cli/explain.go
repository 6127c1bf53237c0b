package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mercer/pipeline"
)

// explained is what `mercer explain` prints.
type explained struct {
	Model string                 `json:"model"`
	Rows  []pipeline.Explanation `json:"rows"`
}

func (e explained) text(w io.Writer) {
	for i, r := range e.Rows {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "row %s: %s = %s (intercept %s)\n", r.Row, r.Output, num(r.Prediction), num(r.Bias))
		lines := [][]string{{"  training row", "k(x, xᵢ)", "contribution", "share"}}
		for _, part := range r.Parts {
			line := []string{"  " + part.Name, num(part.Kernel), num(part.Contribution), fmt.Sprintf("%.1f%%", 100*part.Share)}
			if part.Removal != nil {
				lines[0] = append(lines[0][:4], "leverage", "change if removed")
				line = append(line, num(part.Removal.Leverage), num(part.Removal.Change))
			}
			lines = append(lines, line)
		}
		rows(w, lines)
		if r.Rest != 0 {
			fmt.Fprintf(w, "  the other %d add up to %s\n", r.Others, num(r.Rest))
		}
	}
}

func newExplain(inv *invocation) *cobra.Command {
	f := &applyFlags{}
	var top int
	var only []int
	cmd := &cobra.Command{
		Use:   "explain MODEL TABLE",
		Short: "Show which training rows carry a prediction, and what removing each would change",
		Long: `explain splits the prediction of every row into the contributions αᵢ·k(x, xᵢ) of the training rows and lists the
largest; for kernel ridge regression with the leverage of each training row and the exact change of this prediction if
it were removed from the training table. That model must hold its training rows and their leave-one-out residuals: one
in primal form (a linear kernel on many rows) is fitted again with --solver cholesky, one without residuals with --loo.`,
		Example: `  mercer explain house.mercer new.csv --top 5
  mercer explain house.mercer new.csv --row 3 --json`,
		Args: modelAndTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			if top < 1 {
				return usagef("--top is %d; give the number of training rows to list, at least 1", top)
			}
			m, p, err := f.load(cmd, inv, args, false)
			if err != nil {
				return err
			}
			compute, stop := inv.compute()
			defer stop()
			parts, err := m.Explain(cmd.Context(), p, pipeline.ExplainOptions{Top: top, Rows: only}, compute)
			if err != nil {
				return err
			}
			return inv.emit(explained{Model: args[0], Rows: parts})
		},
	}
	f.register(cmd)
	cmd.Flags().IntVar(&top, "top", 5, "training rows to list for every prediction")
	cmd.Flags().IntSliceVar(&only, "row", nil, "rows of the table to explain, counted from 1; default: all")
	return cmd
}
