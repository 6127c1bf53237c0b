package prep

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
)

// Pipeline is the preparation learned from one training table: what each of its
// columns is for and the numbers of each step. It is immutable and safe for
// concurrent use; its JSON form gives back the same pipeline, bit for bit.
type Pipeline struct {
	missing Missing
	headed  bool
	sparse  bool
	columns []column
	levels  int // of numbers, while the pipeline is fitted

	unlabelled bool             // rows may lack their targets, while the pipeline is fitted
	orders     map[int]Ordering // of columns, while the pipeline is fitted
}

// Prepared is a table after preparation. X has one row for each kept row of the
// table and one coordinate for each feature of the pipeline.
type Prepared struct {
	X data.Vectors
	// Streamed are the rows in place of X where they stay in a file.
	Streamed *Streamed
	// Y has one column for each output of the targets; nil without targets.
	Y *mat.Dense
	// W holds the row weights and IDs the row names; nil without such a column.
	W   []float64
	IDs []string
	// Cells are the columns that are compared as they are, in file order.
	Cells []Cells
	// Rows are the positions in the table, from 0, of the rows that were kept.
	Rows []int
	// Notes are what the user should know: rows left out, constant columns, unseen
	// levels, columns not used.
	Notes []string
}

// Cells is a column of text, with one cell for each kept row; Missing is nil where none is.
type Cells struct {
	Name    string
	Text    []string
	Missing []bool
}

// Features returns the name of every feature in the order of the coordinates, and
// the column that each comes from.
func (p *Pipeline) Features() (names, groups []string) {
	for _, c := range p.columns {
		if c.Role != feature {
			continue
		}
		for _, name := range c.features() {
			names = append(names, name)
			groups = append(groups, c.Name)
		}
	}
	return names, groups
}

// Columns returns the names of the features' columns, of the targets and of the weights: those
// that hold one value in every row.
func (p *Pipeline) Columns() []string {
	var names []string
	for _, c := range p.columns {
		if c.Role == feature || c.Role == target || c.Role == weights {
			names = append(names, c.Name)
		}
	}
	return names
}

// Dropped returns the names of the columns that were left out as asked.
func (p *Pipeline) Dropped() []string {
	var names []string
	for _, c := range p.columns {
		if c.Role == dropped {
			names = append(names, c.Name)
		}
	}
	return names
}

// Original returns the number in the table that a value of a feature stands for; ok is
// false where the feature is not made from the numbers of a column alone.
func (p *Pipeline) Original(j int, value float64) (number float64, ok bool) {
	at := 0
	for i := range p.columns {
		c := &p.columns[i]
		if c.Role != feature {
			continue
		}
		if at == j {
			return value*c.Scale + c.Center, c.Kind == numeric
		}
		at += c.width()
	}
	return 0, false
}

// units returns those of the numbers of all columns.
func (p *Pipeline) units() []data.Unit {
	units := make([]data.Unit, len(p.columns))
	for j := range units {
		units[j] = p.columns[j].Unit
	}
	return units
}

// Cells returns the names of the columns that are compared as they are.
func (p *Pipeline) Cells() []string {
	var names []string
	for _, c := range p.columns {
		if c.Role == cell {
			names = append(names, c.Name)
		}
	}
	return names
}

// Targets returns the target columns in file order.
func (p *Pipeline) Targets() []Target {
	var targets []Target
	for _, c := range p.columns {
		if c.Role == target {
			targets = append(targets, c.target())
		}
	}
	return targets
}

// Outputs returns the names of the columns of Y: the outputs of all targets.
func (p *Pipeline) Outputs() []string {
	var names []string
	for _, t := range p.Targets() {
		names = append(names, t.Names()...)
	}
	return names
}

// Inputs returns the names of the columns that a prediction needs.
func (p *Pipeline) Inputs() []string {
	var names []string
	for _, c := range p.columns {
		if c.Role == feature || c.Role == cell {
			names = append(names, c.Name)
		}
	}
	return names
}

// Input is a column that a prediction needs.
type Input struct {
	Name string
	Kind data.Kind
	Unit data.Unit // in which its numbers are written
	// Levels are the categories that training had; a row may have others.
	Levels []string
}

