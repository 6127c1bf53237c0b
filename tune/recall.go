package tune

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// recall is a step of the checkpoint: the values of one kernel, and more numbers. Why a kernel has
// failed is no number: it is kept as NaN, and tried once more where it is known.
func (s *search[T]) recall(ctx context.Context, name string, values, more []float64, compute func() error) (failed, err error) {
	known := true
	err = s.kept.Step(ctx, name, [][]float64{values, more}, func() error {
		known = false
		if failed = compute(); failed != nil {
			values[0] = math.NaN()
		}
		return ctx.Err()
	})
	if err == nil && known && slices.ContainsFunc(values, math.IsNaN) {
		failed = compute()
	}
	return failed, cmp.Or(err, ctx.Err())
}
