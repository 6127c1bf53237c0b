package space

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/model"
)

// Coupling is a [Space] that factors the Hessian of m functions that a softmax couples in every
// row.
type Coupling interface {
	// WeighSoftmax factors the Hessian of
	//
	//	½ Σᵢ f(xᵢ)ᵀWᵢf(xᵢ) + (R/2)‖f‖²,    Wᵢ = vᵢ(diag pᵢ − pᵢpᵢᵀ),
	//
	// with the probabilities pᵢ, the rows of p (n×m), and vᵢ ≥ 0, R > 0. Errors are those of the
	// factors, and a [*compute.TooLarge] where they do not fit into the memory. The factor stays
	// valid.
	WeighSoftmax(ctx context.Context, v []float64, p *mat.Dense, ridge float64) (Coupled, error)
}

// Coupled is such a factor. It knows the m functions f_c ~ GP(0, k), independent a priori, given
// the rows with noise of precision Wᵢ/R.
type Coupled interface {
	// Functions returns m.
	Functions() int
	// LogDet returns ln|I + (I ⊗ K)W/R|.
	LogDet() float64
	// CovariancesAt returns the m×m covariance of the functions at each of some points. They are
	// known as in [Posterior]: by their prior variances, and by rows of cross. Variances of one
	// function alone that rounding makes negative become zero, and clipped counts them.
	CovariancesAt(ctx context.Context, prior []float64, cross *mat.Dense) (covs []*mat.SymDense, clipped int, err error)
}

var (
	_ Coupling = (*Dual)(nil)
	_ Coupling = (*Primal)(nil)
	_ Inverter = (*dualCoupled)(nil)
)

// dualCoupled is the factor in the coefficients of the rows. With D_c = diag(vᵢpᵢ_c),
// E_c = (K + R·D_c⁻¹)⁻¹ and S = Σ_c E_c (R&W section 3.5 and algorithm 3.4),
//
//	cov(f_c, f_d) = δ_cd (k** − k*ᵀE_c k*) + k*ᵀE_c S⁻¹ E_d k*
//	ln|I + (I ⊗ K)W/R| = Σ_c ln|I + KD_c/R| + ln|S| − Σᵢ ln(vᵢ/R)        (R&W 3.44)
//	Z = (I ⊗ K + R·W⁻¹)⁻¹ has the blocks δ_cd E_c − E_c S⁻¹ E_d
//
// E_c = D_c^½M_c⁻¹D_c^½, M_c = D_c^½KD_c^½ + R·I: that a row nearly excludes a class makes no
// eigenvalue of M_c smaller than R. Rows of weight zero are rows of the identity in S.
type dualCoupled struct {
	each   []coupledClass
	sum    *linalg.Cholesky // of S
	logDet float64
	o      linalg.Options
}

// coupledClass is M_c in tiles, and the roots of D_c.
type coupledClass struct {
	factor *linalg.CholeskyFactor
	scale  []float64
}

// WeighSoftmax takes mn³ multiplications for m factors and as many inverses, and (16 + 4m)n² bytes,
// of which (8 + 4m)n² stay.
func (s *Dual) WeighSoftmax(ctx context.Context, v []float64, p *mat.Dense, ridge float64) (Coupled, error) {
	rows, m := p.Dims()
	if err := checkCoupled(s, v, rows, ridge); err != nil {
		return nil, err
	}
	need := int64(16+4*m) * int64(s.n) * int64(s.n)
	if s.k != nil {
		need += 8 * int64(s.n) * int64(s.n)
	}
	if limit := s.o.Compute.MaxMemory; limit > 0 && need > limit {
		return nil, &compute.TooLarge{What: fmt.Sprintf("the covariance of %d functions given %d rows", m, s.n), Need: need, Limit: limit}
	}
	f := &dualCoupled{o: linalg.Options{Workers: s.o.Compute.Workers, Progress: s.o.Compute.Progress}}
	sum, d, none := mat.NewSymDense(s.n, nil), make([]float64, s.n), Quality{}
	for c := range m {
		for i := range d {
			d[i] = v[i] * p.At(i, c)
		}
		at := s.matrix(d, ridge)
		factor, err := at.factorPacked(ctx, model.NewStopwatch(), &none)
		if err != nil {
			return nil, err
		}
		one := coupledClass{factor: factor, scale: at.scale}
		f.each = append(f.each, one)
		f.logDet += factor.LogDet() - float64(s.n)*math.Log(ridge)
		e, err := one.inverse(ctx)
		if err != nil {
			return nil, err
		}
		sum.AddSym(sum, e)
	}
	shift := make([]float64, s.n)
	for i, w := range v {
		if w > 0 {
			f.logDet -= math.Log(w / ridge)
		} else {
			shift[i] = 1
		}
	}
	var err error
	if f.sum, err = linalg.FactorDiag(ctx, sum, shift, f.o); err != nil {
		return nil, fmt.Errorf("space: the precision of %d functions: %w", m, err)
	}
	f.logDet += f.sum.LogDet()
	return f, nil
}

