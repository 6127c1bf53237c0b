package task

import (
	"fmt"
	"math"
	"strconv"

	"example.org/mercer/data"
)

// NoiseVariances returns the numbers of a column of variances in some rows of a table.
func NoiseVariances(t *data.Table, column string, rows []int) ([]float64, error) {
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
			e := &data.Error{Row: row + 1, Column: at + 1, Name: c.Name, Value: text,
				Reason: "is not the variance of the noise of a row", Fix: "variances are finite numbers ≥ 0, in the square of the unit of the target"}
			e.Source, e.Line = t.Place(row)
			return nil, e
		}
		out[i] = v
	}
	return out, nil
}
