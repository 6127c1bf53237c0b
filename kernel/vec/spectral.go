package vec

import (
	"math"

	"example.org/mercer/kernel/construction"
)

// The frequencies of the shift-invariant kernels of this package, for random features. The
// law of each stands beside its kernel; here is what they share.

// construction is that of a kernel E cos⟨ω, x − y⟩ on all coordinates.
func stationary(law construction.Law, like []float64) (construction.Features[[]float64], error) {
	return construction.Stationary[[]float64]{{Dim: len(like), Point: itself, Law: law}}, nil
}

func itself(x []float64) []float64 { return x }

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
