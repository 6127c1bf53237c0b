package pipeline

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/klr"
)

// KLR is kernel logistic regression. Its options take the row weights from the problem.
type KLR struct{ klr.Options }

var _ = register(plainReport[klr.Report], KLR{}.Name())

// Name returns "klr".
func (KLR) Name() string { return "klr" }

func (o KLR) compute() gram.Options { return o.Compute }

func (o KLR) fit(ctx context.Context, p *Problem) (*learned, error) {
	t, y, err := p.classes()
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	l := &learned{}
	if p.Indefinite == "" {
		l.f, l.report, err = p.points.logistic(ctx, y, o.Options)
	} else {
		l, err = p.expand(ctx, o.Compute, func(k gram.Operator) (*mat.Dense, []float64, Report, error) {
			s, r, err := klr.Solve(ctx, k, y, o.Options)
			if err != nil {
				return nil, nil, nil, err
			}
			return s.Coef, s.Bias, r, nil
		})
	}
	if err != nil {
		return nil, err
	}
	l.decision = largest(t)
	l.decision.Link = Softmax
	return l, nil
}

func (o KLR) plan(ctx context.Context, p *Problem) (gram.Plan, error) {
	return planBySample(ctx, p, o.Name(), newtonNeed, cubic, o.Compute, func(part *Problem) (*learned, error) { return o.fit(ctx, part) })
}

// newtonNeed is what Newton's method holds: the matrix, and its factor.
func newtonNeed(n int) int64 { return 2 * 8 * int64(n) * int64(n) }

func (l learning[T]) logistic(ctx context.Context, y []int, o klr.Options) (function, Report, error) {
	f, report, err := klr.Fit(ctx, l.kernel, l.points, y, o)
	if err != nil {
		return nil, nil, err
	}
	return fitted[T]{space: l.space, kernel: l.kernel, f: f}, report, nil
}
