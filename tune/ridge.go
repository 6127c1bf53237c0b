package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/model"
	"example.org/mercer/space"
	"example.org/mercer/supervised/krr"
)

// Featuring gives explicit features Φ of points for a kernel, K ≈ ΦΦᵀ, by landmarks or at random;
// nil weights are ones. It is asked once for each kernel that is tried.
type Featuring[T any] func(ctx context.Context, k kernel.Kernel[T], xs data.Set[T], weights []float64) (Features, error)

// Ridge is kernel ridge regression of Y (n×m), which a search follows along its path: one
// decomposition for each kernel, or for each of its training parts, serves all λ. It is a
// [FoldSolver], and with a criterion a [ClosedForm].
type Ridge[T any] struct {
	Y        *mat.Dense
	Fit      krr.PathOptions // intercept, weights of the rows, and how to compute
	Features Featuring[T]    // nil: the Gram matrix
}

// CV is the name of cross-validation beside those of the criteria in closed form.
const CV = krr.Criterion("cv")

// Criteria are the names of all criteria of kernel ridge regression.
var Criteria = append(slices.Clone(krr.Criteria), CV)

// CriterionFor is the default for so many parameters of a kernel: leave-one-out errors, which many
// parameters can overfit, and then the evidence.
func CriterionFor(parameters int) krr.Criterion {
	if parameters > 2 {
		return krr.Evidence
	}
	return krr.LOO
}

