package task

import (
	"context"
	"errors"
	"fmt"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// LandmarkMap says by which low-rank kernel a model was found, and how far it is from
// the kernel itself.
type LandmarkMap struct {
	// Scheme, Seed and Candidates are those of [nystrom.Report].
	Scheme     nystrom.Scheme `json:"scheme"`
	Seed       uint64         `json:"seed"`
	Candidates int            `json:"candidates"`
	// Rows and Landmarks are the numbers of training rows and of landmarks; landmarks that
	// others explain are Dropped, and not counted.
	Rows      int `json:"rows"`
	Landmarks int `json:"landmarks"`
	Dropped   int `json:"dropped,omitempty"`
	// TraceError is tr(K − K̃)/tr K over all training rows, with their weights.
	TraceError float64 `json:"trace_error"`
	nystrom.Errors

	Run     model.Run `json:"-"`
	Names   []string  `json:"-"` // of the landmarks, as those of training rows
	planned nystrom.Options
}

// LowRank returns the problem with the kernel replaced by its projection on the span of
// landmarks, see package nystrom. Methods learn from it as from any other kernel, and
// their functions are expansions of the kernel itself on the landmarks; they say nothing
// of the training rows one by one, and what needs these, such as a posterior variance,
// refuses. Weights are those of the rows.
func (p *Task) LowRank(ctx context.Context, o nystrom.Options) (*Task, error) {
	return p.approximateBy(ctx, o, o, true)
}

// PlannedLowRank is [Task.LowRank] for a plan: the landmarks are any rows, as many as
// will be chosen, and nothing is measured.
func (p *Task) PlannedLowRank(ctx context.Context, o nystrom.Options) (*Task, error) {
	if o.Rank == 0 {
		return nil, errors.New("task: how many landmarks a tolerance takes is known only when they are chosen: plan with a number of landmarks")
	}
	return p.approximateBy(ctx, nystrom.Options{Scheme: nystrom.Uniform, Rank: o.Rank, Compute: o.Compute}, o, false)
}

// approximateBy chooses landmarks by some options, for a plan by others.
func (p *Task) approximateBy(ctx context.Context, by, planned nystrom.Options, measure bool) (*Task, error) {
	if p.FeatureMap != nil {
		return nil, errBoth
	}
	if err := p.refuseNetwork(); err != nil {
		return nil, err
	}
	if p.Indefinite != "" || p.Derivation().Verdict == kernel.Indefinite {
		return nil, NotDefinite(p.Kernel())
	}
	if p.Streamed() {
		if by, planned = LimitCandidates(by, p.Points.Size()), LimitCandidates(planned, p.Points.Size()); by.HoldsColumns() && by.Among == 0 {
			return nil, errors.New("task: landmarks to a tolerance are chosen by columns of the Gram matrix, and the table is read in passes: say among how many rows (--landmarks-among), or how many landmarks")
		}
	}
	by.Weights = p.Rows.W
	watching, read := p.CancelOnReadError(ctx)
	points, a, rows, err := p.Points.LowRank(watching, by, measure)
	if err := read(err); err != nil {
		return nil, err
	}
	a.planned = planned
	for i := range a.Landmarks {
		if rows == nil {
			a.Names = append(a.Names, fmt.Sprintf("centre %d", i+1))
		} else {
			a.Names = append(a.Names, RowName(p.Rows, rows[i]))
		}
	}
	q := *p
	q.Points, q.LandmarkMap = points, a
	return &q, nil
}

// LimitCandidates lets schemes that hold columns of the Gram matrix choose among four times as many
// of n rows as there will be landmarks, unless the options say among how many.
func LimitCandidates(at nystrom.Options, n int) nystrom.Options {
	if at.Among == 0 && at.Rank > 0 && at.HoldsColumns() {
		at.Among = min(n, 4*at.Rank)
	}
	return at
}

// LowRank puts a low-rank kernel on the points. It returns the rows of the landmarks, nil
// where they are none.
func (l TypedPoints[T]) LowRank(ctx context.Context, o nystrom.Options, measure bool) (Points, *LandmarkMap, []int, error) {
	watch := model.NewStopwatch()
	s, r, err := nystrom.Landmarks(ctx, l.Kernel, l.Set, o)
	if err != nil {
		return Points{}, nil, nil, err
	}
	o.Compute.Checkpoint = nil // it is that of the choice
	low, err := nystrom.New(ctx, l.Kernel, s.Points, o.Compute)
	if err != nil {
		return Points{}, nil, nil, err
	}
	_, kept := low.Landmarks()
	a := &LandmarkMap{Scheme: r.Scheme, Seed: r.Seed, Candidates: r.Candidates, Rows: r.N, Landmarks: len(kept),
		Dropped: s.Points.Len() - len(kept), TraceError: r.TraceError}
	a.Run.Warnings = r.Warnings
	watch.Lap(&a.Run, "landmarks")
	if measure {
		e, err := low.Errors(ctx, l.Set, o.Seed, o.Compute)
		if err != nil {
			return Points{}, nil, nil, err
		}
		a.Errors = *e
		if !r.Traced || r.Candidates < r.N {
			if a.TraceError, err = low.TraceError(ctx, l.Set, o.Weights, o.Compute); err != nil {
				return Points{}, nil, nil, err
			}
		}
		watch.Lap(&a.Run, "errors")
	}
	l.Kernel = low
	if s.Rows == nil {
		return l.Any(), a, nil, nil
	}
	return l.Any(), a, data.Pick(s.Rows, kept), nil
}

// approximated is a kernel whose Gram matrix is a product of features.
type approximated[T any] interface {
	kernel.Mapped[T]
	Operator(ctx context.Context, xs data.Set[T], o compute.Options) (*gram.FeatureOperator, error)
}

// Collapse makes what a method found with a low-rank kernel a function on the landmarks.
func (l TypedPoints[T]) Collapse(ctx context.Context, f Function) (Function, error) {
	found, ok := l.FunctionOf(f)
	if !ok {
		return Function{}, fmt.Errorf("task: a %s is no function of a kernel: leave the landmarks out", f.Form())
	}
	low, err := nystrom.Collapse(ctx, found.Predictor)
	if err != nil {
		return Function{}, err
	}
	e, ok := low.(*model.Expansion[T])
	if !ok {
		return Function{}, fmt.Errorf("task: a %T is no expansion on landmarks: leave them out", low)
	}
	return NewFunction(found.Encoding, e.Kernel, low), nil
}

const (
	// Mappings is how often a method that learns in features computes them, if it says nothing
	// else: for their mean, their moments, and the residuals.
	Mappings = 3
	// refinements are the passes of a solution by moments of the kernel values, as many as
	// have been seen; each takes 4nm flops for a target.
	refinements = 3
)

// featureFlops are those of L⁻¹ on the rows, nm² each time that they are mapped; or, where moments
// are summed as they are, on both sides of their sum, 2m³, and those of the refinement.
func featureFlops(n, m, targets, maps float64, summed bool) float64 {
	if summed {
		return 2*m*m*m + refinements*4*n*m*targets
	}
	return maps * n * m * m
}

// Approximate adds to a plan what landmarks and their features take, where every row is mapped
// so many times; summed says that the method sums moments of kernel values, and no features,
// over the rows.
func (a *LandmarkMap) Approximate(plan compute.Plan, targets, maps int, summed bool) compute.Plan {
	m := plan.Machine
	n, rank := float64(a.Rows), float64(a.Landmarks)
	mapped := featureFlops(n, rank, float64(targets), float64(maps), summed)
	by, bound := a.planned, m
	by.Rank, bound.PairRate = a.Landmarks, 0 // the rate is that of the low-rank kernel
	choose := nystrom.SelectCost(a.Rows, by, bound)
	features := compute.Cost{Stage: "features", Shared: true, Memory: max(gram.MomentsBytes(a.Rows, a.Landmarks), 16*int64(a.Landmarks)*int64(a.Landmarks)) + 32*int64(a.Landmarks)*int64(a.Landmarks), Keeps: 16 * int64(a.Landmarks) * int64(a.Landmarks),
		Flops: mapped, Seconds: mapped / m.GemmRate}
	note := fmt.Sprintf("%d landmarks stand for the kernel: an approximation; fit reports its error", a.Landmarks)
	if summed {
		note += "; moments of the kernel values are taken to be exact enough: landmarks that are nearly dependent, with a tiny λ, take 3 passes of nm² flops more"
	}
	return WithStages(plan, []compute.Cost{choose, features}, note)
}

// Original returns the points with the kernel that landmarks or random features stand for.
func (l TypedPoints[T]) Original() Points {
	if k, ok := l.Kernel.(standing[T]); ok {
		l.Kernel = k.Of()
	}
	return l.Any()
}
