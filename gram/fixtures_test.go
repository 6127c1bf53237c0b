package gram

import (
	"math"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
)

// gaussian is exp(−‖x−y‖²/2), defined here so that these tests need no kernel family.
type gaussian struct{}

func (gaussian) String() string { return "gaussian" }

func (gaussian) Eval(x, y []float64) float64 {
	s := 0.0
	for j := range x {
		s += (x[j] - y[j]) * (x[j] - y[j])
	}
	return math.Exp(-s / 2)
}

// linear is ⟨x, y⟩.
type linear struct{}

func (linear) String() string { return "linear" }

func (linear) Eval(x, y []float64) float64 {
	s := 0.0
	for j := range x {
		s += x[j] * y[j]
	}
	return s
}

// randomPoints returns n standard normal points of d coordinates.
func randomPoints(t testing.TB, seed uint64, n, d int) data.Vectors {
	rng := testkit.Rand(t, seed)
	v := data.MakeVectors(n, d)
	for i := range v.Raw() {
		v.Raw()[i] = rng.NormFloat64()
	}
	return v
}

func bind(k kernel.Kernel[[]float64], rows, cols data.Vectors) kernel.Pairs {
	return kernel.Bind(k, rows, cols)
}
