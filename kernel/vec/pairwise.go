package vec

import (
	"math"
	"math/big"
)

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

// extremes returns the exact Σⱼ min(xⱼ, yⱼ) and Σⱼ max(xⱼ, yⱼ).
func (c *calculator) extremes(x, y []float64) (least, most *big.Float) {
	least, most = c.exact(), c.exact()
	for j := range x {
		least = c.add(least, c.of(min(x[j], y[j])))
		most = c.add(most, c.of(max(x[j], y[j])))
	}
	return least, most
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
