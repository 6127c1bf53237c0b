package preimage_test

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/progress/progresstest"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/preimage"
)

// TestPreImagesTellAndStop: every iteration for pre-images tells of each that is found; cancelled
// half-way it ends after the pieces that were begun.
func TestPreImagesTellAndStop(t *testing.T) {
	const n, targets = 40, 30
	xs, coef, rnd := points(t, 31, n, 3), mat.NewDense(n, targets, nil), testkit.Rand(t, 32)
	for i := range targets {
		for _, j := range []int{i, (i + 7) % n} {
			coef.Set(j, i, 0.3+0.1*rnd.Float64())
		}
	}
	k, near := rbf(1), points(t, 33, targets, 3)
	for name, m := range map[string]preimage.Method[[]float64]{
		"fixed point": preimage.FixedPoint{Profile: preimage.Gaussian(1)},
		"distances":   preimage.Distances{Profile: preimage.Gaussian(1)},
		"descent":     preimage.Descent{},
	} {
		find := func(ctx context.Context, l *progresstest.Listener) error {
			p, err := preimage.NewTargets(ctx, &model.Expansion[[]float64]{Kernel: k, Points: xs, Coef: coef}, compute.Options{Workers: 2, Progress: l.Tell})
			if err != nil {
				return err
			}
			_, err = m.PreImages(ctx, p, near)
			return err
		}
		whole := new(progresstest.Listener)
		if err := find(t.Context(), whole); err != nil {
			t.Fatal(err)
		}
		for _, problem := range whole.End() {
			t.Errorf("%s: %s", name, problem)
		}
		if whole.Events() < 8 {
			t.Errorf("%s: %d events say nothing of how far it has come", name, whole.Events())
		}
		ctx, stop := context.WithCancel(t.Context())
		at := whole.Events() / 2
		stopped := &progresstest.Listener{At: func(event int) {
			if event == at {
				stop()
			}
		}}
		if err := find(ctx, stopped); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled at event %d of %d: %v", name, at, whole.Events(), err)
		}
		if more := stopped.Events() - at; more > 3 {
			t.Errorf("%s: cancelled at event %d of %d: %d more", name, at, whole.Events(), more)
		}
		stop()
	}
}
