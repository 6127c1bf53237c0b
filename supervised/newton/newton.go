package newton

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/progress"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// Model is the sum of the losses of all rows, a function of the n×m predictor
// η = f + b.
type Model interface {
	// Value returns Σ ℓᵢ(ηᵢ), with the error of few roundings, however many rows there are: the
	// last steps gain less than a plain sum of many rows loses.
	Value(eta *mat.Dense) float64
	// Gradient stores ∂ℓᵢ/∂ηᵢ in dst (n×m).
	Gradient(dst, eta *mat.Dense)
	// Weigh stores numbers vᵢ ≥ 0: the second derivatives where m = 1, otherwise those
	// of an approximation, at least half of the Hessian's largest eigenvalue, that
	// preconditions (see [Coupled]).
	Weigh(v []float64, eta *mat.Dense)
}

// Majorizer is a model of one output with numbers vᵢ for which
// ℓᵢ(η) + ℓᵢ′(η)d + vᵢd²/2 is nowhere below ℓᵢ(η + d). A step with these weights cannot
// raise the objective; it is made where Newton's is not good.
type Majorizer interface {
	Majorize(v []float64, eta *mat.Dense)
}

// Coupled is a model whose outputs share a loss, which does not change when all outputs
// of a row are raised by the same number: the constants are kept at Σ_c b_c = 0. Hessian
// returns the function that multiplies each row of an n×m matrix by the m×m matrix
// ∇²ℓᵢ(ηᵢ).
type Coupled interface {
	Hessian(eta *mat.Dense) func(dst, x *mat.Dense)
}

// Options say when to stop. The zero value is ready.
type Options struct {
	// Tolerance is the Newton decrement, dᵀ∇²P·d, relative to the objective P, at
	// which one more full step ends the iteration; 0 means 1e-12. Where steps
	// converge quadratically the last one leaves about its square.
	Tolerance float64
	// Iterations is the largest number of steps; 0 means 100.
	Iterations int
	// Progress, if not nil, is told the steps done and allowed.
	Progress func(stage string, done, total int64)
	// Step, if not nil, keeps the direction of every step in a checkpoint: it fills the results
	// from what is kept, or else by compute.
	Step func(ctx context.Context, name string, results [][]float64, compute func() error) error
}

// Trace says how an iteration went.
type Trace struct {
	Iterations int  `json:"iterations"`          // weighted ridge regressions
	Halvings   int  `json:"halvings,omitempty"`  // of steps that were too long
	Majorized  int  `json:"majorized,omitempty"` // steps that were not Newton's
	Products   int  `json:"products,omitempty"`  // with the Hessian, of the conjugate gradients within
	Converged  bool `json:"converged"`
	// Values are P at the start and after every step that was made, Decrements those of
	// these steps.
	Values     []float64 `json:"values,omitempty"`
	Decrements []float64 `json:"decrements,omitempty"`
	// Value is P = Σℓ + (R/2)‖f‖² at the end.
	Value float64 `json:"value"`
	// Decrement is dᵀ∇²P·d of the last step; half of it estimates what the step gained.
	Decrement float64 `json:"decrement"`
	// Gap bounds P − min P for convex losses: ‖∇P‖²/(2R), because P is strongly convex
	// in f, plus the slope in the constants times the step that removes it.
	Gap float64 `json:"gap"`
}

// Line is the line of a report that says how the iteration went.
func (t *Trace) Line() model.Line {
	return model.Linef("Newton", "%d steps, gap %s", t.Iterations, model.FormatNumber(t.Gap))
}

const (
	// armijo is the part of the predicted decrease that a step must achieve.
	armijo = 1e-4
	// noise is the relative rounding error of an objective.
	noise = 1e-13
	// shortStep is the step length below which majorization is tried instead.
	shortStep = 1.0 / 8
	// shortest is the step length at which a search ends.
	shortest = 1e-15
)

// newton is an iteration on its way.
type newton struct {
	s     space.Space
	ridge float64
	m     Model
	o     Options
	at    *space.Function
	eta   *mat.Dense
	value float64
	first float64 // objective at the start
	trace Trace
}

