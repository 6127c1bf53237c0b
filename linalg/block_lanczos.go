package linalg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/progress"
	"example.org/mercer/linalg/level3"
)

// products multiplies A with blocks of vectors that are stored in rows.
type products struct {
	a      Square
	n      int
	o      TopOptions
	report TopReport
	told   *progress.Meter
}

// multiply stores A·xᵢ in row i of dst for every row xᵢ of x.
func (p *products) multiply(ctx context.Context, dst, x blas64.General) error {
	in, out := newGeneral(p.n, x.Rows), mat.NewDense(p.n, x.Rows, nil)
	transposeTo(in, x)
	if err := p.a.Mul(ctx, out, mat.NewDense(p.n, x.Rows, in.Data)); err != nil {
		return err
	}
	p.report.Products++
	p.report.Columns += x.Rows
	p.told.Reach(int64(p.report.Products))
	transposeTo(dst, out.RawMatrix())
	for i := range dst.Rows {
		for j, v := range row(dst, i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("linalg: top eigenvalues: element %d of a product with the matrix is %v: the matrix must be finite; remove the row or repair the kernel", j, v)
			}
		}
	}
	return ctx.Err()
}

// blockLanczos is a block Lanczos iteration with full orthogonalisation:
//
//  1. Multiply the block Q with A; Q becomes part of the basis V ([blockLanczos.expand]).
//  2. Orthonormalise the product against V: the next Q.
//  3. Decompose H = VAVᵀ, whose eigenvalues approach those of A ([blockLanczos.solve]).
//  4. Stop if the residuals are small, or widen the block ([blockLanczos.finished]).
//  5. Where V is full, keep its best part ([blockLanczos.restart]); go on with step 1.
//
// Basis vectors are rows: V, the first m, whose products with A are known, and Q, the width rows
// after them, with
//
//	VA = H·V + C·Q,  VVᵀ = I,  QQᵀ = I,  VQᵀ = 0.
//
// An eigenvector s of H gives the approximate eigenvector sᵀV of A with the residual sᵀC·Q, whose
// norm is that of sᵀC.
type blockLanczos struct {
	products
	k         int
	limit     int            // of m
	rows      blas64.General // V, Q and space for the next block
	h, c      blas64.General // H in its upper triangle, and C
	m, width  int
	scale     float64 // largest ‖Aq‖ seen, at most ‖A‖
	widened   int     // products when the block was widened last
	wideUntil int     // products that a wider block is given before it may end
	rng       *rand.Rand
	level3    level3.Implementation

	ritz      *Eigen    // of H
	residuals []float64 // ‖sᵀC‖ of the largest k
}

func newBlockLanczos(a Square, n, k int, o TopOptions) *blockLanczos {
	y := &blockLanczos{products: products{a: a, n: n, o: o}, k: k, width: o.Block}
	y.rng = rand.New(rand.NewPCG(o.Seed, 0x6b72796c6f76))
	y.level3 = level3.Implementation{Workers: o.Workers}
	y.reserve()
	return y
}

// reserve allocates limit vectors V and a block Q.
func (y *blockLanczos) reserve() {
	y.limit = basisLimit(y.k, y.width)
	rows, h, c := newGeneral(y.limit+y.width, y.n), newGeneral(y.limit, y.limit), newGeneral(y.limit, y.width)
	copyTo(view(rows, 0, 0, y.rows.Rows, y.rows.Cols), y.rows)
	copyTo(view(h, 0, 0, y.h.Rows, y.h.Cols), y.h)
	copyTo(view(c, 0, 0, y.c.Rows, y.c.Cols), y.c)
	y.rows, y.h, y.c = rows, h, c
}

// run iterates until the residuals are small or the products are spent.
func (y *blockLanczos) run(ctx context.Context) error {
	q := y.block(0, y.width)
	for i := range q.Rows {
		y.randomise(row(q, i))
	}
	y.orthonormalise(q, y.block(0, 0))
	for {
		if err := y.expand(ctx); err != nil {
			return err
		}
		if y.m >= y.k {
			if err := y.solve(ctx); err != nil {
				return err
			}
			if done, err := y.finished(); done || err != nil {
				return err
			}
		}
		if y.m+y.width > y.limit {
			y.restart()
		}
	}
}

// finished reports whether the iteration is done, or gives it a wider block. A wider block
// is given as many products as the last one took: what it adds begins at random.
func (y *blockLanczos) finished() (done bool, err error) {
	converged := y.report.Converged && y.report.Products >= y.wideUntil
	switch {
	case converged && !y.needsWiderBlock():
		return true, nil
	case y.report.Products >= y.o.Products:
		return true, &TopNotConverged{TopReport: y.report, Tolerance: y.o.Tolerance}
	case converged && !roomFor(y.n, y.k, 2*y.width):
		return true, errNoWiderBlock
	case converged:
		y.wideUntil = 2*y.report.Products - y.widened
		y.widened = y.report.Products
		y.widen()
	}
	return false, nil
}

// block returns count rows of the basis from the given one on.
func (y *blockLanczos) block(from, count int) blas64.General {
	return view(y.rows, from, 0, count, y.n)
}

func (y *blockLanczos) randomise(x []float64) {
	for i := range x {
		x[i] = y.rng.NormFloat64()
	}
}

