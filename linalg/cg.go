package linalg

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/progress"
)

// Operator is all that conjugate gradients need of a matrix: Mul stores A·x in dst,
// which has the shape of x and does not overlap it.
type Operator interface {
	Mul(ctx context.Context, dst, x *mat.Dense) error
}

// inverse is the operator that multiplies by the inverse of what was factored.
type inverse struct {
	of interface {
		Solve(ctx context.Context, dst, b *mat.Dense) error
	}
}

func (i inverse) Mul(ctx context.Context, dst, x *mat.Dense) error { return i.of.Solve(ctx, dst, x) }

// CGOptions say when [CG] stops. The zero value is ready.
type CGOptions struct {
	// Tolerance is the relative residual ‖b − Ax‖₂/‖b‖₂ to reach for every column;
	// 0 means 1e-10.
	Tolerance float64
	// Iterations is the largest number of products with A, of which the last computes
	// the residual; 0 means 10n + 10.
	Iterations int
	// Preconditioner multiplies by an approximation M⁻¹ of A⁻¹, symmetric positive
	// definite; nil means the identity. See [NewWoodbury].
	Preconditioner Operator
	// Unchecked does not compute the residual again when the recurrence claims convergence.
	// It is for iterations that precondition another.
	Unchecked bool
	// Separate gives every column a recurrence of its own, O(n) operations in an iteration
	// and not O(nm): for products that are as cheap as that, and for A and a preconditioner
	// that are other matrices for every column.
	Separate bool
	// Watch, if not nil, is called with the iterate after each product and may end the
	// iteration. With Unchecked that is the end.
	Watch func(x *mat.Dense) (enough bool)
	// Progress, if not nil, is called with the products done and allowed.
	Progress func(stage string, done, total int64)
	// Workers share what is done beside the products; 0 means GOMAXPROCS. Results have the
	// same bits for any number.
	Workers int
}

func (o CGOptions) withDefaults(n int) (CGOptions, error) {
	if o.Tolerance < 0 || math.IsNaN(o.Tolerance) {
		return o, fmt.Errorf("linalg: conjugate gradients: tolerance is %v: give a positive number, or 0 for 1e-10", o.Tolerance)
	}
	if o.Iterations < 0 {
		return o, fmt.Errorf("linalg: conjugate gradients: iterations is %d: give a positive number, or 0 for 10n", o.Iterations)
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-10
	}
	if o.Iterations == 0 {
		o.Iterations = 10*n + 10
	}
	return o, nil
}

// CGReport says how conjugate gradients ended.
type CGReport struct {
	Iterations int     // products with A, those that recompute the residual included
	Columns    int     // vectors in all of them
	Residual   float64 // largest ‖b − Ax‖₂/‖b‖₂ of the columns, recomputed from A and x; if ctx ended, before the last restart
	Converged  bool    // Residual ≤ Tolerance
}

// NotConverged is the error of an iteration that ended before its tolerance; the
// iterate is returned all the same.
type NotConverged struct {
	CGReport
	Tolerance float64
	Stagnated bool // more iterations would not have helped
}

func (e *NotConverged) Error() string {
	advice := "allow more iterations, use a preconditioner or add a ridge"
	if e.Stagnated {
		advice = "the residual does not fall any more: the tolerance is below what rounding allows for this matrix; accept a larger one or add a ridge"
	}
	return fmt.Sprintf("linalg: conjugate gradients: relative residual is %.3g after %d iterations, not %.3g: %s", e.Residual, e.Iterations, e.Tolerance, advice)
}

// NegativeCurvature is the error of conjugate gradients on a matrix that is not
// positive definite: it found a direction p with pᵀAp ≤ 0, or NaN.
type NegativeCurvature struct {
	Column    int     // right-hand side, or column of the block, where it happened
	Iteration int     // 1-based
	Value     float64 // pᵀAp/pᵀp
}

func (e *NegativeCurvature) Error() string {
	return fmt.Sprintf("linalg: conjugate gradients: matrix or preconditioner is not positive definite: pᵀAp/pᵀp = %.6g in iteration %d of column %d; add a ridge or use a positive definite kernel", e.Value, e.Iteration, e.Column)
}

