package gaps

import (
	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Completed returns x with 0 for missing coordinates, and whether there are any.
func Completed(x []float64) (filled []float64, missing bool) {
	filled = append([]float64(nil), x...)
	for j, v := range x {
		if v != v {
			filled[j], missing = 0, true
		}
	}
	return filled, missing
}

// Bind binds a kernel to points that may lack coordinates. complete binds it to points that lack
// none, such as these with their gaps filled by 0. single returns what each coordinate of a point
// is worth beside a missing one, and between the value of two points and of what single says of
// them: it is asked where one of the two has a gap.
func Bind(rows, cols data.Set[[]float64], single func(x []float64) []float64, between func(x, y, xs, ys []float64) float64, complete func(rows, cols data.Set[[]float64]) kernel.Pairs) kernel.Pairs {
	p := &pairs{between: between, cols: gather(cols, single)}
	if p.rows = p.cols; !data.SameSlices(rows, cols) {
		p.rows = gather(rows, single)
	}
	p.complete = complete(p.rows.filled, p.cols.filled)
	return p
}

// side is a set of points with missing coordinates.
type side struct {
	points  data.Set[[]float64]
	filled  data.Set[[]float64]
	single  [][]float64
	missing []bool
}

func gather(xs data.Set[[]float64], single func(x []float64) []float64) *side {
	n := xs.Len()
	s := &side{points: xs, single: make([][]float64, n), missing: make([]bool, n)}
	rows := make(data.Slice[[]float64], n)
	for i := range n {
		rows[i], s.missing[i] = Completed(xs.At(i))
		s.single[i] = single(xs.At(i))
	}
	s.filled = &rows
	if packed, err := data.Pack(rows); err == nil {
		s.filled = packed
	}
	return s
}

// pairs is the kernel bound to points.
type pairs struct {
	between    func(x, y, xs, ys []float64) float64
	complete   kernel.Pairs
	rows, cols *side
}

// Dims returns the numbers of points.
func (p *pairs) Dims() (rows, cols int) { return len(p.rows.missing), len(p.cols.missing) }

// Tile takes the complete pairs as they are.
func (p *pairs) Tile(dst kernel.Tile, row, col int) {
	p.complete.Tile(dst, row, col)
	for i := range dst.Rows {
		out, r := dst.Row(i), row+i
		for j := range out {
			if c := col + j; p.rows.missing[r] || p.cols.missing[c] {
				out[j] = p.between(p.rows.points.At(r), p.cols.points.At(c), p.rows.single[r], p.cols.single[c])
			}
		}
	}
}
