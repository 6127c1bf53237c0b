package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"example.org/mercer/data"
)

// gauss is exp(−‖x−y‖²/(2σ²)), bound by Eval alone.
type gauss struct{ sigma float64 }

func (g gauss) Eval(x, y []float64) float64 {
	s := 0.0
	for i := range x {
		s += (x[i] - y[i]) * (x[i] - y[i])
	}
	return math.Exp(-s / (2 * g.sigma * g.sigma))
}

func (g gauss) String() string { return fmt.Sprintf("rbf(sigma=%g)", g.sigma) }

// square is (⟨x, y⟩ + 1)², with the map φ(x) = (1, √2 xᵢ, √2 xᵢxⱼ (i<j), xᵢ²).
type square struct{}

func (square) Eval(x, y []float64) float64 {
	s := 1.0
	for i := range x {
		s += x[i] * y[i]
	}
	return s * s
}

func (square) String() string { return "poly(degree=2, offset=1)" }

func (square) Features(like []float64) (int, bool) {
	d := len(like)
	return 1 + d + d*(d+1)/2, true
}

func (square) Map(phi, x []float64) {
	phi[0] = 1
	at := 1
	for i := range x {
		phi[at] = math.Sqrt2 * x[i]
		at++
		for j := range i {
			phi[at] = math.Sqrt2 * x[i] * x[j]
			at++
		}
		phi[at] = x[i] * x[i]
		at++
	}
}

// letters counts pairs of equal letters: Σ_c #c(x)·#c(y), a kernel on strings whose
// domain is non-empty strings.
type letters struct{}

func (letters) Eval(x, y string) float64 {
	n := 0
	for _, c := range x {
		n += strings.Count(y, string(c))
	}
	return float64(n)
}

func (letters) String() string { return "letters" }

func (letters) Contains(x string) error {
	if x == "" {
		return fmt.Errorf("the string is empty")
	}
	return nil
}

func normals(r *rand.Rand, n, d int) data.Vectors {
	v := data.MakeVectors(n, d)
	for i := range v.Raw() {
		v.Raw()[i] = r.NormFloat64()
	}
	return v
}

func numbers(r *rand.Rand, n int) []float64 { return normals(r, n, 1).Raw() }
