package task

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// FeatureMap says by which explicit features a model was found, and how far their inner
// products are from the kernel.
type FeatureMap struct {
	// Dim is the number of features that was asked for, Features that of the map.
	Dim         int                        `json:"dim"`
	Features    int                        `json:"features"`
	Frequencies randomfeatures.Frequencies `json:"frequencies"`
	Seed        uint64                     `json:"seed"`
	randomfeatures.Errors

	rows    int
	seconds float64   // to map one row
	Run     model.Run `json:"-"`
}

// options returns those of the map.
func (m *FeatureMap) options() randomfeatures.Options {
	return randomfeatures.Options{Dim: m.Dim, Frequencies: m.Frequencies, Seed: m.Seed}
}

// WithFeatures returns the problem with the kernel replaced by explicit features, see package
// features. Methods learn from it as from any other kernel, and their functions are weights of
// the features, which keep no training rows; what needs these refuses.
func (p *Task) WithFeatures(ctx context.Context, o randomfeatures.Options, how compute.Options) (*Task, error) {
	return p.mapBy(ctx, o, how, true)
}

// PlannedFeatures is [Task.WithFeatures] for a plan: no error is measured.
func (p *Task) PlannedFeatures(ctx context.Context, o randomfeatures.Options, how compute.Options) (*Task, error) {
	return p.mapBy(ctx, o, how, false)
}

// errBoth is the refusal to approximate twice.
var errBoth = errors.New("task: landmarks and features both stand for the kernel: choose one of them")

func (p *Task) mapBy(ctx context.Context, o randomfeatures.Options, how compute.Options, measure bool) (*Task, error) {
	switch {
	case p.LandmarkMap != nil:
		return nil, errBoth
	case p.Indefinite != "":
		return nil, fmt.Errorf("task: inner products of features are positive semidefinite, and nothing is left of the treatment %q of a matrix that is not: leave one of them out", p.Indefinite)
	}
	watching, read := p.CancelOnReadError(ctx)
	points, m, err := p.Points.WithFeatures(watching, o, how, measure)
	if err := read(err); err != nil {
		return nil, err
	}
	q := *p
	q.Points, q.FeatureMap = points, m
	return &q, nil
}

// plannedRows is the number of rows that are mapped to see how long that takes, and mappings how
// often: the fastest counts, for the first meets cold caches and any may wait for other programs.
const plannedRows, mappings = 64, 3

func (l TypedPoints[T]) WithFeatures(ctx context.Context, o randomfeatures.Options, how compute.Options, measure bool) (Points, *FeatureMap, error) {
	if l.Set.Len() == 0 {
		return Points{}, nil, errors.New("task: there are no rows to map")
	}
	watch := model.NewStopwatch()
	k, err := randomfeatures.New(l.Kernel, l.Set.At(0), o)
	if err != nil {
		return Points{}, nil, fmt.Errorf("%w; landmarks approximate any kernel", err)
	}
	o = k.Options()
	m := &FeatureMap{Dim: o.Dim, Features: k.Dim(), Frequencies: o.Frequencies, Seed: o.Seed, rows: l.Set.Len()}
	if measure {
		e, err := k.Errors(ctx, l.Set, o.Seed, how)
		if err != nil {
			return Points{}, nil, err
		}
		m.Errors = *e
		watch.Lap(&m.Run, "errors")
	}
	few := kernel.NewTile(min(plannedRows, m.rows), m.Features)
	for range mappings {
		mapping := compute.StartStopwatch()
		k.MapRows(few, l.Set, 0)
		if seconds := mapping.Seconds() / float64(few.Rows); m.seconds == 0 || seconds < m.seconds {
			m.seconds = seconds
		}
	}
	l.Kernel = k
	return l.Any(), m, nil
}

// WeighFeatures makes what a method found with features a function of them that prints the
// kernel for which they stand.
func (l TypedPoints[T]) WeighFeatures(ctx context.Context, f Function) (Function, error) {
	found, ok := l.FunctionOf(f)
	if !ok {
		return Function{}, fmt.Errorf("task: a %s is no function of a kernel: leave the features out", f.Form())
	}
	weights, err := randomfeatures.Collapse(ctx, found.Predictor)
	if err != nil {
		return Function{}, err
	}
	p, ok := weights.(*model.Primal[T])
	if !ok {
		return Function{}, fmt.Errorf("task: a %T is no function of features: leave them out", weights)
	}
	return NewFunction(found.Encoding, p.Kernel.(*randomfeatures.Kernel[T]).Of(), weights), nil
}

// remap makes the feature map of a model file, for coefficients of as many features.
func remap[T any](k kernel.Kernel[T], m *FeatureMap, like T, coef *mat.Dense) (kernel.Mapped[T], error) {
	rows, _ := coef.Dims()
	// A map may have fewer features than were asked for, but not so few.
	if m.Features != rows || m.Dim > 4*rows+4 {
		return nil, fmt.Errorf("task: weights of %d features do not fit a map of %d features, of %d that were asked for", rows, m.Features, m.Dim)
	}
	z, err := randomfeatures.New(k, like, m.options())
	if err != nil {
		return nil, err
	}
	if z.Dim() != rows {
		return nil, fmt.Errorf("task: the kernel %s is mapped to %d features, and there are weights of %d: the file contradicts itself", k, z.Dim(), rows)
	}
	return z, nil
}

// Approximate adds to a plan what it takes to map every row so many times.
func (m *FeatureMap) Approximate(plan compute.Plan, columns, maps int) compute.Plan {
	bytes := 8 * int64(m.Features) * int64(columns)
	times := float64(maps) * float64(m.rows)
	stage := compute.Cost{Stage: "features", Memory: bytes, Keeps: bytes, Seconds: times * m.seconds, Flops: times * float64(m.Features) * float64(columns)}
	return WithStages(plan, []compute.Cost{stage}, fmt.Sprintf("%d features stand for the kernel: an approximation; fit reports its error", m.Features))
}

// WithStages returns a plan with stages and a note before those that it has.
func WithStages(plan compute.Plan, stages []compute.Cost, note string) compute.Plan {
	out := compute.NewPlan(plan.Solver, plan.Machine, append(stages, plan.Stages...)...)
	out.Hint, out.Rough, out.Passes, out.Notes = plan.Hint, plan.Rough, plan.Passes, append([]string{note}, plan.Notes...)
	return out
}
