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
	"example.org/mercer/supervised/sckn"
)

// FeatureMap says by which explicit features a model was found, and how far their inner
// products are from the kernel.
type FeatureMap struct {
	// Dim is the number of features that was asked for, Features that of the map.
	Dim         int                        `json:"dim"`
	Features    int                        `json:"features"`
	Frequencies randomfeatures.Frequencies `json:"frequencies,omitempty"`
	Seed        uint64                     `json:"seed"`
	randomfeatures.Errors
	// Filters are the numbers of those of each layer, of a convolutional kernel whose features they
	// are; nil: there are none. See [Task.WithFilters].
	Filters []int `json:"filters,omitempty"`
	// Trained says how the targets moved the filters after that; nil: they did not.
	Trained *sckn.Report `json:"trained,omitempty"`

	learned learnedFilters
	// training says how the targets are to move the filters; nil: not at all.
	training *sckn.Options
	rows     int
	seconds  float64   // to map one row
	Run      model.Run `json:"-"`
}

// options returns those of the map.
func (m *FeatureMap) options() randomfeatures.Options {
	return randomfeatures.Options{Dim: m.Dim, Frequencies: m.Frequencies, Seed: m.Seed}
}

// WithFeatures returns the problem with the kernel replaced by explicit features, see package
// features. Methods learn from it as from any other kernel, and their functions are weights of
// the features, which keep no training rows; what needs these refuses.
func (p *Task) WithFeatures(ctx context.Context, o randomfeatures.Options, how compute.Options) (*Task, error) {
	return p.mapBy(ctx, func(ctx context.Context) (Points, *FeatureMap, error) {
		return p.Points.WithFeatures(ctx, o, how, true)
	})
}

// PlannedFeatures is [Task.WithFeatures] for a plan: no error is measured.
func (p *Task) PlannedFeatures(ctx context.Context, o randomfeatures.Options, how compute.Options) (*Task, error) {
	return p.mapBy(ctx, func(ctx context.Context) (Points, *FeatureMap, error) {
		return p.Points.WithFeatures(ctx, o, how, false)
	})
}

// errBoth is the refusal to approximate twice.
var errBoth = errors.New("task: landmarks, features and filters each stand for the kernel: choose one of them")

func (p *Task) mapBy(ctx context.Context, by func(ctx context.Context) (Points, *FeatureMap, error)) (*Task, error) {
	if err := p.refuseNetwork(); err != nil {
		return nil, err
	}
	switch {
	case p.LandmarkMap != nil:
		return nil, errBoth
	case p.Indefinite != "":
		return nil, fmt.Errorf("task: inner products of features are positive semidefinite, and nothing is left of the treatment %q of a matrix that is not: leave one of them out", p.Indefinite)
	}
	watching, read := p.CancelOnReadError(ctx)
	points, m, err := by(watching)
	if err := read(err); err != nil {
		return nil, err
	}
	q := *p
	q.Points, q.FeatureMap = points, m
	return &q, nil
}

// plannedRows is the number of rows that are mapped to see how long that takes, and timings how
// often: the fastest counts, for the first meets cold caches and any may wait for other programs.
const plannedRows, timings = 64, 3

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
	m.time(func(few kernel.Tile) { k.MapRows(few, l.Set, 0) })
	l.Kernel = k
	return l.Any(), m, nil
}

// time sees how long the mapping of a few rows takes.
func (m *FeatureMap) time(mapRows func(few kernel.Tile)) {
	few := kernel.NewTile(min(plannedRows, m.rows), m.Features)
	for range timings {
		mapping := compute.StartStopwatch()
		mapRows(few)
		if seconds := mapping.Seconds() / float64(few.Rows); m.seconds == 0 || seconds < m.seconds {
			m.seconds = seconds
		}
	}
}

// standing is a kernel of explicit features that stand for another one.
type standing[T any] interface {
	kernel.RowMapped[T]
	Of() kernel.Kernel[T]
}

// WeighFeatures makes what a method found with features a function of them that prints the
// kernel for which they stand.
func (l TypedPoints[T]) WeighFeatures(ctx context.Context, f Function) (Function, error) {
	found, ok := l.FunctionOf(f)
	if !ok {
		return Function{}, fmt.Errorf("task: a %s is no function of a kernel: leave the features out", f.Form())
	}
	p, ok := found.Predictor.(*model.Primal[T])
	if e, dual := found.Predictor.(*model.Expansion[T]); dual {
		k, stands := e.Kernel.(standing[T])
		if ok = stands; ok {
			var err error
			if p, err = e.Weigh(ctx, k, l.Set.At(0), 0); err != nil {
				return Function{}, err
			}
		}
	}
	if !ok {
		return Function{}, fmt.Errorf("task: a %T is no function of features: leave them out", found.Predictor)
	}
	return NewFunction(found.Encoding, p.Kernel.(standing[T]).Of(), model.Predictor[T](p)), nil
}

// remap makes the feature map of a model file, for coefficients of as many features.
func remap[T any](k kernel.Kernel[T], m *FeatureMap, like T, coef *mat.Dense) (kernel.Mapped[T], error) {
	rows, _ := coef.Dims()
	if m.Filters != nil {
		return refilter(k, m, like, rows)
	}
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
	stage := compute.Cost{Stage: "features", Shared: true, Memory: bytes, Keeps: bytes, Seconds: times * m.seconds, Flops: times * float64(m.Features) * float64(columns)}
	if m.Filters != nil {
		return m.learned.approximate(plan, stage, m, times)
	}
	return WithStages(plan, []compute.Cost{stage}, fmt.Sprintf("%d features stand for the kernel: an approximation; fit reports its error", m.Features))
}

// WithStages returns a plan with stages and a note before those that it has.
func WithStages(plan compute.Plan, stages []compute.Cost, note string) compute.Plan {
	out := compute.NewPlan(plan.Solver, plan.Machine, append(stages, plan.Stages...)...)
	out.Hint, out.Rough, out.Passes, out.Notes = plan.Hint, plan.Rough, plan.Passes, append([]string{note}, plan.Notes...)
	out.Sent = plan.Sent
	return out
}
