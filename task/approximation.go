package task

import (
	"context"
	"errors"
	"fmt"

	"example.org/mercer/approx/filters"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/pass"
	"example.org/mercer/supervised/sckn"
	"example.org/mercer/tune"
)

// Approximation says by which low-rank kernel to learn: that of landmarks, of explicit features, or
// of filters for a kernel on images. The zero value is the kernel itself. Two at once are refused.
type Approximation struct {
	Landmarks *nystrom.Options
	Features  *randomfeatures.Options
	Filters   *filters.Options
	// Training lets the targets move the filters, see [Task.TrainFilters]; nil: they see none.
	Training *sckn.Options
}

// Wanted reports whether there is anything to reduce.
func (r Approximation) Wanted() bool {
	return r.Landmarks != nil || r.Features != nil || r.Filters != nil
}

// String names the options, for the journal of a search.
func (r Approximation) String() string {
	switch {
	case r.Landmarks != nil:
		o := *r.Landmarks
		return fmt.Sprintf("landmarks %s %d %g %d %d", o.Scheme, o.Rank, o.Tolerance, o.Among, o.Seed)
	case r.Features != nil:
		return fmt.Sprintf("features %d %s %d", r.Features.Dim, r.Features.Frequencies, r.Features.Seed)
	case r.Filters != nil:
		return r.Filters.String()
	}
	return ""
}

// Check refuses to approximate twice.
func (r Approximation) Check() error {
	if r.Training != nil && r.Filters == nil {
		return errors.New("task: targets can move filters, and there are none: give their numbers")
	}
	if r.Landmarks != nil && (r.Features != nil || r.Filters != nil) || r.Features != nil && r.Filters != nil {
		return errBoth
	}
	return nil
}

// Reduced is [Task.LowRank], [Task.WithFeatures] or [Task.WithFilters], or the problem itself.
func (p *Task) Reduced(ctx context.Context, r Approximation, how compute.Options) (*Task, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	switch {
	case r.Landmarks != nil:
		o := *r.Landmarks
		o.Compute = how
		return p.LowRank(ctx, o)
	case r.Features != nil:
		return p.WithFeatures(ctx, *r.Features, how)
	case r.Filters != nil:
		return r.trained(p.WithFilters(ctx, *r.Filters, how))
	}
	return p, nil
}

// Featured is [Task.Reduced] without the errors of the approximation, whose measure is a pass over
// the rows: for searches, which try many.
func (p *Task) Featured(ctx context.Context, r Approximation, how compute.Options) (*Task, error) {
	switch {
	case r.Landmarks != nil:
		o := *r.Landmarks
		o.Compute = how
		return p.approximateBy(ctx, o, o, false)
	case r.Features != nil:
		return p.PlannedFeatures(ctx, *r.Features, how)
	}
	return p.Reduced(ctx, r, how)
}

// Admit refuses a search in features of the rows that would hold more than it may: those of all
// rows and of a part, the columns by which landmarks are chosen, and the moments. How many
// landmarks a tolerance takes is not known before. Of rows in a file no features are held.
func (r Approximation) Admit(p *Task, how compute.Options) error {
	if p.Streamed() {
		return nil
	}
	n, dim := p.Points.Size(), 0
	switch {
	case r.Landmarks != nil:
		dim = min(r.Landmarks.Rank, n)
	case r.Features != nil:
		dim = r.Features.Dim
	}
	need := 8 * int64(dim) * (3*int64(n) + 5*int64(dim))
	if limit := how.MaxMemory; limit > 0 && need > limit {
		return &compute.TooLarge{What: fmt.Sprintf("tuning in %d features of %d rows", dim, n), Need: need, Limit: limit}
	}
	return nil
}

// Featuring returns what gives a search the features of a kernel; nil where nothing is reduced.
// Landmarks are chosen, and features drawn, from all points that the search sees, so that all
// splits share them: they look at points alone and never at targets.
func Featuring[T any](r Approximation, how compute.Options) tune.Featuring[T] {
	if !r.Wanted() {
		return nil
	}
	how.Progress = nil
	return func(ctx context.Context, k kernel.Kernel[T], xs data.Set[T], weights []float64) (tune.Features, error) {
		low, err := reduced(ctx, r, k, xs, weights, how)
		if err != nil {
			return nil, err
		}
		if rows, vectors := any(xs).(data.Rows); vectors && !pass.InMemory(rows) {
			return tune.Made[T]{Kernel: low, Points: xs}, nil
		}
		op, err := low.Operator(ctx, xs, how)
		if err != nil {
			return nil, err
		}
		return tune.Held{Phi: op.Phi()}, nil
	}
}

// reduced returns the low-rank kernel of some points.
func reduced[T any](ctx context.Context, r Approximation, k kernel.Kernel[T], xs data.Set[T], weights []float64, how compute.Options) (approximated[T], error) {
	if r.Features != nil {
		return randomfeatures.New(k, xs.At(0), *r.Features)
	}
	if r.Filters != nil {
		o := *r.Filters
		o.Compute = how
		return learnFilters(ctx, k, xs, o, false)
	}
	if kernel.Derive(k).Verdict == kernel.Indefinite {
		return nil, NotDefinite(k.String())
	}
	o := *r.Landmarks
	o.Weights, o.Compute = weights, how
	s, _, err := nystrom.Landmarks(ctx, k, xs, o)
	if err != nil {
		return nil, err
	}
	return nystrom.New(ctx, k, s.Points, how)
}

// NotDefinite is the refusal to approximate a kernel that is not positive definite.
func NotDefinite(kernel string) error {
	return fmt.Errorf("task: landmarks approximate a positive definite kernel, and %s is taken for one that is not; leave the landmarks, or the treatment of the matrix, out", kernel)
}
