package vec

import "math"

// sparseShare is the share of coordinates other than 0 up to which points count as mostly
// zero. Inner products of rows that hold nothing but these coordinates have the bits of
// the others, so it is a matter of speed alone.
const (
	sparseShare = 0.15
	// binaryShare is the same for points of 0 and 1, whose inner products are exact in
	// either way: a word of 64 coordinates takes about as long as three of them.
	binaryShare = 0.04
)

// mostlyZero reports whether squared distances of the points are right as they are, with
// coordinates that are 0 left out: most of them are 0, and the mean m of a sample, multiplied
// by the weights, is short. In the mean over pairs ‖x−y‖² is the share 1 − ‖m‖²/mean‖x‖² of
// ‖x‖²+‖y‖², which centring would make 1. At ½ and above few pairs are below [keptShare].
// What is kept is as right as with centring.
func (p *points) mostlyZero(mean, weights []float64) bool {
	count, stored, squares, square := p.sample(), 0, 0.0, 0.0
	for j, m := range mean {
		w := 1.0
		if weights != nil {
			w = weights[j]
		}
		square += (m * w) * (m * w)
	}
	for i := range count {
		for j, v := range p.at(i) {
			if v == 0 {
				continue
			}
			stored++
			if weights != nil {
				v *= weights[j]
			}
			squares += v * v
		}
	}
	return float64(stored) <= sparseShare*float64(count*p.d) && 2*square <= squares/float64(count)
}

// finite reports whether all coordinates in the panels are: 0 times another is not 0.
func (p *points) finite() bool {
	for _, v := range p.panels {
		if math.IsNaN(v - v) {
			return false
		}
	}
	return true
}

// compress stores the coordinates in the panels that are not 0 once more, if these are
// at most the given share.
func (p *points) compress(share float64) {
	stored := 0
	for _, v := range p.panels {
		if v != 0 {
			stored++
		}
	}
	if float64(stored) > share*float64(p.n*p.d) {
		return
	}
	p.sparse.Reset(p.d, stored)
	p.point = resized(p.point, p.d)
	for i := range p.n {
		p.unpack(p.point, i)
		p.sparse.Append(p.point)
	}
}

// packSparse compresses the row points where inner products can be had from few of their
// coordinates.
func (f *field) packSparse() {
	f.rows.sparse.Reset(f.cols.d, 0)
	switch {
	case !f.skips:
	case f.counted():
		f.rows.compress(binaryShare)
	default:
		f.rows.compress(sparseShare)
	}
}

// effort is the number of coordinates of the fastest loop that take as long as an element:
// a stored coordinate, whose panels are read out of order, takes as long as about four.
func (f *field) effort() int {
	if f.rows.sparse.Len() > 0 {
		return 4 * f.rows.sparse.Stored() / f.rows.n
	}
	return f.cols.d
}
