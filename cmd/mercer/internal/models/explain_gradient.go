package models

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/outcome"
)

// gradient explains predictions by their derivatives in the columns, those of the first rows one by
// one, and the means over all.
func (f *explainFlags) gradient(cmd *cobra.Command, inv *verb.Invocation, path string, m *mercer.Model, p *outcome.Prediction, shown int) error {
	how, stop := inv.Compute()
	defer stop()
	all := f.ExplainOptions
	all.Top = 0 // a picture wants the columns of all rows
	found, err := m.Gradients(cmd.Context(), p, all, how)
	if err != nil {
		return err
	}
	if f.plot != "" {
		pic, err := slopesPicture(found, f.Top)
		if err != nil {
			return err
		}
		if err := verb.WritePicture(cmd, f.plot, pic); err != nil {
			return err
		}
	}
	found.Shorten(f.Top)
	found.Rows = found.Rows[:min(len(found.Rows), shown*len(found.Outputs))]
	return inv.Emit(sloped{Model: path, Gradients: found})
}

// sloped is what `mercer explain --by gradient` prints.
type sloped struct {
	Model string `json:"model"`
	*mercer.Gradients
}

func (s sloped) Text(w io.Writer) {
	for i, r := range s.Rows {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "row %s: %s = %s%s\n", r.Row, r.Output, verb.Num(r.Prediction), bracketed(r.Sides))
		lines := [][]string{{"  column", "slope", "per deviation"}}
		for _, c := range r.Features {
			lines = append(lines, []string{"  " + c.Name, verb.Num(c.Slope + 0), verb.Num(c.PerDeviation + 0)})
		}
		verb.Columns(w, lines)
		if r.Others > 0 {
			fmt.Fprintf(w, "  and %d others with smaller slopes\n", r.Others)
		}
	}
	for _, o := range s.Outputs {
		if o.Rows < 2 {
			continue
		}
		fmt.Fprintf(w, "\n%s over %d rows\n", o.Output, o.Rows)
		lines := [][]string{{"  column", "mean |slope|", "mean slope²", "root per deviation"}}
		for _, c := range o.Features {
			lines = append(lines, []string{"  " + c.Name, verb.Num(c.Mean), verb.Num(c.Square), verb.Num(c.PerDeviation)})
		}
		verb.Columns(w, lines)
		if o.Others > 0 {
			fmt.Fprintf(w, "  and %d others with smaller slopes\n", o.Others)
		}
	}
}

// bracketed is spoken in brackets of its own.
func bracketed(s mercer.Sides) string {
	if text := spoken(s); text != "" {
		return " (" + text[len("; "):] + ")"
	}
	return ""
}

// slopesPicture draws a bar for each column of one row, from 0, and a swarm of the rows for
// several: slopes for one standard deviation, which compare.
func slopesPicture(g *mercer.Gradients, top int) (figure.Picture, error) {
	if n := len(g.Outputs); n > mostOutputs {
		return nil, fmt.Errorf("%d outputs are too many for one picture; choose one with --of", n)
	}
	const x = "slope per standard deviation"
	if len(g.Rows) == len(g.Outputs) {
		var bars figure.Beeswarms
		for _, r := range g.Rows {
			b := figure.Beeswarm{Title: fmt.Sprintf("row %s: %s = %.4g", r.Row, r.Output, r.Prediction), X: x}
			for _, c := range r.Features[:min(top, len(r.Features))] {
				b.Names, b.Values, b.Shades = append(b.Names, c.Name), append(b.Values, []float64{c.PerDeviation}), append(b.Shades, []float64{c.PerDeviation})
			}
			bars = append(bars, b)
		}
		return bars, nil
	}
	var swarms figure.Beeswarms
	for at, o := range g.Outputs {
		b := figure.Beeswarm{Title: o.Output + ", " + strconv.Itoa(o.Rows) + " rows", X: x}
		line := map[string]int{}
		for i, c := range o.Features[:min(top, len(o.Features))] {
			line[c.Name] = i
			b.Names, b.Values, b.Shades = append(b.Names, c.Name), append(b.Values, nil), append(b.Shades, nil)
		}
		for i := at; i < len(g.Rows); i += len(g.Outputs) {
			for _, c := range g.Rows[i].Features {
				if row, ok := line[c.Name]; ok {
					b.Values[row], b.Shades[row] = append(b.Values[row], c.PerDeviation), append(b.Shades[row], g.Rows[i].Prediction)
				}
			}
		}
		swarms = append(swarms, b)
	}
	return swarms, nil
}
