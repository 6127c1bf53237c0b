package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"mercer/erm"
	"mercer/gp"
	"mercer/gram"
	"mercer/klr"
	"mercer/krr"
	"mercer/loss"
	"mercer/svm"
)

// KRR is kernel ridge regression. Its options take the row weights from the problem.
type KRR struct{ krr.Options }

var _ = register(readKRR, KRR{}.Name())

// Name returns "krr".
func (KRR) Name() string { return "krr" }

func (o KRR) compute() gram.Options { return o.Compute }

// on puts the row weights of a problem in the options.
func (o KRR) on(p *Problem) krr.Options {
	o.Weights = p.Rows.W
	return o.Options
}

// fit leaves the choice between the Gram matrix and an explicit feature map to package
// krr, unless an indefinite matrix is to be treated. The leave-one-out residuals would
// then be those of the treated matrix, which the model does not keep.
func (o KRR) fit(ctx context.Context, p *Problem) (*learned, error) {
	if p.Indefinite != "" {
		l, err := p.expand(ctx, o)
		if err != nil {
			return nil, err
		}
		l.report.(*krr.Report).Point, l.noIntercept = nil, o.NoIntercept
		return l, nil
	}
	y, err := p.targets()
	if err != nil {
		return nil, err
	}
	f, report, err := p.points.krr(ctx, y, o.on(p))
	if err != nil {
		return nil, err
	}
	l := &learned{f: f, decision: coded(p.Prep), report: report, noIntercept: o.NoIntercept}
	if report.Point != nil {
		l.loo = report.Point.LOOResiduals
	}
	return l, nil
}

func (o KRR) solve(ctx context.Context, k gram.Operator, p *Problem) (*solution, error) {
	y, err := p.targets()
	if err != nil {
		return nil, err
	}
	s, r, err := krr.Solve(ctx, k, y, o.on(p))
	if err != nil {
		return nil, err
	}
	return &solution{coef: s.Coef, bias: s.Bias, decision: coded(p.Prep), report: r}, nil
}

// plan times a few tiles of this very kernel on these very rows.
func (o KRR) plan(ctx context.Context, p *Problem) (gram.Plan, error) {
	machine, err := p.machine(ctx, o.Compute)
	if err != nil {
		return gram.Plan{}, err
	}
	n, features, outputs := p.Dims()
	if p.points.kind() != onVectors {
		features = 0
	}
	work := krr.Work{Direct: krr.Direct(p.Pairs()), Rows: n, Columns: features, Targets: outputs, LOO: o.LOO, Solver: o.Solver, Precision: o.Compute.Precision}
	work.Features, _ = p.points.choosePrimal(o.Solver)
	if o.Solver == krr.CG && p.Rows.Y != nil {
		// That it does not converge there is for the fit to say.
		if work.Iterations, err = p.points.trial(ctx, p.Rows.Y, o.on(p)); ctx.Err() != nil {
			return gram.Plan{}, err
		}
	}
	return krr.Plan(work, machine, o.Compute.MaxMemory), nil
}

// mapped is what some methods ask of a kernel beyond its Gram matrix: an explicit
// feature map may be shorter than the rows, and rows that are bound by themselves are
// faster to compare than rows of a matrix that does not fit in memory.
type mapped interface {
	logistic(ctx context.Context, y []int, o klr.Options) (function, Report, error)
	risk(ctx context.Context, y []float64, of loss.Loss, o erm.Options) (function, Report, error)
	classify(ctx context.Context, y []int, o svm.Options) (function, *svm.Report, error)
	regress(ctx context.Context, y []float64, o svm.Options) (function, *svm.Report, error)
	detect(ctx context.Context, o svm.Options) (function, *svm.Report, error)
	quantiles(ctx context.Context, y, taus []float64, o erm.Options) (function, Report, error)
	latent(ctx context.Context, y []int, o GPC) (function, *gp.ClassReport, *gp.LatentCovariance, error)
	process(ctx context.Context, y []float64, o GP) (function, *gp.Report, error)
	krr(ctx context.Context, y *mat.Dense, o krr.Options) (function, *krr.Report, error)
	choosePrimal(s krr.Solver) (dim int, primal bool)
	trial(ctx context.Context, y *mat.Dense, o krr.Options) (iterations int, err error)
	onLandmarks(ctx context.Context, y *mat.Dense, o Falkon) (*learned, error)
}

func (l learning[T]) krr(ctx context.Context, y *mat.Dense, o krr.Options) (function, *krr.Report, error) {
	f, report, err := krr.Fit(ctx, l.kernel, l.points, y, o)
	if err != nil {
		return nil, nil, err
	}
	return newFitted(l.space, l.kernel, f), report, nil
}

func (l learning[T]) choosePrimal(s krr.Solver) (dim int, primal bool) {
	return krr.ChoosePrimal(l.kernel, l.points, s)
}

func (l learning[T]) trial(ctx context.Context, y *mat.Dense, o krr.Options) (int, error) {
	return krr.TrialIterations(ctx, l.kernel, l.points, y, o)
}

// refit returns what package krr needs to know of the fit, and the Gram matrix of the
// training rows.
func (m *Model) refit(o gram.Options) (gram.Operator, krr.Fitted, error) {
	report, ok := m.Report.(*krr.Report)
	if !ok {
		return nil, krr.Fitted{}, fmt.Errorf("pipeline: what removing a row would change is known in closed form for method %q, and this model was made by %q", KRR{}.Name(), m.Method)
	}
	train, ok := m.f.train()
	if !ok {
		return nil, krr.Fitted{}, errPrimal
	}
	switch {
	case m.Compression != nil:
		return nil, krr.Fitted{}, errCompressed
	case m.Approximation != nil:
		return nil, krr.Fitted{}, errors.New("pipeline: what removing a training row would change needs all of them, and the model keeps its landmarks alone; fit it without landmarks, or with --conformal for intervals")
	case m.LOO == nil:
		return nil, krr.Fitted{}, errors.New("pipeline: the model holds no leave-one-out residuals; fit it with --loo (krr.Options.LOO)")
	}
	return gram.Of(train, o), krr.Fitted{Solution: &krr.Solution{Coef: m.f.coef(), Bias: m.f.bias()}, LOOResiduals: m.LOO,
		Ridge: report.Ridge, Weights: m.Weights, NoIntercept: m.NoIntercept}, nil
}

// readKRR makes sure that what is printed for every output is there.
func readKRR(text json.RawMessage, outputs int) (Report, error) {
	r := new(krr.Report)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, err
	}
	scores := []*krr.Scores{r.Train}
	if r.Point != nil {
		scores = append(scores, r.Point.LOO)
	}
	for _, s := range scores {
		if s == nil || len(s.RMSE) != outputs || len(s.MAE) != outputs || len(s.R2) != outputs {
			return nil, fmt.Errorf("it does not have the scores of %d outputs", outputs)
		}
	}
	return r, nil
}
