package monomial

import (
	"cmp"
	"math"
)

// Taylor is the truncated feature map of the Gaussian kernel: with u = x/σ,
//
//	φₐ(x) = exp(−‖u‖²/2)·Π uⱼ^aⱼ/√(aⱼ!),  Σ aⱼ ≤ Order,
//
// from exp(−‖u−v‖²/2) = exp(−‖u‖²/2)·exp(−‖v‖²/2)·Σₘ ⟨u,v⟩ᵐ/m! and the multinomial
// theorem (Cotter, Keshet & Srebro, Explicit approximations of the Gaussian kernel,
// 2011). Sigma is the width for all columns (0 means 1); Widths, where it is not nil, has one per
// column instead. It is meant for verification and for few columns: it has C(d+Order, Order)
// features.
type Taylor struct {
	Sigma  float64
	Widths []float64
	Order  int
}

// Features returns the number of features, and false where it is more than 2³⁰.
func (t Taylor) Features(like []float64) (int, bool) { return Count(len(like)+1, t.Order) }

// scaled returns u = x/σ.
func (t Taylor) scaled(x []float64) []float64 {
	u := make([]float64, len(x))
	for j, v := range x {
		sigma := cmp.Or(t.Sigma, 1)
		if t.Widths != nil {
			sigma = t.Widths[j]
		}
		u[j] = v / sigma
	}
	return u
}

// Map stores φ(x).
func (t Taylor) Map(phi, x []float64) {
	u := t.scaled(x)
	damp := math.Exp(-0.5 * dot(u, u))
	Expansion{
		X:      u,
		Weight: func(_, a int) float64 { return 1 / math.Sqrt(math.Gamma(float64(a)+1)) },
		Rest:   func(int) float64 { return damp },
	}.Store(phi, t.Order)
}

// Bound returns an upper bound of |k(x, y) − ⟨φ(x), φ(y)⟩|, without rounding:
// (‖u‖‖v‖)^{p+1}/(p+1)! for order p. It is Lagrange's remainder of exp(⟨u,v⟩), at
// most exp(‖u‖‖v‖)·(‖u‖‖v‖)^{p+1}/(p+1)!, times exp(−(‖u‖²+‖v‖²)/2).
func (t Taylor) Bound(x, y []float64) float64 {
	u, v := t.scaled(x), t.scaled(y)
	r := math.Sqrt(dot(u, u) * dot(v, v))
	bound := 1.0
	for m := 1; m <= t.Order+1; m++ {
		bound *= r / float64(m)
	}
	return bound
}

func dot(u, v []float64) (sum float64) {
	for j, a := range u {
		sum += float64(a * v[j])
	}
	return sum
}
