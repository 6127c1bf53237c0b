package linalg

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
)

// secular is the equation of the eigenvalues of diag(d) + ρ·z·zᵀ,
//
//	f(λ) = 1/ρ + Σᵢ zᵢ²/(dᵢ − λ) = 0,
//
// with ρ > 0, d strictly ascending, every zᵢ ≠ 0 and ‖z‖₂ = 1. f increases from −∞ to ∞
// between two poles, and from −∞ beyond the last; root j lies between d_j and d_{j+1},
// the last between d_{k−1} and d_{k−1} + ρ.
type secular struct {
	d, z2 []float64 // z2[i] = zᵢ²
	rho   float64
}

// split is the value of f at a point between poles: f = 1/ρ + psi + phi, where psi
// sums the poles up to some index and phi those after it, and the derivatives.
type split struct {
	f, psi, phi, dpsi, dphi float64
	bound                   float64 // of the rounding error of f, in units of ε
}

// at evaluates f where x[i] = dᵢ − λ, split after pole j.
func (s *secular) at(x []float64, j int) split {
	var v split
	partial := 0.0 // Σ of the absolute partial sums bounds the error of summation
	z2 := s.z2
	x = x[:len(z2)]
	for i := 0; i <= j; i++ {
		t := z2[i] / x[i]
		v.psi += t
		v.dpsi += t / x[i]
		partial += math.Abs(v.psi)
	}
	for i := len(x) - 1; i > j; i-- {
		t := z2[i] / x[i]
		v.phi += t
		v.dphi += t / x[i]
		partial += math.Abs(v.phi)
	}
	v.f = 1/s.rho + v.psi + v.phi
	v.bound = 8*(math.Abs(v.psi)+math.Abs(v.phi)) + partial + 2/s.rho
	return v
}

// root returns root j and stores dᵢ − λ in x, each difference to high relative accuracy:
// the unknown is τ = λ − d_origin for the pole nearest to the root.
//
// Li, Solving secular equations stably and efficiently, LAPACK working note 89 (1993),
// with bisection as the safeguard.
func (s *secular) root(j int, x []float64) float64 {
	k := len(s.d)
	if k == 1 {
		tau := s.rho * s.z2[0]
		x[0] = -tau
		return s.d[0] + tau
	}
	origin, tau, lo, hi := s.start(j, x)
	left := min(j, k-2) // the two poles of the interpolation are left and left+1
	fixed, previous := true, math.Inf(1)
	for iteration := 0; ; iteration++ {
		s.differences(origin, tau, x)
		v := s.at(x, left)
		slope := v.dpsi + v.dphi
		noise := v.bound + 3*s.z2[origin]/math.Abs(x[origin]) + math.Abs(tau)*slope
		if math.Abs(v.f) <= noise*0x1p-53 {
			break
		}
		if v.f < 0 {
			lo = tau
		} else {
			hi = tau
		}
		if math.Abs(v.f) > previous/10 {
			fixed = !fixed
		}
		previous = math.Abs(v.f)
		next := tau + s.step(v, x, left, origin, fixed && j < k-1, lo-tau, hi-tau)
		if !(next > lo && next < hi) || iteration > 40 {
			next = between(lo, hi)
		}
		if next == tau || !(next > lo && next < hi) {
			break // neighbours: no number between lo and hi
		}
		tau = next
	}
	return s.d[origin] + tau
}

func (s *secular) differences(origin int, tau float64, x []float64) {
	d := s.d[origin]
	for i, v := range s.d {
		x[i] = (v - d) - tau
	}
}

// start returns the pole nearest to root j, a bracket of τ and a first τ in it: the
// root of the two neighbouring terms plus the others frozen at the middle of the
// interval.
func (s *secular) start(j int, x []float64) (origin int, tau, lo, hi float64) {
	k := len(s.d)
	left := min(j, k-2)
	width := s.rho
	if j < k-1 {
		width = s.d[j+1] - s.d[j]
	}
	middle := width / 2
	s.differences(j, middle, x)
	v := s.at(x, left)
	rest := v.f - s.z2[left]/x[left] - s.z2[left+1]/x[left+1]
	origin, lo, hi = j, 0, middle
	switch {
	case v.f <= 0 && j < k-1:
		origin, lo, hi = j+1, -middle, 0
	case v.f <= 0:
		lo, hi = middle, width
	}
	p, q := s.d[left]-s.d[origin], s.d[left+1]-s.d[origin]
	a := rest*(p+q) + s.z2[left] + s.z2[left+1]
	b := s.z2[left]*q + s.z2[left+1]*p // p or q is 0
	tau = rootBetween(rest, a, b, lo, hi)
	if !(tau > lo && tau < hi) {
		tau = between(lo, hi)
	}
	return origin, tau, lo, hi
}

