package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/record"
	"example.org/mercer/learner"
	"example.org/mercer/learner/distance"
	"example.org/mercer/learner/methods"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// searchPlan collects what a search and the fit after it cost: with K kernels, F splits and V sets
// of values of the method
//
//	statistics of the points, once  +  K · (Gram matrix or features)
//	+  K·F·V · fit to a part  +  fit to all rows
type searchPlan struct {
	p         *task.Task // with the kernel where the search starts
	compute   compute.Options
	reduction task.Approximation
	machine   compute.Machine
	reused    float64 // kernel values in a second where statistics are stored
	stored    int64   // bytes of these
	stages    []compute.Cost
	notes     []string
	passes    int          // over rows that stay in their file
	unread    int          // of these, of which no stage has the time of reading
	sent      compute.Sent // in one of them
	rough     string       // why the plan is no more than an order of magnitude; "": it is more
}

func newSearchPlan(ctx context.Context, p *task.Task, r task.Approximation, o compute.Options) (*searchPlan, error) {
	o.Checkpoint = nil
	s := &searchPlan{p: p, compute: o, reduction: r}
	var err error
	if s.machine, err = p.Machine(ctx, o); err != nil {
		return nil, err
	}
	if p.LacksNetwork() {
		s.stages, s.notes = append(s.stages, p.Network.Plan(p.Points.Size(), s.machine)), append(s.notes, p.Network.Note())
		if s.p, err = distance.StartNetwork(p); err != nil {
			return nil, err
		}
	}
	n := int64(p.Points.Size())
	rate, shared, err := timeReuse(ctx, p.Points, o)
	if s.reused = rate; shared && (o.MaxMemory == 0 || 4*8*n*n <= o.MaxMemory) {
		s.stored = 8 * n * n
	} else {
		s.reused = s.machine.PairRate
	}
	return s, err
}

// reuseRows is the number of rows whose statistics are stored to time kernels that share them.
const reuseRows = 512

// reuseOn returns how many kernel values are computed in a second from statistics of the points
// that are stored, and whether kernels share any.
func reuseOn[T any](ctx context.Context, l task.TypedPoints[T], o compute.Options) (rate float64, shared bool, err error) {
	some := data.Even(l.Set.Len(), reuseRows)
	all, err := kernel.BindReusable(ctx, l.Kernel, data.Subset(l.Set, some), 0, nil)
	if err != nil {
		return 0, false, err
	}
	pairs, shared := all.Reuse(l.Kernel)
	rate, err = compute.PairRate(ctx, pairs, o)
	return rate, shared, err
}

// timeReuse is [reuseOn] for points of any type.
func timeReuse(ctx context.Context, rows task.Points, o compute.Options) (rate float64, shared bool, err error) {
	rows.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { rate, shared, err = reuseOn(ctx, l, o) },
		IDs:     func(l task.TypedPoints[string]) { rate, shared, err = reuseOn(ctx, l, o) },
		Records: func(l task.TypedPoints[record.Record]) { rate, shared, err = reuseOn(ctx, l, o) },
	})
	return rate, shared, err
}

// matrices adds the Gram matrices of so many kernels, or where none are held the features that
// stand for them, and what stays in memory for the fits.
func (s *searchPlan) matrices(ctx context.Context, m learner.Learner, kernels int) error {
	if s.reduction.Wanted() {
		return s.maps(ctx, m, kernels)
	}
	n := s.p.Points.Size()
	if s.stored > 0 {
		first := gram.DenseGramCost(n, s.machine)
		first.Stage, first.Memory, first.Keeps = "statistics of pairs", s.stored, s.stored
		s.stages = append(s.stages, first)
	}
	again := s.machine
	again.PairRate = s.reused
	s.stages = append(s.stages, times(gram.DenseGramCost(n, again), kernels, "Gram matrices"))
	return nil
}

// maps adds the features of so many kernels.
func (s *searchPlan) maps(ctx context.Context, m learner.Learner, kernels int) error {
	reduced, err := s.planned(ctx)
	if err != nil {
		return err
	}
	with, _, err := learner.PlanHere(ctx, reduced, m)
	if err != nil {
		return err
	}
	without, err := m.WithCompute(s.compute).Plan(ctx, reduced)
	if err != nil {
		return err
	}
	n, dim := int64(s.p.Points.Size()), int64(reduced.FeatureCount())
	mapped := compute.Cost{Memory: 16*n*dim + max(0, with.Memory-without.Memory), Keeps: 16 * n * dim, // those of the kernel before are garbage that is not collected at once
		Flops: max(0, with.Flops-without.Flops), Seconds: max(0, with.Seconds-without.Seconds)}
	if s.p.Streamed() { // features are made when they are read
		mapped.Shared, mapped.Memory, mapped.Keeps = true, max(0, with.Memory-without.Memory), 0
	}
	s.stages = append(s.stages, times(mapped, kernels, "features"))
	s.p = reduced
	return nil
}