// Minimize runs Newton's method in a space at the ridge R > 0, from start (see [space.Zero]),
// which has constants where they are free. Steps that do not decrease
// the objective sufficiently are halved. The result is the last iterate, also where the
// trace says that it has not converged. Errors: those of the factors (a matrix that is
// not positive definite) and of ctx, and an objective that is not a finite number.
func Minimize(ctx context.Context, s space.Space, ridge float64, m Model, start *space.Function, o Options) (*space.Function, Trace, error) {
	if o.Tolerance == 0 {
		o.Tolerance = 1e-12
	}
	if o.Iterations == 0 {
		o.Iterations = 100
	}
	n := &newton{s: s, ridge: ridge, m: m, o: o, at: start, eta: mat.DenseCopyOf(start.Values)}
	n.value = n.objective(start)
	n.first = n.value
	if math.IsNaN(n.value) || math.IsInf(n.value, 0) {
		return nil, n.trace, fmt.Errorf("newton: the objective is %v at the start: it must be a finite number", n.value)
	}
	n.trace.Values = []float64{n.value}
	told := progress.Start(o.Progress, "newton", int64(o.Iterations))
	defer told.End(ctx)
	for n.trace.Iterations < o.Iterations && !n.trace.Converged {
		more, err := n.step(ctx)
		if err != nil {
			return nil, n.trace, err
		}
		told.Reach(int64(n.trace.Iterations))
		if !more {
			break
		}
	}
	err := n.certify(ctx)
	return n.at, n.trace, err
}

// objective returns P(f) and leaves the predictor in eta.
func (n *newton) objective(f *space.Function) float64 {
	f.Predictor(n.eta)
	return n.m.Value(n.eta) + n.ridge/2*n.s.Inner(f.Theta, f.Theta, f.Values)
}

// slopes returns ∇ℓ at the current function, and its sums where constants are free.
func (n *newton) slopes() (g *mat.Dense, beta []float64) {
	n.at.Predictor(n.eta)
	g = mat.DenseCopyOf(n.eta)
	n.m.Gradient(g, n.eta)
	if n.at.Bias != nil {
		beta = columnSums(g)
	}
	return g, beta
}

// gradient returns the covector of Σ gᵢ·f(xᵢ) + R⟨theta, f⟩.
func (n *newton) gradient(ctx context.Context, g, theta *mat.Dense) (*mat.Dense, error) {
	covector := zeroLike(theta)
	covector.Scale(n.ridge, theta)
	return covector, n.s.Adjoint(ctx, covector, g)
}

// step makes one step; more is false where none is possible.
func (n *newton) step(ctx context.Context) (more bool, err error) {
	g, beta := n.slopes()
	g.Scale(-1, g)
	for c := range beta {
		beta[c] = -beta[c]
	}
	v := make([]float64, n.eta.RawMatrix().Rows)
	n.m.Weigh(v, n.eta)
	if anyPositive(v) {
		moved, err := n.along(ctx, v, g, beta, true)
		if moved || err != nil {
			return moved, err
		}
	}
	n.at.Predictor(n.eta)
	if major, ok := n.m.(Majorizer); ok {
		major.Majorize(v, n.eta)
	} else { // a gradient step, in the metric of the space
		for i := range v {
			v[i] = 1
		}
	}
	n.trace.Majorized++
	return n.along(ctx, v, g, beta, false)
}

func anyPositive(v []float64) bool {
	for _, x := range v {
		if x > 0 {
			return true
		}
	}
	return false
}

