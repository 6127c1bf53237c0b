package tile

import (
	"math"
	"sync"

	"example.org/mercer/internal/simd"
)

// mixedColumns is what points of numbers and categories in single precision take from the
// column points.
type mixedColumns struct {
	mean   []float64 // of the numbers
	reach  float64   // the largest norm of the numbers less the mean
	size   float64   // the largest norm of whole points
	panels []float32
}

// inSingle prepares what the column points give.
func (m *mixture) inSingle(cols *points) {
	m.single = sync.OnceValue(func() *mixedColumns {
		c := &mixedColumns{mean: make([]float64, len(m.numbers))}
		for i := range cols.n {
			for k, j := range m.numbers {
				c.mean[k] += cols.at(i)[j]
			}
		}
		for k := range c.mean {
			c.mean[k] /= float64(cols.n)
		}
		c.panels = m.packSingle(cols, c)
		return c
	})
}

// packSingle rounds the points that are cut, numbers less the mean, and notes how far they
// reach.
func (m *mixture) packSingle(p *points, c *mixedColumns) []float32 {
	const width, narrow = simd.PanelWidth, simd.PanelWidth32
	size := m.size()
	out := make([]float32, (p.n+narrow-1)/narrow*narrow*size)
	for i := range p.n {
		if !p.fit[i] {
			continue
		}
		wide, lane := p.mixed[i/width*width*size+i%width:], out[i/narrow*narrow*size+i%narrow:]
		numbers, lengths := 0.0, 0.0
		for k := range size {
			v := wide[k*width]
			switch {
			case k < len(m.numbers):
				v -= c.mean[k]
				numbers += v * v
			case (k-len(m.numbers))%2 == 1:
				lengths += v
			}
			lane[k*narrow] = float32(v)
		}
		if c.reach, c.size = max(c.reach, math.Sqrt(numbers)), max(c.size, math.Sqrt(numbers+lengths)); math.IsNaN(numbers) {
			c.reach, c.size = numbers, numbers
		}
	}
	return out
}

// mixedSingle is squared distances of numbers and categories in single precision.
type mixedSingle struct {
	of         *field
	rows, cols []float32
	rest       *rounded // of rows that cannot be cut
}

// newMixedSingle returns the statistic at the precision that points and profiles ask for, see
// [singleEngine], or nil where its range is not that of float32.
func newMixedSingle(f *field, steepness float64) source[float32] {
	columns := f.mixture.single()
	s, reach := &mixedSingle{of: f, rows: columns.panels, cols: columns.panels, rest: newRounded(f, f.cols.n)}, *columns
	if f.rows != f.cols {
		s.rows = f.mixture.packSingle(f.rows, &reach)
		for i, fit := range f.rows.fit {
			if !fit {
				reach.size = max(reach.size, math.Sqrt(f.stat.squaredDistance(f.rows.at(i), f.cols.at(0))))
			}
		}
	}
	switch {
	case !(reach.size >= 1/math.Sqrt(singleRange) && reach.size <= math.Sqrt(singleRange)):
		return nil
	case reach.reach*steepness <= plainReach:
		return s
	}
	return s.rest
}

func (s *mixedSingle) norms() (rows, cols []float32) { return nil, nil }

func (s *mixedSingle) fill(dst []float32, stride, low, high, from, to int) {
	const width = simd.PanelWidth32
	m := s.of.mixture
	size := m.size()
	runs(s.of.rows.fit, dst, stride, low, high, func(dst []float32, low, high int, fit bool) {
		if !fit {
			s.rest.fill(dst, stride, low, high, from, to)
			return
		}
		simd.SquaredMixed(dst, stride, high-low, s.rows[low/width*width*size+low%width:], s.cols[from*width*size:to*width*size], len(m.numbers), len(m.codes), to-from)
	})
}