// planned returns the problem with its kernel reduced, for a plan.
func (s *searchPlan) planned(ctx context.Context) (*task.Task, error) {
	if s.reduction.Landmarks != nil {
		o := *s.reduction.Landmarks
		o.Compute = s.compute
		return s.p.PlannedLowRank(ctx, o)
	}
	if s.reduction.Filters != nil {
		return s.p.PlannedFilters(ctx, s.reduction, s.compute)
	}
	return s.p.PlannedFeatures(ctx, *s.reduction.Features, s.compute)
}

// times repeats a stage, whose memory is taken once.
func times(c compute.Cost, count int, name string) compute.Cost {
	c.Stage = fmt.Sprintf("%s (%d)", name, count)
	c.Seconds *= float64(count)
	c.Flops *= float64(count)
	return c
}

// free lets go what the stages hold.
func (s *searchPlan) free() {
	last := &s.stages[len(s.stages)-1]
	for _, c := range s.stages {
		last.Keeps -= c.Keeps
	}
}

// litter is what many fits in a row leave beside their own memory before it is collected: tiles and
// blocks of predictions, for which the collector does not run while little is held.
const litter = 4 << 20

// repeated counts what a stage of many fits holds: the garbage of those before is collected when it
// has grown to the size of all that is held.
func (s *searchPlan) repeated(c compute.Cost) compute.Cost {
	held := int64(0)
	for _, before := range s.stages {
		held += before.Keeps
	}
	c.Memory = 2*c.Memory + held + litter
	return c
}

// whole returns the plan of the search, repeated so often, and of the fit with what it finds.
func (s *searchPlan) whole(name string, rounds int, fit *compute.Plan) compute.Plan {
	s.free()
	for i := range s.stages {
		s.stages[i].Seconds *= float64(rounds)
		s.stages[i].Flops *= float64(rounds)
	}
	if fit != nil {
		s.stages = append(s.stages, asStage(*fit, "fit"))
	}
	plan := compute.NewPlan(name, s.machine, s.stages...)
	plan.Notes = append(s.notes, plan.Notes...)
	plan.Rough = cmp.Or(plan.Rough, s.rough)
	return plan
}

// asStage makes one stage of a plan, which workers share where they do most of it.
func asStage(p compute.Plan, name string) compute.Cost {
	shared := 0.0
	for _, s := range p.Stages {
		if s.Shared {
			shared += s.Seconds
		}
	}
	return compute.Cost{Stage: name, Shared: shared > p.Seconds/2, Memory: p.Working(), Flops: p.Flops, Seconds: p.Seconds}
}

// PlanTune predicts memory and time of [Tune] and, if fit is not nil, of the fit to all rows with
// what it makes of the method with the parameters that were found. It returns the problem with the
// kernel where the search starts. How long fits take depends on the values of the method, of which
// the least, middle and largest are planned; the kernel is that of the start.
func PlanTune(ctx context.Context, t data.Blocks, spec prep.Spec, text string, m learner.Learner, o Search, fit func(best learner.Learner) learner.Learner) (*task.Task, compute.Plan, error) {
	if text == Auto {
		whole, err := inMemory(t, "the kernel auto tries families on a part of the rows")
		if err != nil {
			return nil, compute.Plan{}, err
		}
		return planFamilies(ctx, whole, spec, m, o, fit)
	}
	w, err := o.prepare(ctx, t, spec, text, m)
	if err != nil {
		return nil, compute.Plan{}, err
	}
	watching, read := task.CancelOnReadError(ctx, w.in.Rows)
	p, plan, err := w.planned(watching, fit)
	return p, plan, read(err)
}

// planned is [PlanTune] of a search on rows that are prepared.
func (w tuning) planned(ctx context.Context, fit func(best learner.Learner) learner.Learner) (*task.Task, compute.Plan, error) {
	all, at, err := openedSearch(ctx, w.in)
	if err != nil {
		return nil, compute.Plan{}, err
	}
	o := w.Search
	p, rounds := all, 1
	if o.Metric.Shape != "" {
		split, _, err := w.judging()
		if err = errors.Join(err, w.admitsMetric()); err != nil {
			return nil, compute.Plan{}, err
		}
		p, rounds = all.Part(split.Train), 1+o.Metric.rounds()
	}
	s, err := newSearchPlan(ctx, p, o.Approximation, o.Options.Compute)
	if err != nil {
		return nil, compute.Plan{}, err
	}
	strategy, best, err := s.search(ctx, &w, at)
	if err != nil {
		return nil, compute.Plan{}, err
	}
	s.passes, s.unread = s.passes*rounds, s.unread*rounds
	reduced := s.p
	var last *compute.Plan
	if fit != nil {
		s.p = all
		if last, err = s.last(ctx, fit(best)); err != nil {
			return nil, compute.Plan{}, err
		}
	}
	if rounds > 1 {
		s.notes = append(s.notes, fmt.Sprintf("the search is made for %d metrics at the most, the gradients between them are not counted", rounds))
	}
	plan := s.whole(fmt.Sprintf("search by %s", strategy), rounds, last)
	plan.Sent = s.sent
	plan = all.CountReading(all.PlanStreaming(plan), s.unread)
	return all, reduced.PlanElsewhere(plan, s.passes), nil
}

