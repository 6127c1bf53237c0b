package prep

import "math"

// accumulator is a sum compensated as by Neumaier (1974): its error is one rounding
// of the result plus n·ε² of the absolute sum.
type accumulator struct{ sum, lost float64 }

func (a *accumulator) add(x float64) {
	s := a.sum + x
	if math.Abs(a.sum) >= math.Abs(x) {
		a.lost += (a.sum - s) + x
	} else {
		a.lost += (x - s) + a.sum
	}
	a.sum = s
}

func (a *accumulator) value() float64 { return a.sum + a.lost }

// weightedMean returns Σ wᵢxᵢ / Σ wᵢ; nil weights are ones. Values that are all equal
// give that value exactly.
func weightedMean(xs, ws []float64) float64 {
	origin := xs[0]
	var sum, total accumulator
	for i, x := range xs {
		w := weightAt(ws, i)
		sum.add(w * (x - origin))
		total.add(w)
	}
	return origin + sum.value()/total.value()
}

// deviation returns √(Σ wᵢ(xᵢ−m)² / Σ wᵢ) about the given centre m; the n of the
// divisor is that of the population, as in scikit-learn. Differences are scaled by
// the largest, so that squares neither overflow nor vanish.
func deviation(xs, ws []float64, m float64) float64 {
	largest := 0.0
	for i, x := range xs {
		if weightAt(ws, i) > 0 {
			largest = max(largest, math.Abs(x-m))
		}
	}
	if largest == 0 || math.IsInf(largest, 0) {
		return largest
	}
	var squares, total accumulator
	for i, x := range xs {
		w, z := weightAt(ws, i), (x-m)/largest
		squares.add(w * z * z)
		total.add(w)
	}
	return largest * math.Sqrt(squares.value()/total.value())
}

func weightAt(ws []float64, i int) float64 {
	if ws == nil {
		return 1
	}
	return ws[i]
}
