package learner

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel/record"
	"example.org/mercer/loss"
	"example.org/mercer/outcome"
	"example.org/mercer/space"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// KRR is kernel ridge regression. Its options take the row weights from the problem.
type KRR struct {
	krr.Options
	// LambdaBy, if not "", chooses λ, which is then not given, by a criterion along its path: one
	// decomposition of the moments of features, or of the Gram matrix.
	LambdaBy krr.Criterion
	// Updatable keeps the Cholesky factor of the system in the model, 4n² bytes, so that rows
	// come and go at n² flops each at a fixed ridge; or, in explicit features, sums over the rows,
	// 8D² bytes, for which no other row is needed: see mercer.Model.Adding.
	Updatable bool
}

var _ = register(reader{readKRR, readRidgeStates}, KRR{}.Name())

// Name returns "krr".
func (KRR) Name() string { return "krr" }

// ComputeOptions are those of the fit.
func (o KRR) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o KRR) WithCompute(c compute.Options) Learner {
	o.Compute = c
	return o
}

// sums reports whether a fit on landmarks sums moments of kernel values over the rows: for
// leave-one-out residuals, and without a penalty, it maps every row to its features.
func (o KRR) sums() bool { return !o.LOO && (o.Lambda > 0 || o.Ridge > 0 || o.LambdaBy != "") }

// alone keeps nothing by which rows come and go.
func (o KRR) alone() Learner {
	o.Updatable = false
	return o
}

// leavesOut reports whether the fit has the values of rows that are left out.
func (o KRR) leavesOut() bool { return o.LOO }

// takesSteps reports whether there are passes.
func (o KRR) takesSteps(p *task.Task) bool { return o.Solver == krr.CG || o.Explicit(p) }

// sumsOnLandmarks reports whether a fit with a planned solver sums moments on landmarks.
func (o KRR) sumsOnLandmarks(solver string) bool { return solver == string(krr.Primal) && o.sums() }

// landmarkLoss is that of the same problem on landmarks.
func (KRR) landmarkLoss(*task.Task) (loss.Loss, error) { return loss.Squared{}, nil }

// on puts the row weights of a problem in the options.
func (o KRR) on(p *task.Task) krr.Options {
	o.Weights = p.Rows.W
	return o.Options
}

// fit leaves the choice between the Gram matrix and an explicit feature map to package
// krr, unless an indefinite matrix is to be treated. The leave-one-out residuals would
// then be those of the treated matrix, which the model does not keep.
func (o KRR) Fit(ctx context.Context, p *task.Task) (*Fitted, error) {
	if p.Indefinite != "" {
		l, err := fitOnGram(ctx, p, o)
		if err != nil {
			return nil, err
		}
		l.Report.(*krr.Report).Point, l.NoIntercept = nil, o.NoIntercept
		return l, nil
	}
	y, err := p.Targets()
	if err != nil {
		return nil, err
	}
	switch {
	case o.Updatable && o.Explicit(p):
		return o.summed(ctx, p)
	case o.Updatable:
		return o.factored(ctx, p, y)
	}
	on := o.on(p)
	if err := on.Check(p.Points.Size(), y); err != nil {
		return nil, err
	}
	in, err := p.Points.Space(ctx, on.Space())
	if err != nil {
		return nil, err
	}
	s, report, err := krr.Solve(ctx, in.Space, y, on)
	if err != nil {
		return nil, err
	}
	return o.fitted(p, in.Function(s.Coef, s.Bias), report), nil
}

// fitted is what a fit leaves in a model; one in dual form also keeps its targets.
func (o KRR) fitted(p *task.Task, f task.Function, report *krr.Report) *Fitted {
	l := &Fitted{Function: f, Decision: outcome.ForTargets(p.Prep), Report: report, NoIntercept: o.NoIntercept}
	kept := &ridgeRows{}
	if report.Point != nil {
		kept.loo = report.Point.LOOResiduals
	}
	if f.Form() == task.FormDual {
		kept.targets = p.Rows.Y
	}
	l.States = []State{kept}
	return l
}

