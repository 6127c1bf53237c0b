package construction

import (
	"math"
	"math/rand/v2"
)

// The laws of which the frequencies of shift-invariant kernels are made.

// Cauchy draws from the density 1/(π(1+e²)), the Fourier transform of exp(−|t|), as a quotient
// of normal numbers.
func Cauchy(r *rand.Rand) float64 { return r.NormFloat64() / r.NormFloat64() }

// Stable draws from the symmetric law of index p, 0 < p ≤ 2, with E cos(tS) = exp(−|t|^p)
// (Chambers, Mallows and Stuck, A method for simulating stable random variables, JASA 71,
// 1976).
func Stable(r *rand.Rand, p float64) float64 {
	switch p {
	case 1:
		return Cauchy(r)
	case 2:
		return math.Sqrt2 * r.NormFloat64()
	}
	u, w := math.Pi*(r.Float64()-0.5), r.ExpFloat64()
	return math.Sin(p*u) / math.Pow(math.Cos(u), 1/p) * math.Pow(math.Cos((1-p)*u)/w, (1-p)/p)
}

// PositiveStable draws from the law on (0, ∞) of index e, 0 < e < 1, with E exp(−At) =
// exp(−t^e) (Kanter, Stable densities under change of scale, Ann. Probab. 3, 1975).
func PositiveStable(r *rand.Rand, e float64) float64 {
	u, w := math.Pi*(1-r.Float64()), r.ExpFloat64() // 0 < u ≤ π
	return math.Sin(e*u) / math.Pow(math.Sin(u), 1/e) * math.Pow(math.Sin((1-e)*u)/w, (1-e)/e)
}

// Gamma draws from the density s^{a−1}e^{−s}/Γ(a), by the squeeze of Marsaglia and Tsang (A
// simple method for generating gamma variables, ACM TOMS 26, 2000); a < 1 is a+1 times a
// power of a uniform number.
func Gamma(r *rand.Rand, a float64) float64 {
	if a < 1 {
		return Gamma(r, a+1) * math.Pow(1-r.Float64(), 1/a)
	}
	d := a - 1./3
	c := 1 / math.Sqrt(9*d)
	for {
		z := r.NormFloat64()
		v := 1 + c*z
		if v <= 0 {
			continue
		}
		v *= v * v
		if math.Log(1-r.Float64()) < z*z/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// Poisson draws the number of arrivals within the time mean, one after the other.
func Poisson(r *rand.Rand, mean float64) float64 {
	n := 0.0
	for t := r.ExpFloat64(); t <= mean; t += r.ExpFloat64() {
		n++
	}
	return n
}