// CG solves A·X = B for symmetric positive definite A by preconditioned conjugate gradients:
//
//  1. Compute the residual R = B − AX, from X = 0.
//  2. Iterate the recurrence, one product with A for all columns, until it claims convergence.
//  3. Compute the residual again from A and X. If the claim was wrong, go back to step 2.
//
// Several columns are solved as a block. Each iteration makes the error of every column least over
// all directions, its own and those of the others. That takes fewer products than a recurrence for
// each column ([CGOptions.Separate]), and 20nm² flops beside them. Columns may be dependent.
//
// New directions are made conjugate to the last ones by the product with A that is at hand. Where
// the preconditioner is one symmetric matrix this equals the usual recurrence. It allows a
// preconditioner that is only nearly that: a factor in single precision, or an iteration of its
// own (flexible conjugate gradients).
//
// The error is a [*NotConverged], a [*NegativeCurvature], or that of A, the preconditioner or ctx.
// X is the best iterate found, also then.
//
// Hestenes and Stiefel (1952); Saad, Iterative Methods for Sparse Linear Systems (2003), algorithm
// 9.1; Notay, Flexible conjugate gradients, SIAM J. Sci. Comput. 22 (2000); O'Leary, The block
// conjugate gradient algorithm and related methods, Linear Algebra Appl. 29 (1980); Dubrulle,
// Retooling the method of block conjugate gradients, ETNA 12 (2001).
func CG(ctx context.Context, a Operator, b *mat.Dense, o CGOptions) (*mat.Dense, CGReport, error) {
	c, err := newCG(a, b, o)
	if err != nil {
		return nil, CGReport{}, err
	}
	err = c.run(ctx)
	return c.best, c.report, err
}

// newCG checks what [CG] is given.
func newCG(a Operator, b *mat.Dense, o CGOptions) (*cg, error) {
	n, m := b.Dims()
	o, err := o.withDefaults(n)
	if err != nil {
		return nil, err
	}
	if n == 0 || m == 0 {
		return nil, fmt.Errorf("linalg: conjugate gradients: right-hand side is %d×%d: it needs at least one row and one column", n, m)
	}
	for i := range n {
		for j, v := range b.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("linalg: conjugate gradients: element (%d, %d) of the right-hand side is %v: it must be finite", i, j, v)
			}
		}
	}
	told := progress.Start(o.Progress, "conjugate gradients", int64(o.Iterations))
	return &cg{a: a, b: b, o: o, told: told, best: mat.NewDense(n, m, nil), report: CGReport{Residual: math.Inf(1)}}, nil
}

// cg is the state that survives restarts.
type cg struct {
	a      Operator
	b      *mat.Dense
	o      CGOptions
	best   *mat.Dense // iterate of the smallest recomputed residual
	report CGReport   // of best
	told   *progress.Meter
	// lanczos, if not nil, records the coefficients of the first recurrence, of a block.
	lanczos *lanczosRecord
}

// run alternates between recomputed residuals and recurrences. A restart must at
// least halve the residual.
func (c *cg) run(ctx context.Context) error {
	defer c.told.End(ctx)
	n, m := c.b.Dims()
	x, r := mat.DenseCopyOf(c.best), mat.DenseCopyOf(c.b) // x = 0, r = b
	current := relativeNorm(r, c.b)
	for {
		improved := current <= c.report.Residual/2
		if current < c.report.Residual {
			c.report.Residual = current
			c.best.Copy(x)
		}
		c.report.Converged = c.report.Residual <= c.o.Tolerance
		switch {
		case c.report.Converged:
			return nil
		case c.report.Iterations >= c.o.Iterations:
			return &NotConverged{CGReport: c.report, Tolerance: c.o.Tolerance}
		case !improved:
			return &NotConverged{CGReport: c.report, Tolerance: c.o.Tolerance, Stagnated: true}
		}
		claimed, failure := c.iterate(ctx, x, r)
		c.lanczos = nil
		if c.o.Unchecked && ctx.Err() == nil {
			c.best.Copy(x)
			c.report.Residual = c.relative(claimed)
			c.report.Converged = failure == nil && c.report.Residual <= c.o.Tolerance
			return failure
		}
		if ctx.Err() != nil {
			c.best.Copy(x)
			return ctx.Err()
		}
		ax := mat.NewDense(n, m, nil)
		if err := c.multiply(ctx, ax, x); err != nil {
			return err
		}
		r.Sub(c.b, ax)
		current = relativeNorm(r, c.b)
		if failure != nil {
			if current < c.report.Residual {
				c.report.Residual = current
				c.best.Copy(x)
			}
			return failure
		}
	}
}

