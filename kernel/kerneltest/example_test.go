package kerneltest_test

import (
	"math"
	"testing"

	"mercer/kernel"
	"mercer/kernel/kerneltest"
)

// laplace is a kernel on numbers, exp(−|x − y|).
type laplace struct{}

func (laplace) Eval(x, y float64) float64 { return math.Exp(-math.Abs(x - y)) }
func (laplace) String() string            { return "laplace" }
func (laplace) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: "laplace", Verdict: kernel.Definite, Reason: "its Fourier transform 2/(1 + ω²) is positive (Bochner)"}
}

// A package that defines a kernel writes one test like this.
func TestLaplace(t *testing.T) {
	kerneltest.Run[float64](t, laplace{}, []float64{0, 0, -1, 0.5, 3, 1e-9, 100}, kerneltest.Options[float64]{
		Translate: kerneltest.Number,
	})
}
