package tune

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/space"
	"example.org/mercer/supervised/gp"
)

// initialDesign is the number of candidates that are drawn before the first model of
// the scores.
const initialDesign = 8

// proposals is the number of points among which the next candidate is chosen.
const proposals = 2048

// bayes tries candidates one by one where the expected improvement is largest.
func (s *search[T]) bayes(ctx context.Context) error {
	total, dims := s.o.candidates(), s.space.dimensions()
	s.budget = total
	r := searchStream.rand(s.o.Seed + 1)
	var tried [][]float64 // in the unit cube
	for i, x := range s.draw(min(initialDesign, total)) {
		if err := s.try(ctx, x); err != nil {
			return err
		}
		tried = append(tried, inUnit(dims, s.trials[i].Values))
	}
	for len(tried) < total {
		model, err := s.surrogate(ctx, tried)
		if err != nil {
			return err
		}
		drawn := make([][]float64, proposals)
		for i := range drawn {
			drawn[i] = make([]float64, len(dims))
			for j := range drawn[i] {
				drawn[i][j] = r.Float64()
			}
		}
		expected, err := model.improvements(ctx, drawn)
		if err != nil {
			return err
		}
		next := drawn[floats.MaxIdx(expected)]
		if err := s.try(ctx, s.inCube(dims, next)); err != nil {
			return err
		}
		tried = append(tried, next)
	}
	return nil
}

// inUnit returns where values lie in the unit cube.
func inUnit(dims []Parameter, values []float64) []float64 {
	out := make([]float64, len(values))
	for j, v := range values {
		p := &dims[j]
		low, high := p.coordinate(p.Lower), p.coordinate(p.Upper)
		if high > low {
			out[j] = (p.coordinate(v) - low) / (high - low)
		}
	}
	return out
}

// surrogate is a Gaussian process on the unit cube that stands for the loss: a constant
// that the trials determine, covariance exp(−‖x−x'‖²/2ℓ²), and noise.
type surrogate struct {
	points [][]float64
	width  float64
	of     *gp.Posterior
	least  float64
}

// The widths and noises among which the evidence of a surrogate chooses.
var (
	surrogateWidths = []float64{0.1, 0.2, 0.4, 0.8}
	surrogateNoises = []float64{1e-4, 1e-2, 1e-1}
)

// surrogate fits the process to the trials so far by the largest evidence. A trial
// without a score counts as the worst.
func (s *search[T]) surrogate(ctx context.Context, points [][]float64) (*surrogate, error) {
	y := s.standardised()
	best, most, failed := (*surrogate)(nil), math.Inf(-1), error(nil)
	for _, width := range surrogateWidths {
		s := &surrogate{points: points, width: width, least: slices.Min(y)}
		k := mat.NewSymDense(len(points), nil)
		for i, x := range points {
			for j := i; j < len(points); j++ {
				k.SetSym(i, j, s.covariance(x, points[j]))
			}
		}
		for _, noise := range surrogateNoises {
			p, r, err := condition(ctx, k, y, gp.Options{Noise: noise, Compute: compute.Options{Workers: 1}})
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				failed = err
			} else if r.LogEvidence > most {
				chosen := *s
				chosen.of = p
				best, most = &chosen, r.LogEvidence
			}
		}
	}
	if best == nil {
		return nil, fmt.Errorf("tune: no process fits the scores of %d trials: %w", len(points), failed)
	}
	return best, nil
}

// condition gives a process with a Gram matrix the targets y.
func condition(ctx context.Context, k *mat.SymDense, y []float64, o gp.Options) (*gp.Posterior, *gp.Report, error) {
	rows, err := space.DualOf(ctx, gram.FromMatrix(k), o.Space())
	if err != nil {
		return nil, nil, err
	}
	return gp.Solve(ctx, rows, y, o)
}

// standardised returns the losses of the trials with mean 0 and variance 1.
func (s *search[T]) standardised() []float64 {
	y, worst := make([]float64, len(s.trials)), math.Inf(-1)
	for i, t := range s.trials {
		y[i] = s.scale.loss(t.Score)
		if t.Failed == "" {
			worst = max(worst, y[i])
		}
	}
	if math.IsInf(worst, -1) {
		worst = 0
	}
	for i, t := range s.trials {
		if t.Failed != "" {
			y[i] = worst
		}
	}
	mean, variance := stat.PopMeanVariance(y, nil)
	for i := range y {
		y[i] -= mean
		if variance > 0 {
			y[i] /= math.Sqrt(variance)
		}
	}
	return y
}

func (s *surrogate) covariance(x, y []float64) float64 {
	d := floats.Distance(x, y, 2)
	return math.Exp(-d * d / (2 * s.width * s.width))
}

// improvements returns the expected improvement over the least loss at each of some
// points, (m₀ − μ)Φ(z) + σφ(z) with z = (m₀ − μ)/σ.
func (s *surrogate) improvements(ctx context.Context, xs [][]float64) ([]float64, error) {
	cross, variances := mat.NewDense(len(xs), len(s.points), nil), slices.Repeat([]float64{1}, len(xs))
	for i, x := range xs {
		for j, p := range s.points {
			cross.Set(i, j, s.covariance(x, p))
		}
	}
	if _, err := s.of.VariancesAt(ctx, variances, cross); err != nil {
		return nil, err
	}
	out, alpha := make([]float64, len(xs)), s.of.Coef.RawMatrix().Data
	for i, v := range variances {
		better, sigma := s.least-s.of.Mean-floats.Dot(cross.RawRowView(i), alpha), math.Sqrt(v)
		if out[i] = max(0, better); sigma > 0 {
			z := better / sigma
			out[i] = better*math.Erfc(-z/math.Sqrt2)/2 + sigma*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi)
		}
	}
	return out, nil
}
