package moments

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/linalg"
)

// Solution is a ridge regression in the features, f(x) = ⟨w, φ(x)⟩ + b for each target:
//
//	(ΦᵀWΦ + R·I)w = ΦᵀW(y − ȳ),  b = ȳ − ⟨w, φ̄⟩,
//
// Φ and y less their weighted means; without an intercept they stay as they are, and b = 0.
type Solution struct {
	W    *mat.Dense // D×p
	Bias []float64
	// Total is N = Σ wᵢ.
	Total float64
	// Squared is Σ wᵢ(yᵢ − f(xᵢ))², to the rounding of Σ wᵢyᵢ², about the mean where there is an
	// intercept; Spread is Σ wᵢ(yᵢ − ȳ)².
	Squared, Spread []float64
	Norm2           []float64 // ‖w‖²
	// Residual is the largest ‖rest‖/‖right-hand side‖ of a target, computed after the solve and
	// a step of refinement; Sides are the lengths of the right-hand sides, and Condition estimates
	// that of the matrix.
	Residual  float64
	Sides     []float64
	Condition float64
}

// Total returns N = Σ wᵢ.
func (s *Statistics) Total() float64 {
	last := s.size() - 1
	return math.Ldexp(s.at(last, last).double().high, 2*s.Steps.Roots)
}

// Penalties returns λ and R = Nλ for the one of them that is given, which stays to the bit, so that
// it does however often rows come and go; R = 0 asks for λ.
func (s *Statistics) Penalties(lambda, ridge float64) (float64, float64) {
	if ridge == 0 {
		return lambda, s.Total() * lambda
	}
	return ridge / s.Total(), ridge
}

// Solve solves the normal equations: D³/3 multiplications, 8D² bytes. Where the matrix is not
// positive definite the error wraps a [*linalg.NotPositiveDefinite].
func (s *Statistics) Solve(ctx context.Context, ridge float64, intercept bool, o compute.Options) (*Solution, error) {
	d, p := s.Features, s.Targets
	second, err := s.features(ctx, intercept)
	if err != nil {
		return nil, err
	}
	side := mat.NewDense(d, p, nil)
	out := &Solution{W: new(mat.Dense), Bias: make([]float64, p), Total: s.Total(), Squared: make([]float64, p), Spread: make([]float64, p), Norm2: make([]float64, p), Sides: make([]float64, p)}
	for c := range p {
		for i := range d {
			side.Set(i, c, s.about(i, d+c, intercept))
		}
		out.Spread[c], out.Sides[c] = math.Max(0, s.about(d+c, d+c, true)), mat.Norm(side.ColView(c), 2)
	}
	factor, err := linalg.Factor(ctx, second, ridge, linalg.Options{Workers: o.Workers, Progress: o.Progress})
	if err != nil {
		return nil, err
	}
	if err := factor.Solve(ctx, out.W, side); err != nil {
		return nil, err
	}
	if out.Residual, err = factor.Refine(ctx, out.W, side); err != nil {
		return nil, err
	}
	out.Condition = factor.Condition()
	for c := range p {
		w := out.W.ColView(c)
		norm := mat.Norm(w, 2)
		out.Norm2[c] = norm * norm
		// yᵀy − 2wᵀΦᵀy + wᵀΦᵀΦw, where ΦᵀΦw = Φᵀy − Rw.
		out.Squared[c] = math.Max(0, s.about(d+c, d+c, intercept)-mat.Dot(w, side.ColView(c))-ridge*out.Norm2[c])
		if intercept {
			out.Bias[c] = s.mean(d + c)
			for i := range d {
				out.Bias[c] -= s.mean(i) * w.AtVec(i)
			}
		}
	}
	return out, nil
}

// ratio returns S_j1/N, a mean in units of the step of its column over that of the roots.
func (s *Statistics) ratio(j int) double {
	last := s.size() - 1
	return s.at(j, last).double().over(s.at(last, last).double())
}

// mean returns the weighted mean of a feature or a target.
func (s *Statistics) mean(j int) float64 {
	return math.Ldexp(s.ratio(j).high, s.exponent(j)-s.Steps.Roots)
}

// exponent is that of the step of a column.
func (s *Statistics) exponent(j int) int {
	switch {
	case j < s.Features:
		return s.Steps.Features
	case j < s.Features+s.Targets:
		return s.Steps.Targets[j-s.Features]
	}
	return s.Steps.Roots
}

// about returns S_jk − S_j1S_k1/N, j ≤ k, the moment about the means, or S_jk itself. The
// difference is taken in twice the digits of a float64, so that means far from 0 cost none.
func (s *Statistics) about(j, k int, means bool) float64 {
	v := s.at(j, k).double()
	if means {
		v = v.add(s.ratio(j).times(s.at(k, s.size()-1).double()).negative())
	}
	return math.Ldexp(v.high, s.exponent(j)+s.exponent(k))
}

// features returns the moments of the features, about their means or as they are.
func (s *Statistics) features(ctx context.Context, means bool) (*mat.SymDense, error) {
	out := mat.NewSymDense(s.Features, nil)
	raw, unit := out.RawSymmetric(), math.Ldexp(1, 2*s.Steps.Features)
	constants := make([]double, s.Features)
	for j := range constants {
		constants[j] = s.at(j, s.size()-1).double()
	}
	for j := range s.Features {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row, words, ratio := raw.Data[j*raw.Stride:], s.words[s.place(j, j):], s.ratio(j).negative()
		for k := j; k < s.Features; k++ {
			v := wide{words[1], uint64(words[0])}.double()
			if words = words[2:]; means {
				v = v.add(ratio.times(constants[k]))
			}
			row[k] = v.high * unit
		}
	}
	return out, nil
}
