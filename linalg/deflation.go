package linalg

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// support says in which columns of a block a row of Q is not zero.
type support int8

const (
	left  support = iota // those of the first half
	both                 // all
	right                // those of the second half
)

// deflation is a merge that finds the eigenvectors which the update of rank one does not change:
//
//  1. Set apart the rows that are eigenvectors already ([deflation.deflate]).
//  2. Solve the secular equation of the others, and multiply their eigenvectors into Q
//     ([deflation.update]).
//  3. Move the rows that were set apart to the end of the block ([deflation.compress]).
type deflation struct {
	*divideAndConquer
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
	e.sort(rows)
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
		serial.Gemm(blas.NoTrans, blas.NoTrans, 1, view(a, i*tileSize, 0, tile.Rows, a.Cols), view(b, 0, j*tileSize, b.Rows, tile.Cols), 0, tile)
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
