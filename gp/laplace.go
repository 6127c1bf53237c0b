package gp

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/irls"
	"mercer/linalg"
	"mercer/loss"
	"mercer/model"
)

// ClassOptions are the options of classification into two classes. The zero value is
// ready.
type ClassOptions struct {
	// Weights are the wᵢ ≥ 0, one per row; nil means all ones. The likelihood of a row
	// counts wᵢ times.
	Weights []float64
	// Compute says how to compute: workers, memory limit, progress.
	Compute gram.Options
}

// Latent is Laplace's approximation of the latent function of a classifier: the process
// whose mode is f(x) = Σᵢ Coef[i] k(x, xᵢ), with the covariance of rows that have noise
// 1/Wᵢ, W the curvatures of the likelihood at the mode (R&W 3.24).
type Latent struct {
	*Conditioned
	Coef *mat.Dense // ∇ ln p(y|f), n×1; zero in rows of weight zero
	Mode []float64  // f at the rows
}

// ClassReport says how a classification went.
type ClassReport struct {
	N           int        `json:"n"`
	LogEvidence float64    `json:"log_evidence"` // approximate, R&W (3.32)
	Likelihood  float64    `json:"likelihood"`   // ln p(y|f) at the mode
	Accuracy    float64    `json:"accuracy"`     // weighted, of the training rows
	Newton      irls.Trace `json:"newton"`
	// Tuned is how the kernel was found; nil: it was given.
	Tuned *TuneReport `json:"tuned,omitempty"`

	model.Run
}

// SolveClasses finds Laplace's approximation for the Gram matrix k = K (n×n), classes y
// of 0 and 1 and the logistic likelihood P(1|f) = 1/(1 + e^(−f)), with a prior mean of
// zero (R&W algorithm 3.1).
//
// Cost: about ten Newton steps of n³/3 multiplications, 8n² bytes. Errors: every problem of the options
// and of y, one class only, a kernel value that is not finite, and a matrix that is
// not positive definite. Results have the same bits for any number of workers.
func SolveClasses(ctx context.Context, k gram.Operator, y []int, o ClassOptions) (*Latent, *ClassReport, error) {
	n, err := square(k)
	if err != nil {
		return nil, nil, err
	}
	if err := o.validate(n, y); err != nil {
		return nil, nil, err
	}
	watch, r := model.NewStopwatch(), &ClassReport{}
	a, err := gram.Own(ctx, k, o.Compute)
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
	var problems []error
	if n == 0 {
		problems = append(problems, errors.New("gp: there are no rows to learn from"))
	}
	if len(y) != n {
		problems = append(problems, fmt.Errorf("gp: %d classes for %d rows", len(y), n))
	}
	problems = append(problems, perRow("weight of row", o.Weights, n))
	if err := errors.Join(problems...); err != nil {
		return err
	}
	var total [2]float64
	for i, c := range y {
		if c != 0 && c != 1 {
			return fmt.Errorf("gp: the class of row %d is %d: this approximation is for the two classes 0 and 1; learn more classes one against the others", i, c)
		}
		total[c] += o.weight(i)
	}
	for c, w := range total {
		if w == 0 {
			return fmt.Errorf("gp: no row of positive weight is of class %d: classification needs rows of both classes", c)
		}
	}
	return nil
}

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
// intercept, and takes K over.
func (o *ClassOptions) mode(ctx context.Context, k *mat.SymDense, y []int, r *ClassReport) (*Latent, error) {
	n := len(y)
	rows := &irls.Rows{Loss: loss.Logistic{}, Y: make([]float64, n), Weights: o.Weights}
	for i, c := range y {
		rows.Y[i] = float64(2*c - 1)
	}
	space := irls.NewDual(k, 1, false, o.linalg())
	f, trace, err := irls.Minimize(ctx, space, rows.Model(), irls.Zero(space, 1), irls.Options{Progress: o.Compute.Progress})
	if err != nil {
		return nil, fmt.Errorf("gp: the kernel is not positive definite on these rows: %w", err)
	}
	l := &Latent{Coef: f.Theta, Mode: mat.Col(nil, 0, f.Values)}
	for i := range n {
		if o.weight(i) == 0 {
			l.Coef.Set(i, 0, 0)
		}
	}
	r.N, r.Newton = n, trace
	if !trace.Converged {
		r.Warn("Newton's method stopped after %d steps before its tolerance", trace.Iterations)
	}
	r.Likelihood = -rows.Value(f.Values)
	inner, total, right := 0.0, 0.0, 0.0
	for i, v := range l.Mode {
		inner += v * l.Coef.At(i, 0)
		total += o.weight(i)
		if (v >= 0) == (y[i] == 1) {
			right += o.weight(i)
		}
	}
	r.Accuracy = right / total
	curvature := o.curvature(l.Mode)
	if l.Conditioned, err = given(ctx, k, curvature, o.linalg()); err != nil {
		return nil, err
	}
	determinant := l.factor.LogDet() // ln|K + W⁻¹| = ln|B| − ln|W|
	for _, w := range curvature {
		if w > 0 {
			determinant += math.Log(w)
		}
	}
	r.LogEvidence = r.Likelihood - inner/2 - determinant/2
	return l, nil
}