// along moves in the direction that the weights v and g = −∇ℓ give, and reports whether it could.
// A Newton step that would be short is left to the majorizer, if there is one.
func (n *newton) along(ctx context.Context, v []float64, g *mat.Dense, beta []float64, exact bool) (bool, error) {
	covector, d, err := n.direction(ctx, v, g, beta)
	if err != nil {
		return false, err
	}
	decrement := n.s.Inner(covector, d.Theta, d.Values) + dot(beta, d.Bias)
	n.trace.Iterations++
	n.trace.Decrement = max(0, decrement)
	if math.IsNaN(decrement) {
		return false, fmt.Errorf("newton: step %d is not a number: the values are too large", n.trace.Iterations)
	}
	least := shortest
	if _, ok := n.m.(Majorizer); ok && exact {
		least = shortStep
	}
	scale := max(math.Abs(n.value), 1e-8*math.Abs(n.first))
	if decrement < -n.o.Tolerance*scale {
		return false, nil // not a descent direction: the system is lost in rounding
	}
	last := decrement <= n.o.Tolerance*scale
	for t := 1.0; t >= least; t /= 2 {
		next := n.at.Plus(t, d)
		if value := n.objective(next); value <= n.value-armijo*t*decrement+noise*scale {
			n.at, n.value, n.trace.Converged = next, value, last
			n.trace.Values = append(n.trace.Values, value)
			n.trace.Decrements = append(n.trace.Decrements, n.trace.Decrement)
			return true, nil
		}
		n.trace.Halvings++
	}
	return false, nil
}

// direction returns −∇P and the step. They are computed once, if there is a checkpoint.
func (n *newton) direction(ctx context.Context, v []float64, g *mat.Dense, beta []float64) (*mat.Dense, *space.Function, error) {
	if n.o.Step == nil {
		return n.newDirection(ctx, v, g, beta)
	}
	covector, products := zeroLike(n.at.Theta), []float64{float64(n.trace.Products)}
	d := &space.Function{Theta: zeroLike(n.at.Theta), Values: zeroLike(n.at.Values), Bias: slices.Clone(n.at.Bias)}
	results := [][]float64{covector.RawMatrix().Data, d.Theta.RawMatrix().Data, d.Values.RawMatrix().Data, d.Bias, products}
	err := n.o.Step(ctx, "newton", results, func() error {
		slope, found, err := n.newDirection(ctx, v, g, beta)
		if err != nil {
			return err
		}
		covector.Copy(slope)
		d.Theta.Copy(found.Theta)
		d.Values.Copy(found.Values)
		copy(d.Bias, found.Bias)
		products[0] = float64(n.trace.Products)
		return nil
	})
	n.trace.Products = int(products[0])
	return covector, d, err
}

// newDirection sums up the gradient with the Hessian, in one pass, and solves for the Newton step:
// at once where outputs are not coupled, by conjugate gradients where they are.
func (n *newton) newDirection(ctx context.Context, v []float64, g *mat.Dense, beta []float64) (*mat.Dense, *space.Function, error) {
	f, covector, err := n.s.Weigh(ctx, v, n.ridge, n.at.Bias != nil, g)
	if err != nil {
		return nil, nil, err
	}
	addScaled(covector, -n.ridge, n.at.Theta)
	var d *space.Function
	if c, ok := n.m.(Coupled); ok {
		d, err = n.conjugate(ctx, f, c.Hessian(n.eta), covector, beta)
	} else {
		d, err = n.solve(ctx, f, covector, beta)
	}
	return covector, d, err
}

func (n *newton) solve(ctx context.Context, f space.Factor, covector *mat.Dense, beta []float64) (*space.Function, error) {
	theta, bias, err := f.Solve(ctx, covector, beta)
	if err != nil {
		return nil, err
	}
	d := &space.Function{Theta: theta, Bias: bias, Values: mat.DenseCopyOf(n.at.Values)}
	return d, n.s.Values(ctx, d.Values, theta)
}

// certify computes the bound on what is left to gain.
func (n *newton) certify(ctx context.Context) error {
	g, beta := n.slopes()
	covector, err := n.gradient(ctx, g, n.at.Theta)
	if err != nil {
		return err
	}
	length, err := n.s.Norm2(ctx, covector)
	if err != nil {
		return err
	}
	n.trace.Value = n.value
	n.trace.Gap = length / (2 * n.ridge)
	v, total := make([]float64, n.eta.RawMatrix().Rows), 0.0
	n.m.Weigh(v, n.eta)
	for _, w := range v {
		total += w
	}
	if slope := dot(beta, beta); slope > 0 && total > 0 {
		n.trace.Gap += slope / total
	}
	return nil
}
