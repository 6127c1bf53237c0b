package learner

import (
	"context"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/record"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

// SVC is classification by support vector machines: C-SVC or ν-SVC. Its options take
// the row weights from the problem.
type SVC struct {
	svm.Options
	// Balanced gives every class the same total weight.
	Balanced bool
	// Classes are weights of labels, by which those of their rows are multiplied; a
	// label that is not named has 1.
	Classes map[string]float64
	AfterLandmarks
}

// SVR is regression by support vector machines: ε-SVR or ν-SVR.
type SVR struct {
	svm.Options
	AfterLandmarks
}

// OneClass learns where the rows lie, without a target.
type OneClass struct{ svm.Options }

var _ = register(reader{report: plainReport[svm.Report]}, SVC{}.Name(), SVR{}.Name(), OneClass{}.Name())

// Name returns "svc".
func (SVC) Name() string { return "svc" }

// Name returns "svr".
func (SVR) Name() string { return "svr" }

// Name returns "one-class".
func (OneClass) Name() string { return "one-class" }

// ComputeOptions are those of the fit.
func (o SVC) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o SVC) WithCompute(c compute.Options) Learner {
	o.Compute = c
	return o
}

// ComputeOptions are those of the fit.
func (o SVR) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o SVR) WithCompute(c compute.Options) Learner {
	o.Compute = c
	return o
}

// ComputeOptions are those of the fit.
func (o OneClass) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o OneClass) WithCompute(c compute.Options) Learner {
	o.Compute = c
	return o
}

func (o SVC) Fit(ctx context.Context, p *task.Task) (*Fitted, error) {
	if p.Indefinite != "" {
		return fitOnGram(ctx, p, o)
	}
	t, y, err := p.Classes()
	if err != nil {
		return nil, err
	}
	if o.Weights, err = o.weigh(t, y, p.Rows.W); err != nil {
		return nil, err
	}
	m, err := fitSVC(ctx, p.Points, y, o.Options, o.AfterLandmarks)
	if err != nil {
		return nil, err
	}
	return &Fitted{Function: m.f, Decision: outcome.ForVotes(t, m.report.Decision), Report: m.report, Rows: m.report.Support, Exact: m.exact}, nil
}

func (o SVR) Fit(ctx context.Context, p *task.Task) (*Fitted, error) {
	if p.Indefinite != "" {
		return fitOnGram(ctx, p, o)
	}
	y, err := p.Number()
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	m, err := fitSVR(ctx, p.Points, y, o.Options, o.AfterLandmarks)
	if err != nil {
		return nil, err
	}
	return &Fitted{Function: m.f, Decision: outcome.ForTargets(p.Prep), Report: m.report, Rows: m.report.Support, Exact: m.exact}, nil
}

func (o OneClass) Fit(ctx context.Context, p *task.Task) (*Fitted, error) {
	if p.Indefinite != "" {
		return fitOnGram(ctx, p, o)
	}
	o.Type, o.Weights = svm.OneClass, p.Rows.W
	m, err := fitOneClass(ctx, p.Points, o.Options)
	if err != nil {
		return nil, err
	}
	return &Fitted{Function: m.f, Decision: outcome.ForMembers(), Report: m.report, Rows: m.report.Support}, nil
}

// alone is without what follows with the kernel itself.
func (o SVC) alone() Learner {
	o.AfterLandmarks = AfterLandmarks{}
	return o
}

// alone is without what follows with the kernel itself.
func (o SVR) alone() Learner {
	o.AfterLandmarks = AfterLandmarks{}
	return o
}

func classifyOn[T any](ctx context.Context, l task.TypedPoints[T], y []int, o svm.Options, a AfterLandmarks) (*foundMachines, error) {
	return after(ctx, l, a, o, machinesOn[T]{
		fit: func(k kernel.Kernel[T]) (*model.Expansion[T], *svm.Report, error) {
			return svm.Fit(ctx, k, l.Set, y, o)
		},
		from: func(k kernel.Kernel[T], start svm.Start) (*model.Expansion[T], *svm.Report, error) {
			return svm.FitFrom(ctx, k, l.Set, y, start, o)
		},
		primal: func(phi gram.Design) (*svm.Solution, *svm.Report, error) {
			return svm.Solve(ctx, svm.Primal{Design: phi}, y, o)
		},
	})
}

