package linalg

import (
	"context"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// iterateBlock runs one recurrence for all columns from x with residual R. With R = QS, Q
// orthonormal, and directions P that are conjugate, PᵀAP = I, an iteration is
//
//  1. Z = M⁻¹Q, the preconditioned residual.
//  2. B = (AP₋)ᵀZ and LLᵀ = (Z − P₋B)ᵀA(Z − P₋B): one product with A.
//  3. P = (Z − P₋B)L⁻ᵀ, the next directions.
//  4. X = X + P(PᵀQ)S.
//  5. R = (Q − AP(PᵀQ))S = Q₊S₊S, with Q₊ orthonormal again.
//
// The residuals of the columns are those of S. Q is made orthonormal in every iteration for two
// reasons: it keeps the condition of what is solved small, and it leaves out directions that
// others span.
//
// Dubrulle (2001), algorithm BCGrQ, with conjugate P as Ji and Li, A breakdown-free block
// conjugate gradient method, BIT 57 (2017).
func (c *cg) iterateBlock(ctx context.Context, best *bestColumns, x, r *mat.Dense) error {
	b := &blockCG{cg: c, tallSkinny: tallSkinny{level3Of(Options{Workers: c.o.Workers})}}
	target := c.targets()
	q, s := b.orthonormal(r.RawMatrix(), 0)
	if c.lanczos != nil {
		c.lanczos.begin(s)
	}
	for c.report.Iterations < c.o.Iterations-1 {
		squares := columnSquares(s, len(target))
		best.update(x, squares)
		if _, some := exceeding(squares, target); !some {
			return nil
		}
		if err := b.nextDirections(ctx, q); err != nil {
			return err
		}
		along := b.inner(b.p, q)
		b.add(x.RawMatrix(), 1, b.p, b.product(along, s))
		b.add(q, -1, b.ap, along)
		var left blas64.General
		if q, left = b.orthonormal(q, exhausted); q.Cols > 0 {
			left = b.product(left, s)
		}
		if s = left; c.o.Watch != nil && c.o.Watch(x) {
			break
		}
	}
	best.update(x, columnSquares(s, len(target)))
	return nil
}

// exhausted is the share of a residual direction below which nothing is left of it but rounding:
// the directions of all iterations together span what the products with A can reach, and a block
// of what rounding leaves would be searched again.
const exhausted = 1e-11

// blockCG is the state of the recurrence beside X, Q and S.
type blockCG struct {
	*cg
	tallSkinny
	p, ap blas64.General // the last directions, none before the first
}

// nextDirections makes the next directions of Q. Those in which no curvature is left to tell from
// rounding are left out; what they stand for stays in the residual.
func (b *blockCG) nextDirections(ctx context.Context, q blas64.General) error {
	z := newGeneral(q.Rows, q.Cols)
	if err := b.precondition(ctx, asDense(z), asDense(q)); err != nil {
		return err
	}
	energy := b.inner(q, z)
	var back blas64.General
	p := newGeneral(z.Rows, z.Cols)
	copyTo(p, z)
	if b.p.Cols > 0 {
		back = b.inner(b.ap, z)
		b.add(p, -1, b.p, back)
	}
	ap := newGeneral(p.Rows, p.Cols)
	if err := b.multiply(ctx, asDense(ap), asDense(p)); err != nil {
		return err
	}
	curvature := b.inner(p, ap)
	symmetrise(curvature)
	for j := range p.Cols {
		if g := curvature.Data[j*curvature.Stride+j]; !(g > 0) || !(energy.Data[j*energy.Stride+j] > 0) {
			length := columnLengths(p)[j]
			return &NegativeCurvature{Column: j, Iteration: b.report.Iterations, Value: g / (length * length)}
		}
	}
	taken, l := independent(curvature, dependent*dependent)
	b.p, b.ap = b.whiten(p, taken, l), b.whiten(ap, taken, l)
	if b.lanczos != nil && !(len(taken) == q.Cols && b.lanczos.add(energy, back, l)) {
		b.lanczos = nil // the steps so far are those of the iteration
	}
	return nil
}

// columnSquares returns the squares of the lengths of m columns, zeros where s has no rows.
func columnSquares(s blas64.General, m int) []float64 {
	out := make([]float64, m)
	for i := range s.Rows {
		for j, v := range row(s, i) {
			out[j] += v * v
		}
	}
	return out
}

// asDense returns a matrix that shares its numbers.
func asDense(g blas64.General) *mat.Dense {
	var out mat.Dense
	out.SetRawMatrix(g)
	return &out
}
