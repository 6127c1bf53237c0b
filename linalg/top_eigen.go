package linalg

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/progress"
	"example.org/mercer/linalg/level3"
)

// Square is an [Operator] that knows its order.
type Square interface {
	Operator
	Dims() (rows, cols int)
}

// TopOptions say when [TopEigen] stops. The zero value is ready.
type TopOptions struct {
	// Tolerance bounds ‖Av − λv‖₂ by Tolerance·|λ₁| for every returned pair of a unit
	// vector v and λ, λ₁ the largest in absolute value that was found; 0 means 1e-8.
	Tolerance float64
	// Products is the largest number of products of A with a block of vectors; 0 means
	// 300.
	Products int
	// Block is the number of vectors that A is multiplied with at a time; 0 chooses it
	// by the number of eigenvalues: few where a matrix is stored, as more cost more, but
	// more for a matrix whose elements are computed in every product.
	Block int
	// Seed chooses the random vectors of the start.
	Seed uint64
	// Workers is the number of goroutines that share the arithmetic outside of A; 0
	// means GOMAXPROCS. Results have the same bits for any number.
	Workers int
	// Progress, if not nil, is called with the products done and allowed.
	Progress func(stage string, done, total int64)
}

func (o TopOptions) withDefaults(n, k int) (TopOptions, error) {
	switch {
	case k < 1 || k > n:
		return o, fmt.Errorf("linalg: top eigenvalues: %d of a matrix of order %d: ask for at least 1 and at most %d", k, n, n)
	case !(o.Tolerance >= 0) || math.IsInf(o.Tolerance, 1):
		return o, fmt.Errorf("linalg: top eigenvalues: tolerance is %v: give a positive number, or 0 for 1e-8", o.Tolerance)
	case o.Products < 0:
		return o, fmt.Errorf("linalg: top eigenvalues: products is %d: give a positive number, or 0 for 300", o.Products)
	case o.Block < 0:
		return o, fmt.Errorf("linalg: top eigenvalues: block is %d: give a positive number, or 0 for a default", o.Block)
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-8
	}
	if o.Products == 0 {
		o.Products = 300
	}
	if o.Block == 0 {
		o.Block = defaultBlock(k)
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Block = min(o.Block, n)
	return o, nil
}

// defaultBlock is a multiple of 8, the width of a register, and where it is not wasteful
// of 24, that of a tile of the product.
func defaultBlock(k int) int {
	switch {
	case k <= 12:
		return 8
	case k < 100:
		return 24
	}
	return 48
}

// basisLimit is the number of basis vectors at which the iteration restarts: room to
// converge without it in easy cases, and never so many that they outweigh the
// products.
func basisLimit(k, block int) int { return 4*k + 16*block }

// TopDemand returns what [TopEigen] takes for k eigenvalues of a matrix of order n: the
// bytes beside the matrix, the vectors of a block, and the products with a block until
// the first restart, by which the easy cases have ended.
func TopDemand(n, k int) (bytes int64, block, products int) {
	block = min(defaultBlock(k), n)
	return 8 * int64(n) * int64(4*k+20*block), block, (basisLimit(k, block) + block - 1) / block
}

// roomFor reports whether such a basis and the block after it are independent vectors.
func roomFor(n, k, block int) bool { return basisLimit(k, block)+block <= n }

// TopReport says how the iteration ended.
type TopReport struct {
	Products  int     // of A and a block
	Columns   int     // of A and a vector, those of blocks included
	Restarts  int     // how often the basis was cut down to its best part
	Residual  float64 // largest ‖Av − λv‖₂/|λ₁| of the returned pairs
	Converged bool    // Residual ≤ Tolerance
}

// Top holds the largest eigenvalues of a symmetric matrix and their eigenvectors.
type Top struct {
	Values    []float64  // descending
	Vectors   *mat.Dense // column j is a unit eigenvector of Values[j]; n×k, orthonormal
	Residuals []float64  // ‖Av − λv‖₂ of each
}

// TopNotConverged is the error of an iteration that ended before its tolerance; the
// pairs found so far are returned all the same.
type TopNotConverged struct {
	TopReport
	Tolerance float64
}

func (e *TopNotConverged) Error() string {
	return fmt.Sprintf("linalg: top eigenvalues: residual is %.3g of the largest eigenvalue after %d products, not %.3g: allow more products or a larger tolerance, or ask for fewer eigenvalues",
		e.Residual, e.Products, e.Tolerance)
}

// TopEigen returns the k algebraically largest eigenvalues of a symmetric operator and
// orthonormal eigenvectors, by block Lanczos iteration from random vectors, with full
// orthogonalisation and thick restarts. It sees A through products with blocks of
// vectors only. Beside A it holds about n·(4k + 20·block) numbers, and takes
// O(n·(k + block)) flops per column and product. A matrix for which this is not less
// than its elements is computed, n² numbers, and decomposed by [EigenSym].
//
// An eigenvalue of any multiplicity is found as often as it is due: where as many
// values agree as a block has vectors, the iteration goes on with a wider block.
//
// The error is a [*TopNotConverged], or that of A or ctx; it names k and the order
// where they do not fit.
//
// Golub and Underwood, The block Lanczos method for computing eigenvalues, in
// Mathematical Software III (1977); Wu and Simon, Thick-restart Lanczos method for large
// symmetric eigenvalue problems, SIAM J. Matrix Anal. Appl. 22 (2000).
func TopEigen(ctx context.Context, a Square, k int, o TopOptions) (*Top, TopReport, error) {
	n, cols := a.Dims()
	if n != cols {
		return nil, TopReport{}, fmt.Errorf("linalg: top eigenvalues of a %d×%d matrix: it must be square and symmetric", n, cols)
	}
	o, err := o.withDefaults(n, k)
	if err != nil {
		return nil, TopReport{}, err
	}
	told := progress.Start(o.Progress, "top eigenvalues", int64(o.Products))
	defer told.End(ctx)
	if !roomFor(n, k, o.Block) {
		return (&products{a: a, n: n, o: o, told: told}).topOfAll(ctx, k)
	}
	y := newBlockLanczos(a, n, k, o)
	y.told = told
	err = y.run(ctx)
	if err == errNoWiderBlock {
		return y.topOfAll(ctx, k)
	}
	if _, unconverged := err.(*TopNotConverged); err != nil && !unconverged {
		return nil, y.report, err
	}
	return y.top(), y.report, err
}

// topOfAll computes every element of a small matrix and all its eigenvalues.
func (p *products) topOfAll(ctx context.Context, k int) (*Top, TopReport, error) {
	n, o := p.n, p.o
	full := newGeneral(n, n)
	for from := 0; from < n; from += o.Block {
		unit := newGeneral(min(o.Block, n-from), n)
		for i := range unit.Rows {
			unit.Data[i*unit.Stride+from+i] = 1
		}
		if err := p.multiply(ctx, view(full, from, 0, unit.Rows, n), unit); err != nil {
			return nil, p.report, err
		}
	}
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			sym.SetSym(i, j, (full.Data[i*n+j]+full.Data[j*n+i])/2)
		}
	}
	e, err := EigenSym(ctx, sym, Options{Workers: o.Workers, Progress: o.Progress})
	if err != nil {
		return nil, p.report, err
	}
	t := &Top{Values: make([]float64, k), Vectors: mat.NewDense(n, k, nil), Residuals: make([]float64, k)}
	for j := range k {
		t.Values[j] = e.Values[n-1-j]
		t.Vectors.SetCol(j, mat.Col(nil, n-1-j, e.Vectors))
	}
	product := mat.NewDense(n, k, nil)
	level3.Implementation{Workers: o.Workers}.Gemm(blas.NoTrans, blas.NoTrans, 1, full, t.Vectors.RawMatrix(), 0, product.RawMatrix())
	for j := range k {
		for i := range n {
			t.Residuals[j] = math.Hypot(t.Residuals[j], product.At(i, j)-t.Values[j]*t.Vectors.At(i, j))
		}
	}
	p.report.compare(t.Residuals, max(math.Abs(e.Values[0]), math.Abs(e.Values[n-1])), o.Tolerance)
	if !p.report.Converged {
		return t, p.report, &TopNotConverged{TopReport: p.report, Tolerance: o.Tolerance}
	}
	return t, p.report, nil
}

// compare holds the residuals against the tolerance; largest is |λ₁|.
func (r *TopReport) compare(residuals []float64, largest, tolerance float64) {
	r.Residual = 0
	for _, v := range residuals {
		r.Residual = max(r.Residual, v)
	}
	if largest > 0 {
		r.Residual /= largest
	}
	r.Converged = r.Residual <= tolerance
}