// factored is a fit whose factor is kept.
func (o KRR) factored(ctx context.Context, p *task.Task, y *mat.Dense) (*Fitted, error) {
	if err := o.updatable(); err != nil {
		return nil, err
	}
	k := gram.Of(p.Pairs(), o.Compute)
	f, err := krr.Factor(ctx, k, y, o.on(p))
	if err != nil {
		return nil, err
	}
	return o.solved(ctx, p, k, f)
}

// solved is the fit to the rows that a factor has.
func (o KRR) solved(ctx context.Context, p *task.Task, k gram.Operator, f *krr.Factored) (*Fitted, error) {
	s, report, err := f.Solve(ctx, k, o.LOO, o.Compute)
	if err != nil {
		return nil, err
	}
	l := o.fitted(p, p.Points.ExpandAll(s.Coef, s.Bias), report)
	kept, _ := StateOf[*ridgeRows](l)
	kept.factor = f.L
	return l, nil
}

// updatable refuses what has no factor of n rows in double precision.
func (o KRR) updatable() error {
	if o.Solver == krr.CG || o.Solver == krr.Eigen || o.Solver == krr.Primal || o.Compute.Precision == compute.Single {
		return errors.New("learner: rows come and go by the Cholesky factor of their Gram matrix in double precision, and this fit has none: take solver packed in double precision")
	}
	return nil
}

// Explicit reports whether the fit is one in explicit features: those of the kernel where they are
// fewer than the rows, or those that stand for it.
func (o KRR) Explicit(p *task.Task) bool {
	_, primal := p.Points.ChoosePrimal(o.Solver)
	return primal || p.LandmarkMap != nil || p.FeatureMap != nil
}

// summed is a fit that keeps the sums over its rows.
func (o KRR) summed(ctx context.Context, p *task.Task) (*Fitted, error) {
	if o.Solver != "" && o.Solver != krr.Auto && o.Solver != krr.Primal {
		return nil, fmt.Errorf("learner: rows of landmarks and features come and go by sums, which are solved in the features (solver %q), and not by solver %q", krr.Primal, o.Solver)
	}
	l, err := fitBySums(ctx, p, o, p.Points)
	if err == nil {
		l.NoIntercept = o.NoIntercept
	}
	return l, err
}

func (o KRR) solve(ctx context.Context, k gram.Operator, p *task.Task) (*solution, error) {
	y, err := p.Targets()
	if err != nil {
		return nil, err
	}
	on := o.on(p)
	in, err := space.DualOf(ctx, k, on.Space())
	if err != nil {
		return nil, err
	}
	s, r, err := krr.Solve(ctx, in, y, on)
	if err != nil {
		return nil, err
	}
	return &solution{coef: s.Coef, bias: s.Bias, decision: outcome.ForTargets(p.Prep), report: r}, nil
}

// plan times a few tiles of this very kernel on these very rows.
func (o KRR) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	machine, err := p.Machine(ctx, o.Compute)
	if err != nil {
		return compute.Plan{}, err
	}
	n, features, outputs := p.Dims()
	if p.Points.Kind() != task.OnVectors {
		features = 0
	}
	some := p // what is bound alone tells how
	if p.Streamed() {
		some = p.EvenSample(task.TimedRows)
	}
	work := krr.Work{Direct: space.Direct(some.Pairs()), Rows: n, Columns: features, Targets: outputs, LOO: o.LOO, Solver: o.Solver, Precision: o.Compute.Precision}
	work.Features, _ = p.Points.ChoosePrimal(o.Solver)
	work.Sample, work.Share = chooseSample(p.Points, outputs, o.on(p))
	if o.Solver == krr.CG && p.Rows.Y != nil {
		// That it does not converge there is for the fit to say.
		if work.Iterations, err = trialIterations(ctx, p.Points, p.Rows.Y, o.on(p)); ctx.Err() != nil {
			return compute.Plan{}, err
		}
	}
	switch {
	case o.Updatable && o.Explicit(p):
		return p.PlanStreaming(o.chosen(keptSums(n, cmp.Or(work.Features, 1), outputs, machine), work, machine)), nil
	case o.Updatable:
		return keptFactor(o.chosen(krr.Plan(work, machine, o.Compute.MaxMemory), work, machine), n), nil
	}
	return p.PlanStreaming(o.chosen(krr.Plan(work, machine, o.Compute.MaxMemory), work, machine)), nil
}

