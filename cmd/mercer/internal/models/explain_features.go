package models

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/kernel/explanation"
	"example.org/mercer/outcome"
)

// weights lists the features of a model.
func (f *explainFlags) weights(cmd *cobra.Command, inv *verb.Invocation, path string) error {
	m, err := mercer.LoadWith(path, f.Files.Files)
	if err != nil {
		return err
	}
	if f.by == bySobol {
		return f.sobol(cmd, inv, path, m)
	}
	weights, err := m.Features(cmd.Context(), f.ExplainOptions)
	if err != nil {
		return err
	}
	if f.plot != "" {
		pictured := logos(weights)
		if pictured == nil {
			return errors.New("the features of this model are no motifs, of which --plot draws logos: name a table to show predictions")
		}
		if err := verb.WritePicture(cmd, f.plot, pictured); err != nil {
			return err
		}
	}
	return inv.Emit(weightsOf{Model: path, Outputs: weights})
}

// logos draws the motifs that are listed. There is nothing to draw of any other features.
func logos(outputs []mercer.FeatureWeights) (out figure.Logos) {
	for _, o := range outputs {
		for _, t := range o.Terms {
			for _, f := range t.Features {
				if f.Frequencies == nil {
					continue
				}
				title := fmt.Sprintf("%+.3g", f.Weight)
				switch {
				case o.Above != "" && f.Weight > 0:
					title += " for " + o.Above
				case o.Below != "" && f.Weight < 0:
					title += " for " + o.Below
				case len(outputs) > 1:
					title += " of " + o.Output
				}
				out = append(out, figure.Logo{Title: title, Symbols: t.Symbols, Frequencies: f.Frequencies})
			}
		}
	}
	return out
}

// weightsOf is what `mercer explain MODEL` prints.
type weightsOf struct {
	Model   string                  `json:"model"`
	Outputs []mercer.FeatureWeights `json:"outputs"`
}

func (x weightsOf) Text(w io.Writer) {
	for i, o := range x.Outputs {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s (intercept %s%s)\n", o.Output, verb.Num(o.Bias+0), spoken(o.Sides))
		for _, t := range o.Terms {
			fmt.Fprintf(w, "  %s\n", verb.Brief(t.Kernel))
			if t.Why != "" {
				fmt.Fprintf(w, "    no weights: %s\n", t.Why)
				continue
			}
			lines := [][]string{{"    feature", "weight", "in training"}}
			if t.Symbols != nil {
				lines = [][]string{{"    motif", "weight"}}
			}
			for _, f := range t.Features {
				line := []string{"    " + f.Name, verb.Num(f.Weight), strconv.Itoa(f.Times)}
				lines = append(lines, line[:len(lines[0])])
			}
			verb.Columns(w, lines)
			if t.Others > 0 {
				fmt.Fprintf(w, "    and %d others with smaller weights\n", t.Others)
			}
		}
	}
}

// features explains predictions by the features of the rows.
func (f *explainFlags) features(cmd *cobra.Command, inv *verb.Invocation, path string, m *mercer.Model, p *outcome.Prediction) error {
	broken, err := m.BreakDown(cmd.Context(), p, f.ExplainOptions)
	if err != nil {
		return err
	}
	x := brokenDown{Model: path, Rows: broken, top: f.Top, colours: inv.Coloured()}
	if f.plot != "" {
		pic, err := x.picture(cmd.Context())
		if err != nil {
			return err
		}
		if err := verb.WritePicture(cmd, f.plot, pic); err != nil {
			return err
		}
	}
	if f.html != "" {
		if err := inv.WriteFile(cmd.Context(), f.html, func(w io.Writer) error { return x.page(cmd.Context(), w) }); err != nil {
			return err
		}
	}
	return inv.Emit(x)
}

