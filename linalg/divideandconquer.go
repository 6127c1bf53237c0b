package linalg

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
)

// leafOrder is the order up to which a tridiagonal matrix is left to the QL
// iteration.
const leafOrder = 32

// divideAndConquer is the spectral decomposition of a tridiagonal matrix T, in progress:
//
//  1. Cut T in halves until blocks have at most leafOrder rows ([divideAndConquer.divide]). A cut
//     removes the element β beside the diagonal as a matrix of rank one.
//  2. Decompose the small blocks by QL iteration ([divideAndConquer.solveLeaf]).
//  3. Merge neighbouring blocks level by level: add the matrix of rank one again
//     ([divideAndConquer.merge]).
//
// q is block diagonal. Row i of a finished block is a unit eigenvector of eigenvalue d[i]; order
// sorts the rows of the block.
//
// Nearly all flops are in products of matrices, which is why this is faster than QL iteration
// alone.
//
// Cuppen, A divide and conquer method for the symmetric tridiagonal eigenproblem, Numer. Math. 36
// (1981); Gu and Eisenstat, A divide-and-conquer algorithm for the symmetric tridiagonal
// eigenproblem, SIAM J. Matrix Anal. Appl. 16 (1995); deflation as in LAPACK's dlaed2.
type divideAndConquer struct {
	d     []float64
	off   []float64
	q     blas64.General
	work  blas64.General // n×n; the merge of a block uses the same block of it
	order []int          // of each finished block [lo, hi): its rows by ascending eigenvalue
	o     Options
}

// block is a block [lo, hi) that is merged from [lo, mid) and [mid, hi).
type block struct{ lo, mid, hi int }

// decomposeTridiagonal returns the decomposition of the tridiagonal matrix with the given
// diagonals, which must not be much larger than 1 in norm and are destroyed. Eigenvectors are rows
// of q. At most 4n³/3 flops, nearly all in products of matrices; much less where eigenvalues
// cluster.
func decomposeTridiagonal(ctx context.Context, diag, off []float64, o Options) (*divideAndConquer, error) {
	n := len(diag)
	c := &divideAndConquer{d: diag, off: off, q: newGeneral(n, n), work: newGeneral(n, n), order: make([]int, n), o: o}
	leaves, levels := c.divide(n)
	var failed atomic.Bool
	err := each(ctx, o.workers(), len(leaves), func(i int) {
		if !c.solveLeaf(leaves[i].lo, leaves[i].hi) {
			failed.Store(true)
		}
	})
	if err != nil {
		return nil, err
	}
	if failed.Load() {
		return nil, notConverged(n)
	}
	work := int64(0)
	for _, b := range slices.Concat(levels...) {
		work += cube(b.hi - b.lo)
	}
	progress := o.meter("divide and conquer", work)
	defer progress.End(ctx)
	for _, level := range slices.Backward(levels) {
		// Errors of a merge are those of ctx, which each returns too.
		err := each(ctx, o.workers(), len(level), func(i int) {
			_ = c.merge(ctx, level[i])
			progress.Add(cube(level[i].hi - level[i].lo))
		})
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

// divide halves [0, n) down to leaves, tears the matrix apart between halves, and
// returns the merges by level, the last first.
func (c *divideAndConquer) divide(n int) (leaves []block, levels [][]block) {
	current := []block{{0, 0, n}}
	for len(current) > 0 {
		var level, next []block
		for _, b := range current {
			if b.hi-b.lo <= leafOrder {
				leaves = append(leaves, b)
				continue
			}
			b.mid = (b.lo + b.hi) / 2
			beta := math.Abs(c.off[b.mid-1])
			c.d[b.mid-1] -= beta
			c.d[b.mid] -= beta
			level = append(level, b)
			next = append(next, block{b.lo, 0, b.mid}, block{b.mid, 0, b.hi})
		}
		if len(level) > 0 {
			levels = append(levels, level)
		}
		current = next
	}
	return leaves, levels
}

// negligible bounds the elements beside the diagonal that are dropped before QL
// iterations: far below the rounding errors of a matrix of norm about 1. Without it a
// part with a norm as small would have to be scaled, where gonum v0.17 fails: Dsteqr
// does not reset iscale and scales back later parts that it has not scaled, Dsterf
// passes a stride that Dlascl refuses.
const negligible = 1e-100

func dropNegligible(off []float64) {
	for i, v := range off {
		if math.Abs(v) < negligible {
			off[i] = 0
		}
	}
}

// solveLeaf decomposes block [lo, hi) by the implicit QL iteration.
func (c *divideAndConquer) solveLeaf(lo, hi int) bool {
	n := hi - lo
	if n == 0 {
		return true
	}
	z, work := newGeneral(n, n), make([]float64, max(1, 2*n-2))
	off := slices.Clone(c.off[lo : hi-1])
	dropNegligible(off)
	var impl lapackgonum.Implementation
	ok := impl.Dsteqr(lapack.EVTridiag, n, c.d[lo:hi], off, z.Data, z.Stride, work)
	transposeTo(view(c.q, lo, lo, n, n), z)
	for i := lo; i < hi; i++ {
		c.order[i] = i
	}
	return ok
}

// merge replaces the decompositions of the two halves T₁, T₂ of a block by that of
//
//	T = diag(T₁, T₂) + ρ·u·uᵀ,  ρ = |β|,  u = (0 … 0 1, sign β 0 … 0),
//
// that is of diag(d) + ρ·z·zᵀ in the basis of their eigenvectors, with z = Q·u.
func (c *divideAndConquer) merge(ctx context.Context, b block) error {
	beta := c.off[b.mid-1]
	e := &deflation{divideAndConquer: c, block: b, z: make([]float64, b.hi-b.lo), rho: 2 * math.Abs(beta)}
	for i := range e.z { // scaled to ‖z‖ = 1
		if at := b.lo + i; at < b.mid {
			e.z[i] = c.q.Data[at*c.q.Stride+b.mid-1] / math.Sqrt2
		} else {
			e.z[i] = math.Copysign(1, beta) * c.q.Data[at*c.q.Stride+b.mid] / math.Sqrt2
		}
	}
	kept, gone := e.deflate()
	if len(kept) > 0 {
		if err := e.update(ctx, kept, gone); err != nil {
			return err
		}
	}
	c.sort(c.order[b.lo:b.hi])
	return nil
}

// sort puts rows of q in ascending order of their eigenvalues.
func (c *divideAndConquer) sort(rows []int) {
	slices.SortStableFunc(rows, func(i, j int) int { return cmp.Compare(c.d[i], c.d[j]) })
}
