package sparsegp

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
)

// evidence is the objective of a target in its parts.
type evidence struct{ fit, complexity, trace, constants float64 }

func (e evidence) total() float64 { return e.fit + e.complexity + e.trace + e.constants }

// evidence evaluates the objective of target j.
func (s *system) evidence(j int) evidence {
	e := evidence{fit: -s.form(j, j) / 2, complexity: s.complexity, constants: s.weighting - float64(s.active)/2*math.Log(2*math.Pi)}
	if s.o.approximation() == Variational {
		e.trace = -s.trace() / 2
	}
	return e
}

// within returns bounds of the log evidence of the exact process for each target. From below
// it is bounded by Titsias (2009), equation 9. From above, because 0 ≤ K − Q and, with
// τ = tr Σ^-½(K − Q)Σ^-½, K − Q ≤ τΣ as quadratic forms,
//
//	ln|K + Σ| ≥ ln|Q + Σ|,  (K + Σ)⁻¹ ≥ (Q + (1 + τ)Σ)⁻¹.
//
// For equal noise in all rows that is Titsias, Variational inference for Gaussian and
// determinantal point processes (2014), section 3. nil for [FITC]. m³/3 multiplications.
func (s *system) within(ctx context.Context) ([]Interval, error) {
	if s.o.approximation() == FITC {
		return nil, nil
	}
	m, columns := s.first.Dims()
	tau := max(0, s.trace())
	b := mat.NewSymDense(m, nil)
	b.ScaleSym(1/(1+tau), s.second)
	factor, err := linalg.Factor(ctx, b, 1, s.o.linalg())
	if err != nil {
		return nil, fmt.Errorf("sparsegp: %w", err)
	}
	w := new(mat.Dense)
	if err := factor.Solve(ctx, w, s.first); err != nil {
		return nil, err
	}
	// TᵀA⁻¹T with A = Q + (1 + τ)Σ.
	of := mat.NewDense(columns, columns, nil)
	of.Mul(s.first.T(), w)
	of.Scale(-1/(1+tau), of)
	for i, v := range s.invLambda {
		for j, a := range s.t.RawRowView(i) {
			for k, c := range s.t.RawRowView(i) {
				of.Set(j, k, of.At(j, k)+v*a*c)
			}
		}
	}
	of.Scale(1/(1+tau), of)
	out, ones := make([]Interval, s.targets()), columns-1
	for j := range out {
		e := s.evidence(j)
		e.trace = -s.trace() / 2
		least, square := e.total(), of.At(j, j)
		if s.o.constant() {
			square -= of.At(j, ones) * of.At(j, ones) / of.At(ones, ones)
		}
		out[j] = Interval{Least: least, Most: max(least, e.complexity+e.constants-square/2)}
	}
	return out, nil
}
