package methods

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

// assumedPasses of coordinate descent stand in a plan: how many it takes depends on C and on
// how alike the features are.
const assumedPasses = 100

// planSVM predicts a search in the features of the kernel where that is what a fit does, and
// else one in its matrix.
func planSVM(ctx context.Context, p *task.Task, m learner.Learner, o svm.Options, v variables) (compute.Plan, error) {
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
	search := compute.Cost{Stage: "search", Memory: 64 * int64(n), Flops: 4 * assumedPasses * float64(n) * float64(features),
		Seconds: assumedPasses * float64(bytes) * float64(machine.Workers) / machine.ReadRate} // a machine is searched by one worker
	if rows := triedRows(n); n > fewTried { // how hard the problem is, and how it goes on, a sample tells
		if _, laps, ok := tryProblems(ctx, p, m, rows); ok {
			search.Seconds = 0
			for _, seconds := range laps {
				search.Seconds += seconds * float64(n) / float64(rows)
			}
		}
	}
	plan := compute.NewPlan(m.Name(), machine, compute.Cost{Stage: "features", Memory: bytes, Keeps: bytes, Seconds: machine.FreshSeconds(float64(bytes))}, search)
	return plan.AsRough(fmt.Sprintf("the search is in %d features, one coefficient at a time, and is assumed to take %d passes: hard problems go on by an interior point in these", features, assumedPasses)), nil
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

// planInterior predicts a search in the features of the kernel.
func planInterior(ctx context.Context, p *task.Task, m learner.Learner, v variables) (compute.Plan, error) {
	machine, err := p.Machine(ctx, m.ComputeOptions())
	if err != nil {
		return compute.Plan{}, err
	}
	plan := compute.NewPlan(m.Name(), machine, svm.FeaturesCost(p.Points.Size(), p.FeatureCount(), v.eachRow, v.machines, machine))
	plan.Sent = compute.Sent{Piece: v.machines * p.FeatureCount() * (2*p.FeatureCount() + 16), Row: 12 * v.machines} // of the pass that sends most
	plan.Notes = append(plan.Notes, fmt.Sprintf("the search is by an interior point in %d features, and is assumed to make %d passes over the rows", p.FeatureCount(), svm.PlannedPasses(v.rows(p.Points.Size()))))
	return p.PlanMappedRows(plan, m.ComputeOptions()), nil
}

const (
	// tried is the share of the rows on which a search by pairs is tried, of mostTried rows at
	// most; the other sample has half of them. It has leastTried where it can without more than
	// half of the rows, so that it is searched as all are: up to 2048 package svm stores in double
	// precision, and never in parts. A few rows, fewTried, are tried all.
	tried                 = 0.25
	fewTried              = 1024
	leastTried, mostTried = 2560, 8192
)

// planPairs predicts a search by pairs of coefficients from two samples.
func planPairs(ctx context.Context, p *task.Task, m learner.Learner, o svm.Options) (compute.Plan, error) {
	single := o.Compute
	single.Precision = compute.Single // as it searches
	machine, err := p.Machine(ctx, single)
	if err != nil {
		return compute.Plan{}, err
	}
	n, columns := p.Points.Size(), p.Shape().Columns
	stages := p.BindCosts(machine)
	for i, bind := range stages { // once for the diagonal, which is let go and not collected at once
		stages[i].Memory, stages[i].Keeps = 2*bind.Memory, 2*bind.Keeps
	}
	search := compute.Cost{Stage: "search", Memory: svm.SearchBytes(n, o.Compute)}
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
	all := first.Grown(half, n)
	all.Matrix = first.MatrixBytes(half, n, p.KernelHeld || p.Indefinite != "")
	if stored := p.Streamed() || svm.StoresMatrix(n, p.Pairs()); !stored {
		all.Matrix = 0 // which a sample of few rows has
	}
	stages = append(stages, all.Costs(first, laps, columns, search.Memory, machine)...)
	plan := compute.NewPlan(m.Name(), machine, stages...)
	plan.Notes = append(plan.Notes, fmt.Sprintf("the search was tried on %d and %d rows; what these took is grown to %.2g kernel values, %.2g steps and %.2g support vectors", larger/2, larger, all.Values+all.Certified, all.Steps, all.Support))
	if larger < n && plan.Seconds < shortSearch {
		return plan.AsRough("a search this short takes as long as the memory that it begins with, and its samples take more of that"), nil
	}
	return plan, nil
}

// shortSearch is the time of a search, in seconds, up to which its samples tell little: that of
// svmguide1, 3089 rows, was planned with two to six times what it took.
const shortSearch = 0.1

// triedRows is the size of the larger sample of n rows.
func triedRows(n int) int {
	if n <= fewTried {
		return n
	}
	return min(n/2, max(leastTried, min(int(tried*float64(n)), mostTried)))
}

// tryProblems fits to an even sample of the rows and returns what it took: counted, and the
// seconds of every stage, without what other processes took.
func tryProblems(ctx context.Context, p *task.Task, m learner.Learner, rows int) (w svm.Work, laps map[string]float64, ok bool) {
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
	return svm.WorkOf(r), laps, true
}
