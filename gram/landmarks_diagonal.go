package gram

import (
	"context"
	"encoding/gob"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/pass"
)

func init() { gob.Register(diagonalJob{}) }

// diagonalRuns is how many times as many rows as are bound at a time are a piece of a pass.
const diagonalRuns = 64

// diagonalOf stores k(xᵢ, xᵢ) of the points from one on. A driver of the points makes the pass, if
// they have one.
func diagonalOf[T any](ctx context.Context, dst []float64, k kernel.Kernel[T], xs data.Set[T]) error {
	s := pass.SenderOf(k, xs)
	if s == nil {
		return diagonalRun(ctx, dst, k, xs, 0)
	}
	_, err := s.Run(ctx, diagonalJob{}, pass.Pieces(xs.Len(), diagonalRows, diagonalRuns), nil, func(p pass.Piece, rows []float64) error {
		if len(rows) != p.To-p.From {
			return fmt.Errorf("gram: %d elements of the diagonal of %d rows", len(rows), p.To-p.From)
		}
		copy(dst[p.From:], rows)
		return nil
	})
	return err
}

// diagonalRun reads some rows.
func diagonalRun[T any](ctx context.Context, dst []float64, k kernel.Kernel[T], xs data.Set[T], first int) error {
	for from := 0; from < len(dst) && ctx.Err() == nil; from += diagonalRows {
		to := min(from+diagonalRows, len(dst))
		run := data.Run(xs, first+from, first+to)
		kernel.Diag(kernel.Bind(k, run, run), dst[from:to])
	}
	return ctx.Err()
}

// diagonalJob is k(x, x) of rows.
type diagonalJob struct{}

// Run computes that of a piece.
func (diagonalJob) Run(ctx context.Context, k kernel.Kernel[[]float64], rows data.Rows, p pass.Piece, _ []float64, _ compute.Options) (pass.Result, error) {
	r := pass.Result{Rows: make([]float64, p.To-p.From)}
	return r, diagonalRun(ctx, r.Rows, k, rows, p.From)
}
