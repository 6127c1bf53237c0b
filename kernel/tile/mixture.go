package tile

import (
	"math"
	"slices"

	"example.org/mercer/internal/simd"
)

// mixture is how points are cut into numbers and categories, where coordinates hold one-hot
// codes, standardised or not. Of a set of coordinates with two values each, on and off, of
// which every point has at most one on, only the name of that one matters:
//
//	Σⱼ (xⱼ−yⱼ)² = 0 for the same name, else v(x) + v(y),
//	v = (on − off)², and 0 where all are off.
//
// With at most [directLimit] coordinates left, whose differences are added as they are, no
// squared distance loses digits, and none is computed twice (see [keptShare]); a category
// takes three operations, however many coordinates it has.
type mixture struct {
	numbers []int
	codes   []codes
	// single is what single precision takes from the column points, made when it is first
	// asked for.
	single func() *mixedColumns
}

// codes are the coordinates of one category.
type codes struct {
	columns []int
	off, on []float64 // on is NaN where no column point has it
}

// findMixture returns how the points are cut; nil where too many coordinates are numbers, or
// where that takes more operations than the differences of all coordinates.
func (p *points) findMixture() *mixture {
	m, two := p.twoValued()
	if m == nil || len(two.columns) == 0 {
		return nil
	}
	for _, c := range p.disjoint(two) {
		if len(c.columns) == 1 && !math.IsNaN(c.on[0]) {
			m.numbers = append(m.numbers, c.columns[0])
		} else {
			m.codes = append(m.codes, c)
		}
	}
	slices.Sort(m.numbers)
	if len(m.codes) == 0 || len(m.numbers) > directLimit || m.operations() > 2*p.d {
		return nil
	}
	return m
}

// twoValued cuts the coordinates into those with at most two values, of which the larger
// is on, and the others; nil where these are too many.
func (p *points) twoValued() (*mixture, codes) {
	m, two := new(mixture), codes{columns: make([]int, p.d), off: make([]float64, p.d), on: make([]float64, p.d)}
	for j := range p.d {
		two.columns[j], two.off[j], two.on[j] = j, math.NaN(), math.NaN()
	}
	for i := range p.n {
		x := p.at(i)
		for k := 0; k < len(two.columns); k++ {
			v := x[two.columns[k]]
			switch {
			case v == two.off[k] || v == two.on[k]:
			case i == 0 && !math.IsNaN(v-v):
				two.off[k] = v
			case math.IsNaN(two.on[k]) && !math.IsNaN(v-v):
				two.off[k], two.on[k] = min(v, two.off[k]), max(v, two.off[k])
			default:
				if m.numbers = append(m.numbers, two.columns[k]); len(m.numbers) > directLimit {
					return nil, codes{}
				}
				two.columns, two.off, two.on = slices.Delete(two.columns, k, k+1), slices.Delete(two.off, k, k+1), slices.Delete(two.on, k, k+1)
				k--
			}
		}
	}
	return m, two
}

// disjoint collects coordinates of which no point has two on, each in the first set where it
// can be.
func (p *points) disjoint(two codes) []codes {
	on := make([][]int32, len(two.columns)) // the points
	for i := range p.n {
		x := p.at(i)
		for k, j := range two.columns {
			if x[j] == two.on[k] {
				on[k] = append(on[k], int32(i))
			}
		}
	}
	var sets []codes
	var taken [][]bool
	for k, rows := range on {
		at := 0
		for at < len(sets) && anyOf(taken[at], rows) {
			at++
		}
		if at == len(sets) {
			sets, taken = append(sets, codes{}), append(taken, make([]bool, p.n))
		}
		for _, i := range rows {
			taken[at][i] = true
		}
		c := &sets[at]
		c.columns, c.off, c.on = append(c.columns, two.columns[k]), append(c.off, two.off[k]), append(c.on, two.on[k])
	}
	return sets
}

// anyOf reports whether any of the places is marked.
func anyOf(marked []bool, places []int32) bool {
	for _, i := range places {
		if marked[i] {
			return true
		}
	}
	return false
}

// of returns the name of the coordinate that point x has on, from 1, or 0, and its length v;
// not fit where x has other values, or two of them on.
func (c *codes) of(x []float64) (name, length float64, fit bool) {
	for k, j := range c.columns {
		switch v := x[j]; {
		case v == c.off[k]:
		case v == c.on[k] && name == 0:
			name, length = float64(k+1), (v-c.off[k])*(v-c.off[k])
		default:
			return 0, 0, false
		}
	}
	return name, length, true
}

// operations is the number of those that a pair of points takes.
func (m *mixture) operations() int { return 2*len(m.numbers) + 3*len(m.codes) }

// size is the number of coordinates in panels.
func (m *mixture) size() int { return len(m.numbers) + 2*len(m.codes) }

// mixed reports whether squared distances from column points are those of numbers and
// categories where the row points are cut like them.
func (f *field) mixed() bool { return f.mixture != nil }

// packMixture cuts the points and packs them as [simd.SquaredMixed] wants them. It reports
// whether all points can be cut so.
func (p *points) packMixture(m *mixture) bool {
	const width = simd.PanelWidth
	size, all := m.size(), true
	p.mixed, p.fit = resized(p.mixed, (p.n+width-1)/width*width*size), resized(p.fit, p.n)
	clear(p.mixed)
	for i := range p.n {
		p.fit[i] = m.cut(p.mixed[i/width*width*size+i%width:], p.at(i))
		all = all && p.fit[i]
	}
	return all
}

// cut stores the numbers and categories of point x in a lane of panels.
func (m *mixture) cut(lane, x []float64) bool {
	at, fit := 0, true
	for _, j := range m.numbers {
		lane[at] = x[j]
		at += simd.PanelWidth
	}
	for g := range m.codes {
		name, length, ok := m.codes[g].of(x)
		lane[at], lane[at+simd.PanelWidth] = name, length
		at += 2 * simd.PanelWidth
		fit = fit && ok
	}
	return fit
}

// mixedDistances stores the squared distances of rows that are cut into numbers and
// categories.
func (f *field) mixedDistances(dst []float64, stride, low, high, from, to int) {
	const width = simd.PanelWidth
	size := f.mixture.size()
	simd.SquaredMixed(dst, stride, high-low, f.rows.mixed[low/width*width*size+low%width:], f.cols.mixed[from*width*size:to*width*size], len(f.mixture.numbers), len(f.mixture.codes), to-from)
}
