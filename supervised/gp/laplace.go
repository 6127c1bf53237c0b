package gp

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
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
	// Compute says how to compute: workers, memory limit, progress.
	Compute compute.Options
}

// Latent is Laplace's approximation of the latent functions of a classifier: the
// process whose mode is f_c(x) = Σᵢ Coef[i,c] k(x, xᵢ). Two classes have one function,
// the log-odds of class 1, and m > 2 classes have one each.
type Latent struct {
	*LatentCovariance
	Coef *mat.Dense // ∇ ln p(y|f), n×1 or n×m; zero in rows of weight zero
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
	// Tuned is how the kernel was found; nil: it was given.
	Tuned *TuneReport `json:"tuned,omitempty"`

	model.Run
}

// SolveClasses finds Laplace's approximation for the Gram matrix k = K (n×n) and the
// classes y, numbers from 0 without gaps. For two classes the likelihood is logistic,
// P(1|f) = 1/(1 + e^(−f)) with f ~ GP(0, k) (R&W algorithm 3.1); for m > 2 it is the
// softmax, P(c|f) = e^(f_c)/Σ e^f, of independent f_c ~ GP(0, k) (R&W algorithm 3.3). Two
// classes in the second form would be the first with the kernel 2k.
//
// Newton's method cannot fail: the problem is strictly convex, and steps that do not
// decrease the objective sufficiently are halved (package newton).
//
// Cost: about ten Newton steps of n³/3 multiplications and 8n² bytes for two classes. For
// m > 2, n²m more for every conjugate gradient iteration in a step, and at the end m
// factors and inverses of order n, mn³ multiplications, and (24 + 4m)n² bytes, of which
// (8 + 4m)n² stay. Errors: every problem of the options and of y, one class only, a
// kernel value that is not finite, a matrix that is not positive definite, and a
// [*compute.TooLarge] where the limit to the memory does not allow that. Results have the
// same bits for any number of workers.
func SolveClasses(ctx context.Context, k gram.Operator, y []int, o ClassOptions) (*Latent, *ClassReport, error) {
	n, err := square(k)
	if err != nil {
		return nil, nil, err
	}
	if err := o.validate(n, y); err != nil {
		return nil, nil, err
	}
	watch, r := model.NewStopwatch(), &ClassReport{}
	a, err := gram.CopyDense(ctx, k, o.Compute)
	if err != nil {
		return nil, nil, err
	}
	watch.Lap(&r.Run, "gram")
	l, err := o.mode(ctx, a, y, r)
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

func (o *ClassOptions) linalg() linalg.Options {
	return linalg.Options{Workers: o.Compute.Workers, Progress: o.Compute.Progress}
}

// mode finds the mode, which is kernel logistic regression at the ridge 1 without an
// intercept, and its covariance. It takes K over.
func (o *ClassOptions) mode(ctx context.Context, k *mat.SymDense, y []int, r *ClassReport) (*Latent, error) {
	likelihood, functions := o.likelihood(y)
	return o.approximate(ctx, k, likelihood, functions, y, r)
}

// approximate is mode for a likelihood of some functions.
func (o *ClassOptions) approximate(ctx context.Context, k *mat.SymDense, likelihood newton.Model, functions int, y []int, r *ClassReport) (*Latent, error) {
	f, err := o.newton(ctx, space.NewDual(k, o.linalg()), likelihood, functions, y, r)
	if err != nil {
		return nil, err
	}
	l := &Latent{Coef: f.Theta, Mode: f.Values}
	inner := 0.0
	for i := range y {
		if o.weight(i) == 0 {
			clear(l.Coef.RawRowView(i))
		}
		for j, v := range l.Mode.RawRowView(i) {
			inner += v * l.Coef.At(i, j)
		}
	}
	var determinant float64
	if l.LatentCovariance, determinant, err = o.covariance(ctx, k, l.Mode); err != nil {
		return nil, err
	}
	r.LogEvidence = r.Likelihood - inner/2 - determinant/2
	return l, nil
}

// likelihood returns −ln p(y|f) and of how many functions.
func (o *ClassOptions) likelihood(y []int) (m newton.Model, functions int) {
	if m := classes(y); m > 2 {
		return &newton.Multinomial{Y: y, Weights: o.Weights, Classes: m}, m
	}
	rows := &newton.Rows{Loss: loss.Logistic{}, Y: make([]float64, len(y)), Weights: o.Weights}
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

// covariance returns that of the latent functions with the curvature at a mode, and
// ln|I + KW|. It takes K over.
func (o *ClassOptions) covariance(ctx context.Context, k *mat.SymDense, mode *mat.Dense) (*LatentCovariance, float64, error) {
	if _, m := mode.Dims(); m > 1 {
		return o.coupled(ctx, k, mode)
	}
	shift, active, logs := invert(o.curvature(mode))
	given, err := newConditioned(ctx, k, shift, active, false, o.linalg())
	if err != nil {
		return nil, 0, err
	}
	return &LatentCovariance{each: []*Conditioned{given}}, given.factor.LogDet() + logs, nil // |K + W⁻¹| = |I + KW|/|W|
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

// smallestCurvature is that, beside the largest, below which a row says nothing: its
// noise would be beyond all numbers of K.
const smallestCurvature = 1e-100

// invert returns the noise 1/W of curvatures W, which rows have one, and Σ ln W over
// these.
func invert(curvature []float64) (shift []float64, active []bool, logs float64) {
	most := slices.Max(curvature)
	shift, active = make([]float64, len(curvature)), make([]bool, len(curvature))
	for i, w := range curvature {
		if active[i] = w > smallestCurvature*most; active[i] {
			shift[i] = 1 / w
			logs += math.Log(w)
		}
	}
	return shift, active, logs
}

// ConditionClasses returns the covariance of latent functions again from their
// coefficients, n×1 for two classes and n×m for more: n³/3 multiplications and 8n² bytes,
// or what the end of [SolveClasses] takes.
func ConditionClasses(ctx context.Context, k gram.Operator, coef *mat.Dense, o ClassOptions) (*LatentCovariance, error) {
	n, err := square(k)
	if err != nil {
		return nil, err
	}
	rows, m := coef.Dims()
	if rows != n || m == 2 {
		return nil, fmt.Errorf("gp: coefficients are %d×%d, and the Gram matrix has %d rows: two classes have one function, more have one each", rows, m, n)
	}
	c := model.NewChecks("gp")
	if c.Weights(n, o.Weights); c.Err() != nil {
		return nil, c.Err()
	}
	a, err := gram.CopyDense(ctx, k, o.Compute)
	if err != nil {
		return nil, err
	}
	mode := mat.NewDense(n, m, nil)
	if err := space.NewDual(a, o.linalg()).Values(ctx, mode, coef); err != nil {
		return nil, err
	}
	l, _, err := o.covariance(ctx, a, mode)
	return l, err
}
