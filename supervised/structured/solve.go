package structured

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/space"
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
	// Solver is the space, and how its system is solved; "" is [space.Auto].
	Solver space.Solver
	// Compute says how to compute: workers, memory limit, progress, and the precision of
	// the system, see [space.Options].
	Compute compute.Options
}

// Space returns the options of the space that these options ask for: see [space.Of] and
// [space.DualOf].
func (o Options) Space() space.Options {
	return space.Options{Solver: o.Solver, Compute: o.Compute}
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

// Solution is θ(x) = Bias + Coefᵀψ(x), ψ(x) the coordinates of the space: in the dual it is Bias +
// Σ Coefᵢ k(x, xᵢ).
type Solution struct {
	Coef *mat.Dense // one row for each coordinate, d columns
	Bias []float64  // d, zero without an intercept
}

// Predict returns h(x) of every point: the decoded values of θ, which [Fit] has found. Cost and
// errors are those of its Predict, and one decoding per point.
func Predict[T, Y any](ctx context.Context, theta model.Predictor[T], out Output[Y], xs data.Set[T], o compute.Options) ([]Y, error) {
	if theta.Outputs() != out.Dim() {
		return nil, fmt.Errorf("structured: a function with %d outputs for an output of dimension %d: decode by the output that it was fitted with", theta.Outputs(), out.Dim())
	}
	values, err := theta.Predict(ctx, xs, o)
	if err != nil {
		return nil, err
	}
	ys, row := make([]Y, xs.Len()), make([]float64, out.Dim())
	for i := range ys {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		copy(row, values.RawRowView(i))
		ys[i] = out.Decode(row)
	}
	return ys, nil
}

// Fit learns answers ys of points xs. What it returns is θ, with d outputs; [Predict] decodes them.
// It is a [*model.Primal] in explicit features, see [space.Of], and a [*model.Expansion] over xs
// otherwise. Cost and errors are those of [Solve], and of points outside the domain of the kernel.
func Fit[T, Y any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], ys []Y, out Output[Y], o Options) (model.Predictor[T], *Report, error) {
	if len(ys) != xs.Len() {
		return nil, nil, fmt.Errorf("structured: %d answers for %d points", len(ys), xs.Len())
	}
	in, err := space.Of(ctx, k, xs, o.Space())
	if err != nil {
		return nil, nil, fmt.Errorf("structured: %w", err)
	}
	found, r, err := Solve(ctx, in.Space, ys, out, o)
	if err != nil {
		return nil, nil, err
	}
	return in.Function(found.Coef, found.Bias), r, nil
}

// Solve returns θ in the space s for the answers ys: the ridge regression of φ(yᵢ),
//
//	min over f, b of  (1/N) Σ wᵢ‖φ(yᵢ) − f(xᵢ) − b‖² + λ‖f‖²,  θ = f + b,
//
// without an intercept b = 0. Coefficients of rows of weight zero are exactly zero. The score that
// row i has without it is φ(yᵢ) − eᵢ/(1 − hᵢ), e the residuals and h the leverages.
//
// Cost: that of [space.Regress], with leave-one-out that of [space.Factor.LeaveOneOut], and a
// decoding per row. Errors: every problem of the options; an answer that the output refuses; and a
// system that is not numerically positive definite. Results have the same bits for any number of
// workers. Passes over the rows are steps of the checkpoint.
func Solve[Y any](ctx context.Context, s space.Space, ys []Y, out Output[Y], o Options) (*Solution, *Report, error) {
	n, _ := s.Dims()
	if err := o.validate(n, len(ys)); err != nil {
		return nil, nil, err
	}
	if err := dimOf(out); err != nil {
		return nil, nil, err
	}
	r, watch := newReport(n, out.Dim(), &o), model.NewStopwatch()
	targets := space.Targets{Columns: out.Dim(), Row: func(dst []float64, i int) error { return embedRow(out, dst, ys, i) }}
	g, err := space.Regress(ctx, s, space.Ridge{Weights: o.Weights, R: r.Ridge, Constant: !o.NoIntercept}, targets, o.Compute)
	if err != nil {
		return nil, nil, r.explain(err)
	}
	watch.Lap(&r.Run, "solve")
	if err := r.measure(ctx, g, decoded(out, ys), &o); err != nil {
		return nil, nil, err
	}
	watch.Lap(&r.Run, "decode")
	return &Solution{Coef: g.Theta, Bias: g.Bias}, r, nil
}

// decoded returns the loss of row i where its scores are φ(yᵢ) less e.
func decoded[Y any](out Output[Y], ys []Y) func(i int, e []float64) (float64, error) {
	theta := make([]float64, out.Dim())
	return func(i int, e []float64) (float64, error) {
		if err := embedRow(out, theta, ys, i); err != nil {
			return 0, err
		}
		floats.Sub(theta, e)
		return out.Loss(out.Decode(theta), ys[i]), nil
	}
}

// measure computes the weighted mean losses of the training rows, of the fit and without each row.
func (r *Report) measure(ctx context.Context, g *space.Regression, loss func(i int, e []float64) (float64, error), o *Options) error {
	sums, rest := make([]float64, 3), []float64(nil) // the two sums and Σ wᵢ; 1 − hᵢ
	err := o.Compute.Step(ctx, "losses", [][]float64{sums}, func() error {
		if o.LOO {
			rest = make([]float64, r.N)
			if err := g.Factor.LeaveOneOut(ctx, rest); err != nil {
				return err
			}
		}
		return g.Residuals(ctx, o.Compute, func(from, to int, e *mat.Dense) error {
			for i := from; i < to; i++ {
				if err := addLoss(sums, e.RawRowView(i-from), model.Weight(o.Weights, i), i, rest, loss); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	})
	r.Loss = sums[0] / sums[2]
	if o.LOO {
		left := sums[1] / sums[2]
		r.LOOLoss = &left
	}
	return err
}

// addLoss adds the losses of row i, whose residual e it overwrites.
func addLoss(sums, e []float64, weight float64, i int, rest []float64, loss func(i int, e []float64) (float64, error)) error {
	if weight == 0 {
		return nil
	}
	fitted, err := loss(i, e)
	if err != nil {
		return err
	}
	sums[0] += weight * fitted
	sums[2] += weight
	if rest == nil {
		return nil
	}
	floats.Scale(1/rest[i], e)
	left, err := loss(i, e)
	sums[1] += weight * left
	return err
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

// newReport has λ and Nλ, of which the options have one.
func newReport(n, dim int, o *Options) *Report {
	total := 0.0
	for i := range n {
		total += model.Weight(o.Weights, i)
	}
	r := &Report{N: n, Dim: dim, Ridge: o.Ridge}
	if r.Ridge == 0 {
		r.Ridge = total * o.Lambda
	}
	r.Lambda = r.Ridge / total
	return r
}

// explain says what a failed factorisation means.
func (r *Report) explain(err error) error {
	var np *linalg.NotPositiveDefinite
	if !errors.As(err, &np) {
		return err
	}
	return fmt.Errorf("structured: the system is not positive definite at λ = %g (ridge %g): the kernel is not positive definite on these rows, or λ is below the rounding of its values; give a larger λ: %w", r.Lambda, r.Ridge, err)
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
