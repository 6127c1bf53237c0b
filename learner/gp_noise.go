package learner

import (
	"fmt"
	"math"
	"strconv"

	"example.org/mercer/data"
	"example.org/mercer/task"
)

// noiseOf returns the numbers of a column of variances in some rows of a table.
func noiseOf(t *data.Table, column string, rows []int) ([]float64, error) {
	at, err := t.Find(column)
	if err != nil {
		return nil, fmt.Errorf("variances of the noise: %w", err)
	}
	c, out := &t.Columns[at], make([]float64, len(rows))
	for i, row := range rows {
		v, text := math.NaN(), ""
		if c.Kind == data.Numeric {
			v = c.Numbers[row]
			text = strconv.FormatFloat(v, 'g', -1, 64)
		} else {
			text = c.Strings[row]
		}
		if !(v >= 0) || math.IsInf(v, 1) {
			e := &data.Error{Source: t.Source, Row: row + 1, Column: at + 1, Name: c.Name, Value: text,
				Reason: "is not the variance of the noise of a row", Fix: "variances are finite numbers ≥ 0, in the square of the unit of the target"}
			if t.Lines != nil {
				e.Line = t.Lines[row]
			}
			return nil, e
		}
		out[i] = v
	}
	return out, nil
}

// noise returns the variances that the rows have of their own; nil: none.
func (o GP) noise(p *task.Task) ([]float64, error) {
	if o.NoiseColumn == "" {
		return nil, nil
	}
	return noiseOf(p.Raw, o.NoiseColumn, p.Rows.Rows)
}

// rowNoise is what a model keeps of the noise of its training rows.
type rowNoise struct {
	column string    // where it stood; "": rows have none of their own
	train  []float64 // its variances
}

// noiseIn returns the variances of new rows, zeros where their table does not say.
func noiseIn(t *data.Table, column string, rows []int) ([]float64, error) {
	if _, at := t.Column(column); at < 0 {
		return nil, nil
	}
	return noiseOf(t, column, rows)
}

// store names the column in the text part of a model file.
func (n rowNoise) store(e *Entries) {
	if n.column != "" {
		e.JSON[jsonNoise] = n.column
	}
}

// readNoise reads the name of the column.
func readNoise(s *Stored) (n rowNoise, err error) { return n, s.Text(jsonNoise, &n.column) }
