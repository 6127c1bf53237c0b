package gram

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/parallel"
	"mercer/internal/simd"
	"mercer/kernel"
	"mercer/linalg/level3"
)

const (
	// momentBytes is the size of a block of kernel values: it is packed for the product
	// while it is in the second level cache.
	momentBytes = 1 << 20
	// momentLanes is the largest number of runs of rows with sums of their own, and
	// momentLaneBytes bounds the memory of these.
	momentLanes, momentLaneBytes = 8, 256 << 20
)

// Moments returns KᵀWK = Σᵢ wᵢkᵢkᵢᵀ (m×m) and KᵀWY = Σᵢ wᵢkᵢyᵢᵀ (m×p), kᵢ row i of K, in one
// pass over the rows; nil weights are ones. They are computed in double precision whatever
// the options say: whatever solves with the first of them amplifies its rounding.
//
// The cost is one evaluation of the kernel per element and nm² flops; memory is that of
// the results, 1 MiB or 8 rows per worker, and sums of the size of the results, as many as
// fit in 256 MiB, at most 8. Elements that are held are not used. Errors: weights or y that
// are not one for each row; the end of ctx.
func (t *Tall) Moments(ctx context.Context, weights []float64, y *mat.Dense) (second *mat.SymDense, first *mat.Dense, err error) {
	n, p := y.Dims()
	if n != t.rows || weights != nil && len(weights) != t.rows {
		return nil, nil, fmt.Errorf("gram: %d weights and %d rows of y for the moments of %d rows", len(weights), n, t.rows)
	}
	cut := lanes{t.rows, momentSums(t.rows, t.cols)}
	workers := min(t.o.WorkerCount(), cut.count)
	spaces, sums := make([]*momentSpace, workers), make([]momentSum, cut.count)
	progress := newMeter(t.o, "moments", int64(t.rows))
	err = parallel.Each(ctx, workers, cut.count, func(worker, lane int) {
		if spaces[worker] == nil {
			spaces[worker] = newMomentSpace(t, t.o.WorkerCount()/workers)
		}
		sums[lane] = momentSum{mat.NewSymDense(t.cols, nil), mat.NewDense(p, t.cols, nil)}
		from, to := cut.at(lane)
		for height := spaces[worker].height; from < to && ctx.Err() == nil; from += height {
			rows := min(height, to-from)
			spaces[worker].add(sums[lane], from, rows, weights, y)
			progress.add(int64(rows))
		}
	})
	if err != nil {
		return nil, nil, err
	}
	for _, s := range sums[1:] {
		floats.Add(sums[0].second.RawSymmetric().Data, s.second.RawSymmetric().Data)
		floats.Add(sums[0].first.RawMatrix().Data, s.first.RawMatrix().Data)
	}
	return sums[0].second, mat.DenseCopyOf(sums[0].first.T()), nil
}

// momentSums is the number of runs of rows with sums of their own.
func momentSums(rows, cols int) int {
	return max(1, min(momentLanes, rows/laneRows, momentLaneBytes/(8*max(1, cols*cols))))
}

// MomentsBytes returns what [Tall.Moments] holds at its peak besides the blocks of workers.
func MomentsBytes(rows, cols int) int64 {
	return 8 * int64(cols) * int64(cols) * int64(momentSums(rows, cols))
}

// momentSum is Σ wᵢkᵢkᵢᵀ and Σ wᵢyᵢkᵢᵀ over some rows.
type momentSum struct {
	second *mat.SymDense
	first  *mat.Dense
}

// momentSpace is the working memory of a worker.
type momentSpace struct {
	t       *Tall
	height  int
	stride  int
	block   []float64
	pairs   kernel.Pairs
	roots   []float64 // of the weights
	column  []float64 // of W^½Y
	product level3.Implementation
}

func newMomentSpace(t *Tall, workers int) *momentSpace {
	s := &momentSpace{t: t, height: max(8, min(laneRows, momentBytes/8/t.cols/8*8)), product: level3.Implementation{Workers: workers}}
	s.stride = (t.cols+15)/16*16 + 16 // not a multiple of 4 KiB: rows would meet in the same lines of the cache
	s.block, s.roots, s.column = make([]float64, s.height*s.stride), make([]float64, s.height), make([]float64, s.height)
	return s
}

// add adds the moments of rows from … from+rows−1: those of the rows of W^½K and W^½Y.
func (s *momentSpace) add(sum momentSum, from, rows int, weights []float64, y *mat.Dense) {
	m := s.t.cols
	_, p := y.Dims()
	s.pairs = s.t.bind(from, from+rows, s.pairs)
	for col := 0; col < m; col += foldColumns {
		fillTile(s.pairs, s.block[col:], s.stride, rows, min(foldColumns, m-col), 0, col)
	}
	roots := s.roots[:rows]
	for i := range roots {
		roots[i] = 1
		if weights != nil {
			roots[i] = math.Sqrt(weights[from+i])
			floats.Scale(roots[i], s.block[i*s.stride:i*s.stride+m])
		}
	}
	s.product.Syrk(blas.Trans, 1, blas64.General{Rows: rows, Cols: m, Stride: s.stride, Data: s.block}, 1, sum.second.RawSymmetric())
	for c := range p {
		for i, root := range roots {
			s.column[i] = root * y.At(from+i, c)
		}
		simd.AddRows(sum.first.RawRowView(c), s.block, s.stride, s.column[:rows])
	}
}