// checkCoupled wants a weight and probabilities for each row, and a ridge.
func checkCoupled(s Space, v []float64, rows int, ridge float64) error {
	if err := checkWeights(s, v); err != nil {
		return err
	}
	if rows != len(v) || !(ridge > 0) {
		return fmt.Errorf("space: probabilities of %d rows and ridge %v for %d rows: one row of them is needed for each, and a ridge > 0", rows, ridge, len(v))
	}
	return nil
}

// inverse returns E_c.
func (c *coupledClass) inverse(ctx context.Context) (*mat.SymDense, error) {
	e, err := c.factor.Inverse(ctx)
	if err == nil {
		scaleBoth(e, c.scale)
	}
	return e, err
}

// apply replaces x by E_c x.
func (c *coupledClass) apply(ctx context.Context, x *mat.Dense) error {
	scaleRows(x, c.scale)
	if err := c.factor.Solve(ctx, x, x); err != nil {
		return err
	}
	scaleRows(x, c.scale)
	return nil
}

// Functions returns m.
func (f *dualCoupled) Functions() int { return len(f.each) }

// LogDet returns what was added up.
func (f *dualCoupled) LogDet() float64 { return f.logDet }

// CovariancesAt takes 3n²m multiplications a point, and n numbers of memory for 256 of them at a
// time.
func (f *dualCoupled) CovariancesAt(ctx context.Context, prior []float64, cross *mat.Dense) (covs []*mat.SymDense, clipped int, err error) {
	n, m := f.sum.Dim(), len(f.each)
	if err := checkCross(len(prior), n, cross); err != nil {
		return nil, 0, err
	}
	covs = make([]*mat.SymDense, len(prior))
	for i := range covs {
		covs[i] = mat.NewSymDense(m, nil)
	}
	some := max(1, varianceBlock/m)
	for from := 0; from < len(prior); from += some {
		to := min(from+some, len(prior))
		count, err := f.fill(ctx, covs[from:to], prior[from:to], cross.Slice(from, to, 0, n).(*mat.Dense))
		if err != nil {
			return nil, 0, err
		}
		clipped += count
	}
	return covs, clipped, nil
}

// fill stores the covariances of a few points.
func (f *dualCoupled) fill(ctx context.Context, covs []*mat.SymDense, prior []float64, cross *mat.Dense) (clipped int, err error) {
	pulls := make([]*mat.Dense, len(f.each)) // the rows are L⁻¹E_c k*, S = LLᵀ
	for c, one := range f.each {
		columns := mat.DenseCopyOf(cross.T())
		scaleRows(columns, one.scale)
		e := &explained{left: mat.DenseCopyOf(columns.T())}
		if err := one.factor.Whiten(ctx, e.left); err != nil {
			return 0, err
		}
		e.right = e.left
		own := append([]float64(nil), prior...)
		clipped += e.variances(own)
		for i, v := range own {
			covs[i].SetSym(c, c, v)
		}
		if err := one.factor.Solve(ctx, columns, columns); err != nil {
			return 0, err
		}
		scaleRows(columns, one.scale)
		pulls[c] = mat.DenseCopyOf(columns.T())
		if err := f.sum.Whiten(ctx, pulls[c]); err != nil {
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

// Inverse is Σ_c (E_c − E_cS⁻¹E_c).
func (f *dualCoupled) Inverse(ctx context.Context) (*mat.SymDense, error) {
	n := f.sum.Dim()
	product, sum := level3.Implementation{Workers: f.o.Workers}, mat.NewSymDense(n, nil)
	for _, one := range f.each {
		e, err := one.inverse(ctx)
		if err != nil {
			return nil, err
		}
		sum.AddSym(sum, e)
		white := mat.DenseCopyOf(e) // rows L⁻¹E_c eᵢ, S = LLᵀ
		if err := f.sum.Whiten(ctx, white); err != nil {
			return nil, err
		}
		product.Syrk(blas.NoTrans, -1, white.RawMatrix(), 1, sum.RawSymmetric())
	}
	return sum, nil
}

// Apply replaces each column by E_c(x_c − S⁻¹ Σ_d E_d x_d).
func (f *dualCoupled) Apply(ctx context.Context, x *mat.Dense) error {
	n, m := x.Dims()
	common := mat.NewDense(n, 1, nil)
	each := make([]*mat.Dense, m)
	for c := range each {
		each[c] = mat.DenseCopyOf(x.Slice(0, n, c, c+1))
		if err := f.each[c].apply(ctx, each[c]); err != nil {
			return err
		}
		common.Add(common, each[c])
	}
	if err := f.sum.Solve(ctx, common, common); err != nil {
		return err
	}
	for c, own := range each {
		pulled := mat.DenseCopyOf(common)
		if err := f.each[c].apply(ctx, pulled); err != nil {
			return err
		}
		for i := range n {
			x.Set(i, c, own.At(i, 0)-pulled.At(i, 0))
		}
	}
	return nil
}
