package prep

import (
	"math"
	"math/rand/v2"

	"example.org/mercer/data"
)

// Invention is how rows are made up that stand in no table.
type Invention int

const (
	// Drawn rows have in every column, by itself, a number about its mean, whole where all are
	// whole, and not negative where none is.
	Drawn Invention = iota
	// Blended rows are convex combinations of all rows of the sample: they lie where these lie,
	// such as on a simplex.
	Blended
	// Shuffled rows have in every column the cell of another row, drawn by itself: single cells
	// of the sample stand in them, and no row.
	Shuffled
)

// Inventions are all ways, in the order in which they are to be tried.
var Inventions = []Invention{Drawn, Blended, Shuffled}

// Invent makes up rows of the columns that a prediction needs. Numbers follow a sample of
// prepared rows, categories are any of their levels, and cells that are compared as they are come
// from text, by name of the column and number of the row. No target, weight or id is among the
// columns.
func (p *Pipeline) Invent(sample data.Vectors, rows int, how Invention, r *rand.Rand, text func(column string, row int) string) *data.Table {
	t := &data.Table{Headed: p.headed}
	blend := blends(rows, sample.Len(), r)
	at := 0
	for i := range p.columns {
		c := &p.columns[i]
		switch {
		case c.Role == cell:
			texts := make([]string, rows)
			for row := range texts {
				texts[row] = text(c.Name, row)
			}
			t.Columns = append(t.Columns, data.Column{Name: c.Name, Kind: data.Text, Strings: texts})
		case c.Role == feature && c.Kind == numeric:
			t.Columns = append(t.Columns, data.Column{Name: c.Name, Numbers: c.invent(sample, at, how, blend, r)})
			at += c.width()
		case c.Role == feature:
			texts := make([]string, rows)
			for row := range texts {
				if texts[row] = c.Levels[r.IntN(len(c.Levels))]; isForgotten(texts[row]) {
					texts[row] = c.Levels[c.FillLevel]
				}
			}
			t.Columns = append(t.Columns, data.Column{Name: c.Name, Kind: data.Categorical, Strings: texts})
			at += c.width()
		}
	}
	return t
}

// blends returns the weights of convex combinations of n rows. None of them is large, if n is not
// small.
func blends(rows, n int, r *rand.Rand) [][]float64 {
	out := make([][]float64, rows)
	for i := range out {
		out[i] = make([]float64, n)
		sum := 0.0
		for j := range out[i] {
			out[i][j] = 0.05 + r.Float64()
			sum += out[i][j]
		}
		for j := range out[i] {
			out[i][j] /= sum
		}
	}
	return out
}

// invent makes up numbers of a column whose feature is coordinate at of the sample.
func (c *column) invent(sample data.Vectors, at int, how Invention, blend [][]float64, r *rand.Rand) []float64 {
	seen := c.summary(sample, at)
	out := make([]float64, len(blend))
	for i, weights := range blend {
		switch {
		case len(seen.values) == 0:
			out[i] = c.Fill
		case how == Drawn:
			out[i] = seen.draw(r)
		case how == Shuffled:
			out[i] = seen.values[r.IntN(len(seen.values))]
		default:
			for j, w := range weights {
				x := sample.At(j)[at]*c.Scale + c.Center
				if x != x {
					x = c.Fill
				}
				out[i] += w * x
			}
		}
	}
	return out
}

// columnSummary is what is known of the numbers of a column in a sample.
type columnSummary struct {
	values            []float64 // those that are not missing
	mean, spread      float64
	zeros             float64 // the share of them that are 0
	whole, neverBelow bool    // all are whole numbers; none is below 0
}

// summary looks at the numbers as they were before preparation.
func (c *column) summary(sample data.Vectors, at int) columnSummary {
	s := columnSummary{whole: true, neverBelow: true}
	var m moments
	for i := range sample.Len() {
		x := sample.At(i)[at]*c.Scale + c.Center
		if x != x {
			continue
		}
		if nearest := math.Round(x); math.Abs(x-nearest) <= 1e-9*max(1, math.Abs(x)) { // prepared, and back
			x = nearest
		} else {
			s.whole = false
		}
		s.values = append(s.values, x)
		s.neverBelow = s.neverBelow && x >= 0
		if x == 0 {
			s.zeros++
		}
		m.add(x, 1)
	}
	if len(s.values) == 0 {
		return s
	}
	s.zeros /= float64(len(s.values))
	s.mean = m.mean()
	for _, x := range s.values {
		m.addDifference(x, 1)
	}
	if !m.constant() {
		for _, x := range s.values {
			m.addSquare(x, 1)
		}
	}
	s.spread = m.deviation()
	return s
}

// draw returns a number within 1½ deviations of the mean, of three digits.
func (s columnSummary) draw(r *rand.Rand) float64 {
	zero, z := r.Float64() < s.zeros, 3*r.Float64()-1.5
	if s.zeros >= 0.5 && zero {
		return 0
	}
	x := s.mean + z*s.spread
	if s.neverBelow {
		x = math.Abs(x)
	}
	if s.whole {
		return math.Round(x)
	}
	if s.spread > 0 && !math.IsInf(s.spread, 0) {
		unit := math.Pow(10, math.Floor(math.Log10(s.spread))-2)
		x = roundTo(x, unit)
	}
	return x
}

// roundTo rounds to a multiple of a power of ten, so that few digits are written.
func roundTo(x, unit float64) float64 {
	if unit < 1 {
		if inverse := math.Round(1 / unit); !math.IsInf(inverse, 0) && math.Abs(x*inverse) < 1<<53 {
			return math.Round(x*inverse) / inverse
		}
		return x
	}
	return math.Round(x/unit) * unit
}

// Named returns a table of rows that have names and nothing else, for kernels that look rows up
// by these. Columns without a name are matched by position, and are there.
func (p *Pipeline) Named(names []string) *data.Table {
	t := &data.Table{Source: "self-test rows", Headed: p.headed}
	for i := range p.columns {
		c := &p.columns[i]
		switch {
		case c.Role == id:
			t.Columns = append(t.Columns, data.Column{Name: c.Name, Kind: data.Text, Strings: names})
		case !p.headed && c.Role != target && c.Role != weights:
			t.Columns = append(t.Columns, data.Column{Name: c.Name, Numbers: make([]float64, len(names))})
		}
	}
	return t
}
