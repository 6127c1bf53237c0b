package prep

import (
	"math"
	"strconv"
	"time"

	"example.org/mercer/data"
)

// Written is a cell as a table would have it.
type Written struct {
	Column string
	Cell   string  // "" where it is missing
	Number float64 // NaN where the column holds none
}

// unseen stands for a level that is none of training.
const unseen = "(unseen)"

// Written returns what the columns of the features held in a prepared row x, in their order:
// numbers without the rounding of their preparation, and levels. A missing cell that was filled has
// what it was filled with.
func (p *Pipeline) Written(x []float64) []Written {
	var out []Written
	at := 0
	for i := range p.columns {
		c := &p.columns[i]
		if c.Role != feature {
			continue
		}
		features := x[at : at+c.width()]
		at += c.width()
		w := Written{Column: c.Name, Number: math.NaN()}
		switch {
		case c.Indicator && features[len(features)-1] == 1:
		case c.Kind == numeric:
			if w.Number = c.before(features[0]); w.Number == w.Number {
				w.Cell = strconv.FormatFloat(w.Number, 'g', -1, 64)
				if c.Unit.IsDate() {
					w.Cell = data.Time(w.Number).Format(time.DateOnly)
				}
			}
		case features[0] == features[0]:
			w.Cell = unseen
			if l := c.marked(features); l >= 0 {
				w.Cell = c.named(l)
			}
		}
		out = append(out, w)
	}
	return out
}

// before returns the number that became v. Preparation and its inverse each round what is as large
// as the mean or the deviation: digits below 1e-13 of these are no digits of the table.
func (c *column) before(v float64) float64 {
	x := v*c.Scale + c.Center
	if c.Raw {
		return x
	}
	if least := 1e-13 * max(math.Abs(c.Center), c.Scale, math.Abs(x)); least > 0 && !math.IsInf(least, 0) {
		return roundTo(x, math.Pow(10, math.Ceil(math.Log10(least))))
	}
	return x
}
