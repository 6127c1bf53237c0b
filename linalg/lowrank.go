package linalg

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// LowRank is a partial Cholesky factorization A ≈ L·Lᵀ of a positive semidefinite
// matrix; A − L·Lᵀ is positive semidefinite and zero in the rows of the pivots.
type LowRank struct {
	LT     *mat.Dense // Lᵀ, rank×n, rank ≥ 1
	Pivots []int      // row chosen in each step
	Rest   []float64  // diagonal of A − L·Lᵀ
	Trace  float64    // its sum, an upper bound of the norm of A − L·Lᵀ
}

// LowRankOptions say how far to go and how to choose the pivots. Rank is required.
type LowRankOptions struct {
	// Rank is the largest number of columns.
	Rank int
	// Tolerance ends the factorization when the remaining trace is at most this
	// fraction of that of A; 0: at the rank, or when rounding is all that remains.
	Tolerance float64
	// Pivots is the rule by which columns are chosen; the zero value is Greedy.
	Pivots PivotRule
	// Order holds the rows that Listed takes.
	Order []int
	// Seed of Random.
	Seed uint64
	// Workers share the products; 0 means GOMAXPROCS. Results have the same bits for
	// any number.
	Workers int
	// Step, if not nil, keeps the columns as [Options].Step does a factor: rank·n numbers, and rows
	// of those that Random proposed and rejected.
	Step func(ctx context.Context, name string, results [][]float64, compute func() error) error
}

// PivotedCholesky approximates a positive semidefinite matrix A, given by its diagonal
// and a function that stores column cols[i] in row i of dst, by some of its columns.
// n·rank² flops and n·rank numbers of memory; rank columns of A are computed by Greedy,
// and by Random those of rejected proposals too.
//
// Harbrecht, Peters and Schneider, On the low-rank approximation by the pivoted Cholesky
// decomposition, Applied Numerical Mathematics 62 (2012), for Greedy; Chen, Epperly,
// Tropp and Webber, Randomly pivoted Cholesky, Comm. Pure Appl. Math. 78 (2025), and
// Epperly, Tropp and Webber, Embrace rejection (2024), algorithm 2.2, for Random.
func PivotedCholesky(ctx context.Context, diag []float64, columns Columns, o LowRankOptions) (*LowRank, error) {
	n := len(diag)
	if n == 0 || o.Rank < 1 || !(o.Tolerance >= 0) {
		return nil, fmt.Errorf("linalg: pivoted Cholesky of order %d to rank %d, tolerance %v: order and rank must be at least 1, the tolerance not negative", n, o.Rank, o.Tolerance)
	}
	if i := slices.IndexFunc(o.Order, func(row int) bool { return row < 0 || row >= n }); i >= 0 {
		return nil, fmt.Errorf("linalg: pivoted Cholesky of order %d: row %d of the order is %d: rows are numbered from 0", n, i, o.Order[i])
	}
	rest := append([]float64(nil), diag...)
	trace, err := remaining(rest)
	if err != nil {
		return nil, err
	}
	rank := min(o.Rank, n)
	p := &partialCholesky{low: &LowRank{Rest: rest, Trace: trace}, rows: newMatrix[float64](rank, n), diag: diag, columns: columns, o: o}
	propose := p.proposer()
	for len(p.low.Pivots) < rank && (len(p.low.Pivots) == 0 || p.low.Trace > o.Tolerance*trace) {
		before, proposals := len(p.low.Pivots), propose()
		if err := p.extend(ctx, proposals); err != nil {
			return nil, err
		}
		if len(proposals) == 0 || len(p.low.Pivots) == before && o.Pivots != Listed {
			break // what remains is rounding, or not listed
		}
	}
	k := len(p.low.Pivots)
	if k == 0 {
		return nil, fmt.Errorf("linalg: pivoted Cholesky: the diagonal has no positive element: the matrix is zero or not positive semidefinite")
	}
	p.low.LT = mat.NewDense(k, n, p.rows.Data[:k*n])
	return p.low, nil
}

// Columns stores column cols[i] of a symmetric matrix of order n in row i of dst, which
// is len(cols)×n.
type Columns func(ctx context.Context, dst *mat.Dense, cols []int) error

// partialCholesky is a factorization in progress.
type partialCholesky struct {
	low     *LowRank
	rows    general[float64] // Lᵀ, the first len(low.Pivots) rows of it
	diag    []float64        // of A
	columns Columns
	fresh   general[float64] // columns of the proposals, as rows
	o       LowRankOptions
}

// proposal is a row that may become a pivot. It is accepted if what then remains of
// its diagonal element exceeds threshold.
type proposal struct {
	row       int
	threshold float64
}

