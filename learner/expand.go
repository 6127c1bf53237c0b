package learner

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/outcome"
	"example.org/mercer/space"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// indexed is a method in index space: all that it needs of the rows is their Gram
// matrix, their targets and their weights.
type indexed interface {
	Learner
	solve(ctx context.Context, k gram.Operator, p *task.Task) (*solution, error)
}

// solution is f(x) = bias + Σ coefᵢ k(x, xᵢ) over the rows of a problem.
type solution struct {
	coef     *mat.Dense
	bias     []float64
	decision outcome.Decision
	report   Report
	// link makes outputs of the values for rows that were left out, see
	// [outcome.Decision.heldOut]; nil: they are the outputs.
	link func(ctx context.Context, values, cross *mat.Dense, prior []float64) (*mat.Dense, error)
}

// fitOnGram runs a method on the Gram matrix of the problem, treated as the problem says
// where it is indefinite, and makes its solution a function.
func fitOnGram(ctx context.Context, p *task.Task, m indexed) (*Fitted, error) {
	k, treated, err := p.Operator(ctx, m.ComputeOptions())
	if err != nil {
		return nil, err
	}
	s, err := m.solve(ctx, k, p)
	if err != nil {
		return nil, err
	}
	if treated != nil {
		s.coef = treated.Coef(s.coef)
		warnTreated(s.report, treated)
	}
	l := &Fitted{Report: s.report, Decision: s.decision}
	l.Function, l.Rows = p.Points.Expand(s.coef, s.bias)
	return l, nil
}

// warnTreated tells what was done to an indefinite matrix.
func warnTreated(r Report, d *gram.Definite) {
	if d.Negative > 0 {
		r.Ran().Warn("the Gram matrix was made positive semidefinite (%s): %d of %d eigenvalues were negative, the smallest %.4g beside the largest %.4g; it changed by %.2g of its norm",
			d.Treatment, d.Negative, d.K.SymmetricDim(), d.Smallest, d.Largest, d.Change)
	}
}

// sampleRows is the number of rows on which a method is tried to plan its time.
const sampleRows = 600

// planBySample predicts the time of a method whose work depends on the data from that
// on an even subsample, grown by the square of the number of rows, and the memory from
// what the method says it needs.
func planBySample(ctx context.Context, p *task.Task, method Learner, need func(n int) int64) (compute.Plan, error) {
	machine, err := p.Machine(ctx, method.ComputeOptions())
	if err != nil {
		return compute.Plan{}, err
	}
	n, features, _ := p.Dims()
	var stages []compute.Cost
	if p.Points.Kind() == task.OnVectors {
		stages = append(stages, compute.BindCost(n, features, machine))
	}
	bytes := need(n)
	stages = append(stages, compute.Cost{Stage: "gram", Memory: bytes, Keeps: bytes,
		Seconds: float64(n) * float64(n+1) / 2 / machine.PairRate})
	search, note := searchStage(ctx, p, method, 2)
	search.Memory = 64 * int64(n)
	return sampledPlan(ctx, p, compute.NewPlan(method.Name(), machine, append(stages, search)...), note)
}

// planRows predicts a method on vectors whose work grows with a power of their number: from
// that on an even subsample, with the bytes that it holds beside the rows.
func planRows(ctx context.Context, p *task.Task, method Learner, power float64, bytes int64) (compute.Plan, error) {
	machine, err := p.Machine(ctx, method.ComputeOptions())
	if err != nil {
		return compute.Plan{}, err
	}
	search, note := searchStage(ctx, p, method, power)
	search.Memory = bytes
	return sampledPlan(ctx, p, compute.NewPlan(method.Name(), machine, search), note)
}

// searchStage is the stage of which the time on an even subsample grows by a power of the rows,
// and a note on how sure that is.
func searchStage(ctx context.Context, p *task.Task, method Learner, power float64) (c compute.Cost, note string) {
	n, _, _ := p.Dims()
	seconds, ok := timeSample(ctx, p, method)
	if !ok {
		return compute.Cost{Stage: "search"}, "the search is not timed: the method cannot be tried on a subsample"
	}
	by := map[float64]string{1: "the rows", 2: "the square of the rows"}[power]
	return compute.Cost{Stage: "search", Seconds: seconds * math.Pow(float64(n)/float64(min(n, sampleRows)), power)},
		fmt.Sprintf("the time of the search is that on a subsample of %d rows, grown by %s; hard problems take longer", sampleRows, by)
}

// sampledPlan adds the note to a plan where the subsample was less than the rows.
func sampledPlan(ctx context.Context, p *task.Task, plan compute.Plan, note string) (compute.Plan, error) {
	if n, _, _ := p.Dims(); n > sampleRows {
		plan.Notes = append(plan.Notes, note)
	}
	return plan, ctx.Err()
}

// timeSample returns the seconds of a fit to an even subsample of the rows, beside those of
// its Gram matrix.
func timeSample(ctx context.Context, p *task.Task, method Learner) (seconds float64, ok bool) {
	watch := compute.StartStopwatch()
	l, err := method.Fit(ctx, p.EvenSample(sampleRows))
	own := watch.Own()
	if err != nil {
		return 0, false
	}
	for _, s := range l.Report.Ran().Stages {
		if s.Name != "gram" {
			seconds += own * s.Seconds
		}
	}
	return seconds, ctx.Err() == nil && !math.IsNaN(seconds)
}

// function is the solution as a search sees it.
func (s *solution) function() *tune.Function {
	return &tune.Function{Coef: s.coef, Bias: s.bias, Tag: s.decision.HeldOut(), Link: s.link}
}

// spaced is a method that seeks its function in a space.
type spaced interface {
	indexed
	// space says which one, and how its systems are solved.
	space() space.Options
	solveIn(ctx context.Context, s space.Space, p *task.Task) (*solution, error)
}

// whyNotExplicit returns why a method with this solver does not learn in explicit features here.
func whyNotExplicit(p *task.Task, s space.Solver) string {
	if _, primal := p.Points.ChoosePrimal(s); !primal {
		return gramOfRows
	}
	return ""
}

// exactSolver is what a solver is in the span of the rows.
func exactSolver(p *task.Task, s space.Solver) space.Solver {
	if s == space.Auto || s == "" {
		return space.Direct(p.Pairs())
	}
	return s
}

// fitInSpace runs a method in the space of the points, or on their treated Gram matrix.
func fitInSpace(ctx context.Context, p *task.Task, m spaced) (*Fitted, error) {
	if p.Indefinite != "" {
		return fitOnGram(ctx, p, m)
	}
	in, err := p.Points.Space(ctx, m.space())
	if err != nil {
		return nil, err
	}
	s, err := m.solveIn(ctx, in.Space, p)
	if err != nil {
		return nil, err
	}
	return inSpace(p, in, s), nil
}

// solveOnGram solves in the span of the rows of a Gram matrix.
func solveOnGram(ctx context.Context, k gram.Operator, p *task.Task, m spaced) (*solution, error) {
	s, err := space.DualOf(ctx, k, m.space())
	if err != nil {
		return nil, err
	}
	return m.solveIn(ctx, s, p)
}

// inSpace makes a solution a function: over the rows whose coefficients are not zero, or of
// features.
func inSpace(p *task.Task, in *task.Space, s *solution) *Fitted {
	l := &Fitted{Decision: s.decision, Report: s.report}
	if _, ok := in.Space.(space.Spanned); ok {
		l.Function, l.Rows = p.Points.Expand(s.coef, s.bias)
	} else {
		l.Function = in.Function(s.coef, s.bias)
	}
	return l
}
