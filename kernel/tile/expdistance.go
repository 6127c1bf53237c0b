package tile

import "example.org/mercer/internal/simd"

// expDistances is exp(−rate·t) of squared distances t that come from norms, in double precision
// and in one loop. Its elements have the bits of the plan.
type expDistances struct {
	of   *field
	rate float64
}

// expDistancesOf returns a plan whose only statistic is s as one loop, or nil where it is none.
func expDistancesOf(plan *Plan, s source[float64]) whole[float64] {
	if f, rate, ok := decayOfNorms(plan, s); ok && simd.HasExpDistances() {
		return expDistances{f, rate}
	}
	return nil
}

// decayOfNorms returns the rate of a plan which is exp(−rate·t) of distances t that come from
// norms of points in no other form than numbers.
func decayOfNorms(plan *Plan, s source[float64]) (f *field, rate float64, ok bool) {
	f, ok = s.(*field)
	if !ok || !f.byNorms || !f.packed || f.counted() || f.formed() {
		return nil, 0, false
	}
	if len(plan.Program) != 2 || plan.Program[1].Code != OpExpNeg { // the first pushes
		return nil, 0, false
	}
	return f, plan.Program[1].A, true
}

func (e expDistances) fillWhole(dst []float64, stride int, inner []float64, apart, low, high, from, to int) {
	f, d := e.of, e.of.cols.d
	cols := f.cols.norms[from*simd.PanelWidth : to*simd.PanelWidth]
	if _, listed := f.rows.listOf(low); !listed && f.rows.sparse.Len() == 0 {
		b := f.cols.panels[from*d*simd.PanelWidth : to*d*simd.PanelWidth]
		if simd.ExpDistances(dst, stride, f.rows.lane(low), b, f.rows.norms[low:high], cols, d, to-from, e.rate) {
			return
		}
	}
	f.fillNumbers(inner, apart, low, high, from, to)
	for i := range high - low {
		simd.Exp(dst[i*stride:], inner[i*apart:][:len(cols)], -e.rate)
	}
}
