package gp

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// LatentWeights is Laplace's approximation where the kernel is ⟨φ(x), φ(y)⟩ of D explicit
// features: the latent functions are f_c(x) = ⟨w_c, φ(x)⟩, and their weights are a priori
// independent of variance 1. Given the classes they have the mean ŵ and the precision
//
//	M = I + Σᵢ Wᵢ ⊗ φᵢφᵢᵀ,
//
// Wᵢ the curvature of −ln p(yᵢ|f) at the mode, of order D for two classes and mD for m > 2. It is
// the process of [Latent] for K = ΦΦᵀ (Woodbury; R&W section 2.1.2 for regression):
//
//	k** − k*ᵀ(K + W⁻¹)⁻¹k* = φ*ᵀM⁻¹φ*,    |I + KW| = |M|.
type LatentWeights struct {
	*WeightCovariance
	Mean *mat.Dense // ŵ, D×1 or D×m
}

// WeightCovariance is M⁻¹, that of [LatentWeights]. It is safe for concurrent use.
type WeightCovariance struct {
	Precision *linalg.UpdatableFactor // the factor of M: number cD + d is feature d of function c
	Functions int                     // how many latent functions: one for two classes
}

// SolveClassFeatures is [SolveClasses] for K = ΦΦᵀ, the rows of Φ being features. No matrix of n
// rows is made.
//
// Cost: about ten Newton steps of nD² multiplications, and for m > 2 classes 4nDm for every
// conjugate gradient iteration in a step; then M, nD²m(m + 1)/2, and its factor, (mD)³/3. 8nD
// bytes where they fit, and 12(mD)² for M and its factor, 4(mD)² of which stay. Errors: as there,
// a [*compute.TooLarge] where M does not fit into the memory.
func SolveClassFeatures(ctx context.Context, features gram.Design, y []int, o ClassOptions) (*LatentWeights, *ClassReport, error) {
	if err := o.validate(features.Rows, y); err != nil {
		return nil, nil, err
	}
	watch, r := model.NewStopwatch(), &ClassReport{Features: features.Dim}
	likelihood, functions := o.likelihood(y)
	if need, limit := precisionBytes(features.Dim, functions), o.Compute.MaxMemory; limit > 0 && need > limit {
		return nil, nil, &compute.TooLarge{What: fmt.Sprintf("gp: the precision of %d weights of %d features for %d classes", functions*features.Dim, features.Dim, max(2, functions)), Need: need, Limit: limit}
	}
	s, err := space.NewPrimal(ctx, features, o.Compute)
	if err != nil {
		return nil, nil, err
	}
	f, err := o.newton(ctx, s, likelihood, functions, y, r)
	if err != nil {
		return nil, nil, err
	}
	watch.Lap(&r.Run, "newton")
	m, err := o.precision(ctx, features, f.Values)
	if err != nil {
		return nil, nil, err
	}
	factor, err := linalg.Factor(ctx, m, 1, o.linalg())
	if err != nil {
		return nil, nil, fmt.Errorf("gp: the precision of the weights: %w", err)
	}
	w := f.Theta.RawMatrix().Data
	r.LogEvidence = r.Likelihood - floats.Dot(w, w)/2 - factor.LogDet()/2
	watch.Lap(&r.Run, "precision")
	return &LatentWeights{&WeightCovariance{factor.Updatable(), functions}, f.Theta}, r, nil
}

// precisionBytes is what M and its packed factor take.
func precisionBytes(dim, functions int) int64 {
	order := int64(dim) * int64(functions)
	return 12 * order * order
}

// precision returns M − I in its upper triangle.
func (o *ClassOptions) precision(ctx context.Context, features gram.Design, mode *mat.Dense) (*mat.SymDense, error) {
	_, functions := mode.Dims()
	dim, w := features.Dim, o.curvatures(mode)
	m := mat.NewSymDense(functions*dim, nil)
	raw, product := m.RawSymmetric(), level3.Implementation{Workers: o.Compute.Workers}
	weighted := mat.NewDense(min(gram.DesignRows, features.Rows), dim, nil) // W_cd φ of a block
	return m, features.Reader().Each(ctx, func(from, to int, phi *mat.Dense) error {
		some := weighted.Slice(0, to-from, 0, dim).(*mat.Dense)
		for c := range functions {
			for d := c; d < functions; d++ {
				for i := from; i < to; i++ {
					floats.ScaleTo(some.RawRowView(i-from), w(i, c, d), phi.RawRowView(i-from))
				}
				block := blas64.General{Rows: dim, Cols: dim, Stride: raw.Stride, Data: raw.Data[c*dim*raw.Stride+d*dim:]}
				product.Gemm(blas.Trans, blas.NoTrans, 1, some.RawMatrix(), phi.RawMatrix(), 1, block)
			}
		}
		return nil
	})
}

// curvatures returns W at a mode, wᵢσ(f)σ(−f) for two classes and wᵢ(δ_cd p_c − p_c p_d) for more.
func (o *ClassOptions) curvatures(mode *mat.Dense) func(i, c, d int) float64 {
	if _, functions := mode.Dims(); functions == 1 {
		w := o.curvature(mode)
		return func(i, _, _ int) float64 { return w[i] }
	}
	p := o.probabilities(mode)
	return func(i, c, d int) float64 {
		other := -p.At(i, d)
		if c == d {
			other++
		}
		return o.weight(i) * p.At(i, c) * other
	}
}

// Covariances returns the covariance matrix of the latent functions at each of some points, whose
// features are the rows of phi: (I ⊗ φ)ᵀM⁻¹(I ⊗ φ), (mD)² flops for each function of a point.
func (l *WeightCovariance) Covariances(ctx context.Context, phi *mat.Dense, o compute.Options) ([]*mat.SymDense, error) {
	points, dim := phi.Dims()
	functions := l.Functions
	if l.Precision.Dim() != functions*dim {
		return nil, fmt.Errorf("gp: %d features of each point for %d functions, whose weights have a precision of order %d", dim, functions, l.Precision.Dim())
	}
	factor, covs := l.Precision.Factored(linalg.Options{Workers: o.Workers}), make([]*mat.SymDense, points)
	some := max(1, block/functions)
	for from := 0; from < points; from += some {
		to := min(from+some, points)
		white := mat.NewDense((to-from)*functions, functions*dim, nil) // L⁻¹(e_c ⊗ φ)
		for i := range to - from {
			for c := range functions {
				copy(white.RawRowView(i*functions + c)[c*dim:], phi.RawRowView(from+i))
			}
		}
		if err := factor.Whiten(ctx, white); err != nil {
			return nil, err
		}
		for i := range to - from {
			cov := mat.NewSymDense(functions, nil)
			for c := range functions {
				for d := c; d < functions; d++ {
					cov.SetSym(c, d, floats.Dot(white.RawRowView(i*functions+c), white.RawRowView(i*functions+d)))
				}
			}
			covs[from+i] = cov
		}
	}
	return covs, nil
}

// Probabilities returns the probabilities of the classes at some points, averaged over the latent
// functions, whose means there are those of the weights: one row per point and one column per
// class. See [Probability] and [Average].
func (l *WeightCovariance) Probabilities(ctx context.Context, mean, phi *mat.Dense, o compute.Options) (*mat.Dense, error) {
	covs, err := l.Covariances(ctx, phi, o)
	if err != nil {
		return nil, err
	}
	return averaged(ctx, mean, covs, l.Functions, o)
}
