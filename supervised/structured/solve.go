package structured

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// Options say how to regress. Lambda or Ridge must be positive.
type Options struct {
	// Lambda is λ > 0 in (1/N) Σ wᵢ‖φ(yᵢ) − f(xᵢ) − b‖² + λ‖f‖².
	Lambda float64
	// Ridge is Nλ, the other way to give the same number. Only one of the two may be
	// nonzero.
	Ridge float64
	// NoIntercept leaves out the free constant of every output.
	NoIntercept bool
	// LOO asks for the exact leave-one-out loss: n³/3 multiplications more.
	LOO bool
	// Weights are the wᵢ ≥ 0, one per row; nil means all ones.
	Weights []float64
	// Compute says how to compute: workers, memory limit, progress. The precision is
	// double whatever it says.
	Compute compute.Options
}

// Report says how a fit went.
type Report struct {
	N   int `json:"n"`
	Dim int `json:"dim"` // d, the length of φ
	// Lambda and Ridge = N·Lambda are the same number in the two conventions.
	Lambda float64 `json:"lambda"`
	Ridge  float64 `json:"ridge"`
	// Loss is the weighted mean of Δ(h(xᵢ), yᵢ) on the training rows.
	Loss float64 `json:"loss"`
	// LOOLoss is that of h fitted without row i, at the same ridge; nil unless
	// [Options.LOO] asked for it.
	LOOLoss *float64 `json:"loo_loss,omitempty"`

	model.Run
}

// Solution is θ(x) = Bias + Σ Coefᵢ k(x, xᵢ).
type Solution struct {
	Coef *mat.Dense // n×d
	Bias []float64  // d, zero without an intercept
}

// Predictor is h(x): the regression of θ, and its decoder.
type Predictor[T, Y any] struct {
	Scores *model.Expansion[T]
	Output Output[Y]
}

// Predict returns h of every point. Cost and errors are those of
// [model.Expansion.Predict], and one decoding per point.
func (p *Predictor[T, Y]) Predict(ctx context.Context, xs data.Set[T], o compute.Options) ([]Y, error) {
	theta, err := p.Scores.Predict(ctx, xs, o)
	if err != nil {
		return nil, err
	}
	return decode(ctx, p.Output, theta)
}

func decode[Y any](ctx context.Context, out Output[Y], theta *mat.Dense) ([]Y, error) {
	n, _ := theta.Dims()
	ys, row := make([]Y, n), make([]float64, out.Dim())
	for i := range ys {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		copy(row, theta.RawRowView(i))
		ys[i] = out.Decode(row)
	}
	return ys, nil
}

// Fit learns answers ys of points xs. Cost and errors are those of [Solve], and of points
// outside the domain of the kernel.
func Fit[T, Y any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], ys []Y, out Output[Y], o Options) (*Predictor[T, Y], *Report, error) {
	if len(ys) != xs.Len() {
		return nil, nil, fmt.Errorf("structured: %d answers for %d points", len(ys), xs.Len())
	}
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("structured: %w", err)
	}
	s, r, err := Solve(ctx, gram.Of(kernel.Bind(k, xs, xs), o.Compute), ys, out, o)
	if err != nil {
		return nil, nil, err
	}
	return &Predictor[T, Y]{Scores: &model.Expansion[T]{Kernel: k, Points: xs, Coef: s.Coef, Bias: s.Bias}, Output: out}, r, nil
}

// Solve returns θ for the symmetric operator k = K (n×n) and the answers ys: C = W½Z,
//
//	(W½KW½ + NλI) Z = W½(Φ − 1bᵀ),    1ᵀW½Z = 0,
//
// row i of Φ being φ(yᵢ); without an intercept b = 0. Rows of weight zero are exactly
// zero.
//
// Cost: the factor of one matrix, n³/3 multiplications, 4n²d more, a decoding per row;
// 8n² bytes and 24nd. In fewer features than rows [SolveFeatures] takes less. Errors: every problem
// of the options; an answer that the output refuses; a kernel value that is not finite; and a
// matrix that is not numerically positive definite. Results have the same bits for any number of
// workers.
func Solve[Y any](ctx context.Context, k gram.Operator, ys []Y, out Output[Y], o Options) (*Solution, *Report, error) {
	n, cols := k.Dims()
	if n != cols {
		return nil, nil, fmt.Errorf("structured: the Gram matrix is %d×%d: training needs a square one", n, cols)
	}
	if err := o.validate(n, len(ys)); err != nil {
		return nil, nil, err
	}
	phi, err := embed(out, ys)
	if err != nil {
		return nil, nil, err
	}
	roots, total := o.roots(n)
	r, watch := &Report{N: n, Dim: out.Dim()}, model.NewStopwatch()
	r.penalty(&o, total)
	factor, err := newFactor(ctx, k, roots, r.Ridge, o.Compute)
	if err != nil {
		return nil, nil, r.explain(err)
	}
	b, err := newBordered(ctx, factor, roots, o.NoIntercept)
	if err != nil {
		return nil, nil, err
	}
	z, bias, err := b.solve(ctx, phi)
	if err != nil {
		return nil, nil, err
	}
	watch.Lap(&r.Run, "solve")
	if err := judge(ctx, r, out, ys, phi, z, b, o.LOO); err != nil {
		return nil, nil, err
	}
	scaleRows(z, roots)
	watch.Lap(&r.Run, "decode")
	return &Solution{Coef: z, Bias: bias}, r, nil
}

