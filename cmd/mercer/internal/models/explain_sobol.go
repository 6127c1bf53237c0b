package models

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/verb"
)

// sobol explains a model by the shares of columns in the variance of its function.
func (f *explainFlags) sobol(cmd *cobra.Command, inv *verb.Invocation, path string, m *mercer.Model) error {
	found, err := m.Sobol(cmd.Context(), f.ExplainOptions)
	if err != nil {
		return err
	}
	return inv.Emit(varied{Model: path, Outputs: found})
}

// varied is what `mercer explain --by sobol` prints.
type varied struct {
	Model   string               `json:"model"`
	Outputs []mercer.SobolOutput `json:"outputs"`
}

func (v varied) Text(w io.Writer) {
	for i, o := range v.Outputs {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s, variance %s\n", o.Output, verb.Num(o.Variance))
		lines := [][]string{{"  column", "alone", "total"}}
		for _, c := range o.Features {
			lines = append(lines, []string{"  " + c.Name, share(c.First), share(c.Total)})
		}
		verb.Columns(w, lines)
		if o.Others > 0 {
			fmt.Fprintf(w, "  and %d others with smaller shares\n", o.Others)
		}
		if len(o.Pairs) == 0 {
			continue
		}
		lines = [][]string{{"  together", "share"}}
		for _, p := range o.Pairs {
			lines = append(lines, []string{"  " + p.First + " × " + p.Second, share(p.Share)})
		}
		verb.Columns(w, lines)
	}
}

// share is a share of a variance in percent.
func share(v float64) string { return fmt.Sprintf("%.1f%%", 100*v) }