// curvature returns W, that of −ln p(y|f).
func (o *ClassOptions) curvature(mode []float64) []float64 {
	out := make([]float64, len(mode))
	for i, f := range mode {
		out[i] = o.weight(i) * loss.Sigmoid(f) * loss.Sigmoid(-f)
	}
	return out
}

// smallestCurvature is that, beside the largest, below which a row says nothing: its
// noise would be beyond all numbers of K.
const smallestCurvature = 1e-100

// given factors K + W⁻¹, without rows of no curvature.
func given(ctx context.Context, k *mat.SymDense, curvature []float64, o linalg.Options) (*Conditioned, error) {
	most := 0.0
	for _, w := range curvature {
		most = math.Max(most, w)
	}
	shift, active := make([]float64, len(curvature)), make([]bool, len(curvature))
	for i, w := range curvature {
		if active[i] = w > smallestCurvature*most; active[i] {
			shift[i] = 1 / w
		} else {
			curvature[i] = 0
		}
	}
	return newConditioned(ctx, k, shift, active, false, o)
}

// ConditionClasses returns the covariance of a latent function again from its
// coefficients: n³/3 multiplications, 8n² bytes.
func ConditionClasses(ctx context.Context, k gram.Operator, coef *mat.Dense, o ClassOptions) (*Conditioned, error) {
	n, err := square(k)
	if err != nil {
		return nil, err
	}
	if rows, cols := coef.Dims(); rows != n || cols != 1 {
		return nil, fmt.Errorf("gp: coefficients are %d×%d, and the Gram matrix has %d rows", rows, cols, n)
	}
	if err := weights(o.Weights, n); err != nil {
		return nil, err
	}
	a, err := gram.Own(ctx, k, o.Compute)
	if err != nil {
		return nil, err
	}
	mode := make([]float64, n)
	blas64.Symv(1, a.RawSymmetric(), vector(mat.Col(nil, 0, coef)), 0, vector(mode))
	return given(ctx, a, o.curvature(mode), o.linalg())
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// GradientClasses returns the approximate log evidence and its derivative in K, R&W
// algorithm 5.1: with R = (K + W⁻¹)⁻¹, a the coefficients, and s = ∂(−½ ln|B|)/∂f at the
// mode,
//
//	∂/∂K = ½aaᵀ − ½R + ½(vaᵀ + avᵀ),  v = (I − RK)s.
//
// It overwrites k, of which only the upper triangle is read; about 3n³ multiplications and 8n²
// bytes beside those of [SolveClasses].
func GradientClasses(ctx context.Context, k *mat.SymDense, y []int, o ClassOptions) (*Sensitivity, error) {
	if err := o.validate(k.SymmetricDim(), y); err != nil {
		return nil, err
	}
	n, r := len(y), &ClassReport{}
	l, err := o.mode(ctx, k, y, r)
	if err != nil {
		return nil, err
	}
	// Rows that are not active have been cleared: their covariance is not needed, because
	// their third derivatives are zero, too.
	s := make([]float64, n)
	for from := 0; from < n; from += block {
		to := min(from+block, n)
		cross := mat.NewDense(to-from, n, nil)
		for i := range to - from {
			for j := range n {
				cross.Set(i, j, k.At(from+i, j))
			}
			s[from+i] = k.At(from+i, from+i)
		}
		if _, err := l.Variances(ctx, s[from:to], cross); err != nil {
			return nil, err
		}
	}
	for i, f := range l.Mode {
		p := loss.Sigmoid(f)
		s[i] *= -o.weight(i) * p * (1 - p) * (1 - 2*p) / 2
	}
	inverse, err := l.factor.Inverse(ctx)
	if err != nil {
		return nil, err
	}
	raw := inverse.RawSymmetric()
	v, ks := make([]float64, n), make([]float64, n)
	for i := range n {
		for j := i; j < n; j++ {
			if !l.on(i) || !l.on(j) {
				raw.Data[i*raw.Stride+j] = 0
			}
		}
	}
	copy(v, s)
	blas64.Symv(1, k.RawSymmetric(), vector(s), 0, vector(ks))
	blas64.Symv(-1, raw, vector(ks), 1, vector(v))
	for i := range n {
		a := l.Coef.At(i, 0)
		row := raw.Data[i*raw.Stride : i*raw.Stride+n]
		for j := i; j < n; j++ {
			b := l.Coef.At(j, 0)
			row[j] = (a*b - row[j] + v[i]*b + a*v[j]) / 2
		}
	}
	return &Sensitivity{LogEvidence: r.LogEvidence, DK: inverse}, nil
}
