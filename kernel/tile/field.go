package tile

import (
	"fmt"
	"math"
	"sync"

	"example.org/mercer/data"
	"example.org/mercer/internal/simd"
)

// directLimit is the number of coordinates up to which squared distances are added
// from differences. Beyond it the form ‖x‖²+‖y‖²−2⟨x,y⟩, a multiplication and an
// addition per coordinate instead of three operations, pays.
const directLimit = 16

// keptShare is the part of ‖x‖²+‖y‖² below which a squared distance by the norms is
// replaced by one from differences. With u = 2⁻⁵³, both norms and twice the inner
// product of d coordinates carry an error of at most (2d+3)u(‖x‖²+‖y‖²), and centring
// and weighting before change the distance by at most 2√2·4u of its own value at this
// share. A kept value s ≥ (‖x‖²+‖y‖²)/8 is therefore right to
//
//	|Δs| ≤ 8(2d+3)u·s + 12u·s ≤ 16(d+3)u·s,
//
// relative to itself, like one from differences but for the factor; the profile
// exp(−s/2σ²) turns that into an absolute error of at most 16(d+3)u/e for any σ. In
// centred data s averages ‖x‖²+‖y‖², so few pairs are replaced; where two tight
// clusters lie far apart it is the pairs within each of them.
const keptShare = 0.125

// field is a statistic bound to row and column points.
type field struct {
	stat       *Statistic
	rows, cols *points
	packed     bool           // there is a loop over panels, which is
	loop       simd.Statistic // this one
	weights    []float64      // of the loop
	byNorms    bool           // squared distances from norms and inner products
	centre     []float64      // subtracted from the points, byNorms
	skips      bool           // products with a coordinate that is 0 may be left out
	// change is what becomes of a point before it is packed; nil: nothing.
	change  func(dst, x []float64)
	mixture *mixture              // how points are cut into numbers and categories; nil: they are not
	single  func() *singleColumns // made when it is first needed, for all rows that are bound
	scaled  *scaledColumns        // likewise
}

// bindStatistic gathers and packs the points. rows and cols may be the same set,
// which is then packed once.
func bindStatistic(s *Statistic, rows, cols data.Set[[]float64], same bool) *field {
	f := gatherColumns(s, cols)
	if same && (f.formed() || f.packBitsAlone()) { // no point needs numbers
		f.rows = f.cols
		return &f
	}
	f.packColumns()
	if f.rows = f.cols; same {
		f.packSparse()
	} else {
		f.rows = new(points)
		f.bindRows(rows)
	}
	return &f
}

// bindColumns gathers and packs the column points, which also say how every point is to
// be packed.
func bindColumns(s *Statistic, cols data.Set[[]float64]) field {
	f := gatherColumns(s, cols)
	f.packColumns()
	return f
}

// gatherColumns gathers the column points and finds how points are to be packed.
func gatherColumns(s *Statistic, cols data.Set[[]float64]) field {
	f := field{stat: s, cols: gather(s, cols)}
	f.loop, f.packed = loops[s.Kind]
	switch {
	case s.Kind == SquaredDistance && f.cols.d > directLimit:
		f.byNorms, f.loop = true, simd.Inner
		f.packColumnForm()
		f.centre = f.cols.centre(s.Weights)
		f.change = centring(f.centre, s.Weights)
	case s.Kind == SquaredDistance && s.Weights != nil:
		f.loop, f.weights = simd.Weighted, s.Weights
	case s.Kind == Manhattan, s.Kind == PowerDistance:
		if root, ok := rootLoops[s.Exponent]; ok {
			f.loop = root
		}
		if f.weights = s.Weights; f.weights == nil {
			f.weights = ones(f.cols.d)
		}
	}
	return f
}

// packColumns packs the column points, which are bound once.
func (f *field) packColumns() {
	f.pack(f.cols)
	f.skips = f.packed && f.loop == simd.Inner && f.cols.d > directLimit && f.cols.finite()
	f.cols.own, f.cols.point, f.cols.square = nil, nil, nil
	f.scaled = new(scaledColumns)
	columns := *f
	f.single = sync.OnceValue(columns.inSingle)
}

// bindRows gathers and packs the row points, in the memory of those bound before.
func (f *field) bindRows(rows data.Set[[]float64]) {
	f.rows.gather(f.stat, rows)
	if f.rows.d != f.cols.d && f.rows.n > 0 && f.cols.n > 0 {
		panic(fmt.Sprintf("tile: row points have %d coordinates and column points %d", f.rows.d, f.cols.d))
	}
	if f.packForm() {
		return // no row needs numbers
	}
	f.pack(f.rows)
	f.packSparse()
}

// pack makes of the rows of p what the loop wants, and lets them go if they are not
// needed any more.
func (f *field) pack(p *points) {
	if !f.packed {
		return
	}
	if f.countable() {
		p.packBits()
	}
	p.interleave(f.change)
	if f.loop == simd.Inner || f.stat.Kind == MinOverMax {
		p.measure(f.loop)
	}
	if !f.byNorms && f.stat.Kind != MinOverMax && f.stat.Kind != Angle {
		p.rows = nil
	}
}

