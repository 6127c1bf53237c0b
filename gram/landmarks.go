package gram

import (
	"context"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Landmarks is the kernel values of a problem on n rows whose function is sought among those of m
// landmarks, f = Σⱼ βⱼ k(·, zⱼ).
type Landmarks struct {
	Rows *TallSkinny  // K_nm, of the rows and the landmarks
	Self kernel.Pairs // K_mm
	// Index has the numbers of the rows that the landmarks are; nil where they are none.
	Index []int
	// Bind binds some rows to the landmarks. reuse is nil or an earlier result that is not used
	// any more.
	Bind func(rows []int, reuse kernel.Pairs) kernel.Pairs
	// Diagonal stores k(xᵢ, xᵢ) of all rows.
	Diagonal func(ctx context.Context, dst []float64) error
}

// OnLandmarks binds points in blocks to the landmarks at, which are those with the numbers of
// index, or other points (nil). The points may be in a file: each pass over [Landmarks].Rows reads
// them in order.
func OnLandmarks[T any](k kernel.Kernel[T], xs, at data.Set[T], index []int, o compute.Options) *Landmarks {
	anchored := kernel.BindColumns(k, at)
	return &Landmarks{
		Rows: Columns(k, at, anchored, xs, o), Self: kernel.Bind(k, at, at), Index: index,
		Bind:     func(rows []int, reuse kernel.Pairs) kernel.Pairs { return anchored.Bind(data.Subset(xs, rows), reuse) },
		Diagonal: func(ctx context.Context, dst []float64) error { return diagonalOf(ctx, dst, k, xs) },
	}
}

// LandmarksOf takes rows of a matrix as landmarks.
func LandmarksOf(p kernel.Pairs, index []int, o compute.Options) *Landmarks {
	s := RowsOf(p)
	return &Landmarks{
		Rows: TallSkinnyOf(s.Bind(nil, index), o), Self: s.Bind(index, index), Index: index,
		Bind: func(rows []int, _ kernel.Pairs) kernel.Pairs { return s.Bind(rows, index) },
		Diagonal: func(_ context.Context, dst []float64) error {
			kernel.Diag(p, dst)
			return nil
		},
	}
}

// Some is [Landmarks].Rows of the rows with the given numbers.
func (l *Landmarks) Some(rows []int) *TallSkinny {
	_, m := l.Rows.Dims()
	return NewTallSkinny(len(rows), m, func(from, to int, reuse kernel.Pairs) kernel.Pairs { return l.Bind(rows[from:to], reuse) }, l.Rows.o)
}
