package gp

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/linalg"
	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/space"
	"example.org/mercer/supervised/newton"
)

// ClassOptions are the options of classification. The zero value is ready.
type ClassOptions struct {
	// Weights are the wᵢ ≥ 0, one per row; nil means all ones. The likelihood of a row
	// counts wᵢ times.
	Weights []float64
	// Solver is the space, and the way; "" is [Cholesky].
	Solver Solver
	// Compute says how to compute: workers, memory limit, progress, and the precision of the
	// Newton steps (see [space.Options]). Covariance and evidence are in double precision.
	Compute compute.Options
}

// Space returns the options of the space that these options ask for: see [space.Of].
func (o ClassOptions) Space() space.Options {
	how := spaceOptions(o.Solver, true, newtonTolerance, o.Compute)
	how.Compute.Checkpoint = nil // the directions of Newton's method are the steps
	return how
}

// newtonTolerance is that of conjugate gradients: beside the error of a Newton step it is nothing.
const newtonTolerance = 1e-11

// Laplace is Laplace's approximation of the latent functions of a classifier: the
// process whose mode is f_c(x) = Σᵢ Coef[i,c] k(x, xᵢ), or ⟨Coef[·,c], φ(x)⟩ in features. Two
// classes have one function, the log-odds of class 1, and m > 2 classes have one each.
type Laplace struct {
	*LaplaceCovariance
	Coef *mat.Dense // ∇ ln p(y|f), n×1 or n×m, zero in rows of weight zero; in features ŵ, D×1 or D×m
	Mode *mat.Dense // f at the rows, n×1 or n×m
}

// ClassReport says how a classification went.
type ClassReport struct {
	N           int          `json:"n"`
	Classes     int          `json:"classes"`
	Features    int          `json:"features,omitempty"` // in whose space it was found; 0: the rows
	LogEvidence float64      `json:"log_evidence"`       // approximate, R&W (3.32) and (3.44)
	Likelihood  float64      `json:"likelihood"`         // ln p(y|f) at the mode
	Accuracy    float64      `json:"accuracy"`           // weighted, of the training rows, by the mode
	Newton      newton.Trace `json:"newton"`
	// Solver is the way the systems were solved; "" in old files is [Cholesky].
	Solver Solver `json:"solver,omitempty"`
	// Tuned is how the kernel was found; nil: it was given.
	Tuned *TuneReport `json:"tuned,omitempty"`

	model.Run
}

// NewtonTrace returns how Newton's method went.
func (r *ClassReport) NewtonTrace() *newton.Trace { return &r.Newton }

// SolveClasses finds Laplace's approximation in a space of the rows for the classes y, numbers from
// 0 without gaps. For two classes the likelihood is logistic, P(1|f) = 1/(1 + e^(−f)) with
// f ~ GP(0, k) (R&W algorithm 3.1); for m > 2 it is the softmax, P(c|f) = e^(f_c)/Σ e^f, of
// independent f_c ~ GP(0, k) (R&W algorithm 3.3). Two classes in the second form would be the first
// with the kernel 2k.
//
//  1. Newton's method finds the mode, which is kernel logistic regression at the ridge 1 without an
//     intercept. It cannot fail: the problem is strictly convex, and steps that do not decrease the
//     objective sufficiently are halved (package newton).
//  2. The curvature W of −ln p(y|f) there is the precision of the noise of a regression whose
//     posterior covariance is that of the functions: one more factor, in double precision.
//
// Cost: about ten Newton steps, each a system of the space: n³/3 multiplications and 8n² bytes for
// two classes and a dense Gram matrix, nD² in features. For m > 2 each conjugate gradient iteration
// in a step takes n²m or 4nDm more, and the end what [space.Coupling] says. Errors: every problem
// of the options and of y, one class only, a kernel value that is not finite, a matrix that is not
// positive definite, and a [*compute.TooLarge] where the limit to the memory does not allow that.
// Results have the same bits for any number of workers.
func SolveClasses(ctx context.Context, s space.Space, y []int, o ClassOptions) (*Laplace, *ClassReport, error) {
	n, coordinates := s.Dims()
	if err := o.validate(n, y); err != nil {
		return nil, nil, err
	}
	watch, r := model.NewStopwatch(), &ClassReport{}
	if s, ok := s.(interface{ Ran() *model.Run }); ok {
		r.Run = *s.Ran()
	}
	if _, rows := s.(space.Spanned); !rows {
		r.Features = coordinates
	}
	if s, ok := s.(interface{ Choice() space.Choice }); ok {
		r.Solver = s.Choice().Solver
	}
	l, err := o.mode(ctx, s, y, r)
	if err != nil {
		return nil, nil, err
	}
	watch.Lap(&r.Run, "newton")
	return l, r, nil
}

// validate reports every problem of the options and the classes of n rows.
func (o *ClassOptions) validate(n int, y []int) error {
	c := model.NewChecks("gp")
	c.Classes(n, y, o.Weights)
	return c.Err()
}