// search adds the rounds of a search, and returns the method with values in the middle of theirs.
func (s *searchPlan) search(ctx context.Context, w *tuning, at task.StartingPoint) (tune.Strategy, learner.Learner, error) {
	if _, path := w.method.(learner.ClosedForm); path {
		strategy, err := s.path(ctx, w, at)
		return strategy, w.method.With([]float64{1}), err
	}
	splits, err := w.splits(s.p)
	if err != nil {
		return "", nil, err
	}
	axes, err := w.axes(s.p)
	if err != nil {
		return "", nil, err
	}
	strategy, rounds := w.Options.Rounds(tune.Free{Parameters: at.Parameters, Axes: axes}, false, len(splits[0].Train))
	return strategy, w.method.With(valuesAt(axes, 0.5)), s.cross(ctx, w.method, axes, splits, rounds)
}

// cross adds the rounds of a search by cross-validation.
func (s *searchPlan) cross(ctx context.Context, m learner.Tunable, axes []tune.Axis, splits []tune.Split, rounds []tune.Round) error {
	kernels, fits := 0, compute.Cost{}
	_, own := m.(learner.PointLearner)
	for _, r := range rounds {
		kernels += r.Kernels
	}
	switch {
	case own: // which has no Gram matrix
	case s.p.Streamed() && s.reduction.Wanted(): // every fit makes its features, see [searchPlan.one]
		var err error
		if s.p, err = s.planned(ctx); err != nil {
			return err
		}
	default:
		if err := s.matrices(ctx, m.With(valuesAt(axes, 0.5)), kernels); err != nil {
			return err
		}
	}
	count := 0
	for _, r := range rounds {
		train := tune.Share(splits[0].Train, r.Share)
		each, passes, err := s.average(ctx, m, axes, s.p.Part(train), r.Sets)
		if err != nil {
			return err
		}
		number := float64(r.Kernels * len(splits))
		fits.Seconds += number * each.Seconds
		fits.Flops += number * each.Flops
		fits.Memory, fits.Shared = max(fits.Memory, each.Memory), each.Shared
		scored := r.Kernels * len(splits) * r.Sets * scoring
		s.passes, s.unread = s.passes+r.Kernels*len(splits)*passes+scored, s.unread+scored
		count += r.Kernels * r.Sets * len(splits)
	}
	fits.Stage = fmt.Sprintf("fits to parts of the rows (%d)", count)
	s.stages = append(s.stages, s.repeated(fits))
	s.notes = append(s.notes, fmt.Sprintf("%d kernels on %d splits; what a fit takes depends on the values that are tried, and is planned for three of them and for the kernel at the start", kernels, len(splits)))
	return nil
}

// scoring is how often a fit goes over the rows that are held out.
const scoring = 1

// average predicts the fits of all sets of values to a part of the rows, and the passes of all.
func (s *searchPlan) average(ctx context.Context, m learner.Tunable, axes []tune.Axis, part *task.Task, sets int) (sum compute.Cost, passes int, err error) {
	_, own := m.(learner.PointLearner)
	part.KernelHeld = !own && !s.reduction.Wanted()
	// By the trapezoidal rule over the order of values.
	where := []struct{ at, share float64 }{{0.5, 1}}
	if sets >= 3 || len(axes) > 0 && sets == 1 {
		where = []struct{ at, share float64 }{{0, 0.25}, {0.5, 0.5}, {1, 0.25}}
	}
	often := 0.0
	for _, w := range where {
		method := m.With(valuesAt(axes, w.at)).WithCompute(s.compute)
		plan, passes, err := s.one(ctx, part, method)
		if err != nil {
			return sum, 0, err
		}
		s.sent = plan.Sent
		often += w.share * float64(sets*passes)
		one := asStage(plan, "")
		sum.Seconds += w.share * float64(sets) * one.Seconds
		sum.Flops += w.share * float64(sets) * one.Flops
		sum.Memory, sum.Shared = max(sum.Memory, one.Memory), one.Shared
	}
	return sum, int(math.Ceil(often)), nil
}