// iterate improves x, whose residual is r, until the recurrence claims convergence or the
// iterations are spent. It leaves in x, column by column, the iterate of the smallest
// residual, for residuals need not fall in every iteration, and returns the squares of these.
func (c *cg) iterate(ctx context.Context, x, r *mat.Dense) (squares []float64, err error) {
	best := newBestColumns(x, columnDots(r, r))
	if _, m := x.Dims(); c.lanczos == nil && (c.o.Separate || m == 1) {
		err = c.iterateColumns(ctx, best, x, r)
	} else {
		err = c.iterateBlock(ctx, best, x, r)
	}
	best.restore(x)
	return best.squares, err
}

// targets are the squares of the residuals at which recurrences claim convergence.
func (c *cg) targets() []float64 {
	target := columnDots(c.b, c.b)
	for j := range target {
		target[j] *= c.o.Tolerance * c.o.Tolerance / 4 // a margin for the drift of the residual
	}
	return target
}

// relative returns the largest relative residual for squares of residuals.
func (c *cg) relative(squares []float64) float64 {
	worst := 0.0
	for j, bb := range columnDots(c.b, c.b) {
		if squares[j] > 0 {
			worst = max(worst, math.Sqrt(squares[j]/bb))
		}
	}
	return worst
}

func (c *cg) multiply(ctx context.Context, dst, x *mat.Dense) error {
	if err := c.a.Mul(ctx, dst, x); err != nil {
		return err
	}
	_, columns := x.Dims()
	c.report.Iterations++
	c.report.Columns += columns
	c.told.Reach(int64(c.report.Iterations))
	return ctx.Err()
}

// exceeding says which squares exceed their target, or are NaN, and whether any does.
func exceeding(squares, target []float64) (active []bool, some bool) {
	active = make([]bool, len(target))
	for j, rr := range squares {
		active[j] = !(rr <= target[j])
		some = some || active[j]
	}
	return active, some
}

// bestColumns remembers the columns with the smallest residuals.
type bestColumns struct {
	squares []float64 // ‖rⱼ‖²
	x       *mat.Dense
}

func newBestColumns(x *mat.Dense, squares []float64) *bestColumns {
	return &bestColumns{squares: squares, x: mat.DenseCopyOf(x)}
}

func (b *bestColumns) update(x *mat.Dense, squares []float64) {
	for j, rr := range squares {
		if rr < b.squares[j] {
			b.squares[j] = rr
			b.x.SetCol(j, mat.Col(nil, j, x))
		}
	}
}

func (b *bestColumns) restore(x *mat.Dense) { x.Copy(b.x) }

func (c *cg) precondition(ctx context.Context, z, r *mat.Dense) error {
	if c.o.Preconditioner == nil {
		z.Copy(r)
		return nil
	}
	return c.o.Preconditioner.Mul(ctx, z, r)
}

// columnDots returns the inner products of the columns of x with those of y.
func columnDots(x, y *mat.Dense) []float64 {
	rows, cols := x.Dims()
	dots := make([]float64, cols)
	for i := range rows {
		yi := y.RawRowView(i)
		for j, v := range x.RawRowView(i) {
			dots[j] += v * yi[j]
		}
	}
	return dots
}

// addScaled stores x + y·diag(scale) in dst, which may be x or y.
func addScaled(x *mat.Dense, scale []float64, y, dst *mat.Dense) {
	rows, _ := x.Dims()
	for i := range rows {
		xi, yi, di := x.RawRowView(i), y.RawRowView(i), dst.RawRowView(i)
		for j, s := range scale {
			di[j] = xi[j] + s*yi[j]
		}
	}
}
