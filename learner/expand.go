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
type Solver interface {
	Learner
	Solve(ctx context.Context, k gram.Operator, p *task.Task) (*Solution, error)
}

// solution is f(x) = bias + Σ coefᵢ k(x, xᵢ) over the rows of a problem.
type Solution struct {
	Coef     *mat.Dense
	Bias     []float64
	Decision outcome.Decision
	Report   Report
	// link makes outputs of the values for rows that were left out, see
	// [outcome.Decision.heldOut]; nil: they are the outputs.
	Link func(ctx context.Context, values, cross *mat.Dense, prior []float64) (*mat.Dense, error)
}

// FitOnGram runs a method on the Gram matrix of the problem, treated as the problem says
// where it is indefinite, and makes its solution a function.
func FitOnGram(ctx context.Context, p *task.Task, m Solver) (*Fitted, error) {
	k, treated, err := p.Operator(ctx, m.ComputeOptions())
	if err != nil {
		return nil, err
	}
	s, err := m.Solve(ctx, k, p)
	if err != nil {
		return nil, err
	}
	if treated != nil {
		s.Coef = treated.Coef(s.Coef)
		warnTreated(s.Report, treated)
	}
	l := &Fitted{Report: s.Report, Decision: s.Decision}
	l.Function, l.Rows = p.Points.Expand(s.Coef, s.Bias)
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

// PlanBySample predicts the time of a method whose work depends on the data from that on an even
// subsample, grown by the square of the number of rows. The memory is what the method says it
// needs.
func PlanBySample(ctx context.Context, p *task.Task, method Learner, need func(n int) int64) (compute.Plan, error) {
	machine, err := p.Machine(ctx, method.ComputeOptions())
	if err != nil {
		return compute.Plan{}, err
	}
	n, _, _ := p.Dims()
	stages := p.BindCosts(machine)
	bytes := need(n)
	stages = append(stages, compute.Cost{Stage: "gram", Memory: bytes, Keeps: bytes,
		Seconds: float64(n) * float64(n+1) / 2 / machine.PairRate})
	search, _, note := searchStage(ctx, p, method, 2)
	search.Memory = 64 * int64(n)
	return sampledPlan(ctx, p, compute.NewPlan(method.Name(), machine, append(stages, search)...), note)
}

// PlanRows predicts a method on vectors whose work grows with a power of their number: from
// that on even subsamples, with the bytes that it holds beside the rows. Rows that stay in their
// file are read as often as the report of the method says: that is the number of passes.
func PlanRows(ctx context.Context, p *task.Task, method Learner, power float64, bytes int64) (compute.Plan, error) {
	machine, err := p.Machine(ctx, method.ComputeOptions())
	if err != nil {
		return compute.Plan{}, err
	}
	search, passes, note := searchStage(ctx, p, method, power)
	search.Memory = bytes
	plan := compute.NewPlan(method.Name(), machine, search)
	if !p.Approximated() { // there the method says how often it makes the features
		plan.Passes = passes
	}
	return sampledPlan(ctx, p, plan, note)
}

// growthRows is the number of rows of a second sample, which shows how a search grows whose
// iterations are linear in the rows and more for more rows. It is worth its time from four times
// as many rows on. The power is taken to be mostGrowth at most.
const growthRows, mostGrowth = 4 * sampleRows, 1.7

// repeating is a report of a method that goes over the rows many times.
type repeating interface {
	Passes() int
	// Grows says that more rows also take more passes.
	Grows() bool
}

// searchStage is the stage of which the time on an even subsample grows by a power of the rows,
// how often it reads rows that stay in their file, and a note on how sure that is.
func searchStage(ctx context.Context, p *task.Task, method Learner, power float64) (c compute.Cost, passes int, note string) {
	n, _, _ := p.Dims()
	seconds, r, ok := timeSample(ctx, p, method, sampleRows)
	if !ok {
		return compute.Cost{Stage: "search"}, 0, "the search is not timed: the method cannot be tried on a subsample"
	}
	rows, grown := sampleRows, power
	by := map[float64]string{1: "the rows", 2: "the square of the rows"}[power]
	counted, repeats := r.(repeating)
	if repeats && counted.Grows() && power == 1 && n >= 4*growthRows {
		if more, larger, ok := timeSample(ctx, p, method, growthRows); ok && seconds > 0 {
			grown = min(mostGrowth, max(1, math.Log(more/seconds)/math.Log(float64(growthRows)/sampleRows)))
			counted, repeats = larger.(repeating)
			rows, seconds, by = growthRows, more, fmt.Sprintf("the power %.1f of the rows", grown)
		}
	}
	ratio := float64(n) / float64(min(n, rows))
	c = compute.Cost{Stage: "search", Shared: true, Seconds: seconds * math.Pow(ratio, grown)}
	if repeats && p.Streamed() {
		passes = int(math.Round(float64(counted.Passes()) * math.Pow(ratio, grown-power)))
	}
	return c, passes, fmt.Sprintf("the time of the search is that on a subsample of %d rows, grown by %s; hard problems take longer", rows, by)
}

// sampledPlan adds the note to a plan where the subsample was less than the rows.
func sampledPlan(ctx context.Context, p *task.Task, plan compute.Plan, note string) (compute.Plan, error) {
	if n, _, _ := p.Dims(); n > sampleRows {
		plan = plan.AsRough(note)
	}
	return plan, ctx.Err()
}

// timeSample returns the seconds of a fit to an even subsample of the rows, beside those of
// its Gram matrix, and its report.
func timeSample(ctx context.Context, p *task.Task, method Learner, rows int) (seconds float64, r Report, ok bool) {
	watch := compute.StartStopwatch()
	l, err := method.Fit(ctx, p.EvenSample(rows))
	own := watch.Own()
	if err != nil {
		return 0, nil, false
	}
	for _, s := range l.Report.Ran().Stages {
		if s.Name != "gram" {
			seconds += own * s.Seconds
		}
	}
	return seconds, l.Report, ctx.Err() == nil && !math.IsNaN(seconds)
}

// function is the solution as a search sees it.
func (s *Solution) function() *tune.Function {
	return &tune.Function{Coef: s.Coef, Bias: s.Bias, Tag: s.Decision.HeldOut(), Link: s.Link}
}

// spaced is a method that seeks its function in a space.
type spaceSolver interface {
	Solver
	// Space says which one, and how its systems are solved.
	Space() space.Options
	SolveIn(ctx context.Context, s space.Space, p *task.Task) (*Solution, error)
}

// WhyNotExplicit returns why a method with this solver does not learn in explicit features here.
func WhyNotExplicit(p *task.Task, s space.Solver) string {
	if _, primal := p.Points.ChoosePrimal(s); !primal {
		return needsFeatures
	}
	return ""
}

// DualSolver is what a solver is in the span of the rows.
func DualSolver(p *task.Task, s space.Solver) space.Solver {
	if s == space.Auto || s == "" {
		return space.Direct(p.Pairs())
	}
	return s
}

// checksTask is a method that knows before there is a space why it cannot learn from a task.
type checksTask interface{ CheckTask(p *task.Task) error }

// checkTask asks it.
func checkTask(m Learner, p *task.Task) error {
	if c, ok := m.(checksTask); ok {
		return c.CheckTask(p)
	}
	return nil
}

// FitInSpace runs a method in the space of the points, or on their treated Gram matrix. The
// function is one over the rows whose coefficients are not zero, or of features.
func FitInSpace(ctx context.Context, p *task.Task, m spaceSolver) (*Fitted, error) {
	if p.Indefinite != "" {
		return FitOnGram(ctx, p, m)
	}
	if err := checkTask(m, p); err != nil {
		return nil, err
	}
	in, err := p.Points.Space(ctx, m.Space())
	if err != nil {
		return nil, err
	}
	s, err := m.SolveIn(ctx, in.Space, p)
	if err != nil {
		return nil, err
	}
	l := &Fitted{Decision: s.Decision, Report: s.Report}
	if _, ok := in.Space.(space.Spanned); ok {
		l.Function, l.Rows = p.Points.Expand(s.Coef, s.Bias)
	} else {
		l.Function = in.Function(s.Coef, s.Bias)
	}
	return l, nil
}

// SolveOnGram solves in the span of the rows of a Gram matrix.
func SolveOnGram(ctx context.Context, k gram.Operator, p *task.Task, m spaceSolver) (*Solution, error) {
	if err := checkTask(m, p); err != nil {
		return nil, err
	}
	s, err := space.DualOf(ctx, k, m.Space())
	if err != nil {
		return nil, err
	}
	return m.SolveIn(ctx, s, p)
}