// one plans a fit to a part of the rows. Where these stay in their file it makes features, too.
func (s *searchPlan) one(ctx context.Context, part *task.Task, m learner.Learner) (plan compute.Plan, passes int, err error) {
	if s.p.Streamed() {
		return learner.PlanHere(ctx, part, m)
	}
	plan, err = m.Plan(ctx, part)
	return plan, 0, err
}

// valuesAt returns of each axis the value at a share of its length.
func valuesAt(axes []tune.Axis, share float64) []float64 {
	var out []float64
	for _, a := range axes {
		out = append(out, a.Values[int(share*float64(len(a.Values)-1)+0.5)])
	}
	return out
}

// last plans the fit to all rows.
func (s *searchPlan) last(ctx context.Context, m learner.Learner) (*compute.Plan, error) {
	p := s.p
	if s.reduction.Wanted() {
		var err error
		if p, err = s.planned(ctx); err != nil {
			return nil, err
		}
	}
	plan, passes, err := learner.PlanHere(ctx, p, m)
	s.passes += passes
	return &plan, err
}

// openedSearch puts a kernel on task.PreparedTable rows where a search for its parameters starts.
func openedSearch(ctx context.Context, in task.PreparedTable) (*task.Task, task.StartingPoint, error) {
	spoken, err := in.Resolve(ctx, nil)
	if err != nil {
		return nil, task.StartingPoint{}, err
	}
	at, err := spoken.Open(ctx)
	if err != nil {
		return nil, task.StartingPoint{}, err
	}
	return in.Task(at.Points), at, nil
}

// path adds the rounds of a search for ridge regression along its path: with a value per column
// there are two searches.
func (s *searchPlan) path(ctx context.Context, w *tuning, at task.StartingPoint) (strategy tune.Strategy, err error) {
	type search struct {
		by tune.Strategy
		tune.Round
	}
	var searches []search
	n, columns, outputs := s.p.Dims()
	add := func(parameters []tune.Parameter) {
		w := *w
		w.Criterion = cmp.Or(w.Criterion, tune.CriterionFor(len(parameters)))
		smooth := at.Smooth && !s.reduction.Wanted() && w.Criterion != tune.CV
		by, rounds := w.Options.Rounds(tune.Free{Parameters: parameters, Lambda: &w.Ranges.Lambda}, smooth, n)
		searches = append(searches, search{by, rounds[0]})
		strategy = by
	}
	add(at.Parameters)
	if w.Ranges.PerColumn && s.p.Points.Kind() == task.OnVectors {
		add(make([]tune.Parameter, columns*len(at.Parameters)))
	}
	kernels := 1 // the best, once more
	sets := 0
	for _, e := range searches {
		kernels, sets = kernels+e.Kernels, max(sets, e.Sets)
	}
	if err := s.matrices(ctx, methods.KRR{Options: krr.Options{Lambda: 1, Compute: s.compute}}, kernels); err != nil {
		return "", err
	}
	features := s.p.FeatureCount()
	s.passes, s.unread = s.passes+kernels*pathPasses, s.unread+kernels*pathPasses
	s.sent = compute.Sent{Piece: features * (features + outputs), Row: 2 * sets * outputs} // moments; values and leverages at each λ
	splits, err := w.splits(s.p)
	if err != nil {
		return "", err
	}
	work := krr.Work{Rows: n, Targets: outputs}
	if s.reduction.Wanted() {
		work.Features = s.p.FeatureCount()
	}
	parts := 1
	if len(splits) > 0 {
		work.Rows, parts = len(splits[0].Train), len(splits)
	}
	for _, e := range searches {
		stage := compute.Cost{}
		if e.by == tune.Gradient {
			stage = gradientCost(n, columns, s.machine)
			stage = times(stage, e.Kernels, "evidence and gradients")
			s.rough = fmt.Sprintf("a descent is assumed to take %d evaluations", e.Kernels)
		} else {
			stage = times(asStage(compute.NewPlan("", s.machine, krr.PathCosts(work, e.Sets, s.machine, s.compute.MaxMemory)...), ""), e.Kernels*parts, "paths of λ")
		}
		s.stages = append(s.stages, s.repeated(stage))
	}
	s.notes = append(s.notes, fmt.Sprintf("%d kernels", kernels-1))
	return strategy, nil
}

// gradientCost predicts an evaluation of a criterion with its gradient: a factorization, an
// inverse, and a contraction of the gradient of the kernel with what stands beside it, one pass
// over kernel values.
func gradientCost(n, columns int, m compute.Machine) compute.Cost {
	size := float64(n)
	flops := 4 * size * size * size
	return compute.Cost{Memory: 2 * 8 * int64(n) * int64(n), Flops: flops, Seconds: flops/m.GemmRate + 2*size*size/max(m.PairRate, 1)}
}