// fitSVC is [classifyOn] for points of any type.
func fitSVC(ctx context.Context, rows task.Points, y []int, o svm.Options, a AfterLandmarks) (found *foundMachines, err error) {
	rows.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { found, err = classifyOn(ctx, l, y, o, a) },
		IDs:     func(l task.TypedPoints[string]) { found, err = classifyOn(ctx, l, y, o, a) },
		Records: func(l task.TypedPoints[record.Record]) { found, err = classifyOn(ctx, l, y, o, a) },
	})
	return found, err
}

func regressOn[T any](ctx context.Context, l task.TypedPoints[T], y []float64, o svm.Options, a AfterLandmarks) (*foundMachines, error) {
	return after(ctx, l, a, o, machinesOn[T]{
		fit: func(k kernel.Kernel[T]) (*model.Expansion[T], *svm.Report, error) {
			return svm.FitRegression(ctx, k, l.Set, y, o)
		},
		from: func(k kernel.Kernel[T], start svm.Start) (*model.Expansion[T], *svm.Report, error) {
			return svm.FitRegressionFrom(ctx, k, l.Set, y, start, o)
		},
		primal: func(phi gram.Design) (*svm.Solution, *svm.Report, error) {
			return svm.SolveRegression(ctx, svm.Primal{Design: phi}, y, o)
		},
	})
}

// fitSVR is [regressOn] for points of any type.
func fitSVR(ctx context.Context, rows task.Points, y []float64, o svm.Options, a AfterLandmarks) (found *foundMachines, err error) {
	rows.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { found, err = regressOn(ctx, l, y, o, a) },
		IDs:     func(l task.TypedPoints[string]) { found, err = regressOn(ctx, l, y, o, a) },
		Records: func(l task.TypedPoints[record.Record]) { found, err = regressOn(ctx, l, y, o, a) },
	})
	return found, err
}

func detectOn[T any](ctx context.Context, l task.TypedPoints[T], o svm.Options) (*foundMachines, error) {
	return after(ctx, l, AfterLandmarks{}, o, machinesOn[T]{
		fit: func(k kernel.Kernel[T]) (*model.Expansion[T], *svm.Report, error) {
			return svm.FitOneClass(ctx, k, l.Set, o)
		},
		primal: func(phi gram.Design) (*svm.Solution, *svm.Report, error) {
			return svm.SolveOneClass(ctx, svm.Primal{Design: phi}, o)
		},
	})
}

// fitOneClass is [detectOn] for points of any type.
func fitOneClass(ctx context.Context, rows task.Points, o svm.Options) (found *foundMachines, err error) {
	rows.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { found, err = detectOn(ctx, l, o) },
		IDs:     func(l task.TypedPoints[string]) { found, err = detectOn(ctx, l, o) },
		Records: func(l task.TypedPoints[record.Record]) { found, err = detectOn(ctx, l, o) },
	})
	return found, err
}

// along solves for rising values of C, each search from the solution of the one before.
func (o SVC) along(ctx context.Context, k gram.Operator, p *task.Task, values [][]float64) ([]*solution, error) {
	if o.ExactGap || o.Polish {
		return nil, errWholeMatrix
	}
	t, y, err := p.Classes()
	if err != nil {
		return nil, err
	}
	if o.Weights, err = o.weigh(t, y, p.Rows.W); err != nil {
		return nil, err
	}
	if o.Type == svm.NuSVC {
		return nil, errNoPath
	}
	cs := make([]float64, len(values))
	for i, v := range values {
		cs[i] = v[0]
	}
	src, err := gram.SourceOf(ctx, k, o.Compute)
	if err != nil {
		return nil, err
	}
	solutions, reports, err := svm.Path(ctx, src, y, cs, o.Options)
	if err != nil {
		return nil, err
	}
	out := make([]*solution, len(values))
	for i, s := range solutions {
		out[i] = &solution{coef: s.All(src.Len()), bias: s.Bias, decision: outcome.ForVotes(t, reports[i].Decision), report: reports[i]}
	}
	return out, nil
}

