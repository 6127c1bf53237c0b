package tile

import "math"

// definitions are the kinds without operands, of points; numbers are points of one coordinate.
var definitions = [...]func(x, y []float64) float64{
	InnerProduct:        Dot,
	SumOfMinima:         sumOfMinima,
	MinOverMax:          minOverMax,
	Equality:            equal,
	SumOfCoordinates:    func(x, y []float64) float64 { return x[0] + y[0] },
	CommonDivisor:       func(x, y []float64) float64 { return gcd(x[0], y[0]) },
	DivisorOverMultiple: func(x, y []float64) float64 { return gcdOverLcm(x[0], y[0]) },
	ChiSquared:          chiSquared,
	HarmonicMeans:       harmonicMeans,
	Divergence:          divergence,
	SharedEntropy:       sharedEntropy,
	Angle:               angle,
}

// Dot returns ⟨x, y⟩, added from the first coordinate to the last.
func Dot(x, y []float64) float64 {
	sum := 0.0
	for j, v := range x {
		sum += float64(v * y[j]) // the conversion forbids fusing: same bits on every machine
	}
	return sum
}

// squaredDistance returns Σⱼ (wⱼ(xⱼ−yⱼ))².
func (s *Statistic) squaredDistance(x, y []float64) float64 {
	sum := 0.0
	if s.Weights == nil {
		for j, v := range x {
			d := v - y[j]
			sum += float64(d * d)
		}
		return sum
	}
	for j, v := range x {
		d := (v - y[j]) * s.Weights[j]
		sum += float64(d * d)
	}
	return sum
}

// manhattan returns Σⱼ wⱼ|xⱼ−yⱼ|.
func (s *Statistic) manhattan(x, y []float64) float64 {
	sum := 0.0
	for j, v := range x {
		d := v - y[j]
		if d < 0 {
			d = -d
		}
		if s.Weights != nil {
			d *= s.Weights[j]
		}
		sum += d
	}
	return sum
}

// sumOfMinima returns Σⱼ min(xⱼ, yⱼ).
func sumOfMinima(x, y []float64) float64 {
	sum := 0.0
	for j, v := range x {
		sum += min(v, y[j])
	}
	return sum
}

// minOverMax returns Σⱼ min(xⱼ, yⱼ)/Σⱼ max(xⱼ, yⱼ), and 1 where both are 0.
func minOverMax(x, y []float64) float64 {
	least, most := 0.0, 0.0
	for j, v := range x {
		least += min(v, y[j])
		most += max(v, y[j])
	}
	if most == 0 {
		return 1
	}
	return least / most
}

// gcd is Euclid's algorithm on whole numbers up to 2⁵³, which fmod keeps exact. It
// returns NaN outside.
func gcd(x, y float64) float64 {
	if math.Trunc(x) != x || math.Trunc(y) != y || math.IsInf(x-y, 0) {
		return math.NaN()
	}
	x, y = math.Abs(x), math.Abs(y)
	for y != 0 {
		x, y = y, math.Mod(x, y)
	}
	return x
}

// gcdOverLcm is gcd²/(xy), evaluated as (gcd/x)·(gcd/y) so that nothing overflows.
func gcdOverLcm(x, y float64) float64 {
	g := gcd(x, y)
	return (g / x) * (g / y)
}

// equal returns 1 where x = y in every coordinate, and 0 otherwise.
func equal(x, y []float64) float64 {
	for j, v := range x {
		if v != y[j] {
			return 0
		}
	}
	return 1
}

// sineSquared returns Σⱼ sin²(π(xⱼ−yⱼ)/p).
func sineSquared(period float64, x, y []float64) float64 {
	sum := 0.0
	for j, v := range x {
		// The whole periods are taken off first, exactly, so that the sine sees an
		// argument in [−π, π] and π's own rounding is not magnified.
		s := math.Sin(math.Pi * (math.Mod(math.Abs(v-y[j]), period) / period))
		sum += float64(s * s)
	}
	return sum
}

// chiSquared returns Σⱼ (xⱼ−yⱼ)²/(xⱼ+yⱼ), 0/0 = 0.
func chiSquared(x, y []float64) float64 {
	sum := 0.0
	for j, v := range x {
		d, total := v-y[j], max(v+y[j], math.SmallestNonzeroFloat64)
		sum += float64(d*d) / total
	}
	return sum
}

// harmonicMeans returns Σⱼ 2xⱼyⱼ/(xⱼ+yⱼ), 0/0 = 0.
func harmonicMeans(x, y []float64) float64 {
	sum := 0.0
	for j, v := range x {
		total := max(v+y[j], math.SmallestNonzeroFloat64)
		sum += float64(v*y[j]*2) / total
	}
	return sum
}

// sharedEntropy is the definition of [SharedEntropy]. With a ≥ b and r = b/a, a term is
// a((1+r) ln(1+r) − r ln r)/ln 4, of two summands ≥ 0.
func sharedEntropy(x, y []float64) float64 {
	sum := 0.0
	for j, v := range x {
		a, b := max(v, y[j]), min(v, y[j])
		if r := b / a; r > 0 {
			sum += a * (float64((1+r)*math.Log1p(r)) - float64(r*math.Log(r)))
		}
	}
	return sum / (2 * math.Ln2)
}

// divergence is the definition of [Divergence]. With the mean m of the two coordinates
// and m(1 ± δ) for themselves, a term is
//
//	½m((1+δ)ln(1+δ) + (1−δ)ln(1−δ)) = ½m Σₙ δ²ⁿ/(n(2n−1)),   n = 1, 2, …,
//
// of which the series loses no digits where δ is small; the ninth term is below 2⁻⁵³ of the
// first for δ < 0.1.
func divergence(x, y []float64) float64 {
	sum := 0.0
	for j, v := range x {
		a, b := max(v, y[j]), min(v, y[j])
		if a == b {
			continue
		}
		mean := a/2 + b/2
		d := (a/2 - b/2) / mean
		switch {
		case d < 0.1:
			s := 0.0
			for n := 8.0; n >= 1; n-- {
				s = 1/(n*(2*n-1)) + float64(s*d*d)
			}
			sum += float64(mean/2*s) * float64(d*d)
		case b == 0:
			sum += a / 2 * math.Ln2
		default:
			sum += mean / 2 * (float64((1+d)*math.Log1p(d)) + float64(b/mean*math.Log(b/mean)))
		}
	}
	return sum
}
