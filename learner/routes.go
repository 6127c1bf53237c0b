package learner

import (
	"context"
	"errors"
	"fmt"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/record"
	"example.org/mercer/task"
)

// offered are the numbers of landmarks that are offered instead of all rows, where these
// are at least four times as many, and drawn those of random features; passed are those of
// landmarks for passes of conjugate gradients, which pay where nm² is too much.
var (
	offered = []int{250, 500, 1000, 2000, 4000}
	drawn   = []int{500, 1000, 2000, 4000, 8000}
	passed  = []int{2000, 4000, 10000}
)

// Routes plans the same fit with the kernel approximated, by several numbers of landmarks and
// of random features, and by the method that solves it on landmarks, where there is one. What the
// kernel is expected to be off stands in Error (see [nystrom.Estimate] and
// [randomfeatures.Errors]), and in Hint what to ask for. Which routes there are depends on the
// rows, the kernel and the method alone, never on how fast they were found to be: those that pay
// nowhere are listed with their cost. There are none where landmarks cannot stand for the kernel or
// for what the method says.
func Routes(ctx context.Context, p *task.Task, m Learner, o nystrom.Options) ([]compute.Plan, error) {
	n, _, _ := p.Dims()
	if p.LandmarkMap != nil || p.FeatureMap != nil || p.Streamed() || n < 4*offered[0] || learnable(m, false) != nil ||
		p.Indefinite != "" || p.Derivation().Verdict == kernel.Indefinite {
		return nil, nil
	}
	if _, own := m.(PointLearner); own {
		return nil, nil
	}
	o.Weights = p.Rows.W
	estimate, err := estimateLandmarks(ctx, p.Points, o)
	if err != nil {
		return nil, err
	}
	r := routes{p: p, m: m, o: o, estimate: estimate}
	for _, add := range []func(context.Context) error{r.landmarks, r.features, r.iterated} {
		if err := add(ctx); err != nil {
			return nil, err
		}
	}
	return r.plans, nil
}

// routes collects the plans of a method on a problem.
type routes struct {
	p        *task.Task
	m        Learner
	o        nystrom.Options // of the landmarks
	estimate *nystrom.Estimate
	plans    []compute.Plan
}

// add plans a method on a problem.
func (r *routes) add(ctx context.Context, p *task.Task, m Learner, off float64, hint string, count int) error {
	plan, err := Plan(ctx, p, m)
	plan.Hint, plan.Error = fmt.Sprintf("%s %d", hint, count), off
	r.plans = append(r.plans, plan)
	return err
}

func (r *routes) landmarks(ctx context.Context) error {
	n, _, _ := r.p.Dims()
	for _, rank := range offered {
		if 4*rank > n {
			break
		}
		r.o.Rank = rank
		q, err := r.p.PlannedLowRank(ctx, r.o)
		if err == nil {
			err = r.add(ctx, q, r.m, r.estimate.Block(rank), "--landmarks", rank)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *routes) features(ctx context.Context) error {
	if learnable(r.m, true) != nil {
		return nil
	}
	n, _, _ := r.p.Dims()
	for _, dim := range drawn {
		if dim > n {
			break
		}
		q, err := r.p.WithFeatures(ctx, randomfeatures.Options{Dim: dim, Seed: r.o.Seed}, r.o.Compute)
		if errors.Is(err, errors.ErrUnsupported) {
			return nil
		}
		if err == nil && q.FeatureMap.Features < dim {
			return nil // there are no more, and the method may use them without being asked
		}
		if err == nil {
			err = r.add(ctx, q, r.m, q.FeatureMap.Block, "--random-features", dim)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// iterated plans the other method for the loss of this one; it is advice, because another command
// fits it.
func (r *routes) iterated(ctx context.Context) error {
	m, ok := r.m.(onLandmarks)
	if !ok {
		return nil
	}
	n, _, _ := r.p.Dims()
	for _, rank := range passed {
		if 4*rank > n {
			break
		}
		f, err := m.OnLandmarks(r.p, nystrom.Options{Rank: rank, Seed: r.o.Seed}, r.o.Compute)
		if f == nil || err != nil {
			return err
		}
		if err := r.add(ctx, r.p, f, r.estimate.Block(rank), fmt.Sprintf("fit %s --landmarks", f.Name()), rank); err != nil {
			return err
		}
	}
	return nil
}

// onLandmarks is a method whose problem another one solves on landmarks that it chooses itself, by
// passes over the rows.
type onLandmarks interface {
	// OnLandmarks returns the other method; nil: there is none for this task.
	OnLandmarks(p *task.Task, o nystrom.Options, how compute.Options) (Learner, error)
}

// estimateSeconds is what an estimate may take of the time of a plan.
const estimateSeconds = 2

// estimateOn tries landmarks on a sample, as many as a moment allows.
func estimateOn[T any](ctx context.Context, l task.TypedPoints[T], o nystrom.Options) (*nystrom.Estimate, error) {
	rank := offered[len(offered)-1]
	rate, err := compute.PairRate(ctx, l.Bind(), o.Compute)
	if err != nil {
		return nil, err
	}
	for rank > offered[0] && 2*float64(rank)*float64(rank) > estimateSeconds*rate {
		rank /= 2
	}
	return nystrom.NewEstimate(ctx, l.Kernel, l.Set, min(rank, l.Set.Len()/4), o)
}

// estimateLandmarks is [estimateOn] for points of any type.
func estimateLandmarks(ctx context.Context, rows task.Points, o nystrom.Options) (found *nystrom.Estimate, err error) {
	rows.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { found, err = estimateOn(ctx, l, o) },
		IDs:     func(l task.TypedPoints[string]) { found, err = estimateOn(ctx, l, o) },
		Records: func(l task.TypedPoints[record.Record]) { found, err = estimateOn(ctx, l, o) },
	})
	return found, err
}
