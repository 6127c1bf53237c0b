package gp

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/linalg"
)

// Given is a process given rows, as far as it does not depend on their targets: the
// covariance of the posterior, by a factor ([Conditioned]) or by products ([Iterated]). It
// is safe for concurrent use.
type Given interface {
	// Variances replaces the prior variances k(x, x) in dst by those of f(x) given the
	// rows, for points whose kernel values against the rows are the rows of cross
	// (len(dst)×n). Values that rounding makes negative become zero, and clipped counts
	// them.
	Variances(ctx context.Context, dst []float64, cross *mat.Dense) (clipped int, err error)
	// Covariance replaces the prior covariances of m points by those given the rows;
	// cross is m×n.
	Covariance(ctx context.Context, prior *mat.SymDense, cross *mat.Dense) error
}

// Conditioned is [Given] by a Cholesky factor. It is safe for concurrent use.
type Conditioned struct {
	factor *linalg.Factored // of A = K + Σ
	active []bool           // rows of positive weight; nil: all
	u      *mat.Dense       // A⁻¹1; nil: the mean is known
	su     float64          // 1ᵀA⁻¹1
}

// Condition prepares A = K + Σ for the symmetric operator k = K (n×n). It is what a fitted
// model needs to have its variances again: n³/3 multiplications and 8n² bytes for a factor, and
// with [CG] a preconditioner and a solution for the constant mean.
func Condition(ctx context.Context, k gram.Operator, o Options) (Given, error) {
	n, err := square(k)
	if err != nil {
		return nil, err
	}
	if err := o.validate(n, nil); err != nil {
		return nil, err
	}
	if o.Solver == CG {
		it, _, err := o.iterate(ctx, k, nil)
		if err != nil || o.Mean == Zero {
			return it, err
		}
		return it, it.constant(ctx)
	}
	a, err := gram.CopyDense(ctx, k, o.Compute)
	if err != nil {
		return nil, err
	}
	c, err := o.condition(ctx, a, o.linalg())
	if err != nil {
		return nil, err
	}
	return c, c.judge(&o)
}

// square returns the order of a Gram matrix.
func square(k gram.Operator) (int, error) {
	n, cols := k.Dims()
	if n != cols {
		return 0, fmt.Errorf("gp: the Gram matrix is %d×%d: training needs a square one", n, cols)
	}
	return n, nil
}

// condition factors A in the storage of K, which it takes over.
func (o *Options) condition(ctx context.Context, k *mat.SymDense, by linalg.Options) (*Conditioned, error) {
	shift, active := o.diagonal(k.SymmetricDim())
	c, err := newConditioned(ctx, k, shift, active, o.Mean != Zero, by)
	if err != nil {
		return nil, o.notDefinite(err)
	}
	return c, nil
}

// diagonal returns that of Σ for n rows, and which of them are active; nil: all.
func (o *Options) diagonal(n int) (shift []float64, active []bool) {
	shift = make([]float64, n)
	for i := range shift {
		w := o.weight(i)
		if w > 0 {
			shift[i] = o.noise(i) / w
			continue
		}
		if active == nil {
			active = make([]bool, len(shift))
			for j := range active {
				active[j] = o.weight(j) > 0
			}
		}
	}
	return shift, active
}

// notDefinite explains a failed factorization.
func (o *Options) notDefinite(err error) error {
	var np *linalg.NotPositiveDefinite
	if errors.As(err, &np) {
		return fmt.Errorf("gp: K + Σ is not positive definite at noise %g: rows may repeat, or the kernel is not positive definite on them, or the noise is below the rounding of its values; give a larger noise: %w", o.Noise, err)
	}
	return err
}

// newConditioned factors K + diag(shift). Rows that are not active are taken out: they
// become rows of the identity.
func newConditioned(ctx context.Context, k *mat.SymDense, shift []float64, active []bool, constant bool, o linalg.Options) (*Conditioned, error) {
	c := &Conditioned{active: active}
	raw := k.RawSymmetric()
	for i, on := range active {
		if !on {
			shift[i] = 1
		}
		for j := i; j < raw.N; j++ {
			if !on || !active[j] {
				raw.Data[i*raw.Stride+j] = 0
			}
		}
	}
	factor, err := linalg.FactorDiag(ctx, k, shift, o)
	if err != nil {
		return nil, err
	}
	c.factor = &factor.Factored
	return c, c.border(ctx, constant)
}

