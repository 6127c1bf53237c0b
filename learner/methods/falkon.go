package methods

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/moments"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel/record"
	"example.org/mercer/learner"
	"example.org/mercer/learner/distance"
	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// Falkon fits functions on a few landmarks to many rows. Its options take the row weights
// from the problem, and those of the landmarks the computing options of the method.
type Falkon struct {
	falkon.Options
	// Landmarks say how they are chosen. Without a rank or a tolerance there are
	// [defaultLandmarks]; schemes that hold columns of the Gram matrix choose among four times
	// as many rows, unless Among says otherwise.
	Landmarks nystrom.Options
	// Holdout is the share of the rows that are not learned from and end the iteration
	// where they are predicted no better; 0: none.
	Holdout float64
	// Updatable keeps sums over the rows in the model, 8m² bytes, so that rows come and go without
	// the others; the squared loss is then minimised from them, see [falkon.SolveMoments].
	Updatable bool
	// OneVsRest fits one function for each of more than two labels against the others also
	// for the logistic loss, which otherwise is that of all labels together.
	OneVsRest bool
	// Descent, where it has steps, moves the landmarks that were chosen, and a map before the
	// kernel on vectors; see [falkon.OptimizeLandmarks]. A search and a path do not move them: they
	// choose kernel and λ for landmarks as they were chosen.
	Descent falkon.LandmarkOptions
}

// Name returns "falkon".
func (Falkon) Name() string { return "falkon" }

// LearnsNetwork reports whether the descent moves the network of a kernel.
func (o Falkon) LearnsNetwork() bool { return o.Descent.Steps > 0 }

// ComputeOptions are those of what is done with a fitted function, such as predictions, which are
// made in double precision: [Falkon.Compute] has that of the passes of the fit.
func (o Falkon) ComputeOptions() compute.Options {
	o.Compute.Precision = compute.Double
	return o.Compute
}

// WithCompute computes by other options.
func (o Falkon) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

// on puts the row weights of a problem in the options, and draws the rows that are left
// out of n.
func (o Falkon) on(p *task.Task, n int) Falkon {
	o.Weights, o.Landmarks.Weights, o.Landmarks.Compute = p.Rows.W, p.Rows.W, o.Compute
	o.Landmarks, o.Joint = o.chooses(n), o.joint(p)
	if count := int(math.Round(o.Holdout * float64(n))); count > 0 {
		_, o.Stop.Validation = o.LeftOut(n, min(count, n))
	}
	return o
}

// LeftOut divides n rows at random, as the seed of the landmarks says, in those that are
// learned from and count others.
func (o Falkon) LeftOut(n, count int) (train, left []int) {
	order := rand.New(rand.NewPCG(o.Landmarks.Seed, 0x66616c6b6f6e)).Perm(n)
	left, train = order[:count], order[count:]
	slices.Sort(left)
	slices.Sort(train)
	return train, left
}

// chooses returns how landmarks are chosen from n rows.
func (o Falkon) chooses(n int) nystrom.Options {
	at := o.Landmarks
	if at.Rank == 0 && at.Tolerance == 0 {
		at.Rank = defaultLandmarks(n)
	}
	at.Rank = min(at.Rank, n)
	return task.LimitCandidates(at, n)
}

// defaultLandmarks is the number of landmarks for n rows where none is given: ten times the
// root of n, at most all. Of the order of √n suffices for the error of all rows where the
// target lies in the space of the kernel (Rudi, Camoriano and Rosasco, Less is more, 2015).
func defaultLandmarks(n int) int { return min(n, 10*int(math.Ceil(math.Sqrt(float64(n))))) }

func (o Falkon) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	if o.Descent.Steps > 0 && (p.Indefinite != "" || o.Updatable) {
		return nil, errors.New("learner: landmarks that move (descent) go neither with sums over the rows (updatable) nor with the treatment of an indefinite matrix: leave one of them out")
	}
	if p.Indefinite != "" {
		return learner.FitOnGram(ctx, p, o)
	}
	y, err := o.targets(p)
	if err != nil {
		return nil, err
	}
	if o.Updatable {
		return o.summed(ctx, p)
	}
	o.Compute.MaxMemory = p.LimitBeside(o.Compute.MaxMemory)
	l, err := fitFalkon(ctx, p.Points, y, o.on(p, p.Points.Size()))
	if err != nil {
		return nil, err
	}
	l.Decision = o.Decision(p)
	return l, nil
}

// targets returns the targets that suit the loss.
func (o Falkon) targets(p *task.Task) (*mat.Dense, error) {
	y, err := p.Targets()
	if err != nil {
		return nil, err
	}
	if o.margin() {
		for _, t := range p.Prep.Targets() {
			if t.Labels == nil {
				return nil, fmt.Errorf("learner: target %s holds numbers, and the loss %s tells labels apart: read it as labels (--type %s=categorical), or take another loss", t.Name, o.Loss, t.Name)
			}
		}
	}
	return y, nil
}

// margin reports whether the loss is one of labels.
func (o Falkon) margin() bool {
	switch o.Loss.(type) {
	case loss.Logistic, loss.SquaredHinge:
		return true
	}
	return false
}