// step returns the correction of τ: the root of the interpolant
// c + s/(p − η) + t/(q − η), p and q the distances to the two poles, that matches f and
// f′ at η = 0. The fixed weight method keeps the exact weight at the origin, the middle
// way matches the derivatives of psi and phi apart.
func (s *secular) step(v split, x []float64, left, origin int, fixed bool, lo, hi float64) float64 {
	p, q := x[left], x[left+1]
	slope := v.dpsi + v.dphi
	c := v.f - p*v.dpsi - q*v.dphi
	if fixed {
		gap := s.d[left+1] - s.d[left]
		if origin == left {
			c = v.f - q*slope + gap*s.z2[left]/p/p
		} else {
			c = v.f - p*slope - gap*s.z2[left+1]/q/q
		}
	}
	return rootBetween(c, (p+q)*v.f-p*q*slope, p*q*v.f, lo, hi)
}

// rootBetween returns the root of c·η² − a·η + b = 0 that lies between lo and hi, or NaN.
func rootBetween(c, a, b, lo, hi float64) float64 {
	h := a + math.Copysign(math.Sqrt(math.Max(0, a*a-4*b*c)), a)
	if small := 2 * b / h; small >= lo && small <= hi {
		return small
	}
	if large := h / (2 * c); large >= lo && large <= hi {
		return large
	}
	return math.NaN()
}

// between returns a number between lo and hi, which do not have opposite signs: the
// geometric mean where they differ by orders of magnitude.
func between(lo, hi float64) float64 {
	if lo != 0 && hi != 0 && (lo/hi > 4 || hi/lo > 4) {
		return math.Copysign(math.Sqrt(math.Abs(lo))*math.Sqrt(math.Abs(hi)), lo)
	}
	return lo + (hi-lo)/2
}

// secularChunk is how many roots or weights of a secular equation one task computes.
const secularChunk = 32

// solve stores the eigenvectors of diag(d) + ρ·z·zᵀ in the rows of x, element i of each
// in column[i], and returns the eigenvalues in ascending order. The vectors are those of
// a nearby ẑ with the signs of z, computed from the roots by Löwner's formula
//
//	ẑᵢ² = Πⱼ (λⱼ − dᵢ) / Π_{j≠i} (dⱼ − dᵢ),
//
// for which the roots are exact; that makes them orthogonal however close the roots.
func (s *secular) solve(ctx context.Context, x blas64.General, z []float64, column []int, o Options) ([]float64, error) {
	k := len(s.d)
	values, weights := make([]float64, k), make([]float64, k)
	chunks := (k + secularChunk - 1) / secularChunk
	stages := []func(from, to int){
		func(from, to int) {
			for j := from; j < to; j++ {
				values[j] = s.root(j, row(x, j))
			}
		},
		func(from, to int) {
			s.weights(weights[from:to], x, from)
			for i := from; i < to; i++ {
				weights[i] = math.Copysign(math.Sqrt(math.Abs(weights[i])), z[i])
			}
		},
		func(from, to int) {
			v := make([]float64, k)
			for j := from; j < to; j++ {
				secularVector(v, weights, row(x, j), column)
			}
		},
	}
	for _, stage := range stages {
		err := each(ctx, o.workers(), chunks, func(c int) {
			stage(c*secularChunk, min(k, (c+1)*secularChunk))
		})
		if err != nil {
			return nil, err
		}
	}
	return values, nil
}

// secularVector replaces x, the differences dᵢ − λ, by the unit vector of elements
// ẑᵢ/(dᵢ − λ), in the order of column. v is workspace.
func secularVector(v, weights, x []float64, column []int) {
	for i, w := range weights {
		v[i] = w / x[i]
	}
	scale := 1 / blas64.Nrm2(vector(v))
	for i, at := range column {
		x[at] = v[i] * scale
	}
}

// weights stores −ẑᵢ² for i = from … in w, up to a common factor; row j of x holds the
// differences dᵢ − λⱼ.
func (s *secular) weights(w []float64, x blas64.General, from int) {
	for i := range w {
		w[i] = 1
	}
	for j := range x.Rows {
		r := row(x, j)[from:]
		for i := range w {
			if at := from + i; at == j {
				w[i] *= r[i]
			} else {
				w[i] *= r[i] / (s.d[at] - s.d[j])
			}
		}
	}
}
