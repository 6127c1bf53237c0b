package learner

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

// assumedPasses of coordinate descent stand in a plan: how many it takes depends on C and on
// how alike the features are.
const assumedPasses = 100

// planSVM predicts a search in the features of the kernel where that is what a fit does, and
// else one in its matrix.
func planSVM(ctx context.Context, p *task.Task, m Learner, o svm.Options, v variables) (compute.Plan, error) {
	n, _, _ := p.Dims()
	if svmInFeatures(p, o) {
		return planInterior(ctx, p, m, v)
	}
	features, _ := p.Points.ChoosePrimal(krr.Auto)
	if math.IsInf(o.C, 1) || !svm.UsesCoordinateDescent(n, features, o.Compute) {
		return planPairs(ctx, p, m, o)
	}
	machine, err := p.Machine(ctx, o.Compute)
	if err != nil {
		return compute.Plan{}, err
	}
	bytes := 8 * int64(n) * int64(features)
	plan := compute.NewPlan(m.Name(), machine,
		compute.Cost{Stage: "features", Memory: bytes, Keeps: bytes, Seconds: float64(bytes) / machine.CopyRate},
		compute.Cost{Stage: "search", Memory: 64 * int64(n), Flops: 4 * assumedPasses * float64(n) * float64(features),
			Seconds: assumedPasses * float64(bytes) * float64(machine.Workers) / machine.ReadRate}) // a machine is searched by one worker
	plan.Notes = append(plan.Notes, fmt.Sprintf("the search is in %d features, one coefficient at a time, and is assumed to take %d passes: hard problems go on by an interior point in these", features, assumedPasses))
	return plan, nil
}

// variables returns how many coefficients there are for each row, and how many machines.
func (o SVC) variables(p *task.Task) (v variables) {
	t, _, err := p.Classes()
	switch classes := len(t.Labels); {
	case err != nil || classes <= 2:
		return variables{1, 1}
	case o.Scheme == svm.OneVsRest:
		return variables{classes, classes}
	default:
		return variables{classes - 1, classes * (classes - 1) / 2}
	}
}

// variables are those of machines in a plan.
type variables struct{ eachRow, machines int }

// svmInFeatures reports whether machines are searched in the features that stand for the
// kernel.
func svmInFeatures(p *task.Task, o svm.Options) bool {
	return p.Approximated() && (p.Streamed() || inFeatures(p.Points.Size(), p.FeatureCount(), o))
}

// rows is how many of n each machine has.
func (v variables) rows(n int) int { return min(n, n*v.eachRow/v.machines) }

// svmMaps is how often the features of a row are computed: once where they are held.
func svmMaps(p *task.Task, o svm.Options, v variables) int {
	if !svmInFeatures(p, o) {
		return task.Mappings
	}
	if p.MappedBytes(o.Compute) > 0 {
		return 1
	}
	return svm.PlannedPasses(v.rows(p.Points.Size()))
}

// planInterior predicts a search in the features that stand for the kernel.
func planInterior(ctx context.Context, p *task.Task, m Learner, v variables) (compute.Plan, error) {
	machine, err := p.Machine(ctx, m.ComputeOptions())
	if err != nil {
		return compute.Plan{}, err
	}
	plan := compute.NewPlan(m.Name(), machine, svm.FeaturesCost(p.Points.Size(), p.FeatureCount(), v.eachRow, v.machines, machine))
	plan.Notes = append(plan.Notes, fmt.Sprintf("the search is by an interior point in %d features, and is assumed to make %d passes over the rows", p.FeatureCount(), svm.PlannedPasses(v.rows(p.Points.Size()))))
	return p.PlanMappedRows(plan, m.ComputeOptions()), nil
}

const (
	// tried is the share of the rows on which a search by pairs is tried, of mostTried rows at
	// most; the other sample has half of them. It has leastTried where it can without more than
	// half of the rows, so that it is searched as all are: up to doubleRows package svm stores in
	// double precision, and never in parts. A few rows, fewTried, are tried all.
	tried                 = 0.25
	fewTried              = 1024
	leastTried, mostTried = 2560, 8192
	doubleRows            = 2048
	// risingSteps is the largest power of n with which the steps for each row are taken to grow.
	risingSteps = 0.25
)

// machineWork is what a search for support vectors on so many rows takes, as its report counts it.
type machineWork struct {
	rows      float64
	machines  int
	values    float64 // of the kernel, for the search
	certified float64 // and for the exact gradient
	steps     float64 // on pairs of coefficients, of all machines
	support   float64 // rows with a coefficient
	free      float64 // of these, between its bounds in a machine
	large     int     // machines on half of the rows: where there are any, all are searched on a part of the rows
	matrix    float64 // bytes of kernel values in memory
}