// passes refuses what has a Gram matrix.
func (o KRR) passes(p *task.Task) string {
	if _, primal := p.Points.ChoosePrimal(o.Solver); !primal {
		return gramOfRows
	}
	return ""
}

// chosen adds to a plan the path on which λ is chosen.
func (o KRR) chosen(plan compute.Plan, w krr.Work, m compute.Machine) compute.Plan {
	if o.LambdaBy == "" {
		return plan
	}
	return staged(plan, krr.PathCosts(w, chosenLambdas, m, o.Compute.MaxMemory))
}

// chosenLambdas is about how many λ are tried where one is chosen.
const chosenLambdas = 40

// staged puts stages before those of a plan.
func staged(plan compute.Plan, before []compute.Cost) compute.Plan {
	out := compute.NewPlan(plan.Solver, plan.Machine, append(before, plan.Stages...)...)
	out.Hint, out.Alternatives, out.Notes = plan.Hint, plan.Alternatives, plan.Notes
	return out
}

// keptFactor adds to a plan the copy of the factor that goes to the model file.
func keptFactor(plan compute.Plan, n int) compute.Plan {
	half := 4 * int64(n) * int64(n+1)
	out := compute.NewPlan(plan.Solver, plan.Machine, append(plan.Stages, compute.Cost{Stage: "keep the factor", Memory: half, Keeps: half})...)
	out.Hint, out.Alternatives = plan.Hint, plan.Alternatives
	out.Notes = append(plan.Notes, fmt.Sprintf("the model file holds the factor, %s", compute.FormatBytes(half)))
	return out
}

func chooseSampleOn[T any](l task.TypedPoints[T], targets int, o krr.Options) (rows int, share float64) {
	return krr.ChooseSample(l.Kernel, l.Set, targets, o)
}

// chooseSample is [chooseSampleOn] for points of any type.
func chooseSample(points task.Points, targets int, o krr.Options) (rows int, share float64) {
	points.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { rows, share = chooseSampleOn(l, targets, o) },
		IDs:     func(l task.TypedPoints[string]) { rows, share = chooseSampleOn(l, targets, o) },
		Records: func(l task.TypedPoints[record.Record]) { rows, share = chooseSampleOn(l, targets, o) },
	})
	return rows, share
}

func trialOn[T any](ctx context.Context, l task.TypedPoints[T], y *mat.Dense, o krr.Options) (int, error) {
	return krr.TrialIterations(ctx, l.Kernel, l.Set, y, o)
}

// trialIterations is [trialOn] for points of any type.
func trialIterations(ctx context.Context, rows task.Points, y *mat.Dense, o krr.Options) (iterations int, err error) {
	rows.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { iterations, err = trialOn(ctx, l, y, o) },
		IDs:     func(l task.TypedPoints[string]) { iterations, err = trialOn(ctx, l, y, o) },
		Records: func(l task.TypedPoints[record.Record]) { iterations, err = trialOn(ctx, l, y, o) },
	})
	return iterations, err
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
		if s == nil || len(s.RMSE) != outputs || s.MAE != nil && len(s.MAE) != outputs || len(s.R2) != outputs {
			return nil, fmt.Errorf("it does not have the scores of %d outputs", outputs)
		}
	}
	return r, nil
}