// extend appends the rows of Lᵀ that belong to the accepted ones among the proposals:
// with P the proposals and T ⊂ P those accepted,
//
//	G = A_P − L_P·Lᵀ,  R·Rᵀ = G_TT,  new rows = R⁻¹·G_T.
func (p *partialCholesky) extend(ctx context.Context, proposals []proposal) error {
	if err := ctx.Err(); err != nil || len(proposals) == 0 {
		return err
	}
	k := len(p.low.Pivots)
	added, accepted := p.rows.view(k, 0, len(proposals), p.rows.Cols), make([]float64, len(proposals))
	step := p.o.Step
	if step == nil {
		step = noCheckpoint
	}
	err := step(ctx, "columns", [][]float64{added.Data[:added.Rows*added.Cols], accepted}, func() error {
		return p.newRows(ctx, added, accepted, proposals)
	})
	if err != nil {
		return err
	}
	for i, q := range proposals {
		if accepted[i] != 0 {
			p.low.Pivots = append(p.low.Pivots, q.row)
		}
	}
	return p.subtractFromDiagonal(k, p.rows.view(k, 0, len(p.low.Pivots)-k, p.rows.Cols))
}

// newRows stores the rows of Lᵀ that come to the known ones, and 1 for each proposal that is
// accepted.
func (p *partialCholesky) newRows(ctx context.Context, added general[float64], ones []float64, proposals []proposal) error {
	n, cols := p.rows.Cols, make([]int, len(proposals))
	for i, q := range proposals {
		cols[i] = q.row
	}
	if p.fresh.Rows < len(cols) {
		p.fresh = newMatrix[float64](len(cols), n)
	}
	fresh := p.fresh.view(0, 0, len(cols), n)
	if err := p.columns(ctx, mat.NewDense(len(cols), n, fresh.Data), cols); err != nil {
		return err
	}
	p.subtractKnown(fresh, cols)
	accepted, r := p.accept(fresh, proposals)
	for i, at := range accepted {
		copy(added.row(i), fresh.row(at))
		ones[at] = 1
	}
	if t := len(accepted); t > 0 {
		level3Of(Options{Workers: p.o.Workers}).Dtrsm(blas.Left, blas.Lower, blas.NoTrans, blas.NonUnit, t, n, 1, r.Data, r.Stride, added.Data, added.Stride)
	}
	return nil
}

// noCheckpoint computes a step and keeps nothing.
func noCheckpoint(_ context.Context, _ string, _ [][]float64, compute func() error) error {
	return compute()
}

// subtractKnown subtracts from rows cols of A what the columns of L explain.
func (p *partialCholesky) subtractKnown(fresh general[float64], cols []int) {
	k := len(p.low.Pivots)
	if k == 0 {
		return
	}
	known := p.rows.view(0, 0, k, p.rows.Cols)
	at := newMatrix[float64](len(cols), k)
	for i, c := range cols {
		for j, out := 0, at.row(i); j < k; j++ {
			out[j] = known.Data[j*known.Stride+c]
		}
	}
	if len(cols) <= fewRows {
		subtract(fresh, at, blas.NoTrans, known)
		return
	}
	level3Of(Options{Workers: p.o.Workers}).Gemm(blas.NoTrans, blas.NoTrans, -1, double(at), double(known), 1, double(fresh))
}

// accept decides on the proposals in their order, with the Cholesky factor r of the
// accepted part of G as it grows.
func (p *partialCholesky) accept(fresh general[float64], proposals []proposal) (accepted []int, r general[float64]) {
	r = newMatrix[float64](len(proposals), len(proposals))
	for i, q := range proposals {
		g, t := fresh.row(i), len(accepted)
		row := r.Data[t*r.Stride : t*r.Stride+t+1]
		left := g[q.row]
		for j, a := range accepted {
			s := g[proposals[a].row]
			for l, v := range r.Data[j*r.Stride : j*r.Stride+j] {
				s -= v * row[l]
			}
			row[j] = s / r.Data[j*r.Stride+j]
			left -= row[j] * row[j]
		}
		// Below so many units of the last place an element is rounding.
		const noise = 64 * 0x1p-52
		if left > q.threshold && left > noise*p.diag[q.row] {
			row[t] = math.Sqrt(left)
			accepted = append(accepted, i)
		}
	}
	return accepted, r
}

// subtractFromDiagonal takes the rows that were added, from row k on, off the remaining diagonal.
func (p *partialCholesky) subtractFromDiagonal(k int, added general[float64]) error {
	low := p.low
	for j := range added.Rows {
		for i, v := range added.row(j) {
			low.Rest[i] -= v * v
		}
	}
	for j := range k + added.Rows { // exact zeros that rounding has blurred
		for i := max(j+1, k); i < k+added.Rows; i++ {
			p.rows.Data[i*p.rows.Stride+low.Pivots[j]] = 0
		}
		low.Rest[low.Pivots[j]] = 0
	}
	low.Trace = 0
	for i, v := range low.Rest {
		if math.IsNaN(v) {
			return fmt.Errorf("linalg: pivoted Cholesky: row %d has an element that is not a number in one of the columns %v", i, low.Pivots[k:])
		}
		low.Rest[i] = math.Max(v, 0)
		low.Trace += low.Rest[i]
	}
	return nil
}

// remaining returns the sum of a diagonal after checking it.
func remaining(diag []float64) (float64, error) {
	sum := 0.0
	for i, v := range diag {
		if !(v >= 0) || math.IsInf(v, 1) {
			return 0, fmt.Errorf("linalg: pivoted Cholesky: diagonal element %d is %v: a positive semidefinite matrix has none such", i, v)
		}
		sum += v
	}
	return sum, nil
}
