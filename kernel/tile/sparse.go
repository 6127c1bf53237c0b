package tile

import (
	"math"

	"example.org/mercer/internal/simd"
)

// sparseShare is the share of coordinates other than 0 up to which points count as mostly
// zero. Inner products of rows that hold nothing but these coordinates have the bits of
// the others, so it is a matter of speed alone.
const (
	sparseShare = 0.15
	// binaryShare is the same for points of 0 and 1, whose inner products are exact in
	// either way: a word of 64 coordinates takes about as long as three of them.
	binaryShare = 0.04
	// listedShare is the share of coordinates up to which it pays to go through a list of those
	// that any row of a group has. zeroShare is the share of numbers other than 0 up to which
	// points are left where they are, because there may be such lists.
	listedShare = 0.75
	zeroShare   = 0.3
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
	return float64(stored) <= zeroShare*float64(count*p.d) && 2*square <= squares/float64(count)
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
	f.rows.listed = f.rows.listed[:0]
	switch {
	case !f.skips:
	case f.counted():
		f.rows.compress(binaryShare)
	default:
		if f.rows.compress(sparseShare); f.rows.sparse.Len() == 0 {
			f.rows.list()
		}
	}
}

// list collects for each group of rows the coordinates that are not 0 in all of them, if
// these are few enough.
func (p *points) list() {
	if p.n == 0 {
		return
	}
	p.listed, p.lists = append(p.listed, 0), p.lists[:0]
	for first := 0; first < p.n; first += group {
		lanes, width := p.lane(first), min(group, p.n-first)
		for j := range p.d {
			for _, v := range lanes[j*simd.PanelWidth:][:width] {
				if v != 0 {
					p.lists = append(p.lists, int32(j))
					break
				}
			}
		}
		p.listed = append(p.listed, len(p.lists))
	}
	if float64(len(p.lists)) > listedShare*float64((len(p.listed)-1)*p.d) {
		p.listed = p.listed[:0]
	}
}

// listOf returns the coordinates of the group of row i, and whether there are lists.
func (p *points) listOf(i int) (index []int32, ok bool) {
	if len(p.listed) == 0 {
		return nil, false
	}
	return p.lists[p.listed[i/group]:p.listed[i/group+1]], true
}

// effort is the number of coordinates of the fastest loop that take as long as an element:
// a stored coordinate, whose panels are read out of order, takes as long as about four.
func (f *field) effort() int {
	if groups := len(f.rows.bytes.listed) - 1; f.inBytes() && groups > 0 {
		return len(f.rows.bytes.lists) / groups // of words
	}
	if f.mixed() {
		return f.mixture.operations()
	}
	if f.stat.Kind == PowerDistance {
		return f.cols.d * f.powerPrice()
	}
	if f.rows.sparse.Len() > 0 {
		return 4 * f.rows.sparse.Stored() / f.rows.n
	}
	if groups := len(f.rows.listed) - 1; groups > 0 {
		return len(f.rows.lists) / groups
	}
	return f.cols.d
}