func ones(n int) []float64 {
	w := make([]float64, n)
	for j := range w {
		w[j] = 1
	}
	return w
}

// centring returns the map x ↦ (x − m)·w. A distance does not change under a shift
// of both points, but the norms that cancel in it become as small as they can be: a
// common offset of the data costs no digits.
func centring(m, weights []float64) func(dst, x []float64) {
	return func(dst, x []float64) {
		for j, v := range x {
			dst[j] = v - m[j]
			if weights != nil {
				dst[j] *= weights[j]
			}
		}
	}
}

func (f *field) norms() (rows, cols []float64) { return f.rows.norms, f.cols.norms }

// loops are the kinds that have a loop over panels.
var loops = map[Kind]simd.Statistic{
	InnerProduct: simd.Inner, SquaredDistance: simd.Squared, Manhattan: simd.Manhattan,
	SumOfMinima: simd.Minima, MinOverMax: simd.Minima, ChiSquared: simd.ChiSquared, HarmonicMeans: simd.HarmonicMeans,
	PowerDistance: simd.Manhattan, // or one of rootLoops, or none of them
	Angle:         simd.Inner,
}

func (f *field) fill(dst []float64, stride, low, high, from, to int) {
	if !f.packed {
		f.pairwise(dst, stride, low, high, from, to)
		return
	}
	switch {
	case f.counted():
		f.count(dst, stride, low, high, from, to)
	case f.formed():
		f.fillFormed(dst, stride, low, high, from, to)
	case f.byVectors():
		f.fillPowers(dst, stride, low, high, from, to)
	default:
		f.fillNumbers(dst, stride, low, high, from, to)
	}
}

// fillNumbers is fill by the loop over panels of numbers.
func (f *field) fillNumbers(dst []float64, stride, low, high, from, to int) {
	d := f.cols.d
	b := f.cols.panels[from*d*simd.PanelWidth : to*d*simd.PanelWidth]
	if f.rows.sparse.Len() > 0 {
		f.rows.sparse.Inner(dst, stride, low, high, b, to-from)
	} else if index, ok := f.rows.listOf(low); ok {
		simd.InnerListed(dst, stride, high-low, f.rows.lane(low), b, index, d, to-from)
	} else {
		simd.Panels(f.loop, dst, stride, high-low, f.rows.lane(low), b, f.weights, d, to-from)
	}
	switch {
	case f.byNorms:
		f.distances(dst, stride, low, high, from, to)
	case f.stat.Kind == MinOverMax:
		f.ratios(dst, stride, low, high, from, to)
	case f.stat.Kind == Angle:
		f.angles(dst, stride, low, high, from, to)
	}
}

// ratios divides Σ min by Σ max = Σ xⱼ + Σ yⱼ − Σ min. Nothing cancels where points are
// as they should, ≥ 0, because Σ max is at least half of the sum; and k(x, x) is 1 to the
// bit. Sums that overflow are left to the definition.
func (f *field) ratios(dst []float64, stride, low, high, from, to int) {
	first := from * simd.PanelWidth
	cols := f.cols.norms[first:min(to*simd.PanelWidth, f.cols.n)]
	for i := low; i < high; i++ {
		s := dst[(i-low)*stride : (i-low)*stride+len(cols)]
		row := f.rows.norms[i]
		for j, c := range cols {
			switch most := row + c - s[j]; {
			case math.Abs(row+c) > math.MaxFloat64:
				s[j] = f.stat.Value(f.rows.at(i), f.cols.at(first+j))
			case most == 0:
				s[j] = 1
			default:
				s[j] /= most
			}
		}
	}
}

// distances turns inner products into squared distances, see [keptShare]. The sum of
// the norms is the first operation, so that exchanging the points keeps the bits.
func (f *field) distances(dst []float64, stride, low, high, from, to int) {
	first := from * simd.PanelWidth
	cols := f.cols.norms[first : to*simd.PanelWidth]
	near := renewal[float64]{of: f}
	for i := low; i < high; i++ {
		s := dst[(i-low)*stride : (i-low)*stride+len(cols)]
		row := f.rows.norms[i]
		if !simd.SquaredFromInner(s, cols, row, keptShare) {
			near.row(s, row, cols, i, first)
		}
	}
	near.flush()
}

// pairwise evaluates the kinds without a loop over panels.
func (f *field) pairwise(dst []float64, stride, low, high, from, to int) {
	first, end := from*simd.PanelWidth, min(to*simd.PanelWidth, f.cols.n)
	for i := low; i < high; i++ {
		x := f.rows.at(i)
		for j := first; j < end; j++ {
			dst[(i-low)*stride+j-first] = f.stat.Value(x, f.cols.at(j))
		}
	}
}
