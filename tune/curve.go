package tune

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/krr"
	"mercer/linalg/level3"
)

// curve is the score as a function of λ for one kernel, after the work that does not
// depend on λ has been done; failed says why a λ has none. Many at once are cheaper than
// one by one.
type curve func(ctx context.Context, lambdas []float64) (scores []float64, failed []error)

// along makes a curve of a function that scores all of some λ or fails.
func along(all func(ctx context.Context, lambdas []float64) ([]float64, error)) curve {
	return func(ctx context.Context, lambdas []float64) ([]float64, []error) {
		scores, err := all(ctx, lambdas)
		failed := make([]error, len(lambdas))
		if err == nil {
			return scores, failed
		}
		scores = make([]float64, len(lambdas))
		for i := range lambdas {
			one := []float64{math.NaN()}
			if len(lambdas) > 1 && ctx.Err() == nil {
				if one, err = all(ctx, lambdas[i:i+1]); err != nil {
					one = []float64{math.NaN()}
				}
			}
			scores[i], failed[i] = one[0], err
		}
		return scores, failed
	}
}

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
	return along(func(ctx context.Context, lambdas []float64) ([]float64, error) {
		points, err := path.Along(ctx, lambdas)
		if err != nil {
			return nil, err
		}
		scores := make([]float64, len(points))
		for i, p := range points {
			scores[i] = c.Of(p)
		}
		return scores, nil
	}), nil
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
	return along(func(ctx context.Context, lambdas []float64) ([]float64, error) {
		means := make([]float64, len(lambdas))
		for _, f := range folds {
			scores, err := s.foldScores(ctx, f, lambdas)
			if err != nil {
				return nil, err
			}
			for i, v := range scores {
				means[i] += v / float64(len(folds))
			}
		}
		return means, nil
	}), nil
}

// foldScores tests the fits to one training part on its test rows. The coefficients of
// all λ stand side by side, for one product with the kernel values.
func (s *search[T]) foldScores(ctx context.Context, f fold, lambdas []float64) ([]float64, error) {
	points, err := f.path.Along(ctx, lambdas)
	if err != nil {
		return nil, err
	}
	rows, n := f.cross.Dims()
	_, m := s.y.Dims()
	coef, values := mat.NewDense(n, max(1, len(points)*m), nil), mat.NewDense(rows, max(1, len(points)*m), nil)
	for i, p := range points {
		coef.Slice(0, n, i*m, (i+1)*m).(*mat.Dense).Copy(p.Solution.Coef)
	}
	level3.Implementation{Workers: s.o.Fit.Compute.Workers}.Gemm(blas.NoTrans, blas.NoTrans, 1, f.cross.RawMatrix(), coef.RawMatrix(), 0, values.RawMatrix())
	want, weights, scores := rowsOf(s.y, f.split.Test), pick(s.o.Fit.Weights, f.split.Test), make([]float64, len(points))
	for i, p := range points {
		predicted := mat.DenseCopyOf(values.Slice(0, rows, i*m, (i+1)*m))
		predicted.Apply(func(_, j int, v float64) float64 { return v + p.Solution.Bias[j] }, predicted)
		if scores[i], err = s.o.Score.Of(krr.Measure(want, predicted, weights)); err != nil {
			return nil, err
		}
	}
	return scores, nil
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
	scores, failed := f(ctx, grid)
	if ctx.Err() != nil {
		return 0, 0, ctx.Err()
	}
	at := -1
	for i, v := range scores {
		if failed[i] != nil {
			err = failed[i]
		} else if at < 0 || s.loss(v) < s.loss(scores[at]) {
			at = i
		}
	}
	if at < 0 {
		return 0, 0, err
	}
	lambda, score = grid[at], scores[at]
	try := func(logarithm float64) float64 {
		l := math.Exp(logarithm)
		v, _ := f(ctx, []float64{l})
		if s.loss(v[0]) < s.loss(score) {
			lambda, score = l, v[0]
		}
		return s.loss(v[0])
	}
	a, b := math.Log(grid[max(0, at-1)]), math.Log(grid[min(len(grid)-1, at+1)])
	x, y := b-(b-a)/math.Phi, a+(b-a)/math.Phi
	fx, fy := try(x), try(y)
	for b-a > lambdaPrecision {
		if ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		if fx <= fy {
			b, y, fy = y, x, fx
			x = b - (b-a)/math.Phi
			fx = try(x)
		} else {
			a, x, fx = x, y, fy
			y = a + (b-a)/math.Phi
			fy = try(y)
		}
	}
	return lambda, score, nil
}
