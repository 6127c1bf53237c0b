package vec

import (
	"fmt"
	"math"

	"mercer/data"
)

// source gives one statistic of bound points, panel by panel.
type source interface {
	// fill stores the statistic of the rows in row panel r with the columns in the
	// column panels from ≤ q < to: element (i, j) is dst[i*stride+j], i < panelWidth.
	// What lies beyond the last point is arbitrary.
	fill(dst []float64, stride, r, from, to int)
	// norms returns ⟨x, x⟩ of the row and column points of an inner product.
	norms() (rows, cols []float64)
}

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
	byNorms    bool      // squared distances from norms and inner products
	weights    []float64 // of the loops that always want some
}

// bindStatistic gathers and packs the points. rows and cols may be the same set,
// which is then packed once.
func bindStatistic(s *Statistic, rows, cols data.Set[[]float64], same bool) *field {
	f := &field{stat: s, cols: gather(s, cols)}
	f.rows = f.cols
	if !same {
		f.rows = gather(s, rows)
	}
	if f.rows.d != f.cols.d && f.rows.n > 0 && f.cols.n > 0 {
		panic(fmt.Sprintf("vec: row points have %d coordinates and column points %d", f.rows.d, f.cols.d))
	}
	both := []*points{f.cols}
	if !same {
		both = append(both, f.rows)
	}
	switch s.Kind {
	case InnerProduct:
		for _, p := range both {
			p.interleave(nil)
			p.measure()
			p.rows = nil
		}
	case Manhattan, SquaredDistance:
		f.weights = s.Weights
		if f.weights == nil {
			f.weights = ones(f.cols.d)
		}
		f.byNorms = s.Kind == SquaredDistance && f.cols.d > directLimit
		if f.byNorms {
			centred := centring(f.cols.mean(), s.Weights)
			for _, p := range both {
				p.interleave(centred)
				p.measure()
			}
			break
		}
		for _, p := range both {
			p.interleave(nil)
			p.rows = nil
		}
	}
	return f
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

func (f *field) fill(dst []float64, stride, r, from, to int) {
	var b block
	for q := from; q < to; q++ {
		f.block(&b, r, q)
		at := (q - from) * panelWidth
		for i := range panelWidth {
			*(*[panelWidth]float64)(dst[i*stride+at:]) = *(*[panelWidth]float64)(b[i*panelWidth:])
		}
	}
}

// block stores the statistic of row panel r with column panel q.
func (f *field) block(out *block, r, q int) {
	switch {
	case f.stat.Kind == InnerProduct:
		innerLoop(out, f.rows.panel(r), f.cols.panel(q))
	case f.stat.Kind == Manhattan:
		manhattanLoop(out, f.rows.panel(r), f.cols.panel(q), f.weights)
	case f.byNorms:
		innerLoop(out, f.rows.panel(r), f.cols.panel(q))
		f.distances(out, r, q)
	case f.stat.Kind == SquaredDistance && f.stat.Weights == nil:
		squaredLoop(out, f.rows.panel(r), f.cols.panel(q))
	case f.stat.Kind == SquaredDistance:
		weightedLoop(out, f.rows.panel(r), f.cols.panel(q), f.weights)
	default:
		f.pairwise(out, r, q)
	}
}

// distances turns inner products into squared distances, see [keptShare]. The sum
// of the norms is the first operation, so that exchanging the points keeps the bits.
func (f *field) distances(out *block, r, q int) {
	for i := range panelWidth {
		row := f.rows.norms[r*panelWidth+i]
		for j := range panelWidth {
			norms := row + f.cols.norms[q*panelWidth+j]
			s := norms - 2*out[i*panelWidth+j]
			if !(s >= keptShare*norms) || math.IsInf(norms, 1) {
				s = 0
				if a, b := r*panelWidth+i, q*panelWidth+j; a < f.rows.n && b < f.cols.n {
					s = f.stat.squaredDistance(f.rows.at(a), f.cols.at(b))
				}
			}
			out[i*panelWidth+j] = s
		}
	}
}

// pairwise evaluates the kinds without a loop over panels.
func (f *field) pairwise(out *block, r, q int) {
	for i := range min(panelWidth, f.rows.n-r*panelWidth) {
		x := f.rows.at(r*panelWidth + i)
		for j := range min(panelWidth, f.cols.n-q*panelWidth) {
			out[i*panelWidth+j] = f.stat.pair(x, f.cols.at(q*panelWidth+j))
		}
	}
}
