package newton

import (
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/compensated"
	"example.org/mercer/loss"
)

// Multinomial is the model −Σ wᵢ ln P(yᵢ), P(c) ∝ e^(η_c + o_c), of the classes
// 0 … m−1: one output for each, coupled by the softmax.
type Multinomial struct {
	Y       []int
	Weights []float64  // nil: ones
	Offsets *mat.Dense // nil: zeros
	Classes int        // m
	Workers int        // goroutines; 0: one for each core
}

var _ Coupled = (*Multinomial)(nil)

// Weight returns wᵢ.
func (s *Multinomial) Weight(i int) float64 {
	if s.Weights == nil {
		return 1
	}
	return s.Weights[i]
}

// Probabilities stores those of the classes of row i in p and returns the logarithm of
// that of its own.
func (s *Multinomial) Probabilities(p []float64, i int, eta *mat.Dense) (logLikelihood float64) {
	copy(p, eta.RawRowView(i))
	if s.Offsets != nil {
		for c, o := range s.Offsets.RawRowView(i) {
			p[c] += o
		}
	}
	value := p[s.Y[i]] // overwritten below
	return value - loss.Softmax(p)
}

// Value is −Σ wᵢ ln P(yᵢ).
func (s *Multinomial) Value(eta *mat.Dense) float64 {
	return sumBlocks(s.Workers, len(s.Y), func(from, to int) (sum compensated.Sum) {
		p := make([]float64, s.Classes)
		for i := from; i < to; i++ {
			if w := s.Weight(i); w > 0 {
				sum.Add(-w * s.Probabilities(p, i, eta))
			}
		}
		return sum
	})
}

// Gradient is wᵢ(pᵢ − e_{yᵢ}).
func (s *Multinomial) Gradient(dst, eta *mat.Dense) {
	eachBlock(s.Workers, len(s.Y), func(from, to int) {
		for i := from; i < to; i++ {
			p, w := dst.RawRowView(i), s.Weight(i)
			s.Probabilities(p, i, eta)
			p[s.Y[i]]--
			for j := range p {
				p[j] *= w
			}
		}
	})
}

// Weigh stores wᵢ(1 − Σ p²)/2: the eigenvalue of the Hessian where two classes share
// the probability, and at least half of the largest elsewhere.
func (s *Multinomial) Weigh(v []float64, eta *mat.Dense) {
	eachBlock(s.Workers, len(s.Y), func(from, to int) {
		p := make([]float64, s.Classes)
		for i := from; i < to; i++ {
			s.Probabilities(p, i, eta)
			spread := 0.0
			for _, x := range p {
				spread += x * (1 - x)
			}
			v[i] = s.Weight(i) * spread / 2
		}
	})
}

// Hessian multiplies by wᵢ(diag p − p pᵀ).
func (s *Multinomial) Hessian(eta *mat.Dense) func(dst, x *mat.Dense) {
	n, m := eta.Dims()
	p := mat.NewDense(n, m, nil)
	eachBlock(s.Workers, n, func(from, to int) {
		for i := from; i < to; i++ {
			s.Probabilities(p.RawRowView(i), i, eta)
		}
	})
	return func(dst, x *mat.Dense) {
		eachBlock(s.Workers, n, func(from, to int) {
			for i := from; i < to; i++ {
				out, pi, xi, mean := dst.RawRowView(i), p.RawRowView(i), x.RawRowView(i), 0.0
				for c, q := range pi {
					mean += q * xi[c]
				}
				w := s.Weight(i)
				for c, q := range pi {
					out[c] = w * q * (xi[c] - mean)
				}
			}
		})
	}
}