// judge decodes the training rows: √wᵢ(φᵢ − θ(xᵢ)) = Nλzᵢ, and without row i it is
// zᵢ/dᵢ, d being the diagonal of the inverse of the bordered system.
func judge[Y any](ctx context.Context, r *Report, out Output[Y], ys []Y, phi, z *mat.Dense, b *bordered, loo bool) error {
	roots := b.roots
	left := make([]float64, len(roots))
	for i := range left {
		left[i] = r.Ridge
	}
	mean := func() (float64, error) {
		theta := mat.DenseCopyOf(phi)
		for i, root := range roots {
			if root == 0 {
				continue
			}
			row := theta.RawRowView(i)
			for j, v := range z.RawRowView(i) {
				row[j] -= left[i] * v / root
			}
		}
		answers, err := decode(ctx, out, theta)
		if err != nil {
			return 0, err
		}
		sum, total := 0.0, 0.0
		for i, y := range answers {
			if w := roots[i] * roots[i]; w > 0 {
				sum += w * out.Loss(y, ys[i])
				total += w
			}
		}
		return sum / total, nil
	}
	var err error
	if r.Loss, err = mean(); err != nil || !loo {
		return err
	}
	if err := b.inverseDiag(ctx, left); err != nil {
		return err
	}
	for i := range left {
		left[i] = 1 / left[i]
	}
	loss, err := mean()
	r.LOOLoss = &loss
	return err
}

// embed returns Φ.
func embed[Y any](out Output[Y], ys []Y) (*mat.Dense, error) {
	if err := dimOf(out); err != nil {
		return nil, err
	}
	phi := mat.NewDense(len(ys), out.Dim(), nil)
	for i := range ys {
		if err := embedRow(out, phi.RawRowView(i), ys, i); err != nil {
			return nil, err
		}
	}
	return phi, nil
}

// embedRow stores φ(yᵢ).
func embedRow[Y any](out Output[Y], dst []float64, ys []Y, i int) error {
	if err := out.Embed(dst, ys[i]); err != nil {
		return fmt.Errorf("structured: the answer of row %d: %w", i, err)
	}
	return nil
}

// dimOf refuses an output of no dimension.
func dimOf[Y any](out Output[Y]) error {
	if out.Dim() < 1 {
		return fmt.Errorf("structured: the output %T has %d dimensions: give it labels, items or candidates", out, out.Dim())
	}
	return nil
}

// penalty stores λ and Nλ, of which the options have one.
func (r *Report) penalty(o *Options, total float64) {
	if r.Ridge = o.Ridge; r.Ridge == 0 {
		r.Ridge = total * o.Lambda
	}
	r.Lambda = r.Ridge / total
}

// explain says what a failed factorisation means.
func (r *Report) explain(err error) error {
	var np *linalg.NotPositiveDefinite
	if !errors.As(err, &np) {
		return err
	}
	return fmt.Errorf("structured: the system is not positive definite at λ = %g (ridge %g): the kernel is not positive definite on these rows, or λ is below the rounding of its values; give a larger λ: %w", r.Lambda, r.Ridge, err)
}

// roots returns √wᵢ and N.
func (o *Options) roots(n int) (roots []float64, total float64) {
	roots = make([]float64, n)
	for i := range roots {
		w := model.Weight(o.Weights, i)
		roots[i] = math.Sqrt(w)
		total += w
	}
	return roots, total
}

// validate reports every problem of the options for n rows.
func (o *Options) validate(n, answers int) error {
	c := model.NewChecks("structured")
	c.Penalty(o.Lambda, o.Ridge, "without a penalty the regression follows every answer exactly")
	c.Rows(n, answers)
	c.Weights(n, o.Weights)
	if o.LOO && n == 1 {
		c.Add("leaving out the only row leaves nothing to learn from: do not ask for LOO")
	}
	return c.Err()
}
