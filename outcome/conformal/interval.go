package conformal

import "math"

// Residual is the score |y − f| of a prediction f. Its interval is [f − q, f + q].
func Residual(y, f float64) float64 { return math.Abs(y - f) }

// Around returns the interval of [Residual] for the quantile q.
func Around(f, q float64) (lo, hi float64) { return f - q, f + q }

// Scaled is the score |y − f|/s for a predicted spread s > 0; +Inf for s = 0 unless
// y = f. Its interval, [f − qs, f + qs], is wide where the spread is.
func Scaled(y, f, s float64) float64 {
	if y == f {
		return 0
	}
	return math.Abs(y-f) / s
}

// AroundScaled returns the interval of [Scaled] for the quantile q. A spread of 0 leaves
// the point f, unless q is +Inf.
func AroundScaled(f, s, q float64) (lo, hi float64) {
	if math.IsInf(q, 1) {
		return math.Inf(-1), math.Inf(1)
	}
	return f - q*s, f + q*s
}

// Outside is the score max(lo − y, y − hi) of conformalised quantile regression: how far
// y lies outside predicted quantiles, negative within them.
func Outside(y, lo, hi float64) float64 { return max(lo-y, y-hi) }

// Widen returns the interval of [Outside], [lo − q, hi + q]. A negative q narrows it; an
// interval that would be empty is the point in its middle.
func Widen(lo, hi, q float64) (float64, float64) {
	if a, b := lo-q, hi+q; a <= b {
		return a, b
	}
	middle := lo/2 + hi/2
	return middle, middle
}
