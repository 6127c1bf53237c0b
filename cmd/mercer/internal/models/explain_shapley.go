package models

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/outcome"
)

// shapley explains predictions by the Shapley values of the columns; shown rows are printed.
func (f *explainFlags) shapley(cmd *cobra.Command, inv *verb.Invocation, path string, m *mercer.Model, p *outcome.Prediction, shown int) error {
	how, stop := inv.Compute()
	defer stop()
	all := f.ExplainOptions
	all.Top, all.Seed = 0, inv.Seed // a picture wants the columns of all rows
	found, err := m.Shapley(cmd.Context(), p, all, how)
	if err != nil {
		return err
	}
	if f.plot != "" {
		pic, err := sharesPicture(found, f.Top)
		if err != nil {
			return err
		}
		if err := verb.WritePicture(cmd, f.plot, pic); err != nil {
			return err
		}
	}
	found.Shorten(f.Top)
	found.Rows = found.Rows[:min(len(found.Rows), shown*len(found.Outputs))] // the means are over all
	return inv.Emit(sharedOut{Model: path, Shapley: found})
}

// sharedOut is what `mercer explain --by shapley` prints.
type sharedOut struct {
	Model string `json:"model"`
	*mercer.Shapley
}

func (s sharedOut) Text(w io.Writer) {
	if s.Samples > 0 {
		fmt.Fprintf(w, "sampled, ± standard error: %d orders a row; what is not there comes from %d rows of the model (%s)\n\n", s.Samples, s.Background, s.Game)
	}
	for i, r := range s.Rows {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "row %s: %s = %s (base %s%s)\n", r.Row, r.Output, verb.Num(r.Prediction), verb.Num(r.Base+0), spoken(r.Sides))
		lines := [][]string{{"  column", "value", "Shapley value"}}
		for _, c := range r.Columns {
			lines = append(lines, s.withError([]string{"  " + c.Name, c.Cell, verb.Num(c.Value + 0)}, c.Error))
		}
		verb.Columns(w, lines)
		if r.Others > 0 {
			fmt.Fprintf(w, "  the other %d add up to %s\n", r.Others, verb.Num(r.Rest+0))
		}
		s.pairs(w, r)
	}
	for _, o := range s.Outputs {
		if o.Rows < 2 {
			continue
		}
		fmt.Fprintf(w, "\n%s over %d rows\n", o.Output, o.Rows)
		lines := [][]string{{"  column", "mean |Shapley value|", "deviation"}}
		for _, c := range o.Columns {
			lines = append(lines, []string{"  " + c.Name, verb.Num(c.Mean), verb.Num(c.Deviation)})
		}
		verb.Columns(w, lines)
		if o.Others > 0 {
			fmt.Fprintf(w, "  and %d others with smaller means\n", o.Others)
		}
	}
}

// withError adds a standard error to a line of sampled numbers.
func (s sharedOut) withError(line []string, e float64) []string {
	if s.Samples > 0 {
		line = append(line, "± "+verb.Num(e))
	}
	return line
}

// pairs lists the interactions of a row.
func (s sharedOut) pairs(w io.Writer, r mercer.ShapleyRow) {
	if len(r.Pairs) == 0 {
		return
	}
	lines := [][]string{{"  two columns", "interaction"}}
	for _, p := range r.Pairs {
		lines = append(lines, s.withError([]string{"  " + p.First + " × " + p.Second, verb.Num(p.Value + 0)}, p.Error))
	}
	verb.Columns(w, lines)
	if r.MorePairs > 0 {
		fmt.Fprintf(w, "  and %d others with smaller interactions\n", r.MorePairs)
	}
}

// mostOutputs is the number of outputs that one picture shows.
const mostOutputs = 12

// sharesPicture draws what all columns add: the way from the base to the prediction for one row,
// and a swarm of the rows for several.
func sharesPicture(s *mercer.Shapley, top int) (figure.Picture, error) {
	if n := len(s.Outputs); n > mostOutputs {
		return nil, fmt.Errorf("%d outputs are too many for one picture; choose one with --of", n)
	}
	if len(s.Rows) == len(s.Outputs) {
		var falls figure.Waterfalls
		for _, r := range s.Rows {
			falls = append(falls, waterfall(r, top))
		}
		return falls, nil
	}
	var swarms figure.Beeswarms
	for at := range s.Outputs {
		swarms = append(swarms, swarm(s, at, top))
	}
	return swarms, nil
}

// waterfall draws the largest shares of one row, and the others as one.
func waterfall(r mercer.ShapleyRow, top int) figure.Waterfall {
	fall := figure.Waterfall{Title: fmt.Sprintf("row %s: %s = %.4g, base %.4g", r.Row, r.Output, r.Prediction, r.Base), X: r.Output, Base: r.Base}
	rest := 0.0
	for i, c := range r.Columns {
		if i >= top {
			rest += c.Value
			continue
		}
		cell := c.Cell
		if c.Number == c.Number {
			cell = verb.Num(c.Number)
		}
		fall.Names, fall.Values = append(fall.Names, c.Name+" = "+cell), append(fall.Values, c.Value)
	}
	if others := len(r.Columns) - top; others > 0 {
		fall.Names, fall.Values = append(fall.Names, "the other "+strconv.Itoa(others)), append(fall.Values, rest)
	}
	return fall
}

// swarm draws the columns of one output with the largest means.
func swarm(s *mercer.Shapley, output, top int) figure.Beeswarm {
	o := s.Outputs[output]
	b := figure.Beeswarm{Title: fmt.Sprintf("%s, %d rows", o.Output, o.Rows), X: "Shapley value"}
	line := map[string]int{}
	for i, c := range o.Columns[:min(top, len(o.Columns))] {
		line[c.Name] = i
		b.Names, b.Values, b.Shades = append(b.Names, c.Name), append(b.Values, nil), append(b.Shades, nil)
	}
	for i := output; i < len(s.Rows); i += len(s.Outputs) {
		for _, c := range s.Rows[i].Columns {
			if at, ok := line[c.Name]; ok && !math.IsNaN(c.Value) {
				b.Values[at], b.Shades[at] = append(b.Values[at], c.Value), append(b.Shades[at], c.Number)
			}
		}
	}
	return b
}
