package gram

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
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
// pass over the rows; nil weights are ones. Whatever solves with the first of them amplifies its
// rounding. In single precision, in half of the time, they are fit for a preconditioner: elements
// and products are float32, of kᵢ less a row c that is like them,
//
//	Σ wkkᵀ = Σ w(k − c)(k − c)ᵀ + cgᵀ + gcᵀ + cΣwcᵀ,  g = Σ w(k − c),
//
// which rounds what differs from row to row and not what all rows have in common, and sums are
// float64 beyond 1024 rows.
//
// The cost is one evaluation of the kernel per element and nm² flops; memory is that of
// the results, 1 MiB or 8 rows per worker (and 4m² bytes in single precision), and sums of the
// size of the results, as many as fit in 256 MiB, at most 8. Elements that are held are not used.
// Errors: weights or y that are not one for each row; the end of ctx.
func (t *TallSkinny) Moments(ctx context.Context, weights []float64, y *mat.Dense) (second *mat.SymDense, first *mat.Dense, err error) {
	n, _ := y.Dims()
	if n != t.rows || weights != nil && len(weights) != t.rows {
		return nil, nil, fmt.Errorf("gram: %d weights and %d rows of y for the moments of %d rows", len(weights), n, t.rows)
	}
	if t.o.Precision == compute.Double {
		return moments[float64](ctx, t, nil, weights, y)
	}
	return t.singleMoments(ctx, weights, y)
}

// moments are those of the rows k − c, where minus is −c, and not nil.
func moments[F float](ctx context.Context, t *TallSkinny, minus []F, weights []float64, y *mat.Dense) (second *mat.SymDense, first *mat.Dense, err error) {
	cut := lanes{t.rows, momentSums(t.rows, t.cols)}
	_, p := y.Dims()
	var sums []float64
	if t.elsewhere != nil {
		sums, err = sendMoments(ctx, t, minus, weights, y, cut)
	} else {
		sums, err = sumMoments(ctx, t, minus, weights, y, cut)
	}
	if err != nil {
		return nil, nil, err
	}
	m := t.cols
	byTarget := mat.NewDense(p, m, sums[m*m:])
	return mat.NewSymDense(m, sums[:m*m]), mat.DenseCopyOf(byTarget.T()), nil
}

// sumMoments makes a pass here.
func sumMoments[F float](ctx context.Context, t *TallSkinny, minus []F, weights []float64, y *mat.Dense, cut lanes) ([]float64, error) {
	workers := min(t.o.WorkerCount(), cut.count)
	spaces := make([]*momentSpace[F], workers)
	progress := t.o.Meter("moments", int64(t.rows))
	all := pass.InOrder{}
	_, p := y.Dims()
	err := parallel.Each(ctx, workers, cut.count, func(worker, lane int) {
		if spaces[worker] == nil {
			spaces[worker] = newMomentSpace(t, minus, t.o.WorkerCount()/workers)
		}
		from, to := cut.at(lane)
		var w []float64
		if weights != nil {
			w = weights[from:to]
		}
		sums := spaces[worker].lane(ctx, from, to, w, y.Slice(from, to, 0, p).(*mat.Dense), progress)
		_ = all.Add(lane, pass.Result{Sums: sums}) // each lane comes once, and all have as many sums
	})
	return all.Total, err
}

// lane returns the moments of some rows, of whose weights (nil: ones) and targets w and y are: the
// m×m numbers of the one and then the p×m of the other.
func (s *momentSpace[F]) lane(ctx context.Context, from, to int, w []float64, y *mat.Dense, progress *compute.Meter) []float64 {
	m := s.t.cols
	_, p := y.Dims()
	sums := make([]float64, m*(m+p))
	sum := momentSum{mat.NewSymDense(m, sums[:m*m]), mat.NewDense(p, m, sums[m*m:])}
	for at := from; at < to && ctx.Err() == nil; at += s.height {
		rows := min(s.height, to-at)
		s.Add(sum, at, at-from, rows, w, y)
		progress.Add(int64(rows))
	}
	s.flush(sum.second)
	return sums
}