// expand multiplies A with Q, which becomes part of V, and makes the next Q.
func (y *blockLanczos) expand(ctx context.Context) error {
	m, width := y.m, y.width
	w := y.block(m+width, width)
	if err := y.multiply(ctx, w, y.block(m, width)); err != nil {
		return err
	}
	for i := range w.Rows {
		y.scale = max(y.scale, blas64.Nrm2(vector(row(w, i))))
	}
	v := y.block(0, m+width)
	coef := newGeneral(width, m+width)
	y.project(w, v, coef)
	for i := range width {
		for j := range m {
			y.h.Data[j*y.h.Stride+m+i] = coef.Data[i*coef.Stride+j]
		}
		for j := i; j < width; j++ {
			y.h.Data[(m+i)*y.h.Stride+m+j] = (coef.Data[i*coef.Stride+m+j] + coef.Data[j*coef.Stride+m+i]) / 2
		}
	}
	l := y.orthonormalise(w, v)
	for i := range m {
		clear(row(y.c, i))
	}
	for i := range width {
		clear(row(y.c, m+i))
		copy(row(y.c, m+i), row(l, i))
	}
	y.m += width
	return nil
}

// solve decomposes H.
func (y *blockLanczos) solve(ctx context.Context) error {
	h := mat.NewSymDense(y.m, nil)
	for i := range y.m {
		copy(h.RawSymmetric().Data[i*y.m+i:(i+1)*y.m], row(y.h, i)[i:y.m])
	}
	e, err := EigenSym(ctx, h, Options{Workers: y.o.Workers})
	if err != nil {
		return err
	}
	y.ritz, y.residuals = e, make([]float64, y.k)
	coupled := y.residualRows(y.k)
	for j := range y.residuals {
		y.residuals[j] = blas64.Nrm2(vector(row(coupled, j)))
	}
	y.report.compare(y.residuals, max(math.Abs(e.Values[0]), math.Abs(e.Values[y.m-1])), y.o.Tolerance)
	return nil
}

// largest returns the eigenvectors of the count largest eigenvalues of H, in rows, the
// largest first.
func (y *blockLanczos) largest(count int) blas64.General {
	s := newGeneral(count, y.m)
	for j := range count {
		for i := range y.m {
			s.Data[j*s.Stride+i] = y.ritz.Vectors.At(i, y.m-1-j)
		}
	}
	return s
}

// residualRows returns sᵀC for the count largest eigenvalues of H.
func (y *blockLanczos) residualRows(count int) blas64.General {
	out := newGeneral(count, y.width)
	y.level3.Gemm(blas.NoTrans, blas.NoTrans, 1, y.largest(count), view(y.c, 0, 0, y.m, y.width), 0, out)
	return out
}

// needsWiderBlock reports whether as many of the largest eigenvalues agree as a block has
// vectors, which in exact arithmetic is all that it can find of one eigenvalue.
func (y *blockLanczos) needsWiderBlock() bool {
	largest := max(math.Abs(y.ritz.Values[0]), math.Abs(y.ritz.Values[y.m-1]))
	for j := y.width - 1; j < y.k; j++ {
		if y.ritz.Values[y.m-1-(j-y.width+1)]-y.ritz.Values[y.m-1-j] <= 4*y.o.Tolerance*largest {
			return true
		}
	}
	return false
}

// errNoWiderBlock ends an iteration that needs a wider block than there is space for.
var errNoWiderBlock = errors.New("linalg: top eigenvalues: no room for a wider block")

// widen adds as many random vectors to Q as it has.
func (y *blockLanczos) widen() {
	from, added := y.m+y.width, y.width
	y.width += added
	y.reserve()
	extra := y.block(from, added)
	for i := range added {
		y.randomise(row(extra, i))
	}
	y.orthonormalise(extra, y.block(0, from))
}

// restart replaces V by its best approximations of eigenvectors, of which it keeps more
// than it must: those that converge next.
func (y *blockLanczos) restart() {
	keep := y.k + (y.limit-y.k)/3
	s, coupled := y.largest(keep), y.residualRows(keep)
	v := newGeneral(keep, y.n)
	y.level3.Gemm(blas.NoTrans, blas.NoTrans, 1, s, y.block(0, y.m), 0, v)
	q := y.block(y.m, y.width)
	copyTo(y.block(0, keep), v)
	copyTo(y.block(keep, y.width), q)
	for i := range keep {
		clear(row(y.h, i))
		y.h.Data[i*y.h.Stride+i] = y.ritz.Values[y.m-1-i]
		copy(row(y.c, i), row(coupled, i))
	}
	y.m = keep
	y.report.Restarts++
}

// top returns the eigenvectors that the last solution of H stands for.
func (y *blockLanczos) top() *Top {
	t := &Top{Values: make([]float64, y.k), Vectors: mat.NewDense(y.n, y.k, nil), Residuals: y.residuals}
	m := len(y.ritz.Values)
	for j := range t.Values {
		t.Values[j] = y.ritz.Values[m-1-j]
	}
	y.level3.Gemm(blas.Trans, blas.Trans, 1, y.block(0, m), y.largest(y.k), 0, t.Vectors.RawMatrix())
	return t
}
