package linalg

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Cholesky is the factor of A + shift, together with A itself: both live in the
// storage of one [mat.SymDense].
type Cholesky struct {
	CholeskyFactor
	dense *dense
}

// Factor returns the Cholesky factor of A + shift·I. It overwrites the unreferenced
// strict lower triangle of the storage of a; a itself keeps its values and must keep
// them while the result is in use. n³/3 flops, O(n) memory.
//
// The error is a [*NotPositiveDefinite] if A + shift·I is not numerically positive
// definite, or that of ctx.
func Factor(ctx context.Context, a *mat.SymDense, shift float64, o Options) (*Cholesky, error) {
	shifts := make([]float64, a.SymmetricDim())
	for i := range shifts {
		shifts[i] = shift
	}
	return FactorDiag(ctx, a, shifts, o)
}

// FactorDiag is [Factor] for A + diag(shift), shift of length n.
func FactorDiag(ctx context.Context, a *mat.SymDense, shift []float64, o Options) (*Cholesky, error) {
	return FactorScaled(ctx, a, nil, shift, o)
}

// FactorScaled is [Factor] for diag(scale)·A·diag(scale) + diag(shift), both of length n; nil is a
// scale of ones.
func FactorScaled(ctx context.Context, a *mat.SymDense, scale, shift []float64, o Options) (*Cholesky, error) {
	n := a.SymmetricDim()
	if len(shift) != n || scale != nil && len(scale) != n {
		return nil, fmt.Errorf("linalg: factor: scale and shift have lengths %d and %d, but the matrix is %d×%d: give one number per row", len(scale), len(shift), n, n)
	}
	raw := a.RawSymmetric()
	d := &dense{
		a:     blas64.General{Rows: n, Cols: n, Stride: raw.Stride, Data: raw.Data},
		scale: slices.Clone(scale),
		shift: slices.Clone(shift),
		diag:  make([]float64, n),
	}
	c := &Cholesky{CholeskyFactor: CholeskyFactor{factor[float64]{l: d, o: o, norm: d.norm()}}, dense: d}
	if err := factorTriangle(ctx, c.l, o); err != nil {
		return nil, err
	}
	return c, nil
}

// dense is the triangle of a matrix whose upper triangle is A and whose strict lower
// triangle becomes that of L.
type dense struct {
	a     blas64.General
	scale []float64 // of rows and columns of A; nil: ones
	shift []float64 // added to the diagonal of A
	diag  []float64 // diagonal of L
}

func (d *dense) order() int { return d.a.Rows }

func (d *dense) tile(i, j int) general[float64] {
	n := d.order()
	return general[float64](d.a).view(i*tileSize, j*tileSize, extent(n, i), extent(n, j))
}

func (d *dense) load(i, j int) general[float64] {
	t := d.tile(i, j)
	transpose(t, d.tile(j, i))
	d.rescale(t, i, j)
	return t
}

// rescale turns tile (i, j) of A into that of diag(scale)·A·diag(scale).
func (d *dense) rescale(t general[float64], i, j int) {
	if d.scale == nil {
		return
	}
	left, right := d.scale[i*tileSize:], d.scale[j*tileSize:]
	for r := range t.Rows {
		row := t.row(r)
		for c := range row {
			row[c] *= left[r] * right[c]
		}
	}
}

func (d *dense) loadDiagonal(dst general[float64], j int) {
	transpose(dst, d.tile(j, j))
	d.rescale(dst, j, j)
	for i := range dst.Rows {
		dst.Data[i*dst.Stride+i] += d.shift[j*tileSize+i]
	}
}

func (d *dense) storeDiagonal(j int, src general[float64]) {
	t := d.tile(j, j)
	for i := range src.Rows {
		copy(t.row(i)[:i], src.row(i))
		d.diag[j*tileSize+i] = src.Data[i*src.Stride+i]
	}
}

func (d *dense) diagonal(j int, buf general[float64]) general[float64] {
	t := d.tile(j, j)
	for i := range buf.Rows {
		copy(buf.row(i), t.row(i)[:i])
		buf.Data[i*buf.Stride+i] = d.diag[j*tileSize+i]
	}
	return buf
}

func (d *dense) column(j int) [][]float64 {
	n, first := d.order(), j*tileSize
	width := extent(n, j)
	out := [][]float64{d.diag[first : first+width]}
	for i := first + 1; i < n; i++ {
		out = append(out, row(d.a, i)[first:first+min(i-first, width)])
	}
	return out
}

