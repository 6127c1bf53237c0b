package vec

import (
	"math"
	"math/rand/v2"

	"example.org/mercer/kernel/construction"
)

// The frequencies of the shift-invariant kernels of this package, for random features. The
// law of each stands beside its kernel; here is what they share.

// construction is that of a kernel E cos⟨ω, x − y⟩ on all coordinates.
func stationary(law construction.Law, like []float64) (construction.Features[[]float64], error) {
	return construction.Stationary[[]float64]{{Dim: len(like), Point: itself, Law: law}}, nil
}

func itself(x []float64) []float64 { return x }

// cauchy draws from the density 1/(π(1+e²)), the Fourier transform of exp(−|t|), as a quotient
// of normal numbers.
func cauchy(r *rand.Rand) float64 { return r.NormFloat64() / r.NormFloat64() }

// stable draws from the symmetric law of index p, 0 < p ≤ 2, with E cos(tS) = exp(−|t|^p)
// (Chambers, Mallows and Stuck, A method for simulating stable random variables, JASA 71,
// 1976).
func stable(r *rand.Rand, p float64) float64 {
	switch p {
	case 1:
		return cauchy(r)
	case 2:
		return math.Sqrt2 * r.NormFloat64()
	}
	u, w := math.Pi*(r.Float64()-0.5), r.ExpFloat64()
	return math.Sin(p*u) / math.Pow(math.Cos(u), 1/p) * math.Pow(math.Cos((1-p)*u)/w, (1-p)/p)
}

// positiveStable draws from the law on (0, ∞) of index e, 0 < e < 1, with E exp(−At) =
// exp(−t^e) (Kanter, Stable densities under change of scale, Ann. Probab. 3, 1975).
func positiveStable(r *rand.Rand, e float64) float64 {
	u, w := math.Pi*(1-r.Float64()), r.ExpFloat64() // 0 < u ≤ π
	return math.Sin(e*u) / math.Pow(math.Sin(u), 1/e) * math.Pow(math.Sin((1-e)*u)/w, (1-e)/e)
}

// gamma draws from the density s^{a−1}e^{−s}/Γ(a), by the squeeze of Marsaglia and Tsang (A
// simple method for generating gamma variables, ACM TOMS 26, 2000); a < 1 is a+1 times a
// power of a uniform number.
func gamma(r *rand.Rand, a float64) float64 {
	if a < 1 {
		return gamma(r, a+1) * math.Pow(1-r.Float64(), 1/a)
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

// poisson draws the number of arrivals within the time mean, one after the other.
func poisson(r *rand.Rand, mean float64) float64 {
	n := 0.0
	for t := r.ExpFloat64(); t <= mean; t += r.ExpFloat64() {
		n++
	}
	return n
}

// homogeneous is the construction of Σⱼ √(xⱼyⱼ)·κ(ln xⱼ − ln yⱼ).
func homogeneous(signature, density func(float64) float64) func(d int) construction.Features[[]float64] {
	return func(d int) construction.Features[[]float64] {
		return construction.Homogeneous[[]float64]{Dim: d, Point: itself, Signature: signature, Density: density}
	}
}

// The signatures κ and their densities: those of Vedaldi and Zisserman (2012), table 1.
var (
	minConstruction     = homogeneous(func(l float64) float64 { return math.Exp(-math.Abs(l) / 2) }, func(w float64) float64 { return 2 / math.Pi / (1 + 4*w*w) })
	chi2AddConstruction = homogeneous(func(l float64) float64 { return sech(l / 2) }, func(w float64) float64 { return sech(math.Pi * w) })
	jsAddConstruction   = homogeneous(
		func(l float64) float64 {
			l = math.Abs(l) // e^{l/2}·ln(1+e^{−l}) is finite, whatever l
			return (math.Exp(l/2)*math.Log1p(math.Exp(-l)) + math.Exp(-l/2)*(l+math.Log1p(math.Exp(-l)))) / (2 * math.Ln2)
		},
		func(w float64) float64 { return sech(math.Pi*w) / (math.Ln2 * (1 + 4*w*w)) })
)

func sech(v float64) float64 { return 1 / math.Cosh(v) }

// hellingerConstruction is the map of roots.
func hellingerConstruction(d int) construction.Features[[]float64] {
	return construction.Explicit[[]float64]{Dim: d, Map: func(phi, x []float64) {
		for j, v := range x {
			phi[j] = math.Sqrt(v)
		}
	}}
}
