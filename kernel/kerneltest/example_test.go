package kerneltest_test

import (
	"fmt"
	"math"
	"testing"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
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
	kerneltest.Run(t, laplace{}, []float64{0, 0, -1, 0.5, 3, 1e-9, 100}, kerneltest.Options[float64]{
		Translate: kerneltest.Number,
	})
}

// maximum claims what is not true.
type maximum struct{}

func (maximum) Eval(x, y float64) float64 { return max(x, y) }
func (maximum) String() string            { return "max" }
func (maximum) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: "max", Verdict: kernel.Definite, Reason: "min is"}
}

// printer takes the place of a *testing.T.
type printer struct{}

func (printer) Helper()                           {}
func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func ExampleRun() {
	kerneltest.Run(printer{}, maximum{}, []float64{1, 1}, kerneltest.Options[float64]{})
	kerneltest.Run(printer{}, maximum{}, []float64{1, 4}, kerneltest.Options[float64]{})
	// Output:
	// kernel max: definiteness: |k(x1, x0)| = 4 exceeds √(k(x, x)·k(y, y)) = 2 (Cauchy–Schwarz), although the derivation claims positive definiteness
	// kernel max: duplicates: |k(x1, x0)| = 4 exceeds √(k(x, x)·k(y, y)) = 2 (Cauchy–Schwarz), although the derivation claims positive definiteness
}
