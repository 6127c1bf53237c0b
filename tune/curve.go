package tune

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/krr"
)

// curve is the score as a function of λ for one kernel, after the work that does not
// depend on λ has been done.
type curve func(ctx context.Context, lambda float64) (float64, error)

// curveOf decomposes the Gram matrix in s.k and returns its curve: the criterion along
// one path, or for [CV] the mean score over the paths of the training parts.
func (s *search[T]) curveOf(ctx context.Context) (curve, error) {
	if s.o.Criterion == CV {
		return s.crossValidation(ctx)
	}
	return pathCurve(ctx, s.k, s.y, krr.Criterion(s.o.Criterion), s.o.Fit)
}

func pathCurve(ctx context.Context, k *mat.SymDense, y *mat.Dense, c krr.Criterion, o krr.PathOptions) (curve, error) {
	path, err := krr.NewPath(ctx, gram.FromMatrix(k), y, o)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, lambda float64) (float64, error) {
		p, err := path.At(ctx, lambda)
		if err != nil {
			return math.NaN(), err
		}
		return c.Of(p), nil
	}, nil
}

// fold is a path through the training part of one split.
type fold struct {
	split Split
	path  *krr.Path
	cross *mat.Dense // kernel values of test rows against training rows
}

func (s *search[T]) crossValidation(ctx context.Context) (curve, error) {
	folds := make([]fold, len(s.o.Splits))
	for i, split := range s.o.Splits {
		o := s.o.Fit
		o.Weights = pick(s.o.Fit.Weights, split.Train)
		path, err := krr.NewPath(ctx, gram.FromMatrix(square(s.k, split.Train)), rowsOf(s.y, split.Train), o)
		if err != nil {
			return nil, err
		}
		folds[i] = fold{split, path, block(s.k, split.Test, split.Train)}
	}
	return func(ctx context.Context, lambda float64) (float64, error) {
		sum := 0.0
		for _, f := range folds {
			v, err := s.foldScore(ctx, f, lambda)
			if err != nil {
				return math.NaN(), err
			}
			sum += v
		}
		return sum / float64(len(folds)), nil
	}, nil
}

// foldScore tests the fit to one training part on its test rows.
func (s *search[T]) foldScore(ctx context.Context, f fold, lambda float64) (float64, error) {
	p, err := f.path.At(ctx, lambda)
	if err != nil {
		return 0, err
	}
	var predicted mat.Dense
	predicted.Mul(f.cross, p.Solution.Coef)
	predicted.Apply(func(_, j int, v float64) float64 { return v + p.Solution.Bias[j] }, &predicted)
	return s.o.Score.Of(krr.Measure(rowsOf(s.y, f.split.Test), &predicted, pick(s.o.Fit.Weights, f.split.Test)))
}

// square gathers the Gram matrix of some rows.
func square(k *mat.SymDense, rows []int) *mat.SymDense {
	out := mat.NewSymDense(len(rows), nil)
	for i, r := range rows {
		for j := i; j < len(rows); j++ {
			out.SetSym(i, j, k.At(r, rows[j]))
		}
	}
	return out
}

// block gathers a rectangular part of the Gram matrix.
func block(k *mat.SymDense, rows, cols []int) *mat.Dense {
	out := mat.NewDense(len(rows), len(cols), nil)
	for i, r := range rows {
		for j, c := range cols {
			out.Set(i, j, k.At(r, c))
		}
	}
	return out
}

// perDecade is the number of values of λ in a decade of a grid.
const perDecade = 2

// lambdas returns a geometric grid over the range, both ends included.
func (r Range) lambdas() []float64 {
	steps := max(1, int(math.Ceil(math.Log10(r.Upper/r.Lower)*perDecade-1e-9)))
	out := make([]float64, steps+1)
	for i := range out {
		out[i] = r.Lower * math.Pow(r.Upper/r.Lower, float64(i)/float64(steps))
	}
	return out
}

// lambdaPrecision is the relative precision to which an optimal λ is found; the
// criterion is flat there.
const lambdaPrecision = 0.01

// bestLambda minimises a curve over the range of λ: by the grid, and by golden section
// between the neighbours of its best point. It returns the last error if λ fails
// everywhere.
func (s *search[T]) bestLambda(ctx context.Context, f curve) (lambda, score float64, err error) {
	grid := s.o.Lambda.lambdas()
	at, best := -1, math.NaN()
	try := func(l float64) float64 {
		v, failed := f(ctx, l)
		if failed != nil {
			err = failed
			return math.NaN()
		}
		if at < 0 || s.loss(v) < s.loss(best) {
			at, lambda, best = 0, l, v
		}
		return v
	}
	low, high := 0, 0
	for i, l := range grid {
		before := lambda
		try(l)
		if ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		if lambda != before {
			low, high = max(0, i-1), min(len(grid)-1, i+1)
		}
	}
	if at < 0 {
		return 0, 0, err
	}
	a, b := math.Log(grid[low]), math.Log(grid[high])
	x, y := b-(b-a)/math.Phi, a+(b-a)/math.Phi
	fx, fy := s.loss(try(math.Exp(x))), s.loss(try(math.Exp(y)))
	for b-a > lambdaPrecision {
		if ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		if fx <= fy {
			b, y, fy = y, x, fx
			x = b - (b-a)/math.Phi
			fx = s.loss(try(math.Exp(x)))
		} else {
			a, x, fx = x, y, fy
			y = a + (b-a)/math.Phi
			fy = s.loss(try(math.Exp(y)))
		}
	}
	return lambda, best, nil
}
