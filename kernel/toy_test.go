package kernel_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"

	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
)

// The algebra is tested on two toy kernels on numbers, with every optional ability
// between them, and on one on strings.

// gauss is exp(−(x−y)²/2σ²): tunable, differentiable, exact, without a finite map.
type gauss struct{ sigma float64 }

func (k gauss) Eval(x, y float64) float64 {
	return math.Exp(-(x - y) * (x - y) / (2 * k.sigma * k.sigma))
}
func (k gauss) String() string { return fmt.Sprintf("gauss(sigma=%v)", k.sigma) }
func (k gauss) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: k.String(), Verdict: kernel.Definite, Reason: "its Fourier transform is positive (Bochner)"}
}

func (k gauss) Parameters() []kernel.Parameter {
	return []kernel.Parameter{{Name: "sigma", Value: k.sigma, Positive: true}}
}

func (k gauss) With(v []float64) (kernel.Kernel[float64], error) {
	if len(v) != 1 || !(v[0] > 0) {
		return nil, fmt.Errorf("sigma = %v: one positive number is needed", v)
	}
	return gauss{v[0]}, nil
}

func (k gauss) EvalGrad(grad []float64, x, y float64) float64 {
	v := k.Eval(x, y)
	grad[0] = v * (x - y) * (x - y) / (k.sigma * k.sigma)
	return v
}

func (k gauss) EvalBig(x, y float64, prec uint) (*big.Float, error) {
	p := prec + 64
	of := func(v float64) *big.Float { return new(big.Float).SetPrec(p).SetFloat64(v) }
	d := of(x)
	d.Sub(d, of(y))
	d.Mul(d, d).Quo(d, of(-2)).Quo(d, of(k.sigma)).Quo(d, of(k.sigma))
	return bigmath.Exp(d, prec)
}

// dot is x·y: exact, with the map φ(x) = x, without parameters.
type dot struct{}

func (dot) Eval(x, y float64) float64 { return x * y }
func (dot) String() string            { return "dot" }
func (dot) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: "dot", Verdict: kernel.Definite, Reason: "φ(x) = x"}
}
func (dot) EvalBig(x, y float64, prec uint) (*big.Float, error) {
	v := new(big.Float).SetPrec(prec).SetFloat64(x)
	return v.Mul(v, new(big.Float).SetFloat64(y)), nil
}
func (dot) Features(float64) (int, bool)   { return 1, true }
func (dot) Map(phi []float64, x float64)   { phi[0] = x }
func (dot) Contains(x float64) (err error) { return finiteNumber(x) }

func finiteNumber(x float64) error {
	if math.IsInf(x, 0) {
		return errors.New("x is infinite")
	}
	return nil
}

// saddle is x + y, which is not positive definite, not exact and has a parameter
// without a gradient.
type saddle struct{ rounds float64 }

func (saddle) Eval(x, y float64) float64 { return x + y }
func (saddle) String() string            { return "saddle" }
func (saddle) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: "saddle", Verdict: kernel.Indefinite, Reason: "at x = −1 it is −2"}
}
func (k saddle) Parameters() []kernel.Parameter {
	return []kernel.Parameter{{Name: "rounds", Value: k.rounds, Positive: true}}
}
func (k saddle) With(v []float64) (kernel.Kernel[float64], error) { return saddle{v[0]}, nil }

// common counts the common letters a … z of two strings.
type common struct{}

func (common) Eval(x, y string) float64 {
	sum := 0
	for c := 'a'; c <= 'z'; c++ {
		sum += strings.Count(x, string(c)) * strings.Count(y, string(c))
	}
	return float64(sum)
}
func (common) String() string { return "common" }
func (common) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: "common", Verdict: kernel.Definite, Reason: "the inner product of letter counts"}
}

// numbers is the dictionary of the toy kernels, with the function "1 + x²" and the map
// "2x", both exact.
func numbers() expr.Dictionary[float64] {
	return expr.Dictionary[float64]{
		Kernels: map[string]expr.Entry[float64]{
			"dot":    {Build: func(*expr.Args) (kernel.Kernel[float64], error) { return dot{}, nil }},
			"saddle": {Build: func(*expr.Args) (kernel.Kernel[float64], error) { return saddle{1}, nil }},
			"gauss": {
				Arguments: []expr.Argument{{Name: "sigma", Kind: expr.NumberArg}},
				Build: func(a *expr.Args) (kernel.Kernel[float64], error) {
					return gauss{a.Number("sigma", 1)}, nil
				},
			},
		},
		Function: func(string) (kernel.Function[float64], error) { return square, nil },
		Map:      func(string) (func(float64) float64, error) { return twice, nil },

		Indefinite: true,
	}
}

var square = kernel.Function[float64]{
	Text: "1 + x²",
	At:   func(x float64) float64 { return 1 + x*x },
	Big: func(x float64, prec uint) (*big.Float, error) {
		v := new(big.Float).SetPrec(prec + 64).SetFloat64(x)
		v.Mul(v, v)
		return v.Add(v, big.NewFloat(1)).SetPrec(prec), nil
	},
}

func twice(x float64) float64 { return 2 * x }

func parse(text string) (kernel.Kernel[float64], error) { return expr.ParseKernel(text, numbers()) }

// kernels abbreviates a list of kernels on numbers.
func kernels(k ...kernel.Kernel[float64]) []kernel.Kernel[float64] { return k }
