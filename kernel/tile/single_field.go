package tile

import (
	"sync"

	"example.org/mercer/internal/simd"
)

// singlePoints are points in panels of float32.
type singlePoints struct {
	panels []float32
	norms  []float32 // as in [points]
	sparse simd.Sparse[float32]
}

// singleColumns is what single precision takes from the column points alone.
type singleColumns struct {
	change func(x []float64) // see [field.nearOrigin]
	reach  float64           // see [points.reach]
	// packed holds the points by the numbers per coordinate, one or two.
	packed [2]func() *singlePoints
}

func (f *field) inSingle() *singleColumns {
	c := &singleColumns{change: f.nearOrigin()}
	c.reach = f.cols.reach(f.stat.Kind, c.change)
	for i := range c.packed {
		c.packed[i] = sync.OnceValue(func() *singlePoints { return f.packSingle(f.cols, i+1, c.change) })
	}
	return c
}

// singleField is a statistic bound to points in single precision.
type singleField struct {
	of         *field
	loop       simd.Statistic
	parts      int // numbers per coordinate
	rows, cols *singlePoints
}

func newSingleField(f *field, loop simd.Statistic) *singleField {
	s := &singleField{of: f, loop: loop, parts: 1}
	if loop == simd.SquaredSplit || loop == simd.ManhattanSplit {
		s.parts = 2
	}
	columns := f.single()
	s.cols = columns.packed[s.parts-1]()
	s.rows = s.cols
	if f.rows != f.cols {
		s.rows = f.packSingle(f.rows, s.parts, columns.change)
	}
	if f.rows.sparse.Len() > 0 {
		s.rows.compress(f.rows)
	}
	return s
}

// nearOrigin returns the map of points in panels that makes their norms small: none where
// that was done before or where not only differences count.
func (f *field) nearOrigin() func(x []float64) {
	kind := f.stat.Kind
	if f.byNorms || kind != SquaredDistance && kind != Manhattan {
		return func([]float64) {}
	}
	mean, x := make([]float64, f.cols.d), make([]float64, f.cols.d)
	for i := range f.cols.n {
		f.cols.unpack(x, i)
		for j, v := range x {
			mean[j] += v
		}
	}
	for j := range mean {
		mean[j] /= float64(max(f.cols.n, 1))
	}
	centre := centring(mean, f.weights)
	return func(x []float64) { centre(x, x) }
}

// packSingle rounds changed points to one or two numbers per coordinate, and measures them
// as rounded.
func (f *field) packSingle(p *points, parts int, change func(x []float64)) *singlePoints {
	const width = simd.PanelWidth32
	count := (p.n + width - 1) / width
	out := &singlePoints{panels: make([]float32, count*p.d*parts*width), norms: make([]float32, count*width)}
	x := make([]float64, p.d)
	for i := range p.n {
		p.unpack(x, i)
		change(x)
		lane, norm := out.lane(i, p.d*parts), 0.0
		for j, v := range x {
			high := float32(v)
			lane[j*parts*width] = high
			if parts == 2 {
				lane[(2*j+1)*width] = float32(v - float64(high))
			}
			if f.stat.Kind == MinOverMax {
				norm += float64(high)
			} else {
				norm += float64(high) * float64(high)
			}
		}
		out.norms[i] = float32(norm)
	}
	return out
}

// compress stores the coordinates of p that are not 0 once more, rounded.
func (s *singlePoints) compress(p *points) {
	s.sparse.Reset(p.d, p.sparse.Stored())
	x := make([]float32, p.d)
	for i := range p.n {
		lane := s.lane(i, p.d)
		for j := range x {
			x[j] = lane[j*simd.PanelWidth32]
		}
		s.sparse.Append(x)
	}
}

// lane returns the panels of d numbers a point from that of point i on, cut so that the
// point is in lane 0.
func (p *singlePoints) lane(i, d int) []float32 {
	if d == 0 {
		return nil
	}
	return p.panels[i/simd.PanelWidth32*d*simd.PanelWidth32+i%simd.PanelWidth32:]
}

