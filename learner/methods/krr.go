package methods

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"slices"
	"strings"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel/record"
	"example.org/mercer/learner"
	"example.org/mercer/learner/settings"
	"example.org/mercer/linalg"
	"example.org/mercer/loss"
	"example.org/mercer/outcome"
	"example.org/mercer/space"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
	"example.org/mercer/tune"
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

// Name returns "krr".
func (KRR) Name() string { return "krr" }

// ComputeOptions are those of the fit.
func (o KRR) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o KRR) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

// sums reports whether a fit on landmarks sums moments of kernel values over the rows: for
// leave-one-out residuals, and without a penalty, it maps every row to its features.
func (o KRR) sums() bool { return !o.LOO && (o.Lambda > 0 || o.Ridge > 0 || o.LambdaBy != "") }

// FunctionOnly keeps nothing by which rows come and go.
func (o KRR) FunctionOnly() learner.Learner {
	o.Updatable = false
	return o
}

// LeavesOut reports whether the fit has the values of rows that are left out.
func (o KRR) LeavesOut() bool { return o.LOO }

// TakesSteps reports whether there are passes.
func (o KRR) TakesSteps(p *task.Task) bool { return o.Solver == krr.CG || o.Explicit(p) }

// SumsOnLandmarks reports whether a fit with a planned solver sums moments on landmarks.
func (o KRR) SumsOnLandmarks(solver string) bool { return solver == string(krr.Primal) && o.sums() }

// OnLandmarks is FALKON with the squared loss.
func (KRR) OnLandmarks(_ *task.Task, o nystrom.Options, how compute.Options) (learner.Learner, error) {
	return Falkon{Options: falkon.Options{Loss: loss.Squared{}, Compute: how}, Landmarks: o}, nil
}

// on puts the row weights of a problem in the options.
func (o KRR) on(p *task.Task) krr.Options {
	o.Weights = p.Rows.W
	return o.Options
}

// Fit leaves the choice between the Gram matrix and an explicit feature map to package
// krr, unless an indefinite matrix is to be treated. The leave-one-out residuals would
// then be those of the treated matrix, which the model does not keep.
func (o KRR) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	if p.Indefinite != "" {
		l, err := learner.FitOnGram(ctx, p, o)
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
func (o KRR) fitted(p *task.Task, f task.Function, report *krr.Report) *learner.Fitted {
	l := &learner.Fitted{Function: f, Decision: outcome.ForTargets(p.Prep), Report: report, NoIntercept: o.NoIntercept}
	kept := &ridgeRows{}
	if report.Point != nil {
		kept.loo = report.Point.LOOResiduals
	}
	if f.Form() == task.FormDual {
		kept.Targets = p.Rows.Y
	}
	l.States = []learner.State{kept}
	return l
}

// factored is a fit whose factor is kept.
func (o KRR) factored(ctx context.Context, p *task.Task, y *mat.Dense) (*learner.Fitted, error) {
	if err := o.updatable(); err != nil {
		return nil, err
	}
	k := gram.Of(p.Pairs(), o.Compute)
	f, err := krr.NewUpdatable(ctx, k, y, o.on(p))
	if err != nil {
		return nil, err
	}
	return o.solved(ctx, p, k, f)
}

// solved is the fit to the rows that a factor has.
func (o KRR) solved(ctx context.Context, p *task.Task, k gram.Operator, f *krr.Updatable) (*learner.Fitted, error) {
	s, report, err := f.Solve(ctx, k, o.LOO, o.Compute)
	if err != nil {
		return nil, err
	}
	l := o.fitted(p, p.Points.ExpandAll(s.Coef, s.Bias), report)
	kept, _ := learner.StateOf[*ridgeRows](l)
	kept.Factor = f.L
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
func (o KRR) summed(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	if o.Solver != "" && o.Solver != krr.Auto && o.Solver != krr.Primal {
		return nil, fmt.Errorf("learner: rows of landmarks and features come and go by sums, which are solved in the features (solver %q), and not by solver %q", krr.Primal, o.Solver)
	}
	l, err := learner.FitBySums(ctx, p, o, p.Points)
	if err == nil {
		l.NoIntercept = o.NoIntercept
	}
	return l, err
}

func (o KRR) Solve(ctx context.Context, k gram.Operator, p *task.Task) (*learner.Solution, error) {
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
	return &learner.Solution{Coef: s.Coef, Bias: s.Bias, Decision: outcome.ForTargets(p.Prep), Report: r}, nil
}

// Plan times a few tiles of this very kernel on these very rows.
func (o KRR) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	machine, err := p.Machine(ctx, o.Compute)
	if err != nil {
		return compute.Plan{}, err
	}
	n, _, outputs := p.Dims()
	some := p // what is bound alone tells how
	if p.Streamed() {
		some = p.EvenSample(task.TimedRows)
	}
	work := krr.Work{Direct: space.Direct(some.Pairs()), Rows: n, Columns: p.Shape().Columns, Targets: outputs, LOO: o.LOO, Solver: o.Solver, Precision: o.Compute.Precision}
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
		return p.PlanStreaming(o.chosen(learner.PlanSums(n, cmp.Or(work.Features, 1), outputs, machine), work, machine)), nil
	case o.Updatable:
		return keptFactor(o.chosen(krr.Plan(work, machine, o.Compute.MaxMemory), work, machine), n), nil
	}
	return p.PlanStreaming(o.chosen(krr.Plan(work, machine, o.Compute.MaxMemory), work, machine)), nil
}

