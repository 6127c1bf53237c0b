package tune

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// candidate is what is to be tried: a kernel, and all sets of values of the method that are
// tried with it.
type candidate struct {
	kernel []float64
	method [][]float64 // nil: the best λ
	share  float64     // of the training rows
}

// try adds a trial for every set of values of a candidate, from the journal where it
// knows them all.
func (s *search[T]) try(ctx context.Context, x candidate) error {
	if x.method == nil {
		return s.tryPath(ctx, x.kernel)
	}
	trials, known := make([]Trial, len(x.method)), 0
	for i, values := range x.method {
		trials[i] = Trial{Values: slices.Concat(x.kernel, values), Share: x.share}
		if s.o.Journal.find(&trials[i]) {
			known++
		}
	}
	if known == len(trials) {
		s.resumed += known
	} else if err := s.score(ctx, x, trials); err != nil { // one path learns them together
		return err
	}
	for _, t := range trials {
		s.add(t)
	}
	return nil
}

// score fills in the scores of the trials of one kernel, a step of the checkpoint, and writes them
// in the journal.
func (s *search[T]) score(ctx context.Context, x candidate, trials []Trial) error {
	values, errors, failed := make([]float64, len(trials)), make([]float64, len(trials)), make([]error, len(trials))
	all, err := s.recall(ctx, "kernel", values, errors, func() (cannot, fatal error) {
		scorer, err := s.on(ctx, x.kernel)
		if err != nil {
			return err, nil
		}
		s.pending = len(x.method)
		found, err := scorer(ctx, x.method, x.share)
		s.pending = 0
		for i, f := range found {
			values[i], errors[i], failed[i] = f.Value, f.Error, f.Failed
		}
		return nil, err
	})
	if err != nil {
		return err
	}
	for i, t := range trials {
		trials[i] = scored(t.Values, t.Share, Scored{values[i], errors[i], cmp.Or(all, failed[i])})
	}
	return s.o.Journal.add(trials)
}

// tryPath adds the trial of a kernel with its best λ. Values that make no kernel, or
// one whose Gram matrix cannot be used, make a failed trial, not an error.
func (s *search[T]) tryPath(ctx context.Context, values []float64) error {
	best := make([]float64, 2) // score and λ
	failed, err := s.recall(ctx, "kernel", best[:1], best[1:], func() (cannot, fatal error) {
		scorer, err := s.on(ctx, values)
		if err == nil {
			best[1], best[0], err = bestLambda(ctx, scorer.alongLambda, *s.space.Lambda, s.scale.loss)
		}
		return err, nil
	})
	if err != nil {
		return err
	}
	if failed != nil {
		best[1] = 0
	}
	s.add(scored(append(slices.Clone(values), best[1]), 1, Scored{Value: best[0], Failed: failed}))
	return nil
}

// recall is a step of the checkpoint: the scores of one kernel, and more numbers. Why a kernel
// cannot be tried is no number: its scores are kept as NaN, and it is tried once more where it is
// known. A fatal error ends the search.
func (s *search[T]) recall(ctx context.Context, name string, scores, more []float64, compute func() (cannot, fatal error)) (failed, err error) {
	known := true
	err = s.steps.Step(ctx, name, [][]float64{scores, more}, func() (fatal error) {
		known = false
		if failed, fatal = compute(); failed != nil {
			scores[0] = math.NaN()
		}
		return cmp.Or(fatal, ctx.Err())
	})
	if err == nil && known && slices.ContainsFunc(scores, math.IsNaN) {
		failed, err = compute()
	}
	return failed, cmp.Or(err, ctx.Err())
}