// joint reports whether the loss is that of all labels of the target together.
func (o Falkon) joint(p *task.Task) bool {
	targets := p.Prep.Targets()
	_, logistic := o.Loss.(loss.Logistic)
	return logistic && !o.OneVsRest && len(targets) == 1 && len(targets[0].Labels) > 2
}

// Decision is by the codes of the targets, one against the rest for more than two labels;
// the logistic loss makes probabilities of two, and of more that it was fitted to together.
func (o Falkon) Decision(p *task.Task) outcome.Decision {
	if o.joint(p) {
		return KLR{}.decision(p.Prep.Targets()[0])
	}
	d := outcome.ForTargets(p.Prep)
	targets := p.Prep.Targets()
	if _, logistic := o.Loss.(loss.Logistic); logistic && len(targets) == 1 && len(targets[0].Labels) == 2 {
		d.Rule, d.Classes, d.Link = outcome.Largest, 2, outcome.Softmax
	}
	return d
}

// Solve chooses landmarks among the rows of a Gram matrix.
func (o Falkon) Solve(ctx context.Context, k gram.Operator, p *task.Task) (*learner.Solution, error) {
	y, err := o.targets(p)
	if err != nil {
		return nil, err
	}
	symmetric, ok := k.(gram.Symmetric)
	if !ok {
		return nil, fmt.Errorf("learner: method %q reads single elements of the Gram matrix, and this one is known by its products alone", o.Name())
	}
	n, outputs := y.Dims()
	o = o.on(p, n)
	if o.Landmarks.Scheme == nystrom.KMeans {
		o.Landmarks.Scheme = nystrom.Pivoted // a matrix has no means
	}
	rows, _, err := nystrom.Select(ctx, gram.RowsOf(symmetric.Pairs()), o.Landmarks)
	if err != nil {
		return nil, err
	}
	s, r, err := falkon.Solve(ctx, gram.LandmarksOf(symmetric.Pairs(), rows, o.Compute), y, o.Options)
	if err != nil {
		return nil, err
	}
	coef := mat.NewDense(n, outputs, nil)
	for from, to := range rows {
		coef.SetRow(to, s.Coef.RawRowView(from))
	}
	r.Scheme = o.Landmarks.Scheme
	return &learner.Solution{Coef: coef, Bias: s.Bias, Decision: o.Decision(p), Report: r}, nil
}

func falkonOn[T any](ctx context.Context, l task.TypedPoints[T], y *mat.Dense, o Falkon) (*learner.Fitted, error) {
	at, chosen, err := nystrom.Landmarks(ctx, l.Kernel, l.Set, o.Landmarks)
	if err != nil {
		return nil, err
	}
	watch, moving := model.NewStopwatch(), model.Run{}
	k, at, moved, err := distance.Descended(ctx, l.Kernel, l.Set, at, y, o.Options, o.Descent)
	if err != nil {
		return nil, err
	}
	watch.Lap(&moving, "descent")
	f, report, err := falkon.Fit(ctx, k, l.Set, at, y, o.Options)
	if err != nil {
		return nil, err
	}
	if report.Scheme, report.Optimized = chosen.Scheme, moved; moved != nil {
		report.Before(moving)
	}
	report.Stages, report.Seconds = slices.Concat(chosen.Stages, report.Stages), chosen.Seconds+report.Seconds
	report.Warnings = slices.Concat(chosen.Warnings, report.Warnings)
	out := &learner.Fitted{Function: task.NewFunction[T](l.Encoding, k, f), Report: report, Rows: at.Rows}
	switch {
	case at.Rows == nil:
		out.Names = landmarkNames(f.Points.Len())
	case report.Used != nil:
		out.Rows = data.Pick(at.Rows, report.Used)
	}
	return out, nil
}

// fitFalkon is [falkonOn] for points of any type.
func fitFalkon(ctx context.Context, rows task.Points, y *mat.Dense, o Falkon) (found *learner.Fitted, err error) {
	rows.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { found, err = falkonOn(ctx, l, y, o) },
		IDs:     func(l task.TypedPoints[string]) { found, err = falkonOn(ctx, l, y, o) },
		Records: func(l task.TypedPoints[record.Record]) { found, err = falkonOn(ctx, l, y, o) },
	})
	return found, err
}

// summed is a fit that keeps the sums over its rows in the features on its landmarks.
func (o Falkon) summed(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	if o.Holdout > 0 {
		return nil, errors.New("learner: rows that are left out (holdout) end an iteration, and sums are solved at once: leave one of the two out")
	}
	o.Compute.Precision = compute.Double
	points, a, rows, err := p.Points.LowRank(ctx, o.on(p, p.Points.Size()).Landmarks, false)
	if err != nil {
		return nil, err
	}
	watch, measured := model.NewStopwatch(), model.Run{}
	left, err := learner.Unexplained(ctx, points, rows, o.Compute)
	if err != nil {
		return nil, err
	}
	watch.Lap(&measured, "not explained")
	l, err := learner.FitBySums(ctx, p, o, points)
	if err != nil {
		return nil, err
	}
	r := l.Report.(*falkon.Report)
	if r.Scheme, r.Repeated, r.ResidualKernel = a.Scheme, a.Dropped, left; a.Dropped > 0 {
		r.Warn("%d of %d landmarks add nothing to the others for this kernel; %d are used", a.Dropped, a.Dropped+a.Landmarks, a.Landmarks)
	}
	r.Before(measured)
	r.Before(a.Run)
	l.NoIntercept, l.Decision, l.Rows = o.NoIntercept, o.Decision(p), rows
	if rows == nil {
		l.Names = landmarkNames(a.Landmarks)
	}
	return l, nil
}