// spoken says what the signs of an output mean.
func spoken(s mercer.Sides) string {
	switch {
	case s.Above == "":
		return ""
	case s.Below == "":
		return fmt.Sprintf("; above 0 for %q", s.Above)
	}
	return fmt.Sprintf("; above 0 for %q, below for %q", s.Above, s.Below)
}

// brokenDown is what `mercer explain --by features` prints.
type brokenDown struct {
	Model   string             `json:"model"`
	Rows    []mercer.Breakdown `json:"rows"`
	top     int
	colours bool
}

func (x brokenDown) Text(w io.Writer) {
	for i, b := range x.Rows {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "row %s: %s = %s (intercept %s%s)\n", b.Row, b.Output, verb.Num(b.Prediction), verb.Num(b.Bias+0), spoken(b.Sides))
		if len(b.Terms) > 1 {
			lines := [][]string{{"  term", "contribution"}}
			for _, t := range b.Terms {
				lines = append(lines, []string{"  " + verb.Brief(t.Kernel), verb.Num(t.Contribution)})
			}
			verb.Columns(w, lines)
		}
		for _, t := range b.Terms {
			x.term(w, t)
		}
	}
}

// term writes what is known of one term.
func (x brokenDown) term(w io.Writer, t mercer.Term) {
	fmt.Fprintf(w, "  %s: %s\n", verb.Brief(t.Kernel), verb.Num(t.Contribution))
	switch t.Rule {
	case explanation.Whole:
		fmt.Fprintf(w, "    not split: %s\n", t.Why)
		return
	case explanation.ByOcclusion:
		fmt.Fprintf(w, "    by occlusion, how far it falls if one place is made unknown (%s)\n", t.Why)
	}
	if len(t.Features) > 0 && len(t.Features) < len(t.Places) || t.Column != "" {
		x.listed(w, t)
	}
	switch {
	case t.Graph != nil || t.Column == "":
		x.places(w, t)
	default:
		letters(w, t.Places, x.colours)
	}
}

// listed writes the largest features.
func (x brokenDown) listed(w io.Writer, t mercer.Term) {
	if len(t.Features) == 0 {
		return
	}
	lines := [][]string{{"    feature", "contribution", "times", "at"}}
	for _, f := range t.Features {
		lines = append(lines, []string{"    " + f.Name, verb.Num(f.Contribution), strconv.Itoa(len(f.At)), where(f.At, t)})
	}
	verb.Columns(w, lines)
	if t.Others > 0 {
		fmt.Fprintf(w, "    the other %d add up to %s\n", t.Others, verb.Num(t.Rest))
	}
}

// where lists the first places of a few occurrences: the places of words, the nodes of graphs.
func where(at [][]int, t mercer.Term) string {
	const most = 6
	var out []string
	for _, places := range at[:min(most, len(at))] {
		names := []string{t.Places[places[0]-1].Name}
		if t.Graph != nil {
			for _, p := range places[1:] {
				names = append(names, t.Places[p-1].Name)
			}
		}
		out = append(out, strings.Join(names, "+"))
	}
	if len(at) > most {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}

// places writes the largest shares of nodes, or of columns.
func (x brokenDown) places(w io.Writer, t mercer.Term) {
	sorted := slices.Clone(t.Places)
	slices.SortStableFunc(sorted, func(a, b mercer.Place) int {
		return cmp.Compare(math.Abs(b.Contribution), math.Abs(a.Contribution))
	})
	what, symbol := "column", "value"
	if t.Graph != nil {
		what, symbol = "node", "label"
	}
	lines, rest := [][]string{{"    " + what, symbol, "contribution"}}, 0.0
	for i, p := range sorted {
		if i >= x.top {
			rest += p.Contribution
			continue
		}
		lines = append(lines, []string{"    " + p.Name, p.Symbol, verb.Num(p.Contribution)})
	}
	verb.Columns(w, lines)
	if others := len(sorted) - x.top; others > 0 {
		fmt.Fprintf(w, "    the other %d %ss add up to %s\n", others, what, verb.Num(rest))
	}
}
