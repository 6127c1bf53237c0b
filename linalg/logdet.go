package linalg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// LogDetOptions say how [LogDet] samples. Least is required.
type LogDetOptions struct {
	// Preconditioner is an approximation P of A. The nearer it is, the smaller is what
	// is estimated and the fewer products that takes. nil means the identity.
	Preconditioner *Woodbury
	// Least > 0 is a lower bound of the eigenvalues of P⁻¹A. It is 1 where A − P is
	// positive semidefinite, as with a partial Cholesky factor and the very diagonal that
	// was added to A.
	Least float64
	// Probes is the number of random vectors; 0 means 16. The first ones do not depend
	// on it.
	Probes int
	// Seed of the probes.
	Seed uint64
	// Tolerance is the relative residual of the systems with the probes as right-hand
	// sides; 0 means 1e-6. The error of the quadrature is about its square.
	Tolerance float64
	// Iterations is the largest number of products with A; 0 means 10n + 10.
	Iterations int
	// Progress, if not nil, is called with the products done and allowed.
	Progress func(stage string, done, total int64)
	// Workers share what is done beside the products; 0 means GOMAXPROCS.
	Workers int
}

// LogDetEstimate is an estimate of ln|A|, and what it was made of.
type LogDetEstimate struct {
	Value float64
	// StandardError is that of Value, from the differences between the probes.
	StandardError float64
	// Quadrature bounds what the finite number of Lanczos steps adds to the error: with
	// these probes and infinitely many steps the value is within it.
	Quadrature float64
	Base       float64 // ln|P|, which is exact; 0 for the identity
	Steps      int     // of the block Lanczos iteration
	// Probes are vectors Sz, n×m, whose covariance is P = SSᵀ; Solutions are A⁻¹Sz, to
	// the residual in CG. With them E[(P⁻¹b)ᵀB(A⁻¹b)] = tr(A⁻¹B) for any B.
	Probes, Solutions *mat.Dense
	CG                CGReport
}

// Interval returns ends between which ln|A| is with about the given probability: Student's
// quantile of the standard error, for errors that are nearly normal because each is a sum
// over many eigenvalues, and the bound of the quadrature.
func (l *LogDetEstimate) Interval(level float64) (low, high float64) {
	_, m := l.Probes.Dims()
	half := math.Inf(1)
	if m > 1 {
		half = distuv.StudentsT{Sigma: 1, Nu: float64(m - 1)}.Quantile((1+level)/2)*l.StandardError + l.Quadrature
	}
	return l.Value - half, l.Value + half
}

// probeStream tells the stream of probes from those of other uses of a seed.
const probeStream = 0x6c6f675f646574

// LogDet estimates ln|A| of a symmetric positive definite matrix of order n that is known by its
// products, by stochastic Lanczos quadrature. With P = SSᵀ and B = S⁻¹AS⁻ᵀ,
//
//	ln|A| = ln|P| + tr ln B,   tr ln B ≈ (1/m) Σ zᵀ(ln B)z
//
// for vectors z of random signs:
//
//  1. Draw m probes z, and form Sz.
//  2. Solve AX = SZ by preconditioned conjugate gradients. One product with A per step serves all
//     probes.
//  3. Make the block tridiagonal matrix T of Lanczos' iteration from the coefficients of step 2.
//  4. Each term is a Gauss quadrature with the eigenvalues of T as nodes.
//  5. The quadrature of Radau with the eigenvalue Least bounds it from the other side.
//
// Why step 5 is a bound: with ln x = ∫₀^∞ 1/(1+s) − 1/(x+s) ds it is enough to look at inverses.
// Those of Gauss' rule come from a projection and are too small, so that the rule for the
// logarithm is too large. That of Radau is too small, because the last block is at most that of
// the whole iteration.
//
// The memory is about ten n×m matrices, and (mk)² numbers for k steps. Errors are those of [CG],
// with the estimate so far. The same seed gives the same bits.
//
// Ubaru, Chen and Saad, Fast estimation of tr(f(A)) via stochastic Lanczos quadrature, SIAM J.
// Matrix Anal. Appl. 38 (2017); Gardner, Pleiss, Bindel, Weinberger and Wilson, GPyTorch (NeurIPS
// 2018), for the coefficients of conjugate gradients; Wenger, Pleiss, Hennig, Cunningham and
// Gardner, Preconditioning for scalable Gaussian process hyperparameter optimization (ICML 2022),
// for P; Golub and Meurant, Matrices, Moments and Quadrature (2010), chapter 6, and Zimmerling,
// Druskin and Simoncini, Monotonicity, bounds and acceleration of block Gauss and Gauss-Radau
// quadrature (2024), for the bounds.
func LogDet(ctx context.Context, a Operator, n int, o LogDetOptions) (*LogDetEstimate, error) {
	if !(o.Least > 0) || math.IsInf(o.Least, 1) || o.Probes < 0 || n < 1 {
		return nil, fmt.Errorf("linalg: log determinant of order %d with %d probes and least eigenvalue %v: order and bound must be positive", n, o.Probes, o.Least)
	}
	if o.Probes == 0 {
		o.Probes = 16
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-6
	}
	l := &LogDetEstimate{Probes: signs(n, o.Probes, o.Seed)}
	cgo := CGOptions{Tolerance: o.Tolerance, Iterations: o.Iterations, Progress: o.Progress, Workers: o.Workers}
	if p := o.Preconditioner; p != nil {
		if order, _ := p.Dims(); order != n {
			return nil, fmt.Errorf("linalg: log determinant of order %d with a preconditioner of order %d", n, order)
		}
		cgo.Preconditioner = p
		l.Base = p.LogDet()
		if err := p.Root(ctx, l.Probes, l.Probes); err != nil {
			return nil, err
		}
	}
	c, err := newCG(a, l.Probes, cgo)
	if err != nil {
		return nil, err
	}
	coefficients := new(lanczosRecord)
	c.lanczos = coefficients
	failure := c.run(ctx)
	l.Solutions, l.CG = c.best, c.report
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := l.integrate(ctx, coefficients, o.Least); err != nil {
		return nil, errors.Join(failure, err)
	}
	return l, failure
}

// signs returns count columns of n random signs, one after the other.
func signs(n, count int, seed uint64) *mat.Dense {
	random := rand.New(rand.NewPCG(seed, probeStream))
	z := mat.NewDense(n, count, nil)
	for j := range count {
		for i := range n {
			z.Set(i, j, 1-2*float64(random.Uint64()>>63))
		}
	}
	return z
}

// integrate averages the quadratures of the probes.
func (l *LogDetEstimate) integrate(ctx context.Context, c *lanczosRecord, least float64) error {
	if len(c.t.diag) == 0 {
		return errors.New("linalg: log determinant: conjugate gradients made no step: allow more iterations")
	}
	l.Steps = len(c.t.diag)
	high, err := c.t.logarithms(ctx, c.start)
	if err != nil {
		return err
	}
	low, err := c.t.radau(least).logarithms(ctx, c.start)
	if err != nil {
		return err
	}
	mean, square, m := 0.0, 0.0, float64(len(high))
	for j, value := range high { // Gauss' rule, which is the better one
		l.Quadrature += math.Abs(value-low[j]) / m
		d := value - mean
		mean += d / float64(j+1)
		square += d * (value - mean)
	}
	l.Value = l.Base + mean
	if m > 1 {
		l.StandardError = math.Sqrt(square / (m - 1) / m)
	}
	return nil
}