// landmarkNames are those of landmarks that are no rows.
func landmarkNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = "landmark " + strconv.Itoa(i+1)
	}
	return names
}

func (o Falkon) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	n, columns, _ := p.Dims()
	few := p.EvenSample(task.TimedRows)
	machine, err := few.Machine(ctx, o.Compute)
	if err != nil {
		return compute.Plan{}, err
	}
	y, err := o.targets(few) // more than two labels are a column each
	if err != nil {
		return compute.Plan{}, err
	}
	_, outputs := y.Dims()
	if p.Points.Kind() != task.OnVectors {
		columns = 0
	}
	_, squared := cmp.Or[loss.Loss](o.Loss, loss.Squared{}).(loss.Squared)
	at := o.chooses(n)
	w := falkon.Work{Rows: n, Columns: columns, Landmarks: cmp.Or(at.Rank, n), Targets: outputs, Quadratic: squared, Passes: o.Stop.Passes, Precision: o.Compute.Precision, Optimize: o.Descent}
	if at.HoldsColumns() {
		w.Candidates = cmp.Or(at.Among, n)
	}
	if o.Updatable {
		return p.PlanStreaming(onLandmarks(w, at, machine)), nil
	}
	return p.PlanStreaming(falkon.Plan(w, machine, p.MayHold(p.LimitBeside(o.Compute.MaxMemory)))), nil
}

// onLandmarks predicts the choice of landmarks, features on them and the sums of these.
func onLandmarks(w falkon.Work, at nystrom.Options, m compute.Machine) compute.Plan {
	n, size := float64(w.Rows), float64(w.Landmarks)
	choose := nystrom.SelectCost(w.Rows, at, m)
	features := compute.Cost{Stage: "features", Flops: n * size * size}
	factor := gram.DenseGramCost(w.Landmarks, m)
	if m.GemmRate > 0 && m.PairRate > 0 {
		features.Seconds = n*size/m.PairRate + features.Flops/m.GemmRate
	}
	return task.WithStages(learner.PlanSums(w.Rows, w.Landmarks, w.Targets, m), []compute.Cost{choose, factor, compute.FactorCost(w.Landmarks, m), features},
		fmt.Sprintf("%d landmarks; sums over the rows take %d multiplications for each, and conjugate gradients %d in each pass", w.Landmarks, 4*w.Landmarks*w.Landmarks, 2*w.Landmarks))
}

// Axes are λ in decades.
func (Falkon) Axes(*task.Task) []tune.Axis {
	return []tune.Axis{tune.Powers("lambda", 10, -9, -2, 1).SimplerAt(tune.Above)}
}

func (o Falkon) With(values []float64) learner.Tunable {
	o.Lambda, o.Ridge = values[0], 0
	return o
}

// WhyNotStreamed refuses features, which its landmarks would stand for once more.
func (o Falkon) WhyNotStreamed(p *task.Task) string {
	if p.Approximated() {
		return "on landmarks of landmarks or features needs all rows in memory"
	}
	if o.Descent.Steps > 0 {
		return "with landmarks that move needs all rows in memory"
	}
	return ""
}

// FromSums solves for the rows of the sums.
func (o Falkon) FromSums(ctx context.Context, s *moments.Statistics) (*moments.Solution, learner.Report, error) {
	w, r, err := falkon.SolveMoments(ctx, s, o.Options)
	if err != nil {
		return nil, nil, err
	}
	return w, r, nil
}

// FromSumsAgain has the options of the first fit.
func (Falkon) FromSumsAgain(f *learner.Fitted, keepRidge bool, o compute.Options) learner.Summing {
	r := f.Report.(*falkon.Report)
	again := Falkon{Options: falkon.Options{Lambda: r.Lambda, NoIntercept: f.NoIntercept, Stop: falkon.Stop{Tolerance: r.Tolerance}, Compute: o}, Updatable: true}
	if keepRidge {
		again.Lambda, again.Ridge = 0, r.Ridge
	}
	return again
}

// readFalkonStates reads the sums, if there are some.
func readFalkonStates(s *learner.Stored) ([]learner.State, error) {
	return learner.ReadSums(s, Falkon{})
}

// Describe leaves out how landmarks are computed, which is made that of the method.
func (o Falkon) Describe() string {
	o.Landmarks.Compute = compute.Options{}
	return fmt.Sprintf("%s %+v", o.Name(), o.WithCompute(compute.Options{}))
}
