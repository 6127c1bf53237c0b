package space

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram/design"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

// CoupledWeights is a [Coupled] of m functions ⟨w_c, φ(·)⟩ of D features: the weights have the
// precision M/R, of order mD,
//
//	M = R·I + Σᵢ Wᵢ ⊗ φᵢφᵢᵀ,    cov(f) = R·(I ⊗ φ)ᵀM⁻¹(I ⊗ φ).
//
// It is the process of the rows with K = ΦΦᵀ by Woodbury's formula (R&W section 2.1.2). It is safe
// for concurrent use.
type CoupledWeights struct {
	factor       *linalg.CholeskyFactor // of M: number cD + d is feature d of function c
	functions, d int
	ridge        float64
}

// NewCoupledWeights returns the weights of so many functions with a Cholesky factor of M that is
// known.
func NewCoupledWeights(factor *linalg.UpdatableFactor, functions int, ridge float64, o linalg.Options) (*CoupledWeights, error) {
	if functions < 1 || factor.Dim()%functions != 0 || !(ridge > 0) {
		return nil, fmt.Errorf("space: a factor of order %d for the weights of %d functions at the ridge %v: its order is the number of functions times that of features, and the ridge is positive", factor.Dim(), functions, ridge)
	}
	return &CoupledWeights{factor: factor.CholeskyFactor(o), functions: functions, d: factor.Dim() / functions, ridge: ridge}, nil
}

// WeighSoftmax makes a pass over the rows, nD²m(m + 1)/2 multiplications, and factors M, (mD)³/3.
// It takes 12(mD)² bytes, 8(mD)² of which stay.
func (s *Primal) WeighSoftmax(ctx context.Context, v []float64, p *mat.Dense, ridge float64) (Coupled, error) {
	rows, functions := p.Dims()
	if err := checkCoupled(s, v, rows, ridge); err != nil {
		return nil, err
	}
	order := functions * s.dim
	if need, limit := 12*int64(order)*int64(order), s.limit; limit > 0 && need > limit {
		return nil, &compute.TooLarge{What: fmt.Sprintf("the precision of %d weights of %d features for %d functions", order, s.dim, functions), Need: need, Limit: limit}
	}
	sums, err := s.rows.Pass(ctx, SoftmaxMoments{functions}, func(dst []float64, i int) error {
		dst[0] = v[i]
		copy(dst[1:], p.RawRowView(i))
		return nil
	}, nil, s.how())
	if err != nil {
		return nil, err
	}
	m := mat.NewSymDense(order, sums)
	factor, err := linalg.Factor(ctx, m, ridge, s.o)
	if err != nil {
		return nil, fmt.Errorf("space: the precision of the weights: %w", err)
	}
	return &CoupledWeights{factor: &factor.CholeskyFactor, functions: functions, d: s.dim, ridge: ridge}, nil
}

// SoftmaxMoments are Σ Wᵢ ⊗ φᵢφᵢᵀ for so many functions, Wᵢ = vᵢ(diag p − ppᵀ) of the vᵢ and p that
// go along: blocks of features for each pair of functions, of which the upper triangle is set.
type SoftmaxMoments struct{ Functions int }

func init() { pass.RegisterWork(SoftmaxMoments{}) }

// Sizes counts v and p, and the matrix.
func (w SoftmaxMoments) Sizes(dim int) (in, out, sums int) {
	return 1 + w.Functions, 0, w.Functions * dim * w.Functions * dim
}

// Worker adds the products of Wᵢ_cd φᵢ with φᵢ.
func (w SoftmaxMoments) Worker(dim int, p level3.Implementation) func(pass.Block) {
	stride, space := w.Functions*dim, mat.NewDense(design.BlockRows, dim, nil)
	return func(b pass.Block) {
		rows, _ := b.X.Dims()
		scaled := space.Slice(0, rows, 0, dim).(*mat.Dense)
		for c := range w.Functions {
			for d := c; d < w.Functions; d++ {
				for i := range rows {
					along := b.In.RawRowView(i)
					v, p := along[0], along[1:]
					share := -p[d]
					if c == d {
						share++
					}
					floats.ScaleTo(scaled.RawRowView(i), v*p[c]*share, b.X.RawRowView(i))
				}
				block := blas64.General{Rows: dim, Cols: dim, Stride: stride, Data: b.Sums[c*dim*stride+d*dim:]}
				p.Gemm(blas.Trans, blas.NoTrans, 1, scaled.RawMatrix(), b.X.RawMatrix(), 1, block)
			}
		}
	}
}

// Functions returns m.
func (f *CoupledWeights) Functions() int { return f.functions }

// LogDet is ln|M/R|.
func (f *CoupledWeights) LogDet() float64 {
	return f.factor.LogDet() - float64(f.factor.Dim())*math.Log(f.ridge)
}

// Lower returns a copy of the Cholesky factor of M.
func (f *CoupledWeights) Lower() *linalg.UpdatableFactor { return f.factor.Updatable() }

// CovariancesAt takes (mD)² flops for each function of a point; the prior variances are not looked
// at.
func (f *CoupledWeights) CovariancesAt(ctx context.Context, prior []float64, cross *mat.Dense) (covs []*mat.SymDense, clipped int, err error) {
	if err := checkCross(len(prior), f.d, cross); err != nil {
		return nil, 0, err
	}
	covs = make([]*mat.SymDense, len(prior))
	some := max(1, varianceBlock/f.functions)
	for from := 0; from < len(covs); from += some {
		to := min(from+some, len(covs))
		white := mat.NewDense((to-from)*f.functions, f.factor.Dim(), nil) // L⁻¹(e_c ⊗ φ)
		for i := range to - from {
			for c := range f.functions {
				copy(white.RawRowView(i*f.functions + c)[c*f.d:], cross.RawRowView(from+i))
			}
		}
		if err := f.factor.Whiten(ctx, white); err != nil {
			return nil, 0, err
		}
		for i := range to - from {
			cov := mat.NewSymDense(f.functions, nil)
			for c := range f.functions {
				for d := c; d < f.functions; d++ {
					cov.SetSym(c, d, f.ridge*floats.Dot(white.RawRowView(i*f.functions+c), white.RawRowView(i*f.functions+d)))
				}
			}
			covs[from+i] = cov
		}
	}
	return covs, 0, nil
}
