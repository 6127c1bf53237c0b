package sparsegp

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/model"
	"example.org/mercer/supervised/gp"
)

// Posterior is a process given rows and their targets: f(x) = Mean + Σⱼ Coef[j] k(x, zⱼ) in the
// mean, a column of Coef (m×p) for each target, with the covariance of what is embedded,
// which is that of every target.
type Posterior struct {
	*LandmarkCovariance
	Coef *mat.Dense
	Mean []float64
}

// illConditioned is the condition number beyond which a report warns.
const illConditioned = 1e12

// Solve conditions a process on the targets y (n×p).
//
// Cost: 2nm² flops and nm kernel values, 8nm bytes for Φ where [compute.FitsInMemory] allows, else
// 3nm² flops and 2nm kernel values in blocks; m³ flops and 24m² bytes. Targets share all of it.
// Errors: every problem of the options; a kernel value that is not finite; and K_mm that is not
// positive definite with its jitter. Results have the same bits for any number of workers.
func Solve(ctx context.Context, k *gram.Landmarks, y *mat.Dense, o Options) (*Posterior, *Report, error) {
	f, err := newFeatures(ctx, k, y, &o)
	if err != nil {
		return nil, nil, err
	}
	r, watch := &Report{}, model.NewStopwatch()
	s, err := f.solve(ctx, y, &o)
	if err != nil {
		return nil, nil, err
	}
	watch.Lap(&r.Run, "moments")
	if r.Within, err = s.within(ctx); err != nil {
		return nil, nil, err
	}
	p := &Posterior{LandmarkCovariance: s.conditioned(), Mean: s.mean}
	if p.Coef, err = s.expand(ctx); err != nil {
		return nil, nil, err
	}
	s.report(r)
	watch.Lap(&r.Run, "solve")
	return p, r, nil
}

// newFeatures checks the problem and factors K_mm.
func newFeatures(ctx context.Context, k *gram.Landmarks, y *mat.Dense, o *Options) (*features, error) {
	n, m := k.Rows.Dims()
	if y == nil {
		y = new(mat.Dense)
	}
	if err := o.validate(n, m, y); err != nil {
		return nil, err
	}
	if rows, cols := k.Self.Dims(); rows != m || cols != m {
		return nil, fmt.Errorf("sparsegp: K_nm is %d×%d and K_mm %d×%d: they must be of the same landmarks", n, m, rows, cols)
	}
	diag := make([]float64, n)
	if err := k.Diagonal(ctx, diag); err != nil {
		return nil, err
	}
	for i, v := range diag {
		if !finite(v) {
			return nil, fmt.Errorf("sparsegp: k(x, x) of row %d is %v, not a finite number: check the domain of the kernel and the size of its parameters", i, v)
		}
	}
	at, err := newLandmarks(ctx, k.Self, o.jitter(), o.Compute)
	if err != nil {
		return nil, err
	}
	return at.features(ctx, k.Rows, diag, o.Compute)
}

// expand returns the coefficients of the landmarks, β = L⁻ᵀw.
func (s *system) expand(ctx context.Context) (*mat.Dense, error) {
	m, _ := s.w.Dims()
	rows := mat.DenseCopyOf(s.w.Slice(0, m, 0, s.targets()).T())
	if err := s.l.Unwhiten(ctx, rows); err != nil {
		return nil, err
	}
	return mat.DenseCopyOf(rows.T()), nil
}

// report fills in what a solution has to say.
func (s *system) report(r *Report) {
	n, m := s.Dims()
	r.N, r.Active, r.Landmarks, r.Approximation, r.Jitter = n, s.active, m, s.o.approximation(), s.jitter
	r.Noise, r.RowNoise, r.Mean, r.Constant = s.o.Noise, s.o.RowNoise != nil, gp.Constant, s.mean
	if !s.o.constant() {
		r.Mean = gp.Zero
	}
	for j := range s.targets() {
		e := s.evidence(j)
		r.LogEvidence, r.Fit = append(r.LogEvidence, e.total()), append(r.Fit, e.fit)
		r.Complexity, r.Trace = e.complexity, e.trace
		r.RMSE = append(r.RMSE, s.rmse(j))
	}
	left, trace := 0.0, 0.0
	for i, d := range s.left {
		left += s.weight(i) * d
		trace += s.weight(i) * s.diag[i]
	}
	if trace > 0 {
		r.TraceLeft = max(0, left/trace)
	}
	if r.Condition = s.b.Condition(); r.Condition > illConditioned {
		r.Warn("the system is ill-conditioned (condition %.1e): coefficients carry about %d digits; more noise or a narrower kernel helps", r.Condition, max(0, int(-math.Log10(r.Condition*0x1p-52))))
	}
}

// rmse is that of the mean of target j at the training rows.
func (s *system) rmse(j int) float64 {
	sum, total := 0.0, 0.0
	for i := range s.invLambda {
		w := s.weight(i)
		sum += w * s.rho.At(i, j) * s.rho.At(i, j)
		total += w
	}
	return math.Sqrt(sum / total)
}
