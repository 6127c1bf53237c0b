package learner

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// RidgePath is kernel ridge regression on a problem at any λ.
type RidgePath struct {
	Task     *task.Task
	primal   *krr.PrimalPath // in features; nil: dual
	Features int
	dual     *krr.Path
	treated  *gram.Definite
}

// NewRidgePath decomposes the moments of features where there are fewer than rows, and else the
// Gram matrix.
func NewRidgePath(ctx context.Context, p *task.Task, noIntercept bool, o compute.Options) (*RidgePath, error) {
	y, err := p.Targets()
	if err != nil {
		return nil, err
	}
	path, with := &RidgePath{Task: p}, krr.PathOptions{NoIntercept: noIntercept, Weights: p.Rows.W, Compute: o}
	if dim, primal := p.Points.ChoosePrimal(krr.Auto); primal && p.Indefinite == "" {
		f, _, err := p.Points.Features(nil)
		if err != nil {
			return nil, err
		}
		path.Features = dim
		path.primal, err = krr.NewPrimalPath(ctx, f, y, with)
		return path, err
	}
	var k gram.Operator
	if k, path.treated, err = p.Operator(ctx, o); err != nil {
		return nil, err
	}
	path.dual, err = krr.NewPath(ctx, k, y, with)
	return path, err
}

// Along returns what is known at every λ.
func (r *RidgePath) Along(ctx context.Context, lambdas []float64) ([]*krr.Point, error) {
	if r.primal != nil {
		return r.primal.Along(ctx, lambdas)
	}
	return r.dual.Along(ctx, lambdas)
}

// Functions returns the functions f(x) = b + Σ cⱼ basisⱼ(x) of the first target.
func (r *RidgePath) Functions(points []*krr.Point) (coef []*mat.Dense, bias []float64, err error) {
	if r.primal == nil {
		for _, p := range points {
			c := p.Solution.Coef
			if r.treated != nil {
				c = r.treated.Coef(c)
			}
			coef, bias = append(coef, c), append(bias, p.Solution.Bias[0])
		}
		return coef, bias, nil
	}
	var lambdas []float64
	for _, p := range points {
		lambdas = append(lambdas, p.Lambda)
	}
	coef, all, err := r.primal.Weights(lambdas)
	for _, b := range all {
		bias = append(bias, b[0])
	}
	return coef, bias, err
}

// Basis returns the features of new rows, or their kernel values against those that were
// learned from.
func (r *RidgePath) Basis(ctx context.Context, rows *prep.Prepared, o compute.Options) (*mat.Dense, error) {
	if r.primal != nil {
		f, _, err := r.Task.Points.Features(rows)
		if err != nil {
			return nil, err
		}
		out := mat.NewDense(f.Rows, f.Dim, nil)
		return out, f.Fill(ctx, out, 0)
	}
	pairs, err := r.Task.Points.Cross(rows)
	if err != nil {
		return nil, err
	}
	out := new(mat.Dense)
	return out, gram.Rect(ctx, out, pairs, o)
}

// Scale is the mean of k(x, x) about the barycentre, or without an intercept about 0.
func (r *RidgePath) Scale() float64 {
	if r.primal != nil {
		return floats.Sum(r.primal.Eigenvalues()) / r.primal.Ridge(1)
	}
	return floats.Sum(r.dual.Eigenvalues()) / r.dual.Ridge(1)
}
