package gp

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/linalg"
	"example.org/mercer/loss"
	"example.org/mercer/space"
)

// LaplaceCovariance is the covariance of the latent functions of a classifier, given the
// classes of rows: with W the curvature of −ln p(y|f) at the mode, that of rows with
// noise W⁻¹ (R&W 3.24). It is safe for concurrent use.
//
// For m > 2 classes the functions have a priori the covariance K each and are
// independent, and Wᵢ = wᵢ(diag pᵢ − pᵢpᵢᵀ) couples them.
type LaplaceCovariance struct {
	one    space.Posterior // of one function
	joint  space.Coupled   // of one for each class; nil: there is one
	logDet float64         // ln|I + KW|
}

// covariance returns that of the latent functions with the curvature at a mode.
func (o *ClassOptions) covariance(ctx context.Context, s space.Space, mode *mat.Dense) (*LaplaceCovariance, error) {
	s = direct(s)
	if _, m := mode.Dims(); m > 1 {
		coupling, ok := s.(space.Coupling)
		if !ok {
			return nil, fmt.Errorf("gp: %T has no functions that a softmax couples: take a space of the rows or of features", s)
		}
		joint, err := coupling.WeighSoftmax(ctx, o.weights(mode.RawMatrix().Rows), probabilities(mode), 1)
		if err != nil {
			return nil, fmt.Errorf("gp: the kernel is not positive definite on these rows: %w", err)
		}
		return &LaplaceCovariance{joint: joint, logDet: joint.LogDet()}, nil
	}
	f, _, err := s.Weigh(ctx, o.curvature(mode), 1, false, nil)
	if err != nil {
		return nil, err
	}
	one, err := posterior(f)
	return &LaplaceCovariance{one: one, logDet: f.LogDet()}, err
}

// RestoreClasses returns the covariance of so many latent functions of features from the Cholesky
// factor of the precision of their weights, see [LaplaceCovariance.Precision].
func RestoreClasses(precision *linalg.UpdatableFactor, functions int, o compute.Options) (*LaplaceCovariance, error) {
	w, err := space.NewCoupledWeights(precision, functions, 1, linalg.Options{Workers: o.Workers})
	if err != nil {
		return nil, fmt.Errorf("gp: %w", err)
	}
	return &LaplaceCovariance{joint: w, logDet: w.LogDet()}, nil
}

// Precision returns the Cholesky factor of the precision I + Σᵢ Wᵢ ⊗ φᵢφᵢᵀ of the weights of
// features, a copy; nil where the coordinates are not weights. Number cD + d is feature d of
// function c.
func (l *LaplaceCovariance) Precision() *linalg.UpdatableFactor {
	var f any = l.joint
	if l.joint == nil {
		f = l.one
	}
	if w, ok := f.(interface {
		Lower() *linalg.UpdatableFactor
	}); ok {
		return w.Lower()
	}
	return nil
}

// Functions returns the number of latent functions: one for two classes.
func (l *LaplaceCovariance) Functions() int {
	if l.joint == nil {
		return 1
	}
	return l.joint.Functions()
}

// Covariances returns the covariance matrix of the latent functions at each of some
// points, whose prior variances k(x, x) are prior, and which the rows of cross know: their kernel
// values against the rows, or their features. Variances given one class that rounding
// makes negative become zero, and clipped counts them. n² multiplications a point for two classes,
// 3n²m for more, and n numbers of memory for 256 points at a time; in features (mD)² for each
// function.
func (l *LaplaceCovariance) Covariances(ctx context.Context, prior []float64, cross *mat.Dense) (covs []*mat.SymDense, clipped int, err error) {
	if l.joint != nil {
		return l.joint.CovariancesAt(ctx, prior, cross)
	}
	own := append([]float64(nil), prior...)
	if clipped, err = l.one.VariancesAt(ctx, own, cross); err != nil {
		return nil, 0, err
	}
	for i := range own {
		covs = append(covs, mat.NewSymDense(1, own[i:i+1]))
	}
	return covs, clipped, nil
}

// Probabilities returns the averaged predictive probabilities of the classes at some points, one
// row per point and one column per class: those of the functions averaged over their values there
// (R&W 3.25). mean holds the values of the mode, len(prior)×1 or ×m; the rest is as in
// [LaplaceCovariance.Covariances]. See [Probability] and [SoftmaxIntegral].
func (l *LaplaceCovariance) Probabilities(ctx context.Context, mean *mat.Dense, prior []float64, cross *mat.Dense, o compute.Options) (*mat.Dense, error) {
	covs, _, err := l.Covariances(ctx, prior, cross)
	if err != nil {
		return nil, err
	}
	rows, m := mean.Dims()
	if rows != len(covs) || m != l.Functions() {
		return nil, fmt.Errorf("gp: %d×%d latent values for %d points and %d functions", rows, m, len(covs), l.Functions())
	}
	out := mat.NewDense(rows, max(2, m), nil)
	if m == 1 {
		for i, cov := range covs {
			f, v := mean.At(i, 0), cov.At(0, 0)
			out.SetRow(i, []float64{Probability(-f, v), Probability(f, v)})
		}
		return out, nil
	}
	average := NewSoftmaxIntegral(m)
	return out, parallel.Each(ctx, o.WorkerCount(), rows, func(_, i int) {
		average.Probabilities(out.RawRowView(i), mean.RawRowView(i), covs[i])
	})
}

// probabilities are those of the classes at the mode, n×m.
func probabilities(mode *mat.Dense) *mat.Dense {
	p := mat.DenseCopyOf(mode)
	for i := range p.RawMatrix().Rows {
		loss.Softmax(p.RawRowView(i))
	}
	return p
}
