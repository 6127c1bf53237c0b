package tabular

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data/prep"
	"example.org/mercer/outcome"
)

// Table is predictions as JSON: one row per row of the table.
type Table struct {
	Columns []string         `json:"columns"`
	Rows    []map[string]any `json:"rows"`
}

// Additions is what stands beside the predictions.
type Additions struct {
	Lo, Hi       *mat.Dense // of every output
	Lower, Upper []float64  // of the target
	Sets         [][]string
}

// labelSet is a set of labels in a cell.
type labelSet []string

func (s labelSet) String() string { return strings.Join(s, "|") }

// Tabulate lays predictions out in columns: row or id, then per target its label or
// value, and its bounds, probabilities and sets. A value is a float64, an int, a string
// or a set of labels.
func Tabulate(p *outcome.Prediction, add *Additions) (header []string, lines [][]any) {
	columns := slices.Concat(nameColumns(p), scoreColumns(p, add), chanceColumns(p, add))
	for _, c := range columns {
		header = append(header, c.name)
	}
	n, _ := p.Values.Dims()
	for i := range n {
		line := make([]any, len(columns))
		for j, c := range columns {
			line[j] = c.cell(i)
		}
		lines = append(lines, line)
	}
	return header, lines
}

// column is a column of the table of predictions.
type column struct {
	name string
	cell func(i int) any
}

// numbersOf is a column of numbers.
func numbersOf(name string, of func(i int) float64) column {
	return column{name, func(i int) any { return of(i) }}
}

// listed is a column of numbers that there are already.
func listed(name string, values []float64) column {
	return numbersOf(name, func(i int) float64 { return values[i] })
}

// nameColumns are what rows are called, and what they are said to be: labels, structures, clusters.
func nameColumns(p *outcome.Prediction) []column {
	row := column{"row", func(i int) any { return p.Rows.Rows[i] + 1 }}
	if p.Rows.IDs != nil {
		row = column{"id", func(i int) any { return p.Rows.IDs[i] }}
	}
	columns := []column{row}
	for k, t := range p.Targets {
		if t.Labels != nil || t.Form != prep.One {
			columns = append(columns, column{t.Name, func(i int) any { return p.Label(i, k) }})
		}
	}
	if p.Decision.Rule == outcome.Clusters {
		columns = append(columns, column{"cluster", func(i int) any { return p.Cluster(i) }})
	}
	if logs := p.LogDensity(); logs != nil {
		columns = append(columns, listed("log density", logs))
	}
	return columns
}

// scoreColumns are the outputs of the function that are shown, each with its bounds.
func scoreColumns(p *outcome.Prediction, add *Additions) (columns []column) {
	for j, name := range p.Outputs[:p.Decision.Shown(p.Targets)] {
		if p.Labelled(name) {
			name = "score " + name
		}
		at := func(m *mat.Dense) func(i int) float64 { return func(i int) float64 { return m.At(i, j) } }
		columns = append(columns, numbersOf(name, at(p.Values)))
		if add.Lo != nil {
			columns = append(columns, numbersOf(name+" lower", at(add.Lo)), numbersOf(name+" upper", at(add.Hi)))
		}
	}
	return columns
}

// chanceColumns are probabilities of labels, and bounds and sets that cover the truth as often as
// was asked for.
func chanceColumns(p *outcome.Prediction, add *Additions) (columns []column) {
	if probabilities := p.Probabilities(); probabilities != nil {
		for j, label := range p.Names() {
			columns = append(columns, numbersOf("p("+label+")", func(i int) float64 { return probabilities.At(i, j) }))
		}
	}
	if add.Lower != nil {
		target := p.Targets[0].Name
		columns = append(columns, listed(target+" lower", add.Lower), listed(target+" upper", add.Upper))
	}
	if add.Sets != nil {
		columns = append(columns, column{"set", func(i int) any { return labelSet(add.Sets[i]) }})
	}
	return columns
}

// WriteCSV writes lines below a header, if there is one.
func WriteCSV(w io.Writer, header []string, lines [][]any) error {
	out := csv.NewWriter(w)
	if header != nil {
		if err := out.Write(header); err != nil {
			return err
		}
	}
	var cells []string
	for _, line := range lines {
		cells = slices.Grow(cells[:0], len(line))[:len(line)]
		for j, v := range line {
			if x, ok := v.(float64); ok {
				cells[j] = strconv.FormatFloat(x, 'g', -1, 64)
			} else {
				cells[j] = fmt.Sprint(v)
			}
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func TableOf(header []string, lines [][]any) Table {
	p := Table{Columns: header, Rows: []map[string]any{}}
	for _, line := range lines {
		row := map[string]any{}
		for j, v := range line {
			if x, ok := v.(float64); ok {
				if math.IsInf(x, 0) || math.IsNaN(x) {
					v = nil
				}
			}
			row[header[j]] = v
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}
