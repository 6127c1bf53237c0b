package learner

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/space"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// RidgePath is kernel ridge regression on a problem at any λ.
type RidgePath struct {
	Task *task.Task
	*krr.Path
	Features int            // of the path; 0: it is in the span of the rows
	treated  *gram.Definite // the matrix of these, where it was indefinite
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
		s, err := space.NewPrimal(ctx, f, o)
		if err != nil {
			return nil, err
		}
		path.Path, err = krr.NewPath(ctx, s, y, with)
		return path, err
	}
	if p.Streamed() {
		return nil, fmt.Errorf("learner: a path of λ %s, and the table is read in passes: give what it lacks, or read the table at once", needsFeatures)
	}
	k, treated, err := p.Operator(ctx, o)
	if err != nil {
		return nil, err
	}
	path.treated = treated
	s, err := space.DualOf(ctx, k, space.Options{Unsolved: true, Compute: o})
	if err != nil {
		return nil, err
	}
	path.Path, err = krr.NewPath(ctx, s, y, with)
	return path, err
}

// Functions returns the functions f(x) = b + Σ cⱼ basisⱼ(x) at every λ.
func (r *RidgePath) Functions(ctx context.Context, lambdas []float64) (coef []*mat.Dense, bias [][]float64, err error) {
	coef, bias, err = r.Path.Functions(ctx, lambdas)
	if r.treated != nil {
		for i, c := range coef {
			coef[i] = r.treated.Coef(c)
		}
	}
	return coef, bias, err
}

// Basis returns the features of new rows, or their kernel values against those that were
// learned from.
func (r *RidgePath) Basis(ctx context.Context, rows *prep.Prepared, o compute.Options) (*mat.Dense, error) {
	if r.Features > 0 {
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
	return floats.Sum(r.Eigenvalues()) / r.Ridge(1)
}
