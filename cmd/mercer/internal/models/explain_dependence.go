package models

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/outcome"
	"example.org/mercer/rkhs/dependence"
)

// dependence follows predictions along columns, over all rows unless some are asked for.
func (f *explainFlags) dependence(cmd *cobra.Command, inv *verb.Invocation, path string, m *mercer.Model, p *outcome.Prediction) error {
	how, stop := inv.Compute()
	defer stop()
	if n, _ := p.Values.Dims(); f.Rows == nil && cmd.Flags().Changed("rows") && f.first > 0 && f.first < n {
		for i := range f.first {
			f.Rows = append(f.Rows, p.Rows.Rows[i]+1)
		}
	}
	curves, err := m.Dependence(cmd.Context(), p, f.ExplainOptions, how)
	if err != nil {
		return err
	}
	x := followed{Model: path, Curves: curves}
	if f.plot != "" {
		pic, err := x.picture()
		if err != nil {
			return err
		}
		if err := verb.WritePicture(cmd, f.plot, pic); err != nil {
			return err
		}
	}
	return inv.Emit(x)
}

// followed is what `mercer explain --by dependence` prints.
type followed struct {
	Model  string             `json:"model"`
	Curves []dependence.Curve `json:"curves"`
}

// everyPoint is how many points of a long curve stand for each other where people read them.
const everyPoint = 4

func (x followed) Text(w io.Writer) {
	for i, c := range x.Curves {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s along %s, over %d rows (deviation %s)\n", c.Output, c.Column, c.Rows, verb.Num(c.Deviation))
		lines := [][]string{{"  " + c.Column, "mean", "10 %", "90 %"}}
		for g, p := range c.Points {
			if len(c.Points) > 2*everyPoint && !c.Category && g%everyPoint != 0 {
				continue
			}
			lines = append(lines, []string{"  " + cellOf(p), verb.Num(p.Mean), verb.Num(p.Low), verb.Num(p.High)})
		}
		verb.Columns(w, lines)
	}
}

// cellOf is the value of a point as people read it.
func cellOf(p dependence.Point) string {
	switch {
	case p.Number != nil:
		return verb.Num(*p.Number)
	case p.Cell == "":
		return "(missing)"
	}
	return p.Cell
}

// picture draws a panel for each curve.
func (x followed) picture() (figure.Picture, error) {
	if n := len(x.Curves); n > mostOutputs {
		return nil, fmt.Errorf("%d curves are too many for one picture; choose with --columns and --of", n)
	}
	var out figure.Dependences
	for _, c := range x.Curves {
		d := figure.Dependence{Title: fmt.Sprintf("%s along %s, %d rows", c.Output, c.Column, c.Rows), X: c.Column, Y: c.Output, Rug: c.Own}
		for _, p := range c.Points {
			d.Mean, d.Low, d.High = append(d.Mean, p.Mean), append(d.Low, p.Low), append(d.High, p.High)
			if c.Category {
				d.Names = append(d.Names, cellOf(p))
			} else {
				d.At = append(d.At, *p.Number)
			}
		}
		out = append(out, d)
	}
	return out, nil
}