// momentSums is the number of runs of rows with sums of their own.
func momentSums(rows, cols int) int {
	return max(1, pass.Many(rows), min(momentLanes, rows/laneRows, momentLaneBytes/(8*max(1, cols*cols))))
}

// MomentsBytes returns what [TallSkinny.Moments] holds at its peak besides the blocks of workers.
func MomentsBytes(rows, cols int) int64 {
	return 8 * int64(cols) * int64(cols) * int64(min(momentLanes, momentSums(rows, cols)))
}

// momentSum is Σ wᵢkᵢkᵢᵀ and Σ wᵢyᵢkᵢᵀ over some rows.
type momentSum struct {
	second *mat.SymDense
	first  *mat.Dense
}

// momentSpace is the working memory of a worker.
type momentSpace[F float] struct {
	t       *TallSkinny
	minus   []F // is added to every row, if not nil
	height  int
	stride  int
	block   []F
	pairs   kernel.Pairs
	roots   []float64 // of the weights
	column  []float64 // of W^½Y
	product level3.Implementation
	recent  recentSquares
}

func newMomentSpace[F float](t *TallSkinny, minus []F, workers int) *momentSpace[F] {
	s := &momentSpace[F]{t: t, minus: minus, product: level3.Implementation{Workers: workers}}
	s.height = max(8, min(laneRows, momentBytes/int(t.o.Precision.Bytes())/t.cols/8*8))
	s.stride = (t.cols+15)/16*16 + 16 // not a multiple of 4 KiB: rows would meet in the same lines of the cache
	s.block, s.roots, s.column = make([]F, s.height*s.stride), make([]float64, s.height), make([]float64, s.height)
	if t.o.Precision == compute.Single {
		s.recent = recentSquares{sum: make([]float32, t.cols*t.cols), column: make([]float32, s.height)}
	}
	return s
}

// Add adds the moments of rows from … from+rows−1, whose weights and targets begin at at: those of
// the rows of W^½K and W^½Y.
func (s *momentSpace[F]) Add(sum momentSum, from, at, rows int, weights []float64, y *mat.Dense) {
	m := s.t.cols
	_, p := y.Dims()
	s.fill(from, rows)
	roots := s.roots[:rows]
	for i := range roots {
		row := s.block[i*s.stride : i*s.stride+m]
		if roots[i] = 1; weights != nil {
			roots[i] = math.Sqrt(weights[at+i])
			simd.Affine(row, row, F(roots[i]), 0)
		}
	}
	s.square(sum.second, rows)
	for c := range p {
		for i, root := range roots {
			s.column[i] = root * y.At(at+i, c)
		}
		addRowsTo(sum.first.RawRowView(c), s.block, s.stride, s.column[:rows], s.recent.column)
	}
}

// fill stores the rows from … from+rows−1 in the block.
func (s *momentSpace[F]) fill(from, rows int) {
	m := s.t.cols
	s.pairs = s.t.bind(from, from+rows, s.pairs)
	for col := 0; col < m; col += foldColumns {
		fillTile(s.pairs, s.block[col:], s.stride, rows, min(foldColumns, m-col), 0, col)
	}
	if s.minus == nil {
		return
	}
	for i := range rows {
		row := s.block[i*s.stride : i*s.stride+m]
		simd.Add(row, row, s.minus)
	}
}

// square adds the symmetric product of the rows of the block to sum.
func (s *momentSpace[F]) square(sum *mat.SymDense, rows int) {
	m := s.t.cols
	if block, ok := any(s.block).([]float64); ok {
		s.product.Syrk(blas.Trans, 1, blas64.General{Rows: rows, Cols: m, Stride: s.stride, Data: block}, 1, sum.RawSymmetric())
		return
	}
	if s.recent.rows+rows > singleRun {
		s.flush(sum)
	}
	s.product.Ssyrk(blas.Upper, blas.Trans, m, rows, 1, any(s.block).([]float32), s.stride, 1, s.recent.sum, m)
	s.recent.rows += rows
}