// workOf counts what a fit took.
func workOf(r *svm.Report) machineWork {
	w := machineWork{rows: float64(r.N), machines: len(r.Problems), values: float64(r.Evaluations), certified: float64(r.Certified), support: float64(r.SupportVectors), matrix: float64(r.Matrix)}
	for _, m := range r.Problems {
		w.steps += float64(m.Iterations)
		w.free += float64(m.Support - m.Bounded)
		if 2*m.Rows >= r.N {
			w.large++
		}
	}
	w.free = min(w.free, w.support)
	return w
}

// grown predicts the work on n rows from that on two samples, w and one of half as many rows. Each
// quantity is a share of what there is at most, and the share grows with a power of n, which
// the samples have:
//
//	support vectors / n         power in [-1, 0]: the share of hard rows does not rise
//	those between bounds / n    power in [-1, 0]
//	kernel values / n²          power in [-1, 0], where both samples were searched in parts
//	exact gradient / n²         the square of the share of support vectors
//	steps / n                   power in [-1, 1/4]
//
// The matrix does not grow so: samples are searched on parts of other shares of the rows, or on
// none. Where one is on half of the rows, it is that of [svm.WorkingSetModel], of the support
// vectors of all rows and of their first sample; those of two classes each have 1/k of it for k
// classes, which is a share of n².
func (w machineWork) grown(half machineWork, n int) machineWork {
	to := float64(n)
	ratio := to / w.rows
	share := func(of, before, least, most float64) float64 {
		power := 0.0
		if of > 0 && before > 0 {
			power = min(most, max(least, math.Log(of/before)/math.Log(w.rows/half.rows)))
		}
		return math.Pow(ratio, power)
	}
	fewer := share(w.support/w.rows, half.support/half.rows, -1, 0)
	values := ratio * ratio
	if half.rows > doubleRows {
		values *= share(w.values/(w.rows*w.rows), half.values/(half.rows*half.rows), -1, 0)
	}
	out := machineWork{rows: to, machines: w.machines, large: w.large, values: w.values * values, support: w.support * ratio * fewer,
		free:      w.free * ratio * share(w.free/w.rows, half.free/half.rows, -1, 0),
		matrix:    w.matrix * ratio * ratio,
		certified: w.certified * ratio * ratio * fewer * fewer,
		steps:     w.steps * ratio * share(w.steps/w.rows, half.steps/half.rows, -1, risingSteps)}
	if w.rows <= doubleRows && to > doubleRows { // the matrix is in single precision then, and checked by other values
		out.matrix /= 2
		out.certified = out.support * out.support / 2
	}
	return out
}

// largestMatrix predicts the bytes of kernel values in a search on n rows, of which all are bound
// where nothing less is known of their matrix than itself.
func (w machineWork) largestMatrix(half machineWork, n int, bound bool) float64 {
	all := w.grown(half, n)
	if bound || n <= doubleRows || w.large == 0 {
		return all.matrix
	}
	largest := svm.WorkingSetModel{Rows: n, Problems: w.large, Expect: func(n int) (support, free float64) {
		at := w.grown(half, n)
		return at.support, at.free
	}}.MaxRows()
	return 4 * largest * largest
}

// planPairs predicts a search by pairs of coefficients from two samples.
func planPairs(ctx context.Context, p *task.Task, m Learner, o svm.Options) (compute.Plan, error) {
	single := o.Compute
	single.Precision = compute.Single // as it searches
	machine, err := p.Machine(ctx, single)
	if err != nil {
		return compute.Plan{}, err
	}
	n, columns, _ := p.Dims()
	var stages []compute.Cost
	if p.Points.Kind() == task.OnVectors {
		bind := compute.BindCost(n, columns, machine)
		bind.Memory, bind.Keeps = 2*bind.Memory, 2*bind.Keeps // once for the diagonal, which is let go and not collected at once
		stages = append(stages, bind)
	}
	search := compute.Cost{Stage: "search", Memory: svmNeed(o.Compute)(n)}
	larger := triedRows(n)
	if p.Approximated() { // a value is an inner product of more features than rows, and a plan has several such routes
		larger = min(larger, fewTried)
	}
	half, _, _ := tryProblems(ctx, p, m, larger/2) // where that cannot be tried, shares stay as they are
	first, laps, ok := tryProblems(ctx, p, m, larger)
	if ctx.Err() != nil {
		return compute.Plan{}, ctx.Err()
	}
	if !ok {
		plan := compute.NewPlan(m.Name(), machine, append(stages, search)...)
		plan.Notes = append(plan.Notes, "the search is not timed: the method cannot be tried on a sample of the rows")
		return plan, nil
	}
	all := first.grown(half, n)
	all.matrix = first.largestMatrix(half, n, p.KernelHeld || p.Indefinite != "")
	if stored := p.Streamed() || svm.StoresMatrix(n, p.Pairs()); !stored {
		all.matrix = 0 // which a sample of few rows has
	}
	if p.Points.Kind() != task.OnVectors {
		columns = 0
	}
	stages = append(stages, all.costs(first, laps, columns, search.Memory, machine)...)
	plan := compute.NewPlan(m.Name(), machine, stages...)
	plan.Notes = append(plan.Notes, fmt.Sprintf("the search was tried on %d and %d rows; what these took is grown to %.2g kernel values, %.2g steps and %.2g support vectors", larger/2, larger, all.values+all.certified, all.steps, all.support))
	return plan, nil
}