// block returns tile (i, j) of the matrix without its shift, and whether it is to be transposed.
func (d *dense) block(i, j int, buf blas64.General) (blas64.General, blas.Transpose) {
	switch {
	case i < j && d.scale == nil:
		return blas64.General(d.tile(i, j)), blas.NoTrans
	case i > j && d.scale == nil:
		return blas64.General(d.tile(j, i)), blas.Trans
	case i < j:
		return d.scaled(i, j, buf), blas.NoTrans
	case i > j:
		return d.scaled(j, i, buf), blas.Trans
	}
	t := d.scaled(i, i, buf)
	for r := range buf.Rows {
		buf.Data[r*buf.Stride+r] = t.Data[r*t.Stride+r] + d.shift[i*tileSize+r]
		for c := r + 1; c < buf.Cols; c++ {
			v := t.Data[r*t.Stride+c]
			buf.Data[r*buf.Stride+c], buf.Data[c*buf.Stride+r] = v, v
		}
	}
	return buf, blas.NoTrans
}

// scaled returns tile (i, j) of diag(scale)·A·diag(scale), in buf where there is a scale.
func (d *dense) scaled(i, j int, buf blas64.General) blas64.General {
	t := d.tile(i, j)
	if d.scale == nil {
		return blas64.General(t)
	}
	out := general[float64](buf).view(0, 0, t.Rows, t.Cols)
	out.copyFrom(t)
	d.rescale(out, i, j)
	return blas64.General(out)
}

// norm returns ‖diag(scale)·A·diag(scale) + diag(shift)‖₁.
func (d *dense) norm() float64 {
	sums := make([]float64, d.order())
	scale := d.scale
	if scale == nil {
		scale = slices.Repeat([]float64{1}, len(sums))
	}
	for i := range sums {
		r := row(d.a, i)
		sums[i] += math.Abs(scale[i]*r[i]*scale[i] + d.shift[i])
		for j := i + 1; j < len(r); j++ {
			v := math.Abs(r[j]) * (scale[i] * scale[j])
			sums[i] += v
			sums[j] += v
		}
	}
	return largest(sums)
}

// largest returns the largest of non-negative numbers, NaN if there is one.
func largest(x []float64) float64 {
	most := 0.0
	for _, v := range x {
		most = math.Max(most, v)
	}
	return most
}

// Refine improves a solution X of (A + shift)·X = B, as left in dst by Solve, by one
// step of iterative refinement: X ← X + (L·Lᵀ)⁻¹·(B − (A + shift)·X), with the residual
// from A itself. It returns the largest relative residual ‖b − (A+shift)x‖₂/‖b‖₂ of
// the columns afterwards. A step that does not reduce it is undone. It takes 6n²m
// flops and 3nm numbers of memory.
func (c *Cholesky) Refine(ctx context.Context, dst, b *mat.Dense) (float64, error) {
	if dst.IsEmpty() {
		return 0, fmt.Errorf("linalg: refine: the solution is empty: call Solve first")
	}
	if err := shape(dst, b, c.Dim()); err != nil {
		return 0, fmt.Errorf("linalg: refine: %w", err)
	}
	var residual, step, improved mat.Dense
	before, err := c.residual(ctx, &residual, dst, b)
	if err != nil {
		return 0, err
	}
	if err := c.Solve(ctx, &step, &residual); err != nil {
		return 0, err
	}
	improved.Add(dst, &step)
	after, err := c.residual(ctx, &residual, &improved, b)
	if err != nil {
		return 0, err
	}
	if !(after < before) {
		return before, nil
	}
	dst.Copy(&improved)
	return after, nil
}

// residual stores B − (A + shift)·X in dst and returns its largest relative norm.
func (c *Cholesky) residual(ctx context.Context, dst, x, b *mat.Dense) (float64, error) {
	if err := multiplySymmetric(ctx, dst, c.dense, x, c.o); err != nil {
		return 0, err
	}
	dst.Sub(b, dst)
	return relativeNorm(dst, b), nil
}

// relativeNorm returns the largest of ‖rⱼ‖₂/‖bⱼ‖₂ over the columns; where bⱼ is zero,
// of ‖rⱼ‖₂.
func relativeNorm(r, b *mat.Dense) float64 {
	_, cols := r.Dims()
	worst := 0.0
	for j := range cols {
		norm := mat.Norm(r.ColView(j), 2)
		if nb := mat.Norm(b.ColView(j), 2); nb > 0 {
			norm /= nb
		}
		worst = math.Max(worst, norm)
	}
	return worst
}
