package gp

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/linalg"
)

// LatentCovariance is the covariance of the latent functions of a classifier, given the
// classes of rows: with W the curvature of −ln p(y|f) at the mode, that of rows with
// noise W⁻¹ (R&W 3.24). It is safe for concurrent use.
//
// For m > 2 classes the functions have a priori the covariance K each and are
// independent, and Wᵢ = wᵢ(diag pᵢ − pᵢpᵢᵀ) couples them. With D_c = diag(wᵢpᵢ_c),
// E_c = (K + D_c⁻¹)⁻¹ and S = Σ_c E_c (R&W section 3.5 and algorithm 3.4),
//
//	cov(f_c, f_d) = δ_cd (k** − k*ᵀE_c k*) + k*ᵀE_c S⁻¹ E_d k*.
//
// The noise of a class that a row nearly excludes is large, and its factor none the
// worse for it.
type LatentCovariance struct {
	each []*Conditioned   // K + D_c⁻¹; for two classes K + W⁻¹ alone
	sum  *linalg.Cholesky // of S; nil where there is one function
}

// Functions returns the number of latent functions: one for two classes.
func (l *LatentCovariance) Functions() int { return len(l.each) }

// Covariances returns the covariance matrix of the latent functions at each of some
// points, whose prior variances k(x, x) are prior and whose kernel values against the
// rows are the rows of cross (len(prior)×n). Variances given one class that rounding
// makes negative become zero, and clipped counts them. 2n² flops a point for two classes,
// 3n²m for more, and n numbers of memory for 256 points at a time.
func (l *LatentCovariance) Covariances(ctx context.Context, prior []float64, cross *mat.Dense) (covs []*mat.SymDense, clipped int, err error) {
	rows, n := cross.Dims()
	if order := l.each[0].factor.Dim(); n != order || rows != len(prior) {
		return nil, 0, fmt.Errorf("gp: kernel values are %d×%d for %d points and a process given %d rows", rows, n, len(prior), order)
	}
	covs = make([]*mat.SymDense, len(prior))
	for i := range covs {
		covs[i] = mat.NewSymDense(len(l.each), nil)
	}
	some := max(1, block/len(l.each))
	for from := 0; from < len(prior); from += some {
		to := min(from+some, len(prior))
		count, err := l.fill(ctx, covs[from:to], prior[from:to], cross.Slice(from, to, 0, n).(*mat.Dense))
		if err != nil {
			return nil, 0, err
		}
		clipped += count
	}
	return covs, clipped, nil
}

// fill stores the covariances of a few points.
func (l *LatentCovariance) fill(ctx context.Context, covs []*mat.SymDense, prior []float64, cross *mat.Dense) (clipped int, err error) {
	pulls := make([]*mat.Dense, len(l.each)) // the rows are L_S⁻¹E_c k*
	for c, given := range l.each {
		own := append([]float64(nil), prior...)
		count, err := given.Variances(ctx, own, cross)
		if err != nil {
			return 0, err
		}
		clipped += count
		for i, v := range own {
			covs[i].SetSym(c, c, v)
		}
		if l.sum == nil {
			return clipped, nil
		}
		columns := mat.DenseCopyOf(cross.T())
		if err := given.apply(ctx, columns); err != nil {
			return 0, err
		}
		pulls[c] = mat.DenseCopyOf(columns.T())
		if err := l.sum.Whiten(ctx, pulls[c]); err != nil {
			return 0, err
		}
	}
	for i, cov := range covs {
		for c, a := range pulls {
			for d := c; d < len(pulls); d++ {
				cov.SetSym(c, d, cov.At(c, d)+mat.Dot(a.RowView(i), pulls[d].RowView(i)))
			}
		}
	}
	return clipped, nil
}

// apply replaces columns x by Ex, E = A⁻¹ with zeros in rows that are not active.
func (c *Conditioned) apply(ctx context.Context, x *mat.Dense) error {
	for i := range x.RawMatrix().Rows {
		if !c.on(i) {
			clear(x.RawRowView(i))
		}
	}
	return c.factor.Solve(ctx, x, x)
}

// precision returns E = A⁻¹ with zeros in rows that are not active.
func (c *Conditioned) precision(ctx context.Context) (*mat.SymDense, error) {
	e, err := c.factor.Inverse(ctx)
	if err != nil {
		return nil, err
	}
	for i := range c.factor.Dim() {
		if !c.on(i) {
			e.SetSym(i, i, 0)
		}
	}
	return e, nil
}

// Probabilities returns the probabilities of the classes at some points, averaged over
// the latent functions: one row per point and one column per class. mean holds those of
// the functions, len(prior)×1 or ×m; the rest is as in [LatentCovariance.Covariances]. See
// [Probability] and [Average].
func (l *LatentCovariance) Probabilities(ctx context.Context, mean *mat.Dense, prior []float64, cross *mat.Dense, o compute.Options) (*mat.Dense, error) {
	covs, _, err := l.Covariances(ctx, prior, cross)
	if err != nil {
		return nil, err
	}
	return averaged(ctx, mean, covs, len(l.each), o)
}

// averaged are the probabilities for means and covariances of m latent functions at some points.
func averaged(ctx context.Context, mean *mat.Dense, covs []*mat.SymDense, functions int, o compute.Options) (*mat.Dense, error) {
	rows, m := mean.Dims()
	if rows != len(covs) || m != functions {
		return nil, fmt.Errorf("gp: %d×%d latent values for %d points and %d functions", rows, m, len(covs), functions)
	}
	out := mat.NewDense(rows, max(2, m), nil)
	if m == 1 {
		for i, cov := range covs {
			f, v := mean.At(i, 0), cov.At(0, 0)
			out.SetRow(i, []float64{Probability(-f, v), Probability(f, v)})
		}
		return out, nil
	}
	average := NewAverage(m)
	return out, parallel.Each(ctx, o.WorkerCount(), rows, func(_, i int) {
		average.Probabilities(out.RawRowView(i), mean.RawRowView(i), covs[i])
	})
}