func (o SVC) solve(ctx context.Context, k gram.Operator, p *task.Task) (*solution, error) {
	if o.ExactGap || o.Polish {
		return nil, errWholeMatrix
	}
	t, y, err := p.Classes()
	if err != nil {
		return nil, err
	}
	if o.Weights, err = o.weigh(t, y, p.Rows.W); err != nil {
		return nil, err
	}
	src, err := gram.SourceOf(ctx, k, o.Compute)
	if err != nil {
		return nil, err
	}
	s, r, err := svm.Solve(ctx, svm.Dual{Source: src}, y, o.Options)
	if err != nil {
		return nil, err
	}
	return &solution{coef: s.All(src.Len()), bias: s.Bias, decision: outcome.ForVotes(t, r.Decision), report: r}, nil
}

// weigh returns the weights of the rows with those of their classes.
func (o SVC) weigh(t prep.Target, y []int, rows []float64) ([]float64, error) {
	var err error
	if o.Balanced {
		if rows, err = svm.Balanced(y, rows); err != nil {
			return nil, err
		}
	}
	if len(o.Classes) == 0 {
		return rows, nil
	}
	classes, known := make([]float64, len(t.Labels)), 0
	for c, label := range t.Labels {
		classes[c] = 1
		if w, ok := o.Classes[label]; ok {
			classes[c] = w
			known++
		}
	}
	if known < len(o.Classes) {
		return nil, fmt.Errorf("learner: weights are given for the labels %v, and target %s has %q", o.Classes, t.Name, t.Labels)
	}
	return svm.PerClass(y, classes, rows)
}

func (o SVR) solve(ctx context.Context, k gram.Operator, p *task.Task) (*solution, error) {
	if o.ExactGap || o.Polish {
		return nil, errWholeMatrix
	}
	y, err := p.Number()
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	src, err := gram.SourceOf(ctx, k, o.Compute)
	if err != nil {
		return nil, err
	}
	s, r, err := svm.SolveRegression(ctx, svm.Dual{Source: src}, y, o.Options)
	if err != nil {
		return nil, err
	}
	return &solution{coef: s.All(src.Len()), bias: s.Bias, decision: outcome.ForTargets(p.Prep), report: r}, nil
}

func (o OneClass) solve(ctx context.Context, k gram.Operator, p *task.Task) (*solution, error) {
	o.Type, o.Weights = svm.OneClass, p.Rows.W
	src, err := gram.SourceOf(ctx, k, o.Compute)
	if err != nil {
		return nil, err
	}
	s, r, err := svm.SolveOneClass(ctx, svm.Dual{Source: src}, o.Options)
	if err != nil {
		return nil, err
	}
	return &solution{coef: s.All(src.Len()), bias: s.Bias, decision: outcome.ForMembers(), report: r}, nil
}

func (o SVC) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	after := o.AfterLandmarks
	o.AfterLandmarks = AfterLandmarks{} // not of the sample that is timed
	plan, err := planSVM(ctx, p, o, o.Options, o.variables(p))
	return after.Plan(p, plan, err, o.Compute)
}

func (o SVC) passes(p *task.Task) string    { return o.AfterLandmarks.passes(p) }
func (o SVR) passes(p *task.Task) string    { return o.AfterLandmarks.passes(p) }
func (OneClass) passes(p *task.Task) string { return AfterLandmarks{}.passes(p) }

func (o SVC) maps(p *task.Task) int      { return svmMaps(p, o.Options, o.variables(p)) }
func (o SVR) maps(p *task.Task) int      { return svmMaps(p, o.Options, variables{2, 1}) }
func (o OneClass) maps(p *task.Task) int { return svmMaps(p, o.Options, variables{1, 1}) }

func (o SVR) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	after := o.AfterLandmarks
	o.AfterLandmarks = AfterLandmarks{}
	plan, err := planSVM(ctx, p, o, o.Options, variables{2, 1})
	return after.Plan(p, plan, err, o.Compute)
}

func (o OneClass) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	return planSVM(ctx, p, o, o.Options, variables{1, 1})
}
