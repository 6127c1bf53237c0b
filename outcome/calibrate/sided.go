package calibrate

import (
	"fmt"
	"math"
)

// TwoSided is Platt's map bound to the sign: the probability of the positive class is
// σ(Above·f) for f ≥ 0 and σ(Below·f) for f < 0, σ(z) = 1/(1 + e^(−z)), with slopes ≥ 0.
// So it is ½ at f = 0, at least ½ above and at most ½ below, and rises.
type TwoSided struct {
	Below float64 `json:"below"`
	Above float64 `json:"above"`
}

// At returns the probabilities of the negative and of the positive class. Each is
// computed for itself, so that a small one keeps its digits.
func (s TwoSided) At(f float64) (no, yes float64) {
	z := s.Above * f
	if f < 0 {
		z = s.Below * f
	}
	return sigma(-z), sigma(z)
}

// FitTwoSided minimises the loss of [FitSigmoid], with its targets, over the two slopes.
// The problem falls into two, each convex in one number, solved by Newton's method
// inside a bracket that shrinks: it cannot fail. A slope is 0 where the rows of a side
// mostly belong to the other class: then all that can be said there without
// contradicting the sign is ½. A side that has no rows takes the slope of the other;
// values that are all 0 give slopes 0.
func FitTwoSided(f []float64, y []bool, w []float64) (TwoSided, error) {
	if err := checkRows(f, len(y), w); err != nil {
		return TwoSided{}, err
	}
	t := binaryTargets(y, w)
	above, haveAbove := sideSlope(f, t, w, 1)
	below, haveBelow := sideSlope(f, t, w, -1)
	switch {
	case !haveAbove:
		above = below
	case !haveBelow:
		below = above
	}
	return TwoSided{Below: below, Above: above}, nil
}

// sideSlope returns the slope of the rows whose value has the given sign, and whether
// there are any.
func sideSlope(f, t, w []float64, sign float64) (slope float64, ok bool) {
	var v, target, mass []float64
	scale := 0.0
	for i, x := range f {
		if x *= sign; x > 0 && weight(w, i) > 0 {
			right := t[i]
			if sign < 0 {
				right = 1 - right
			}
			v, target, mass = append(v, x), append(target, right), append(mass, weight(w, i))
			scale = max(scale, x)
		}
	}
	if v == nil {
		return 0, false
	}
	root := risingRoot(func(b float64) (g, h float64) {
		for i, x := range v {
			x /= scale
			p, q := sigma(b*x), sigma(-b*x)
			g += mass[i] * x * (p - target[i])
			h += mass[i] * x * x * p * q
		}
		return g, h
	})
	return finite(root / scale), true
}

// finite keeps slopes of tiny values within the numbers that JSON has.
func finite(x float64) float64 { return min(x, math.MaxFloat64) }

func (s TwoSided) check() error {
	if !(s.Below >= 0 && s.Above >= 0) || math.IsInf(s.Below, 1) || math.IsInf(s.Above, 1) {
		return fmt.Errorf("calibrate: the slopes %v and %v of a sigmoid are not finite numbers ≥ 0", s.Below, s.Above)
	}
	return nil
}

// risingRoot returns the x ≥ 0 at which a rising function with the value g and the
// derivative h changes its sign; 0 where it is nowhere below 0. The bracket doubles from
// 1 and then shrinks by Newton steps, or by halves where these leave it or are slow.
func risingRoot(at func(x float64) (g, h float64)) float64 {
	if g, _ := at(0); g >= 0 {
		return 0
	}
	low, high := 0.0, 1.0
	for {
		if g, _ := at(high); g >= 0 || high >= math.MaxFloat64/2 {
			break
		}
		low, high = high, 2*high
	}
	x := low + (high-low)/2
	for before := high - low; high-low > 1e-15*high; {
		g, h := at(x)
		if g < 0 {
			low = x
		} else {
			high = x
		}
		next := x - g/h
		if slow := math.Abs(next-x) > before/2; slow || !(next > low && next < high) {
			next = low + (high-low)/2
		}
		if next == x || next <= low || next >= high {
			break
		}
		if before = math.Abs(next - x); before <= 1e-16*x {
			break
		}
		x = next
	}
	return x
}