// InputColumns describes the columns that a prediction needs, in the order of [Pipeline.Inputs].
func (p *Pipeline) InputColumns() []Input {
	var inputs []Input
	for _, c := range p.columns {
		switch {
		case c.Role == cell:
			inputs = append(inputs, Input{Name: c.Name, Kind: data.Text})
		case c.Role == feature && c.Kind == numeric:
			inputs = append(inputs, Input{Name: c.Name, Kind: data.Numeric, Unit: c.Unit})
		case c.Role == feature:
			inputs = append(inputs, Input{Name: c.Name, Kind: data.Categorical, Levels: slices.Clone(c.Levels)})
		}
	}
	return inputs
}

// Levels returns the names of the columns whose levels or labels the pipeline has.
func (p *Pipeline) Levels() []string {
	var names []string
	for _, c := range p.columns {
		if len(c.Levels) > 0 {
			names = append(names, c.Name)
		}
	}
	return names
}

// hasFeatures reports whether rows become vectors; without features they have their ids.
func (p *Pipeline) hasFeatures() bool {
	return slices.ContainsFunc(p.columns, func(c column) bool { return c.Role == feature || c.Role == cell })
}

// String returns the steps in one line, for a plan: "standardise 8 columns; one-hot
// color (3 levels)".
func (p *Pipeline) String() string {
	var steps []string
	if p.missing != Refuse {
		steps = append(steps, map[Missing]string{
			DropRows:  "drop rows with missing cells",
			Mean:      "fill missing cells with means",
			Indicator: "fill missing cells with means and mark them",
			Keep:      "leave missing cells to the kernel",
		}[p.missing])
	}
	if !p.hasFeatures() {
		steps = append(steps, "no features: rows are looked up by their ids")
	}
	scaled, raw, hot, ordered, cells, written := 0, 0, []string(nil), []string(nil), []string(nil), []string(nil)
	for _, c := range p.columns {
		if c.Role == feature && c.Kind == numeric && c.Levels != nil {
			hot = append(hot, fmt.Sprintf("%s (%s)", c.Name, count(len(c.Levels), "value")))
		}
		if c.Role == feature && c.Unit != "" {
			written = append(written, fmt.Sprintf("%s (%v)", c.Name, c.Unit))
		}
		switch {
		case c.Role == cell:
			cells = append(cells, c.Name)
		case c.Role == feature && c.Kind == numeric && c.Raw:
			raw++
		case c.Role == feature && c.Kind == numeric:
			scaled++
		case c.Role == feature && c.Ranks != nil:
			ordered = append(ordered, fmt.Sprintf("%s (%s)", c.Name, count(len(c.Levels), "level")))
		case c.Role == feature:
			hot = append(hot, fmt.Sprintf("%s (%s)", c.Name, count(len(c.Levels), "level")))
		}
	}
	if written != nil {
		steps = append(steps, "take as numbers "+strings.Join(written, ", "))
	}
	if scaled > 0 {
		steps = append(steps, "standardise "+count(scaled, "column"))
	}
	if raw > 0 {
		steps = append(steps, fmt.Sprintf("take %s raw", count(raw, "column")))
	}
	if hot != nil {
		steps = append(steps, "one-hot "+strings.Join(hot, ", "))
	}
	if ordered != nil {
		steps = append(steps, "order "+strings.Join(ordered, ", "))
	}
	for _, t := range p.Targets() {
		if t.Transform != nil {
			steps = append(steps, "learn "+t.Transform.Named(t.Name))
		}
	}
	if cells != nil {
		steps = append(steps, "compare "+strings.Join(cells, ", ")+" as text")
	}
	return strings.Join(steps, "; ")
}

// count returns "1 row", "2 rows".
func count(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

// Plain reports whether the features are the numbers of the table as they stand there:
// nothing is filled in, moved, divided or coded, and so are targets of numbers.
func (p *Pipeline) Plain() bool {
	for _, c := range p.columns {
		if c.Transform != nil || c.Role == feature && (c.Kind != numeric || !c.Raw || c.Indicator || c.Levels != nil || c.Unit != "") {
			return false
		}
	}
	return p.missing == Refuse || p.missing == DropRows
}

// ID returns the name of the column that names the rows, or "".
func (p *Pipeline) ID() string {
	for _, c := range p.columns {
		if c.Role == id {
			return c.Name
		}
	}
	return ""
}
