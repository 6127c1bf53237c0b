package klr

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/space"
	"example.org/mercer/supervised/newton"
)

// coupled is [job.point] for more than two classes: loo += C(I − WC)⁻¹g, C the m×m covariance of
// the predictors of a row under Laplace's approximation ([space.SoftmaxCovariances]) and
// W = w(diag p − ppᵀ) its weight.
func (j *job) coupled(ctx context.Context, s space.Space, softmax *newton.Multinomial, eta, g *mat.Dense, p *Point, loo *mat.Dense) error {
	n, m := eta.Dims()
	weights, probabilities := make([]float64, n), mat.NewDense(n, m, nil)
	for i := range n {
		weights[i] = softmax.Weight(i)
		softmax.Probabilities(probabilities.RawRowView(i), i, eta)
	}
	err := space.SoftmaxCovariances(ctx, s, weights, probabilities, j.report.Ridge, !j.o.NoIntercept, func(i int, cov *mat.SymDense) error {
		return p.judge(i, cov, curvature(weights[i], probabilities.RawRowView(i)), g.RowView(i), loo)
	})
	return j.explain(err)
}

// curvature returns w(diag p − ppᵀ).
func curvature(weight float64, p []float64) *mat.Dense {
	w := mat.NewDense(len(p), len(p), nil)
	for a, pa := range p {
		for b, pb := range p {
			v := -pa * pb
			if a == b {
				v += pa
			}
			w.Set(a, b, weight*v)
		}
	}
	return w
}

// judge fills in what the covariance of row i and its weight say.
func (p *Point) judge(i int, cov *mat.SymDense, weight *mat.Dense, g mat.Vector, loo *mat.Dense) error {
	m := cov.SymmetricDim()
	rest, step := new(mat.Dense), new(mat.Dense)
	rest.Mul(weight, cov)
	total := mat.Sum(cov) / float64(m*m)
	for a := range m {
		variance := cov.At(a, a) - 2*floats.Sum(mat.Col(nil, a, cov))/float64(m) + total // of η_a less the mean
		p.StandardErrors = append(p.StandardErrors, math.Sqrt(max(0, variance)))
		p.Leverage[i] += rest.At(a, a)
	}
	rest.Scale(-1, rest)
	for a := range m {
		rest.Set(a, a, 1+rest.At(a, a))
	}
	if err := step.Solve(rest, g); err != nil {
		return undetermined(i)
	}
	moved := new(mat.Dense)
	moved.Mul(cov, step)
	for a := range m {
		loo.Set(i, a, loo.At(i, a)+moved.At(a, 0))
	}
	return nil
}
