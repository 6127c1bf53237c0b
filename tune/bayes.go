package tune

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"mercer/linalg"
)

// initialDesign is the number of candidates that are drawn before the first model of
// the scores.
const initialDesign = 8

// proposals is the number of points among which the next candidate is chosen.
const proposals = 2048

// bayes tries candidates one by one where the expected improvement is largest.
func (c *cross[T]) bayes(ctx context.Context) error {
	total, dims := c.candidates(), c.dimensions()
	c.budget = total
	r := searchStream.rand(c.o.Seed + 1)
	var tried [][]float64 // in the unit cube
	for i, x := range c.draw(min(initialDesign, total)) {
		if err := c.try(ctx, x); err != nil {
			return err
		}
		tried = append(tried, c.unit(dims, c.trials[i].Values))
	}
	for len(tried) < total {
		s, err := c.surrogate(ctx, tried)
		if err != nil {
			return err
		}
		next, most := make([]float64, len(dims)), math.Inf(-1)
		point := make([]float64, len(dims))
		for range proposals {
			for j := range point {
				point[j] = r.Float64()
			}
			if e := s.improvement(point); e > most {
				most = e
				copy(next, point)
			}
		}
		if err := c.try(ctx, c.at01(dims, next)); err != nil {
			return err
		}
		tried = append(tried, next)
	}
	return nil
}

// unit returns where values lie in the unit cube.
func (c *cross[T]) unit(dims []Parameter, values []float64) []float64 {
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

// surrogate is a Gaussian process on the unit cube that stands for the loss: zero
// mean after standardisation, covariance exp(−‖x−x'‖²/2ℓ²) plus noise.
type surrogate struct {
	points [][]float64
	width  float64
	factor *linalg.Cholesky
	alpha  *mat.Dense
	least  float64
}

// The widths and noises among which the evidence of a surrogate chooses.
var (
	surrogateWidths = []float64{0.1, 0.2, 0.4, 0.8}
	surrogateNoises = []float64{1e-4, 1e-2, 1e-1}
)

// surrogate fits the process to the trials so far by the largest evidence,
// −½ yᵀ(K+R)⁻¹y − ½ log|K+R|. A trial without a score counts as the worst.
func (c *cross[T]) surrogate(ctx context.Context, points [][]float64) (*surrogate, error) {
	y := c.standardised()
	n := len(points)
	var best *surrogate
	most := math.Inf(-1)
	for _, width := range surrogateWidths {
		for _, noise := range surrogateNoises {
			s := &surrogate{points: points, width: width, alpha: mat.NewDense(n, 1, nil)}
			k := mat.NewSymDense(n, nil)
			for i := range n {
				for j := i; j < n; j++ {
					k.SetSym(i, j, s.covariance(points[i], points[j]))
				}
			}
			var err error
			if s.factor, err = linalg.Factor(ctx, k, noise, linalg.Options{Workers: 1}); err != nil {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				continue
			}
			if err := s.factor.Solve(ctx, s.alpha, y); err != nil {
				return nil, err
			}
			evidence := -mat.Dot(y.ColView(0), s.alpha.ColView(0))/2 - s.factor.LogDet()/2
			if evidence > most {
				most, best = evidence, s
			}
		}
	}
	best.least = math.Inf(1)
	for i := range n {
		best.least = min(best.least, y.At(i, 0))
	}
	return best, nil
}

// standardised returns the losses of the trials with mean 0 and variance 1.
func (c *cross[T]) standardised() *mat.Dense {
	n := len(c.trials)
	y, worst := make([]float64, n), math.Inf(-1)
	for i, t := range c.trials {
		y[i] = t.Score
		if c.o.Judge.Larger {
			y[i] = -y[i]
		}
		if t.Failed == "" {
			worst = max(worst, y[i])
		}
	}
	if math.IsInf(worst, -1) {
		worst = 0
	}
	mean, variance := 0.0, 0.0
	for i, t := range c.trials {
		if t.Failed != "" {
			y[i] = worst
		}
		mean += y[i] / float64(n)
	}
	for _, v := range y {
		variance += (v - mean) * (v - mean) / float64(n)
	}
	for i := range y {
		y[i] -= mean
		if variance > 0 {
			y[i] /= math.Sqrt(variance)
		}
	}
	return mat.NewDense(n, 1, y)
}

func (s *surrogate) covariance(x, y []float64) float64 {
	d2 := 0.0
	for j, v := range x {
		d2 += (v - y[j]) * (v - y[j])
	}
	return math.Exp(-d2 / (2 * s.width * s.width))
}

// improvement returns the expected improvement over the least loss at a point,
// (m₀ − μ)Φ(z) + σφ(z) with z = (m₀ − μ)/σ.
func (s *surrogate) improvement(x []float64) float64 {
	n := len(s.points)
	k := mat.NewDense(n, 1, nil)
	for i, p := range s.points {
		k.Set(i, 0, s.covariance(x, p))
	}
	mu := mat.Dot(k.ColView(0), s.alpha.ColView(0))
	var v mat.Dense
	if err := s.factor.Solve(context.Background(), &v, k); err != nil {
		return math.Inf(-1)
	}
	sigma := math.Sqrt(max(0, 1-mat.Dot(k.ColView(0), v.ColView(0))))
	if sigma == 0 {
		return max(0, s.least-mu)
	}
	z := (s.least - mu) / sigma
	return (s.least-mu)*math.Erfc(-z/math.Sqrt2)/2 + sigma*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi)
}
