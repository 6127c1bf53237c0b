package gram

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/parallel"
)

// Centring is what it takes to move the origin of the feature space to the mean μ of
// the training points: k_c(x, y) = ⟨φ(x)−μ, φ(y)−μ⟩. It is computed on the training
// points once, and new points are centred with the same numbers: their own mean is
// of no concern.
//
// On the training matrix this is K − 1ₙK − K1ₙ + 1ₙK1ₙ with (1ₙ)ᵢⱼ = 1/n. (It is
// sometimes misprinted as K − 2·1ₙK + 1ₙK1ₙ, which is not even symmetric.) With shares
// pᵢ ≥ 0 of the points in the mean, Σ pᵢ = 1, it is (I − 1pᵀ)K(I − p1ᵀ).
type Centring struct {
	Means  []float64 `json:"means"`            // mᵢ = Σⱼ pⱼ k(xᵢ, xⱼ) = ⟨φ(xᵢ), μ⟩ of every training point
	Mean   float64   `json:"mean"`             // Σᵢ pᵢ mᵢ = ‖μ‖²
	Shares []float64 `json:"shares,omitempty"` // pᵢ; nil means 1/n each
}

// CentringWith computes the centring at the mean with shares in proportion to the
// weights, which are not negative and not all zero; nil is [centringOf].
func CentringWith(ctx context.Context, op Operator, weights []float64) (Centring, error) {
	if weights == nil {
		return centringOf(ctx, op)
	}
	if err := square(op); err != nil {
		return Centring{}, err
	}
	n, _ := op.Dims()
	total := floats.Sum(weights)
	if len(weights) != n || slices.ContainsFunc(weights, func(w float64) bool { return !(w >= 0) }) || !(total > 0) || math.IsInf(total, 1) {
		return Centring{}, fmt.Errorf("gram: %d weights with the sum %v cannot make a mean of %d points: they must be finite, not negative and not all zero, one for each point", len(weights), total, n)
	}
	shares, sums := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i, w := range weights {
		shares.Set(i, 0, w/total)
	}
	if err := op.Mul(ctx, sums, shares); err != nil {
		return Centring{}, err
	}
	c := Centring{Means: sums.RawMatrix().Data, Shares: shares.RawMatrix().Data}
	c.Mean = floats.Dot(c.Means, c.Shares)
	return c, nil
}

// centringOf computes the centring of a symmetric operator with one product.
func centringOf(ctx context.Context, op Operator) (Centring, error) {
	if err := square(op); err != nil {
		return Centring{}, err
	}
	n, _ := op.Dims()
	if n == 0 {
		return Centring{}, ctx.Err()
	}
	sums, ones := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		ones.Set(i, 0, 1)
	}
	if err := op.Mul(ctx, sums, ones); err != nil {
		return Centring{}, err
	}
	c := Centring{Means: sums.RawMatrix().Data}
	for i := range c.Means {
		c.Means[i] /= float64(n)
		c.Mean += c.Means[i]
	}
	c.Mean /= float64(n)
	return c, nil
}

// Centre replaces a Gram matrix by the centred one, in place, and returns the centring
// that new points need. It takes 3n² flops.
func Centre(ctx context.Context, k *mat.SymDense, o compute.Options) (Centring, error) {
	c, err := centringOf(ctx, FromMatrix(k))
	if err != nil || k.SymmetricDim() == 0 {
		return c, err
	}
	return c, c.Apply(ctx, k, o)
}

// Apply centres the training matrix k in place.
func (c Centring) Apply(ctx context.Context, k *mat.SymDense, o compute.Options) error {
	raw := k.RawSymmetric()
	if raw.N != len(c.Means) {
		return fmt.Errorf("gram: a matrix of order %d cannot be centred with the means of %d training points", raw.N, len(c.Means))
	}
	return parallel.Each(ctx, o.WorkerCount(), raw.N, func(_, i int) {
		row := raw.Data[i*raw.Stride : i*raw.Stride+raw.N]
		for j := i; j < raw.N; j++ {
			row[j] -= c.Means[i] + c.Means[j] - c.Mean
		}
	})
}

// Cross centres, in place, a rectangular Gram matrix of new points (rows) against the
// training points (columns), with the means of the training points:
//
//	k_c(z, xⱼ) = k(z, xⱼ) − Σ_l p_l k(z, x_l) − mⱼ + ‖μ‖²
func (c Centring) Cross(k *mat.Dense) error {
	rows, cols := k.Dims()
	if cols != len(c.Means) && rows > 0 {
		return fmt.Errorf("gram: a %d×%d matrix cannot be centred with the means of %d training points; its columns must be the training points", rows, cols, len(c.Means))
	}
	for i := range rows {
		row := k.RawRowView(i)
		mean := c.mean(row)
		for j := range row {
			row[j] -= mean + c.Means[j] - c.Mean
		}
	}
	return nil
}

// mean returns the mean of one number for each training point, with their shares.
func (c Centring) mean(v []float64) float64 {
	if c.Shares != nil {
		return floats.Dot(c.Shares, v)
	}
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// Operator returns the centred view of an operator whose columns are the training
// points: the training matrix itself, or new points against it.
func (c Centring) Operator(op Operator) *Centred { return &Centred{Of: op, By: c} }

// Centred is a centred operator that is never stored. With y = x − (Σᵢ xᵢ)·p,
//
//	K_c x = K y − (m·y)·1
//
// for the training rows and for new rows alike.
type Centred struct {
	Of Operator
	By Centring
}

var _ Operator = (*Centred)(nil)

// Dims returns the number of rows and of columns.
func (c *Centred) Dims() (rows, cols int) { return c.Of.Dims() }

// Mul stores the product of the centred matrix with x in dst: one product of the
// operator and O((rows+cols)·rhs) more.
func (c *Centred) Mul(ctx context.Context, dst, x *mat.Dense) error {
	if err := fitProduct(c, dst, x); err != nil {
		return err
	}
	n, rhs := x.Dims()
	if n != len(c.By.Means) {
		return fmt.Errorf("gram: an operator with %d columns cannot be centred with the means of %d training points", n, len(c.By.Means))
	}
	y := mat.DenseCopyOf(x)
	shift := make([]float64, rhs)
	for col := range rhs {
		v := blas64.Vector{N: n, Inc: y.RawMatrix().Stride, Data: y.RawMatrix().Data[col:]}
		shift[col] = c.By.removeMean(v)
	}
	if err := c.Of.Mul(ctx, dst, y); err != nil {
		return err
	}
	rows, _ := dst.Dims()
	for i := range rows {
		for col, s := range shift {
			dst.RawRowView(i)[col] -= s
		}
	}
	return nil
}

// removeMean subtracts (Σᵢ vᵢ)·p from v and returns its product with m then.
func (c Centring) removeMean(v blas64.Vector) float64 {
	sum := 0.0
	for i := range v.N {
		sum += v.Data[i*v.Inc]
	}
	mean, dot := sum/float64(v.N), 0.0
	for i := range v.N {
		if c.Shares != nil {
			mean = sum * c.Shares[i]
		}
		v.Data[i*v.Inc] -= mean
		dot += c.Means[i] * v.Data[i*v.Inc]
	}
	return dot
}
