package tune

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/supervised/krr"
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
	return criterionOf(path, c), nil
}

// ridgePath is kernel ridge regression at any λ: a [*krr.Path] or a [*krr.PrimalPath].
type ridgePath interface {
	Along(ctx context.Context, lambdas []float64) ([]*krr.Point, error)
}

// criterionOf is the curve of a criterion along a path.
func criterionOf(path ridgePath, c krr.Criterion) curve {
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
	})
}

// fold is a path through the training part of one split: f(x) = b + Σ cⱼ basisⱼ(x).
type fold struct {
	split Split
	basis *mat.Dense // of the test rows: kernel values against the training rows, or features
	solve func(ctx context.Context, lambdas []float64) (coef []*mat.Dense, bias [][]float64, err error)
}

func (s *search[T]) crossValidation(ctx context.Context) (curve, error) {
	return s.meanOverFolds(func(split Split, o krr.PathOptions) (fold, error) {
		path, err := krr.NewPath(ctx, gram.FromMatrix(square(s.k, split.Train)), rowsOf(s.y, split.Train), o)
		return fold{split: split, basis: block(s.k, split.Test, split.Train), solve: func(ctx context.Context, lambdas []float64) (coef []*mat.Dense, bias [][]float64, err error) {
			points, err := path.Along(ctx, lambdas)
			for _, p := range points {
				coef, bias = append(coef, p.Solution.Coef), append(bias, p.Solution.Bias)
			}
			return coef, bias, err
		}}, err
	})
}

// meanOverFolds is the curve of the mean score over the splits, each with a path of its own.
func (s *search[T]) meanOverFolds(on func(split Split, o krr.PathOptions) (fold, error)) (curve, error) {
	folds := make([]fold, len(s.o.Splits))
	for i, split := range s.o.Splits {
		o := s.o.Fit
		o.Weights = pick(s.o.Fit.Weights, split.Train)
		var err error
		if folds[i], err = on(split, o); err != nil {
			return nil, err
		}
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
// all λ stand side by side, for one product with the basis.
func (s *search[T]) foldScores(ctx context.Context, f fold, lambdas []float64) ([]float64, error) {
	each, bias, err := f.solve(ctx, lambdas)
	if err != nil {
		return nil, err
	}
	rows, n := f.basis.Dims()
	_, m := s.y.Dims()
	coef, values := mat.NewDense(n, max(1, len(each)*m), nil), mat.NewDense(rows, max(1, len(each)*m), nil)
	for i, c := range each {
		coef.Slice(0, n, i*m, (i+1)*m).(*mat.Dense).Copy(c)
	}
	level3.Implementation{Workers: s.o.Fit.Compute.Workers}.Gemm(blas.NoTrans, blas.NoTrans, 1, f.basis.RawMatrix(), coef.RawMatrix(), 0, values.RawMatrix())
	want, weights, scores := rowsOf(s.y, f.split.Test), pick(s.o.Fit.Weights, f.split.Test), make([]float64, len(each))
	for i, b := range bias {
		predicted := mat.DenseCopyOf(values.Slice(0, rows, i*m, (i+1)*m))
		predicted.Apply(func(_, j int, v float64) float64 { return v + b[j] }, predicted)
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