// classes returns the number of classes of y, at least two.
func classes(y []int) int { return max(2, slices.Max(y)+1) }

func (o *ClassOptions) weight(i int) float64 {
	if o.Weights == nil {
		return 1
	}
	return o.Weights[i]
}

// weights returns the wᵢ of n rows.
func (o *ClassOptions) weights(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = o.weight(i)
	}
	return out
}

func (o *ClassOptions) linalg() linalg.Options {
	return linalg.Options{Workers: o.Compute.Workers, Progress: o.Compute.Progress}
}

// mode finds the mode and its covariance.
func (o *ClassOptions) mode(ctx context.Context, s space.Space, y []int, r *ClassReport) (*Laplace, error) {
	likelihood, functions := o.likelihood(y)
	return o.approximate(ctx, s, likelihood, functions, y, r)
}

// approximate is mode for a likelihood of some functions.
func (o *ClassOptions) approximate(ctx context.Context, s space.Space, likelihood newton.Model, functions int, y []int, r *ClassReport) (*Laplace, error) {
	f, err := o.newton(ctx, s, likelihood, functions, y, r)
	if err != nil {
		return nil, err
	}
	l := &Laplace{Coef: f.Theta, Mode: f.Values}
	if _, ok := s.(space.Spanned); ok {
		for i := range y {
			if o.weight(i) == 0 {
				clear(l.Coef.RawRowView(i))
			}
		}
	}
	if l.LaplaceCovariance, err = o.covariance(ctx, s, l.Mode); err != nil {
		return nil, err
	}
	r.LogEvidence = r.Likelihood - s.Inner(l.Coef, l.Coef, l.Mode)/2 - l.logDet/2
	return l, nil
}

// likelihood returns −ln p(y|f) and of how many functions.
func (o *ClassOptions) likelihood(y []int) (m newton.Model, functions int) {
	if m := classes(y); m > 2 {
		return &newton.Multinomial{Y: y, Weights: o.Weights, Classes: m, Workers: o.Compute.Workers}, m
	}
	rows := &newton.Rows{Loss: loss.Logistic{}, Y: make([]float64, len(y)), Weights: o.Weights, Workers: o.Compute.Workers}
	for i, c := range y {
		rows.Y[i] = float64(2*c - 1)
	}
	return rows.Model(), 1
}

// newton finds the mode of some latent functions in a space.
func (o *ClassOptions) newton(ctx context.Context, s space.Space, likelihood newton.Model, functions int, y []int, r *ClassReport) (*space.Function, error) {
	f, trace, err := newton.Minimize(ctx, s, 1, likelihood, space.Zero(s, functions, false), newton.Options{Progress: o.Compute.Progress, Step: o.Compute.Step})
	if err != nil {
		return nil, fmt.Errorf("gp: the kernel is not positive definite on these rows: %w", err)
	}
	r.N, r.Classes, r.Newton, r.Likelihood = len(y), max(2, functions), trace, -likelihood.Value(f.Values)
	if !trace.Converged {
		r.Warn("Newton's method stopped after %d steps before its tolerance", trace.Iterations)
	}
	total, right := 0.0, 0.0
	for i, c := range y {
		w := o.weight(i)
		if total += w; largest(f.Values.RawRowView(i)) == c {
			right += w
		}
	}
	r.Accuracy = right / total
	return f, nil
}

// largest returns the class that latent values speak for.
func largest(f []float64) int {
	if len(f) > 1 {
		best := 0
		for c, v := range f {
			if v > f[best] {
				best = c
			}
		}
		return best
	}
	if f[0] >= 0 {
		return 1
	}
	return 0
}

// curvature returns W, that of −ln p(y|f), of two classes.
func (o *ClassOptions) curvature(mode *mat.Dense) []float64 {
	out := make([]float64, mode.RawMatrix().Rows)
	for i := range out {
		f := mode.At(i, 0)
		out[i] = o.weight(i) * loss.Sigmoid(f) * loss.Sigmoid(-f)
	}
	return out
}

// ConditionClasses returns the covariance of latent functions again from the coordinates of their
// mode, a column for two classes and m for more: a factor, or what the end of [SolveClasses] takes.
func ConditionClasses(ctx context.Context, s space.Space, coef *mat.Dense, o ClassOptions) (*LaplaceCovariance, error) {
	n, coordinates := s.Dims()
	rows, m := coef.Dims()
	if rows != coordinates || m == 2 {
		return nil, fmt.Errorf("gp: coefficients are %d×%d, and the space has %d coordinates: two classes have one function, more have one each", rows, m, coordinates)
	}
	c := model.NewChecks("gp")
	if c.Weights(n, o.Weights); c.Err() != nil {
		return nil, c.Err()
	}
	mode := mat.NewDense(n, m, nil)
	if err := s.Values(ctx, mode, coef); err != nil {
		return nil, err
	}
	return o.covariance(ctx, s, mode)
}

// TrainingRows is the number of rows of the fit.
func (r *ClassReport) TrainingRows() int { return r.N }