// costs are the stages of a search whose counts are w, from what a sample took: the time of its
// kernel values grows as their number, with fresh memory for the matrix; that of steps as those and
// the rows that each goes over; and all else, such as packing rows, as the rows. most is the
// largest matrix or cache.
func (w machineWork) costs(sample machineWork, laps map[string]float64, columns int, most int64, m compute.Machine) []compute.Cost {
	linear := w.rows / sample.rows
	rate := cmp.Or(m.SinglePairRate, m.PairRate)
	grown := func(seconds, values, counted, rate float64) float64 {
		if rate <= 0 {
			return seconds * values / max(1, counted)
		}
		return max(0, seconds-counted/rate)*linear + values/rate
	}
	search := compute.Cost{Stage: "search", Seconds: grown(laps["gram"]+laps["outside"], w.values, sample.values, rate)}
	search.Seconds += laps["search"] * w.steps * w.rows / max(1, sample.steps*sample.rows)
	search.Memory = min(most, int64(w.matrix))
	if m.CopyRate > 0 {
		search.Seconds += float64(search.Memory) / m.CopyRate
	}
	search.Memory += 64 * int64(w.rows)
	if laps["outside"] > 0 { // all rows packed as columns, in single precision
		search.Memory += 4 * int64(columns) * int64(w.rows)
	}
	search.Keeps = search.Memory
	certify := m.PairRate
	if m.PairRate > 0 && m.GemmRate > 0 { // a value is multiplied with the coefficients of all machines
		certify = 1 / (1/m.PairRate + 2*float64(w.machines)/m.GemmRate)
	}
	exact := compute.Cost{Stage: "exact gradient", Seconds: grown(laps["exact gradient"], w.certified, sample.certified, certify)}
	// Two sets of rows are bound, and there are coefficients and values of all machines, twice.
	exact.Memory = 8 * int64(columns+2*w.machines) * int64(w.support+w.rows)
	for _, other := range []string{"diagonal", "report"} {
		exact.Seconds += laps[other] * linear
	}
	return []compute.Cost{search, exact}
}

// triedRows is the size of the larger sample of n rows.
func triedRows(n int) int {
	if n <= fewTried {
		return n
	}
	return min(n/2, max(leastTried, min(int(tried*float64(n)), mostTried)))
}

// tryProblems fits to an even sample of the rows and returns what it took: counted, and the
// seconds of every stage, without what other processes took.
func tryProblems(ctx context.Context, p *task.Task, m Learner, rows int) (w machineWork, laps map[string]float64, ok bool) {
	watch := compute.StartStopwatch()
	l, err := m.Fit(ctx, p.EvenSample(rows))
	own := watch.Own()
	if err != nil {
		return w, nil, false
	}
	r, ok := l.Report.(*svm.Report)
	if !ok {
		return w, nil, false
	}
	laps = map[string]float64{}
	for _, s := range r.Stages {
		laps[s.Name] += own * s.Seconds
	}
	return workOf(r), laps, true
}

// svmNeed returns what a machine holds beside the points: the matrix it searches in, in
// double precision for few rows and in single precision for more, or a cache of its rows
// where that would be larger than the limit, of 2 GiB where none is set.
func svmNeed(o compute.Options) func(n int) int64 {
	limit := o.MaxMemory
	if limit == 0 {
		limit = 2 << 30
	}
	return func(n int) int64 {
		width := int64(4)
		if n <= 2048 {
			width = 8
		}
		return min(limit, width*int64(n)*int64(n))
	}
}