func (s *singleField) norms() (rows, cols []float32) { return s.rows.norms, s.cols.norms }

func (s *singleField) fill(dst []float32, stride, low, high, from, to int) {
	s.sums(dst, stride, low, high, from, to)
	switch {
	case s.of.byNorms:
		near := renewal[float32]{of: s.of}
		for i := low; i < high; i++ {
			s.distances(&near, dst[(i-low)*stride:], i, from, to)
		}
		near.flush()
	case s.of.stat.Kind == MinOverMax:
		s.ratios(dst, stride, low, high, from, to)
	}
}

// sums runs the loop over panels.
func (s *singleField) sums(dst []float32, stride, low, high, from, to int) {
	d := s.of.cols.d * s.parts
	b := s.cols.panels[from*d*simd.PanelWidth32 : to*d*simd.PanelWidth32]
	if s.rows.sparse.Len() > 0 {
		s.rows.sparse.Inner(dst, stride, low, high, b, to-from)
	} else if index, ok := s.of.rows.listOf(low); ok {
		simd.InnerListed(dst, stride, high-low, s.rows.lane(low, d), b, index, d, to-from)
	} else {
		simd.Panels32(s.loop, dst, stride, high-low, s.rows.lane(low, d), b, s.of.cols.d, to-from)
	}
}

// distances turns the inner products of row i into squared distances, and those that
// cancel into the rounded ones of float64, see [keptShare], at the latest when near is
// flushed.
func (s *singleField) distances(near *renewal[float32], out []float32, i, from, to int) {
	first := from * simd.PanelWidth32
	cols := s.cols.norms[first : to*simd.PanelWidth32]
	out = out[:len(cols)]
	row := s.rows.norms[i]
	if !simd.SquaredFromInner32(out, cols, row, keptShare) {
		near.row(out, row, cols, i, first)
	}
}

// ratios divides Σ min by Σ max, see [field.ratios].
func (s *singleField) ratios(dst []float32, stride, low, high, from, to int) {
	first := from * simd.PanelWidth32
	cols := s.cols.norms[first:min(to*simd.PanelWidth32, s.of.cols.n)]
	for i := low; i < high; i++ {
		out := dst[(i-low)*stride : (i-low)*stride+len(cols)]
		row := s.rows.norms[i]
		for j, c := range cols {
			if most := row + c - out[j]; most != 0 {
				out[j] /= most
			} else {
				out[j] = 1
			}
		}
	}
}

// rounded is a statistic computed in double precision and rounded.
type rounded struct {
	of                 source[float64]
	panels             int // of the columns, in double precision
	rowNorms, colNorms []float32
	pool               *sync.Pool // of *[]float64, a group of rows of a chunk
}

func newRounded(s source[float64], cols int) *rounded {
	r := &rounded{of: s, panels: (cols + simd.PanelWidth - 1) / simd.PanelWidth}
	rowNorms, colNorms := s.norms()
	r.rowNorms, r.colNorms = narrow(rowNorms), narrow(colNorms)
	r.pool = &sync.Pool{New: func() any { // see [engine]
		wide := make([]float64, group*chunk)
		return &wide
	}}
	return r
}

func narrow(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}

func (r *rounded) norms() (rows, cols []float32) { return r.rowNorms, r.colNorms }

func (r *rounded) fill(dst []float32, stride, low, high, from, to int) {
	const times = simd.PanelWidth32 / simd.PanelWidth
	wide := r.pool.Get().(*[]float64)
	defer r.pool.Put(wide)
	r.of.fill(*wide, chunk, low, high, times*from, min(times*to, r.panels))
	n := (to - from) * simd.PanelWidth32
	for i := range high - low {
		simd.Narrow(dst[i*stride:], (*wide)[i*chunk:i*chunk+n])
	}
}