// WhyNotStreamed refuses what has a Gram matrix.
func (o KRR) WhyNotStreamed(p *task.Task) string { return learner.WhyNotExplicit(p, o.Solver) }

// chosen adds to a plan the path on which λ is chosen.
func (o KRR) chosen(plan compute.Plan, w krr.Work, m compute.Machine) compute.Plan {
	if o.LambdaBy == "" {
		return plan
	}
	return plan.Before(krr.PathCosts(w, chosenLambdas, m, o.Compute.MaxMemory)...)
}

// chosenLambdas is about how many λ are tried where one is chosen.
const chosenLambdas = 40

// keptFactor adds to a plan the copy of the factor that goes to the model file.
func keptFactor(plan compute.Plan, n int) compute.Plan {
	half := 4 * int64(n) * int64(n+1)
	plan = plan.After(compute.Cost{Stage: "keep the factor", Memory: half, Keeps: half})
	plan.Notes = append(plan.Notes, fmt.Sprintf("the model file holds the factor, %s", compute.FormatBytes(half)))
	return plan
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

// FactorBytes is what a checkpoint takes that keeps the factor, for the solver of a plan.
func (o KRR) FactorBytes(p *task.Task, solver string) int64 {
	n, _, _ := p.Dims()
	path := int64(0)
	if o.LambdaBy != "" && !o.Explicit(p) {
		path = linalg.EigenBytes(n)
	}
	switch krr.Solver(solver) {
	case krr.Packed, krr.Cholesky:
		return path + o.Compute.Precision.Bytes()*int64(n)*int64(n+1)/2
	case krr.Eigen:
		return path + linalg.EigenBytes(n)
	}
	return path
}

// readKRR makes sure that what is printed for every output is there.
func readKRR(text json.RawMessage, outputs int) (learner.Report, error) {
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

var krrSpec = &learner.Spec{
	Name: "krr", Synonyms: []string{"ridge", "kernel-ridge", "regression"}, Default: learner.NumericTarget,
	Title: "kernel ridge regression",
	Purpose: `Kernel ridge regression minimises (1/N) Σ wᵢ (yᵢ − f(xᵢ) − b)² + λ‖f‖², exactly. Targets are numbers, or labels coded by
±1 (then the largest output wins); there may be several.`,
	Examples: []string{
		`train.csv --target price --kernel 'rbf(sigma=median)' --lambda 1e-3`,
		`heart_scale --kernel 'poly(degree=2, offset=1)' --ridge 1 --loo`,
		`train.csv --target last --kernel 'rbf(sigma=1)[age,bmi] + linear'`,
	},
	Path:          true,
	Probabilities: true,
	Conformal:     true,
	Settings:      func() learner.Settings { return &krrSettings{} },
	ReadReport:    readKRR,
	ReadStates:    readRidgeStates,
	Words: map[string][]string{
		"precision": settings.Precisions,
		"lambda-by": ridgeCriteria,
		"solver":    ridgeSolvers,
	},
	Exact: func(r learner.Report) (string, float64) {
		if r := r.(*krr.Report); r.LambdaBy != "" {
			return "", r.Lambda
		}
		return "", 0
	},
}

// krrSettings are the settings of kernel ridge regression.
type krrSettings struct {
	m         KRR
	precision string
}

// The words of some settings.
var (
	ridgeCriteria = settings.Words(krr.Criteria...)
	ridgeSolvers  = settings.Words(krr.Auto, krr.Cholesky, krr.Packed, krr.CG, krr.Eigen, krr.Primal)
)

// updatableUsage is that of --updatable, and sumsUsage what stands behind it where explicit
// features are learned in.
const (
	updatableUsage = "keep the Cholesky factor in the model, 4n² bytes, so that update and forget take n² flops for a row instead of a new fit"
	sumsUsage      = "; in explicit features (landmarks, random ones, a kernel of few) sums over the rows, 8D² bytes, so that they need no other row"
)

func (s *krrSettings) Flags(fs learner.Flags) {
	fs.Float64Var(&s.m.Lambda, "lambda", 0, "λ in (1/N)Σ w(y−f)² + λ‖f‖²; default 1e-3, and by --lambda-by on landmarks and features")
	fs.Float64Var(&s.m.Ridge, "ridge", 0, "Nλ, what is added to the diagonal, instead of --lambda")
	fs.StringVar((*string)(&s.m.LambdaBy), "lambda-by", "", "choose λ by a criterion along its path, one decomposition: "+strings.Join(ridgeCriteria, ", ")+"; default on landmarks, features and learned networks, where none is given: loo")
	fs.BoolVar(&s.m.NoIntercept, "no-intercept", false, "no free constant")
	fs.StringVar((*string)(&s.m.Solver), "solver", string(krr.Auto), strings.Join(ridgeSolvers, ", "))
	fs.Float64Var(&s.m.Tolerance, "tolerance", 0, "relative residual at which the solver cg stops; default 1e-10")
	fs.BoolVar(&s.m.LOO, "loo", false, fmt.Sprintf("exact leave-one-out errors, needed for intervals and explanations; about doubles the time of a large fit; default: yes up to %d rows", cheapLOO))
	fs.StringVar(&s.precision, "precision", compute.Double.String(), "double, or single: factors and products in single precision with half the memory, refined to a residual in double precision (1e-12, with --solver cg the tolerance)")
	fs.BoolVar(&s.m.Updatable, "updatable", false, updatableUsage+sumsUsage)
}

// defaultRidgeLambda is used when neither --lambda nor --ridge is given; it is said so.
const defaultRidgeLambda = 1e-3

// cheapLOO is the number of rows up to which leave-one-out errors cost next to nothing
// and are computed without being asked for.
const cheapLOO = 4000

func (s *krrSettings) Learner(t *task.Task, g *learner.Given) (learner.Learner, error) {
	m, err := s.m, error(nil)
	if err := s.check(g); err != nil {
		return nil, err
	}
	if m.Compute, err = settings.InPrecision(g.Compute, s.precision); err != nil {
		return nil, err
	}
	settings.NoteCoded(g, m.Name(), t.Prep.Targets())
	given := g.Has("lambda") || g.Has("ridge")
	switch by := m.LambdaBy; {
	case by != "" && given:
		return nil, settings.Errorf("--lambda-by chooses λ, and it is given: leave one of them out")
	case by != "" && by.Check() != nil:
		return nil, settings.Errorf("--lambda-by %q is not known; there are %s", by, strings.Join(ridgeCriteria, ", "))
	case by == "" && !given && (t.LandmarkMap != nil || t.FeatureMap != nil || t.LacksNetwork()) && !g.Has(settings.AutoFlag): // which compares ways to one λ
		m.LambdaBy = krr.LOO
		g.Note("λ is chosen by exact leave-one-out errors along its path (default on landmarks, features and learned networks; give --lambda or --ridge)")
	case by == "" && !given:
		m.Lambda = defaultRidgeLambda
		settings.NoteLambda(g, m.Lambda)
	}
	sums := m.Updatable && m.Explicit(t)
	if !g.Has("loo") && !sums && m.Solver != krr.CG {
		n, _, _ := t.Dims()
		m.LOO = looIsCheap(n, m.Compute)
	}
	return m, nil
}

// check refuses settings that cannot be meant.
func (s *krrSettings) check(g *learner.Given) error {
	switch {
	case g.Has("lambda") && g.Has("ridge"):
		return settings.ErrTwoPenalties
	case !(s.m.Lambda >= 0) || !(s.m.Ridge >= 0):
		return settings.Errorf("--lambda is %g and --ridge %g: a penalty is at least 0", s.m.Lambda, s.m.Ridge)
	case !slices.Contains(ridgeSolvers, string(s.m.Solver)):
		return settings.Errorf("--solver %q is not known; there are %s", s.m.Solver, strings.Join(ridgeSolvers, ", "))
	}
	return nil
}

// Along returns the method for a search along its path.
func (*krrSettings) Along(noIntercept bool, o compute.Options) learner.Learner {
	return KRR{Options: krr.Options{NoIntercept: noIntercept, Compute: o}}
}

// Concluded has leave-one-out errors where they cost little.
func (o KRR) Concluded(rows int, how compute.Options) learner.Learner {
	o.LOO, o.Compute = looIsCheap(rows, how), how
	return o
}

// looIsCheap reports whether leave-one-out errors of so many rows cost next to nothing.
func looIsCheap(rows int, o compute.Options) bool {
	return rows > 2 && rows <= cheapLOO && o.Precision == compute.Double
}

// Axes are none: λ is followed along its path.
func (KRR) Axes(*task.Task) []tune.Axis { return nil }

func (o KRR) With(values []float64) learner.Tunable {
	o.Lambda, o.Ridge, o.LambdaBy = values[0], 0, ""
	return o
}

func (o KRR) PathOptions() krr.PathOptions { return krr.PathOptions{NoIntercept: o.NoIntercept} }