// Criterion returns the criterion of a name. Splits and a score ("": [RMSE]) are for [CV].
func (r Ridge[T]) Criterion(by krr.Criterion, splits []Split, score Score) (Criterion[T], error) {
	score = cmp.Or(score, RMSE)
	var problems []error
	if !slices.Contains(Criteria, by) {
		problems = append(problems, fmt.Errorf("tune: criterion %q is not known; one of %q is", by, Criteria))
	}
	if !slices.Contains(Scores, score) {
		problems = append(problems, fmt.Errorf("tune: score %q is not known; one of %q is", score, Scores))
	}
	if by != CV && len(splits) > 0 {
		problems = append(problems, fmt.Errorf("tune: splits are given, but criterion %q does not use them: use %q", by, CV))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	if by == CV {
		return CrossValidation[T]{Solver: r, Splits: splits, Judge: score.Judge(r.Y, r.Fit.Weights)}, nil
	}
	return ClosedForm[T]{r, by}, nil
}

// Squares counts beside the Gram matrix a copy of it and the four squares of a decomposition.
func (r Ridge[T]) Squares() int {
	if r.Features != nil {
		return 0
	}
	return 6
}

// check returns why n points cannot be learned from.
func (r Ridge[T]) check(n int) error {
	c := model.NewChecks("tune")
	c.Weights(n, r.Fit.Weights)
	problems := []error{c.Err()}
	if r.Y == nil || r.Y.IsEmpty() || r.Y.RawMatrix().Rows != n {
		problems = append(problems, fmt.Errorf("tune: %d points need a row of targets each", n))
	}
	return errors.Join(problems...)
}

// quiet returns the options of a path whose parts neither report nor are steps of a checkpoint.
func (r Ridge[T]) quiet() krr.PathOptions {
	o := r.Fit
	o.Compute.Progress, o.Compute.Checkpoint = nil, nil
	return o
}

func (r Ridge[T]) weight(i int) float64 {
	if r.Fit.Weights == nil {
		return 1
	}
	return r.Fit.Weights[i]
}

// counted are the rows of positive weight.
func (r Ridge[T]) counted() []int {
	var rows []int
	n, _ := r.Y.Dims()
	for i := range n {
		if r.weight(i) != 0 {
			rows = append(rows, i)
		}
	}
	return rows
}

// total is N = Σ wᵢ.
func (r Ridge[T]) total() float64 {
	total := 0.0
	n, _ := r.Y.Dims()
	for i := range n {
		total += r.weight(i)
	}
	return total
}

// of returns the regression on some of the rows.
func (r Ridge[T]) of(rows []int) Ridge[T] {
	r.Y, r.Fit.Weights = rowsOf(r.Y, rows), pick(r.Fit.Weights, rows)
	return r
}

// path returns the path on all rows.
func (r Ridge[T]) path(ctx context.Context, b Bound[T]) (*krr.Path, error) {
	if r.Features == nil {
		return r.inRows(ctx, b.Gram)
	}
	phi, err := r.Features(ctx, b.Kernel, b.Points, r.Fit.Weights)
	if err != nil {
		return nil, err
	}
	all, err := phi.Rows(nil)
	if err != nil {
		return nil, err
	}
	return r.inFeatures(ctx, all)
}

// inRows is the path in the span of the rows of a Gram matrix.
func (r Ridge[T]) inRows(ctx context.Context, k *mat.SymDense) (*krr.Path, error) {
	o := r.quiet()
	in, err := space.DualOf(ctx, gram.FromMatrix(k), space.Options{Unsolved: true, Compute: o.Compute})
	if err != nil {
		return nil, err
	}
	return krr.NewPath(ctx, in, r.Y, o)
}

// inFeatures is the path in explicit features.
func (r Ridge[T]) inFeatures(ctx context.Context, phi design.Matrix) (*krr.Path, error) {
	o := r.quiet()
	in, err := space.NewPrimal(ctx, phi, o.Compute)
	if err != nil {
		return nil, err
	}
	return krr.NewPath(ctx, in, r.Y, o)
}

// On computes the features that all splits share, if there are any.
func (r Ridge[T]) On(ctx context.Context, b Bound[T]) (Folds, error) {
	if r.Features == nil {
		return ridgeFolds[T]{r, b.Gram, nil}, nil
	}
	phi, err := r.Features(ctx, b.Kernel, b.Points, r.Fit.Weights)
	return ridgeFolds[T]{r, nil, phi}, err
}

// ridgeFolds has a path for the training part of each split, by the Gram matrix or by features.
type ridgeFolds[T any] struct {
	Ridge[T]
	k   *mat.SymDense
	phi Features
}

// Fold decomposes the training part of a split.
func (f ridgeFolds[T]) Fold(ctx context.Context, s Split) (Fold, error) {
	part := f.Ridge.of(s.Train)
	if f.phi != nil {
		train, first := f.phi.Rows(s.Train)
		test, second := f.phi.Rows(s.Test)
		if err := errors.Join(first, second); err != nil {
			return nil, err
		}
		path, err := part.inFeatures(ctx, train)
		if err != nil {
			return nil, err
		}
		return part.fold(test.Rows, test.Dim, path, func(ctx context.Context, values, coef *mat.Dense) error {
			return test.Blocks().Multiply(ctx, values, coef, f.quiet().Compute)
		}), nil
	}
	path, err := part.inRows(ctx, square(f.k, s.Train))
	if err != nil {
		return nil, err
	}
	basis := block(f.k, s.Test, s.Train)
	return part.fold(len(s.Test), len(s.Train), path, func(_ context.Context, values, coef *mat.Dense) error {
		level3.Implementation{Workers: f.Fit.Compute.Workers}.Gemm(blas.NoTrans, blas.NoTrans, 1, basis.RawMatrix(), coef.RawMatrix(), 0, values.RawMatrix())
		return nil
	}), nil
}

// fold predicts the test rows of a split by f(x) = b + Σ cⱼ basisⱼ(x): their basis is their kernel
// values against the training rows, or their features. The coefficients of all λ stand side by
// side, for one product with the basis.
func (r Ridge[T]) fold(rows, n int, path *krr.Path, product func(ctx context.Context, values, coef *mat.Dense) error) Fold {
	outputs := func(ctx context.Context, lambdas []float64) ([]*Outcome, error) {
		each, bias, err := path.Functions(ctx, lambdas)
		if err != nil {
			return nil, err
		}
		_, m := r.Y.Dims()
		coef, values := mat.NewDense(n, max(1, len(each)*m), nil), mat.NewDense(rows, max(1, len(each)*m), nil)
		for i, c := range each {
			coef.Slice(0, n, i*m, (i+1)*m).(*mat.Dense).Copy(c)
		}
		if err := product(ctx, values, coef); err != nil {
			return nil, err
		}
		out := make([]*Outcome, len(each))
		for i, b := range bias {
			predicted := mat.DenseCopyOf(values.Slice(0, rows, i*m, (i+1)*m))
			predicted.Apply(func(_, j int, v float64) float64 { return v + b[j] }, predicted)
			out[i] = &Outcome{Outputs: predicted}
		}
		return out, nil
	}
	return func(ctx context.Context, values [][]float64) ([]*Outcome, []error, error) {
		out, failed := each(ctx, column(values), outputs)
		return out, failed, ctx.Err()
	}
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

// rowsOf gathers rows of a matrix.
func rowsOf(y *mat.Dense, rows []int) *mat.Dense {
	_, m := y.Dims()
	out := mat.NewDense(len(rows), m, nil)
	for i, r := range rows {
		out.SetRow(i, y.RawRowView(r))
	}
	return out
}

// pick gathers weights; nil stays nil.
func pick(weights []float64, rows []int) []float64 {
	if weights == nil {
		return nil
	}
	out := make([]float64, len(rows))
	for i, r := range rows {
		out[i] = weights[r]
	}
	return out
}
