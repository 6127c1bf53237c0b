package linalg

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
)

// conquerLeaf is the order up to which a tridiagonal matrix is left to the QL
// iteration.
const conquerLeaf = 32

// conquest is the spectral decomposition of a tridiagonal matrix by divide and conquer,
// in progress: q is block diagonal, and row i of a finished block is a unit eigenvector
// of eigenvalue d[i], in the order of order.
//
// Cuppen, A divide and conquer method for the symmetric tridiagonal eigenproblem, Numer.
// Math. 36 (1981); Gu and Eisenstat, A divide-and-conquer algorithm for the symmetric
// tridiagonal eigenproblem, SIAM J. Matrix Anal. Appl. 16 (1995); deflation as in
// LAPACK's dlaed2.
type conquest struct {
	d     []float64
	off   []float64
	q     blas64.General
	work  blas64.General // n×n; the merge of a block uses the same block of it
	order []int          // of each finished block [lo, hi): its rows by ascending eigenvalue
	o     Options
}

// block is a block [lo, hi) that is merged from [lo, mid) and [mid, hi).
type block struct{ lo, mid, hi int }

// conquer returns the decomposition of the tridiagonal matrix with the given diagonals,
// which must not be much larger than 1 in norm and are destroyed. Eigenvectors are rows
// of q. At most 4n³/3 flops, nearly all in products of matrices; much less where
// eigenvalues cluster.
func conquer(ctx context.Context, diag, off []float64, o Options) (*conquest, error) {
	n := len(diag)
	c := &conquest{d: diag, off: off, q: newGeneral(n, n), work: newGeneral(n, n), order: make([]int, n), o: o}
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
	for _, level := range slices.Backward(levels) {
		// Errors of a merge are those of ctx, which each returns too.
		err := each(ctx, o.workers(), len(level), func(i int) {
			_ = c.merge(ctx, level[i])
			progress.add(cube(level[i].hi - level[i].lo))
		})
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

// divide halves [0, n) down to leaves, tears the matrix apart between halves, and
// returns the merges by level, the last first.
func (c *conquest) divide(n int) (leaves []block, levels [][]block) {
	current := []block{{0, 0, n}}
	for len(current) > 0 {
		var level, next []block
		for _, b := range current {
			if b.hi-b.lo <= conquerLeaf {
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
func (c *conquest) solveLeaf(lo, hi int) bool {
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
func (c *conquest) merge(ctx context.Context, b block) error {
	beta := c.off[b.mid-1]
	e := &deflation{conquest: c, block: b, z: make([]float64, b.hi-b.lo), rho: 2 * math.Abs(beta)}
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
	slices.SortStableFunc(c.order[b.lo:b.hi], func(i, j int) int {
		switch {
		case c.d[i] < c.d[j]:
			return -1
		case c.d[i] > c.d[j]:
			return 1
		}
		return 0
	})
	return nil
}

// support says in which columns of a block a row of Q is not zero.
type support int8

const (
	left  support = iota // those of the first half
	both                 // all
	right                // those of the second half
)

// deflation is a merge that finds the eigenvectors it need not change.
type deflation struct {
	*conquest
	block
	z   []float64 // by row − lo
	rho float64
	at  []support // by row − lo
}

// deflate returns the rows that take part in the rank one update, by ascending d, and
// the others, which are eigenvectors already: where ρ·|zᵢ| is negligible, and, after a
// rotation, one of two rows whose d are equal within the tolerance.
func (e *deflation) deflate() (kept, gone []int) {
	e.at = make([]support, len(e.z))
	for i := e.mid - e.lo; i < len(e.z); i++ {
		e.at[i] = right
	}
	rows := slices.Clone(e.order[e.lo:e.hi])
	slices.SortStableFunc(rows, func(i, j int) int {
		if e.d[i] < e.d[j] {
			return -1
		}
		if e.d[i] > e.d[j] {
			return 1
		}
		return 0
	})
	scale := 0.0
	for i, z := range e.z {
		scale = math.Max(scale, math.Max(math.Abs(z), math.Abs(e.d[e.lo+i])))
	}
	tolerance := 8 * 0x1p-53 * scale
	candidate := -1
	for _, row := range rows {
		switch {
		case e.rho*math.Abs(e.z[row-e.lo]) <= tolerance:
			gone = append(gone, row)
		case candidate < 0:
			candidate = row
		default:
			if e.rotate(candidate, row, tolerance) {
				gone = append(gone, candidate)
			} else {
				kept = append(kept, candidate)
			}
			candidate = row
		}
	}
	if candidate >= 0 {
		kept = append(kept, candidate)
	}
	return kept, gone
}

// rotate moves the weight of row p of z to row q if their d are so close that the
// element this makes beside the diagonal is negligible, and says whether it did.
func (e *deflation) rotate(p, q int, tolerance float64) bool {
	zp, zq := &e.z[p-e.lo], &e.z[q-e.lo]
	length := math.Hypot(*zp, *zq)
	cos, sin := *zq/length, -*zp/length
	if math.Abs((e.d[q]-e.d[p])*cos*sin) > tolerance {
		return false
	}
	*zp, *zq = 0, length
	if at := &e.at[q-e.lo]; *at != e.at[p-e.lo] {
		*at = both
		e.at[p-e.lo] = both
	}
	dp, dq := e.d[p], e.d[q]
	e.d[p] = dp*cos*cos + dq*sin*sin
	e.d[q] = dp*sin*sin + dq*cos*cos
	rp, rq := row(e.q, p)[e.lo:e.hi], row(e.q, q)[e.lo:e.hi]
	blas64.Rot(vector(rp), vector(rq), cos, sin)
	return true
}

// update solves the secular equation of the kept rows and multiplies their
// eigenvectors into Q. Afterwards the first rows of the block are the updated ones.
func (e *deflation) update(ctx context.Context, kept, gone []int) error {
	groups := e.group(kept)
	s := e.secular(kept)
	k := len(kept)
	vectors := view(e.work, e.lo, e.lo, k, k)
	signs := make([]float64, k)
	for i, row := range kept {
		signs[i] = e.z[row-e.lo]
	}
	values, err := s.solve(ctx, vectors, signs, groups.column, e.o)
	if err != nil {
		return err
	}
	upper, lower := e.gather(groups)
	e.compress(gone)
	copy(e.d[e.lo:e.lo+k], values)
	for i := e.lo; i < e.hi; i++ {
		e.order[i] = i
	}
	err = multiply(ctx, view(e.q, e.lo, e.lo, k, e.mid-e.lo), view(vectors, 0, 0, k, upper.Rows), upper, e.o)
	if err != nil {
		return err
	}
	return multiply(ctx, view(e.q, e.lo, e.mid, k, e.hi-e.mid), view(vectors, 0, groups.inRight, k, lower.Rows), lower, e.o)
}

// multiply stores A·B in C, one tile of C per task.
func multiply(ctx context.Context, c, a, b blas64.General, o Options) error {
	across := tiles(c.Cols)
	return each(ctx, o.workers(), tiles(c.Rows)*across, func(t int) {
		i, j := t/across, t%across
		tile := view(c, i*tileSize, j*tileSize, extent(c.Rows, i), extent(c.Cols, j))
		if a.Cols == 0 {
			for r := range tile.Rows {
				clear(row(tile, r))
			}
			return
		}
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, view(a, i*tileSize, 0, tile.Rows, a.Cols), view(b, 0, j*tileSize, b.Rows, tile.Cols), 0, tile)
	})
}

// groups are the kept rows by support: those of the left, of both, and of the right
// half. Products skip the halves where all rows are zero.
type groups struct {
	rows    []int
	column  []int // column[i] is the place of the i-th kept row in rows
	inLeft  int   // rows[:inLeft] are not zero in the first half
	inRight int   // rows[inRight:] are not zero in the second half
}

func (e *deflation) group(kept []int) groups {
	g := groups{rows: make([]int, 0, len(kept)), column: make([]int, len(kept))}
	for s := left; s <= right; s++ {
		if s == both {
			g.inRight = len(g.rows)
		}
		if s == right {
			g.inLeft = len(g.rows)
		}
		for i, row := range kept {
			if e.at[row-e.lo] == s {
				g.column[i] = len(g.rows)
				g.rows = append(g.rows, row)
			}
		}
	}
	return g
}

// gather copies the halves of the grouped rows that are not zero.
func (e *deflation) gather(g groups) (upper, lower blas64.General) {
	upper = newGeneral(g.inLeft, e.mid-e.lo)
	for i, r := range g.rows[:g.inLeft] {
		copy(row(upper, i), row(e.q, r)[e.lo:e.mid])
	}
	lower = newGeneral(len(g.rows)-g.inRight, e.hi-e.mid)
	for i, r := range g.rows[g.inRight:] {
		copy(row(lower, i), row(e.q, r)[e.mid:e.hi])
	}
	return upper, lower
}

// compress moves the deflated rows, with their d, to the end of the block: the last
// first, so that none is overwritten before it has moved.
func (e *deflation) compress(gone []int) {
	slices.Sort(gone)
	target := e.hi - 1
	for _, from := range slices.Backward(gone) {
		if from != target {
			copy(row(e.q, target)[e.lo:e.hi], row(e.q, from)[e.lo:e.hi])
			e.d[target] = e.d[from]
		}
		target--
	}
}

// secular returns the secular equation of the kept rows, scaled to ‖z‖ = 1.
func (e *deflation) secular(kept []int) *secular {
	s := &secular{d: make([]float64, len(kept)), z2: make([]float64, len(kept))}
	norm2 := 0.0
	for _, row := range kept {
		norm2 += e.z[row-e.lo] * e.z[row-e.lo]
	}
	for i, row := range kept {
		s.d[i] = e.d[row]
		s.z2[i] = e.z[row-e.lo] * e.z[row-e.lo] / norm2
	}
	s.rho = e.rho * norm2
	return s
}

// secularChunk is how many roots or weights of a secular equation one task computes.
const secularChunk = 32

// solve stores the eigenvectors of diag(d) + ρ·z·zᵀ in the rows of x, element i of each
// in column[i], and returns the eigenvalues in ascending order. The vectors are those of
// a nearby ẑ with the signs of z, computed from the roots by Löwner's formula
//
//	ẑᵢ² = Πⱼ (λⱼ − dᵢ) / Π_{j≠i} (dⱼ − dᵢ),
//
// for which the roots are exact; that makes them orthogonal however close the roots.
func (s *secular) solve(ctx context.Context, x blas64.General, z []float64, column []int, o Options) ([]float64, error) {
	k := len(s.d)
	values, weights := make([]float64, k), make([]float64, k)
	chunks := (k + secularChunk - 1) / secularChunk
	stages := []func(from, to int){
		func(from, to int) {
			for j := from; j < to; j++ {
				values[j] = s.root(j, row(x, j))
			}
		},
		func(from, to int) {
			s.weights(weights[from:to], x, from)
			for i := from; i < to; i++ {
				weights[i] = math.Copysign(math.Sqrt(math.Abs(weights[i])), z[i])
			}
		},
		func(from, to int) {
			v := make([]float64, k)
			for j := from; j < to; j++ {
				secularVector(v, weights, row(x, j), column)
			}
		},
	}
	for _, stage := range stages {
		err := each(ctx, o.workers(), chunks, func(c int) {
			stage(c*secularChunk, min(k, (c+1)*secularChunk))
		})
		if err != nil {
			return nil, err
		}
	}
	return values, nil
}

// secularVector replaces x, the differences dᵢ − λ, by the unit vector of elements
// ẑᵢ/(dᵢ − λ), in the order of column. v is workspace.
func secularVector(v, weights, x []float64, column []int) {
	for i, w := range weights {
		v[i] = w / x[i]
	}
	scale := 1 / blas64.Nrm2(vector(v))
	for i, at := range column {
		x[at] = v[i] * scale
	}
}

// weights stores −ẑᵢ² for i = from … in w, up to a common factor; row j of x holds the
// differences dᵢ − λⱼ.
func (s *secular) weights(w []float64, x blas64.General, from int) {
	for i := range w {
		w[i] = 1
	}
	for j := range x.Rows {
		r := row(x, j)[from:]
		for i := range w {
			if at := from + i; at == j {
				w[i] *= r[i]
			} else {
				w[i] *= r[i] / (s.d[at] - s.d[j])
			}
		}
	}
}
