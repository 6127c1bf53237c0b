package predicted

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

// Table is what `mercer predict` writes: one row per row of the table.
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
	lo, hi := add.Lo, add.Hi
	header = []string{"row"}
	if p.Rows.IDs != nil {
		header[0] = "id"
	}
	named := func(t prep.Target) bool { return t.Labels != nil || t.Form != prep.One }
	for _, t := range p.Targets {
		if named(t) {
			header = append(header, t.Name)
		}
	}
	logs := p.LogDensity()
	if p.Decision.Rule == outcome.Clusters {
		header = append(header, "cluster")
	}
	if logs != nil {
		header = append(header, "log density")
	}
	scores := p.Decision.Shown(p.Targets)
	for _, name := range p.Outputs[:scores] {
		if p.Labelled(name) {
			name = "score " + name
		}
		header = append(header, name)
		if lo != nil {
			header = append(header, name+" lower", name+" upper")
		}
	}
	probabilities := p.Probabilities()
	if probabilities != nil {
		for _, label := range p.Names() {
			header = append(header, "p("+label+")")
		}
	}
	if add.Lower != nil {
		header = append(header, p.Targets[0].Name+" lower", p.Targets[0].Name+" upper")
	}
	if add.Sets != nil {
		header = append(header, "set")
	}
	n, _ := p.Values.Dims()
	for i := range n {
		line := []any{p.Rows.Rows[i] + 1}
		if p.Rows.IDs != nil {
			line[0] = p.Rows.IDs[i]
		}
		for k, t := range p.Targets {
			if named(t) {
				line = append(line, p.Label(i, k))
			}
		}
		if c := p.Cluster(i); c > 0 {
			line = append(line, c)
		}
		if logs != nil {
			line = append(line, logs[i])
		}
		for j := range scores {
			line = append(line, p.Values.At(i, j))
			if lo != nil {
				line = append(line, lo.At(i, j), hi.At(i, j))
			}
		}
		if probabilities != nil {
			for _, q := range probabilities.RawRowView(i) {
				line = append(line, q)
			}
		}
		if add.Lower != nil {
			line = append(line, add.Lower[i], add.Upper[i])
		}
		if add.Sets != nil {
			line = append(line, labelSet(add.Sets[i]))
		}
		lines = append(lines, line)
	}
	return header, lines
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
