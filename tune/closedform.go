package tune

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/supervised/krr"
)

// ClosedForm scores kernel ridge regression without a refit: by its leave-one-out error, by
// generalised cross-validation or by the evidence, along its path of λ. Rows of weight zero are
// left aside.
//
// Cost: an eigendecomposition for each kernel, about 9n³ flops, and 6·8n² bytes; for a few λ, up to
// [krr.FewLambdas], a factorization for each of them instead, 2n³/3 flops. In explicit
// features, D of them, 3nD² flops and 5D³, two matrices of 8nD bytes and five of 8D², and a λ
// 2nD flops.
type ClosedForm[T any] struct {
	Ridge[T]
	By krr.Criterion
}

// closedForm is what a criterion in closed form has beside its scores.
type closedForm[T any] interface {
	Criterion[T]
	// counted are the rows that it sees, and part is the criterion of some rows.
	counted() []int
	part(rows []int) closedForm[T]
	// point is everything that is known at a λ; it may overwrite the Gram matrix.
	point(ctx context.Context, b Bound[T], lambda float64) (*krr.Point, error)
	// smooth returns why there is no gradient.
	smooth() error
	// sensitivity is the value with its derivatives by the Gram matrix and by ln λ.
	sensitivity(ctx context.Context, gram *mat.SymDense, lambda float64) (value float64, dk *mat.SymDense, dlog float64, err error)
	// objective is what a descent makes of the value, and its slope.
	objective(value float64) (f, slope float64)
}

// Scale is that of the criterion.
func (c ClosedForm[T]) Scale(n int) (Scale, error) {
	return Scale{Name: string(c.By), Errors: c.By != krr.Evidence, Squares: c.Squares(), Train: n}, errors.Join(c.By.Check(), c.check(n))
}

// On scores by factorizations where few λ are asked for at once, and else by the decomposition of
// the Gram matrix or of the moments of the features.
func (c ClosedForm[T]) On(ctx context.Context, b Bound[T]) (Scorer, error) {
	var path *krr.Path
	along := func(ctx context.Context, lambdas []float64) ([]float64, error) {
		if path == nil && c.Features == nil && len(lambdas) <= krr.FewLambdas {
			return c.factored(ctx, b, lambdas)
		}
		if path == nil {
			var err error
			if path, err = c.path(ctx, b); err != nil {
				return nil, err
			}
		}
		return criterionOf(path, c.By)(ctx, lambdas)
	}
	return func(ctx context.Context, values [][]float64, _ float64) ([]Scored, error) {
		scores, failed := each(ctx, column(values), along)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out := make([]Scored, len(values))
		for i := range out {
			if out[i] = (Scored{Value: math.NaN(), Failed: failed[i]}); failed[i] == nil {
				out[i].Value = scores[i]
			}
		}
		return out, nil
	}, nil
}

// factored returns the criterion at some λ, with a factorization for each.
func (c ClosedForm[T]) factored(ctx context.Context, b Bound[T], lambdas []float64) ([]float64, error) {
	k, scores := mat.NewSymDense(b.Gram.SymmetricDim(), nil), make([]float64, len(lambdas))
	for i, lambda := range lambdas {
		k.CopySym(b.Gram) // which the factor takes over
		p, err := krr.PointAt(ctx, k, c.Y, lambda*c.total(), c.quiet())
		if err != nil {
			return nil, err
		}
		scores[i] = c.By.Of(p)
	}
	return scores, nil
}

func (c ClosedForm[T]) point(ctx context.Context, b Bound[T], lambda float64) (*krr.Point, error) {
	if c.Features == nil {
		return krr.PointAt(ctx, b.Gram, c.Y, lambda*c.total(), c.quiet())
	}
	path, err := c.path(ctx, b)
	if err != nil {
		return nil, err
	}
	points, err := path.Along(ctx, []float64{lambda})
	if err != nil {
		return nil, err
	}
	return points[0], nil
}

func (c ClosedForm[T]) part(rows []int) closedForm[T] {
	c.Ridge = c.Ridge.of(rows)
	return c
}

func (c ClosedForm[T]) smooth() error {
	if c.Features != nil {
		return fmt.Errorf("tune: landmarks and random features change with the kernel by jumps, and have no gradient: search by %q or %q", Grid, Random)
	}
	return nil
}

// errNoGradient is the answer of a criterion that has no closed form.
var errNoGradient = fmt.Errorf("tune: cross-validation has no gradient here: search by %q or %q, or take criterion %q", Grid, Random, krr.LOO)

func (c ClosedForm[T]) sensitivity(ctx context.Context, gram *mat.SymDense, lambda float64) (float64, *mat.SymDense, float64, error) {
	ridge := lambda * c.total()
	g, err := krr.Gradient(ctx, gram, c.Y, ridge, c.By, c.quiet())
	if err != nil {
		return 0, nil, 0, err
	}
	return g.Value, g.DK, g.DRidge * ridge, nil
}

// objective is half the logarithm of a squared error, or nats per row.
func (c ClosedForm[T]) objective(value float64) (f, slope float64) {
	if c.By == krr.Evidence {
		n, m := c.Y.Dims()
		slope = 1 / float64(n*m)
		return value * slope, slope
	}
	return math.Log(value) / 2, 1 / (2 * value)
}

// criterionOf returns what gives a criterion along a path.
func criterionOf(path *krr.Path, c krr.Criterion) func(ctx context.Context, lambdas []float64) ([]float64, error) {
	return func(ctx context.Context, lambdas []float64) ([]float64, error) {
		points, err := path.Along(ctx, lambdas)
		if err != nil {
			return nil, err
		}
		scores := make([]float64, len(points))
		for i, p := range points {
			scores[i] = c.Of(p)
		}
		return scores, nil
	}
}

// Lambda returns the λ of the least criterion along a path of kernel ridge regression, over a
// range without a start: that of two values a decade, and then of golden section to 1 per cent.
func Lambda(ctx context.Context, path *krr.Path, c krr.Criterion, over Range) (lambda, score float64, err error) {
	if err := c.Check(); err != nil {
		return 0, 0, err
	}
	return bestLambda(ctx, func(ctx context.Context, lambdas []float64) ([]float64, []error) {
		return each(ctx, lambdas, criterionOf(path, c))
	}, over, Scale{}.loss)
}

// each asks for all of some λ at once, and where that fails one by one: failed says why a λ has
// nothing.
func each[V any](ctx context.Context, lambdas []float64, all func(ctx context.Context, lambdas []float64) ([]V, error)) (found []V, failed []error) {
	failed = make([]error, len(lambdas))
	found, err := all(ctx, lambdas)
	if err == nil {
		return found, failed
	}
	found = make([]V, len(lambdas))
	for i := range lambdas {
		if failed[i] = err; len(lambdas) == 1 || ctx.Err() != nil {
			continue
		}
		one, err := all(ctx, lambdas[i:i+1])
		if failed[i] = err; err == nil {
			found[i] = one[0]
		}
	}
	return found, failed
}

// column returns the first of each set of values.
func column(values [][]float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v[0]
	}
	return out
}