// border solves for what a constant mean takes.
func (c *Conditioned) border(ctx context.Context, constant bool) error {
	if !constant {
		return nil
	}
	n := c.factor.Dim()
	c.u = mat.NewDense(n, 1, nil)
	for i := range n {
		if c.on(i) {
			c.u.Set(i, 0, 1)
		}
	}
	if err := c.factor.Solve(ctx, c.u, c.u); err != nil {
		return err
	}
	c.su = mat.Sum(c.u)
	return nil
}

// on reports whether row i has a positive weight. The elements of A⁻¹1 in rows that
// have not are zero.
func (c *Conditioned) on(i int) bool { return c.active == nil || c.active[i] }

// singular is the product of condition, order and unit of rounding from which on a
// factor says nothing.
const singular = 1

// judge refuses to interpolate where A is numerically singular even though the
// factorization went through.
func (c *Conditioned) judge(o *Options) error {
	for i := range c.factor.Dim() {
		if c.on(i) && o.noise(i) == 0 {
			if cond := c.factor.Condition(); cond*0x1p-52*float64(c.factor.Dim()) > singular {
				return fmt.Errorf("gp: there is no noise, and the Gram matrix is numerically singular (condition %.1e): rows may repeat, or the kernel is too smooth for them; give a noise > 0", cond)
			}
			return nil
		}
	}
	return nil
}

// Variances replaces the prior variances k(x, x) in dst by those of f(x) given the
// rows, for points whose kernel values against the rows are the rows of cross (len(dst)×n):
//
//	k** − ‖L⁻¹k*‖² [+ (1 − 1ᵀA⁻¹k*)²/1ᵀA⁻¹1 with a constant mean]    (R&W 2.26, 2.42)
//
// Values that rounding makes negative become zero, and clipped counts them. n² flops and
// O(n) numbers of memory a point, for 256 points at a time.
func (c *Conditioned) Variances(ctx context.Context, dst []float64, cross *mat.Dense) (clipped int, err error) {
	for from := 0; from < len(dst); from += block {
		to := min(from+block, len(dst))
		white, along, err := c.whiten(ctx, cross, from, to)
		if err != nil {
			return 0, err
		}
		for r := from; r < to; r++ {
			v := dst[r]
			for _, x := range white.RawRowView(r - from) {
				v -= x * x
			}
			if along != nil {
				v += along[r-from] * along[r-from] / c.su
			}
			if v < 0 {
				clipped++
			}
			dst[r] = math.Max(0, v)
		}
	}
	return clipped, nil
}

// block is the number of points whose variances are computed together.
const block = 256

// whiten returns L⁻¹k* as rows for some rows of cross, and 1 − 1ᵀA⁻¹k* where the mean is
// a constant.
func (c *Conditioned) whiten(ctx context.Context, cross *mat.Dense, from, to int) (white *mat.Dense, along []float64, err error) {
	rows, n := cross.Dims()
	if n != c.factor.Dim() || rows < to {
		return nil, nil, fmt.Errorf("gp: kernel values of %d points against %d rows, but there are %d points and the process was given %d rows", rows, n, to, c.factor.Dim())
	}
	white = mat.DenseCopyOf(cross.Slice(from, to, 0, n))
	if c.u != nil {
		along = make([]float64, to-from)
	}
	for r := range to - from {
		row, sum := white.RawRowView(r), 0.0
		for i := range row {
			if !c.on(i) {
				row[i] = 0
			} else if c.u != nil {
				sum += row[i] * c.u.At(i, 0)
			}
		}
		if along != nil {
			along[r] = 1 - sum
		}
	}
	return white, along, c.factor.Whiten(ctx, white)
}

// Covariance replaces the prior covariances of m points by those given the rows; cross
// (m×n) is as in [Conditioned.Variances]. n²m + nm² flops, nm numbers of memory.
func (c *Conditioned) Covariance(ctx context.Context, prior *mat.SymDense, cross *mat.Dense) error {
	m := prior.SymmetricDim()
	white, along, err := c.whiten(ctx, cross, 0, m)
	if err != nil {
		return err
	}
	explained := mat.NewSymDense(m, nil)
	explained.SymOuterK(1, white)
	for i := range m {
		for j := i; j < m; j++ {
			v := prior.At(i, j) - explained.At(i, j)
			if along != nil {
				v += along[i] * along[j] / c.su
			}
			prior.SetSym(i, j, v)
		}
	}
	return nil
}
