package klr

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// multinomial is the model −Σ wᵢ ln P(yᵢ), P(c) ∝ e^(η_c + o_c), of m classes.
type multinomial struct {
	y       []int
	weights []float64  // nil: ones
	offsets *mat.Dense // nil: zeros
	m       int
}

func (s *multinomial) weight(i int) float64 {
	if s.weights == nil {
		return 1
	}
	return s.weights[i]
}

// row stores the probabilities of row i in p and returns the logarithm of that of its
// class.
func (s *multinomial) row(p []float64, i int, eta *mat.Dense) (logLikelihood float64) {
	copy(p, eta.RawRowView(i))
	if s.offsets != nil {
		for c, o := range s.offsets.RawRowView(i) {
			p[c] += o
		}
	}
	value := p[s.y[i]] // softmax overwrites it
	return value - softmax(p)
}

// softmax replaces η by e^η_c / Σ e^η and returns ln Σ e^η.
func softmax(p []float64) (logSum float64) {
	largest := math.Inf(-1)
	for _, v := range p {
		largest = math.Max(largest, v)
	}
	sum := 0.0
	for c, v := range p {
		p[c] = math.Exp(v - largest)
		sum += p[c]
	}
	for c := range p {
		p[c] /= sum
	}
	return largest + math.Log(sum)
}

// Value is −Σ wᵢ ln P(yᵢ).
func (s *multinomial) Value(eta *mat.Dense) float64 {
	sum, p := 0.0, make([]float64, s.m)
	for i := range s.y {
		if w := s.weight(i); w > 0 {
			sum -= w * s.row(p, i, eta)
		}
	}
	return sum
}

// Gradient is wᵢ(pᵢ − e_{yᵢ}).
func (s *multinomial) Gradient(dst, eta *mat.Dense) {
	for i, c := range s.y {
		p, w := dst.RawRowView(i), s.weight(i)
		s.row(p, i, eta)
		p[c]--
		for j := range p {
			p[j] *= w
		}
	}
}

// Weigh stores wᵢ(1 − Σ p²)/2: the eigenvalue of the Hessian where two classes share
// the probability, and at least half of the largest elsewhere.
func (s *multinomial) Weigh(v []float64, eta *mat.Dense) {
	p := make([]float64, s.m)
	for i := range s.y {
		s.row(p, i, eta)
		spread := 0.0
		for _, x := range p {
			spread += x * (1 - x)
		}
		v[i] = s.weight(i) * spread / 2
	}
}

// Hessian multiplies by wᵢ(diag p − p pᵀ).
func (s *multinomial) Hessian(eta *mat.Dense) func(dst, x *mat.Dense) {
	n, m := eta.Dims()
	p := mat.NewDense(n, m, nil)
	for i := range n {
		s.row(p.RawRowView(i), i, eta)
	}
	return func(dst, x *mat.Dense) {
		for i := range n {
			out, pi, xi, mean := dst.RawRowView(i), p.RawRowView(i), x.RawRowView(i), 0.0
			for c, q := range pi {
				mean += q * xi[c]
			}
			w := s.weight(i)
			for c, q := range pi {
				out[c] = w * q * (xi[c] - mean)
			}
		}
	}
}
