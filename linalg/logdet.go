package linalg

import (
	"context"
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
	// Progress, if not nil, is told the products done and allowed.
	Progress func(stage string, done, total int64)
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
	Steps      int     // of Lanczos, the most of the probes
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

// LogDet estimates ln|A| of a symmetric positive definite matrix of order n that is known
// by its products, by stochastic Lanczos quadrature: with P = SSᵀ and B = S⁻¹AS⁻ᵀ,
//
//	ln|A| = ln|P| + tr ln B,   tr ln B ≈ (1/m) Σ zᵀ(ln B)z
//
// for vectors z of random signs. Each term is a Gauss quadrature with the eigenvalues of
// the tridiagonal matrix of Lanczos' iteration from z as nodes, whose elements are those
// of preconditioned conjugate gradients for Ax = Sz: one product with A per step serves
// all probes, and x with them. Because the even derivatives of the logarithm are negative
// Gauss' rule is too large, and that of Radau, with Least as a node, too small.
//
// The memory is about ten n×m matrices. Errors are those of [CG], with the estimate so far.
// The same seed gives the same bits.
//
// Ubaru, Chen and Saad, Fast estimation of tr(f(A)) via stochastic Lanczos quadrature, SIAM
// J. Matrix Anal. Appl. 38 (2017); Gardner, Pleiss, Bindel, Weinberger and Wilson,
// GPyTorch (NeurIPS 2018), for the coefficients of conjugate gradients; Wenger, Pleiss,
// Hennig, Cunningham and Gardner, Preconditioning for scalable Gaussian process
// hyperparameter optimization (ICML 2022), for P; Golub and Meurant, Matrices, Moments and
// Quadrature (2010), chapter 6, for the bounds.
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
	cgo := CGOptions{Tolerance: o.Tolerance, Iterations: o.Iterations, Progress: o.Progress}
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
	coefficients := newLanczos(o.Probes)
	c.lanczos = coefficients
	failure := c.run(ctx)
	l.Solutions, l.CG = c.best, c.report
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := l.integrate(ctx, coefficients, n, o.Least); err != nil {
		return nil, err
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

// integrate averages the quadratures of the probes. ‖z‖² = n.
func (l *LogDetEstimate) integrate(ctx context.Context, c *lanczos, n int, least float64) error {
	mean, square, m := 0.0, 0.0, float64(len(c.columns))
	for j := range c.columns {
		t := c.tridiagonal(j)
		if len(t.diag) == 0 {
			return fmt.Errorf("linalg: log determinant: conjugate gradients made no step for probe %d: allow more iterations", j)
		}
		l.Steps = max(l.Steps, len(t.diag))
		high, err := t.logarithm(ctx)
		if err != nil {
			return err
		}
		low, err := t.radau(least).logarithm(ctx)
		if err != nil {
			return err
		}
		value := float64(n) * (low + high) / 2
		l.Quadrature += float64(n) * math.Abs(high-low) / 2 / m
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

// lanczos holds the coefficients of conjugate gradients, one list per column.
type lanczos struct{ columns []steps }

type steps struct{ alpha, beta []float64 }

func newLanczos(columns int) *lanczos { return &lanczos{make([]steps, columns)} }

func (l *lanczos) add(column int, alpha, beta float64) {
	c := &l.columns[column]
	c.alpha, c.beta = append(c.alpha, alpha), append(c.beta, beta)
}

// jacobi is a symmetric tridiagonal matrix: off[i] stands between i and i+1.
type jacobi struct{ diag, off []float64 }

// tridiagonal returns the matrix of Lanczos' iteration that conjugate gradients did
// (Saad 2003, section 6.7.3): Tⱼⱼ = 1/αⱼ + βⱼ/αⱼ₋₁, Tⱼ₋₁ⱼ = √βⱼ/αⱼ₋₁. A β that rounding
// made negative ends it: nothing follows such a step.
func (l *lanczos) tridiagonal(column int) jacobi {
	c, t := l.columns[column], jacobi{}
	for j, alpha := range c.alpha {
		d := 1 / alpha
		if j > 0 {
			beta := c.beta[j]
			if !(beta > 0) {
				break
			}
			d += beta / c.alpha[j-1]
			t.off = append(t.off, math.Sqrt(beta)/c.alpha[j-1])
		}
		t.diag = append(t.diag, d)
	}
	return t
}

// radau returns the matrix with the last diagonal element such that a is an eigenvalue.
// Where an eigenvalue is a already, up to rounding, that is the matrix itself.
//
// Golub, Some modified matrix eigenvalue problems, SIAM Review 15 (1973), section 7.
func (t jacobi) radau(a float64) jacobi {
	last := len(t.diag) - 1
	moved := jacobi{append([]float64(nil), t.diag...), t.off}
	pivot := math.Inf(1) // of T − aI without the last row
	for i := range last {
		square := 0.0
		if i > 0 {
			square = t.off[i-1] * t.off[i-1]
		}
		if pivot = t.diag[i] - a - square/pivot; !(pivot > 0) {
			return t
		}
	}
	moved.diag[last] = a
	if last > 0 {
		moved.diag[last] += t.off[last-1] * t.off[last-1] / pivot
	}
	return moved
}

// logarithm returns e₁ᵀ(ln T)e₁.
func (t jacobi) logarithm(ctx context.Context) (float64, error) {
	k := len(t.diag)
	a := mat.NewSymDense(k, nil)
	for i, d := range t.diag {
		a.SetSym(i, i, d)
		if i+1 < k {
			a.SetSym(i, i+1, t.off[i])
		}
	}
	e, err := EigenSym(ctx, a, Options{Workers: 1})
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for i, v := range e.Values {
		w := e.Vectors.At(0, i)
		if !(v > 0) {
			return 0, fmt.Errorf("linalg: log determinant: Lanczos' iteration found the eigenvalue %.3g: the matrix is not positive definite up to rounding; add a ridge", v)
		}
		sum += w * w * math.Log(v)
	}
	return sum, nil
}
