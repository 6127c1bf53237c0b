package svm

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Path learns the classifier of [Solve] for each C of cs, on one source. Each search but
// the first starts from the coefficients of the one before times the ratio of the two C,
// which satisfy its constraints (alpha seeding: DeCoste & Wagstaff, KDD 2000); rising C
// pays most. The results are those of Solve up to the tolerance, in the order of cs.
// Types without a C are an error, and so is the hard margin.
func Path(ctx context.Context, src gram.Source, y []int, cs []float64, o Options) ([]*Solution, []*Report, error) {
	return path(ctx, cs, o, func(o Options) (*job, error) { return classifierJob(Dual{src}, y, o) })
}

// FitPath is [Path] on points.
func FitPath[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []int, cs []float64, o Options) ([]*model.Expansion[T], []*Report, error) {
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("svm: %w", err)
	}
	solutions, reports, err := Path(ctx, gram.On(k, xs), y, cs, o)
	if err != nil {
		return nil, nil, err
	}
	out := make([]*model.Expansion[T], len(solutions))
	for i, s := range solutions {
		out[i] = expansion(k, xs, s)
	}
	return out, reports, nil
}

// path solves one job for every C.
func path(ctx context.Context, cs []float64, o Options, pose func(Options) (*job, error)) ([]*Solution, []*Report, error) {
	if len(cs) == 0 {
		return nil, nil, fmt.Errorf("svm: a path needs at least one C")
	}
	for i, c := range cs {
		if !(c > 0) || math.IsInf(c, 1) {
			return nil, nil, fmt.Errorf("svm: C[%d] = %v of a path is not a finite number above 0", i, c)
		}
	}
	if o.Type == NuSVC || o.Type == OneClass {
		return nil, nil, fmt.Errorf("svm: %s has no C to make a path of", o.Type)
	}
	o.C = cs[0]
	j, err := pose(o)
	if err != nil {
		return nil, nil, err
	}
	j.again = len(cs) > 1
	search, err := j.prepare(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer search.leave()
	if err := j.exact(ctx, math.Inf(1)); err != nil {
		return nil, nil, err
	}
	var solutions []*Solution
	var reports []*Report
	for i, c := range cs {
		if i > 0 {
			j.rescale(c/cs[i-1], c)
		}
		if err := j.converge(ctx, search); err != nil {
			return nil, nil, err
		}
		s, r, err := j.finish(nil)
		if err != nil {
			return nil, nil, err
		}
		solutions, reports = append(solutions, s), append(reports, r)
	}
	return solutions, reports, nil
}

// rescale makes the problem that of another C: bounds and coefficients grow by the ratio,
// and so does what the gradient owes to them.
func (j *job) rescale(ratio, c float64) {
	j.o.C, j.report, j.watch = c, &Report{Type: j.o.Type, N: j.n, Tolerance: j.o.Tolerance, Decision: j.report.Decision}, model.NewStopwatch()
	for _, m := range j.problems {
		p := m.p
		for t, b := range m.beta {
			low, high := b <= p.lo(t), b >= p.hi(t)
			p.width[t] *= ratio
			switch m.beta[t] = b * ratio; {
			case low:
				m.beta[t] = p.lo(t)
			case high:
				m.beta[t] = p.hi(t)
			}
			m.g[t] = ratio*(m.g[t]-p.q(t)) + p.q(t)
		}
		m.steps, m.converged = 0, false
	}
}
