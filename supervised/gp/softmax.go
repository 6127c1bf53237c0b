package gp

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/loss"
)

// coupled is covariance for m functions: (K + D_c⁻¹) is factored for every class and
// inverted for S = Σ_c E_c. With wᵢ on the diagonal of ω,
//
//	|I + KW| = |S|/|ω| · Π_c |I + KD_c|
//
// (R&W 3.44, of which the last factor is Σ_c z_c there; ω is 1 without weights). Rows
// of weight zero become rows of the identity in S.
func (o *ClassOptions) coupled(ctx context.Context, k *mat.SymDense, mode *mat.Dense) (*LatentCovariance, float64, error) {
	n, m := mode.Dims()
	if need, limit := int64(24+4*m)*int64(n)*int64(n), o.Compute.MaxMemory; limit > 0 && need > limit {
		return nil, 0, &compute.TooLarge{What: fmt.Sprintf("gp: the latent covariance of %d rows and %d classes", n, m), Need: need, Limit: limit}
	}
	p, d := o.probabilities(mode), make([]float64, n)
	l, determinant := &LatentCovariance{}, 0.0
	sum := mat.NewSymDense(n, nil)
	for c := range m {
		for i := range d {
			d[i] = o.weight(i) * p.At(i, c)
		}
		shift, active, logs := invert(d)
		given, err := o.beside(ctx, k, shift, active)
		if err != nil {
			return nil, 0, err
		}
		l.each = append(l.each, given)
		determinant += given.factor.LogDet() + logs
		e, err := given.precision(ctx)
		if err != nil {
			return nil, 0, err
		}
		sum.AddSym(sum, e)
	}
	shift := make([]float64, n)
	for i := range shift {
		if w := o.weight(i); w > 0 {
			determinant -= math.Log(w)
		} else {
			shift[i] = 1
		}
	}
	var err error
	if l.sum, err = linalg.FactorDiag(ctx, sum, shift, o.linalg()); err != nil {
		return nil, 0, fmt.Errorf("gp: the precision of the latent functions: %w", err)
	}
	return l, determinant + l.sum.LogDet(), nil
}

// beside factors K + diag(shift) in half the memory of K, which keeps its values. Rows
// that are not active become rows of the identity.
func (o *ClassOptions) beside(ctx context.Context, k *mat.SymDense, shift []float64, active []bool) (*Conditioned, error) {
	packed, err := gram.PackedOf(ctx, gram.FromMatrix(k).Pairs(), compute.Options{Workers: o.Compute.Workers})
	if err != nil {
		return nil, err
	}
	for i, on := range active {
		if on {
			continue
		}
		shift[i] = 1
		for j := range active {
			packed.SetSym(max(i, j), min(i, j), 0)
		}
	}
	factor, err := linalg.FactorPackedDiag(ctx, packed, shift, o.linalg())
	if err != nil {
		return nil, fmt.Errorf("gp: the kernel is not positive definite on these rows: %w", err)
	}
	return &Conditioned{factor: factor, active: active}, nil
}

// probabilities are those of the classes at the mode, n×m.
func (o *ClassOptions) probabilities(mode *mat.Dense) *mat.Dense {
	p := mat.DenseCopyOf(mode)
	for i := range p.RawMatrix().Rows {
		loss.Softmax(p.RawRowView(i))
	}
	return p
}

// softmaxGradient is ∂/∂K for m classes:
//
//	½ Σ_c [a_c a_cᵀ − E_c + E_c S⁻¹E_c + v_c a_cᵀ + a_c v_cᵀ],
//	v_c = s_c − E_c(Ks_c − S⁻¹ Σ_d E_d K s_d).
func (o *ClassOptions) softmaxGradient(ctx context.Context, k *mat.SymDense, l *Latent) (*mat.SymDense, error) {
	n, m := l.Mode.Dims()
	s, err := o.slope(ctx, k, l)
	if err != nil {
		return nil, err
	}
	v, err := l.along(ctx, k, s)
	if err != nil {
		return nil, err
	}
	product := level3.Implementation{Workers: o.Compute.Workers}
	dk := mat.NewSymDense(n, nil)
	for c := range m {
		e, err := l.each[c].precision(ctx)
		if err != nil {
			return nil, err
		}
		white := rowsOf(e, 0, n)
		if err := l.sum.Whiten(ctx, white); err != nil {
			return nil, err
		}
		product.Syrk(blas.NoTrans, 0.5, white.RawMatrix(), 1, dk.RawSymmetric())
		raw, to := e.RawSymmetric(), dk.RawSymmetric()
		for i := range n {
			for j := i; j < n; j++ {
				to.Data[i*to.Stride+j] -= raw.Data[i*raw.Stride+j] / 2
			}
		}
		addOuter(dk, mat.Col(nil, c, l.Coef), mat.Col(nil, c, v))
	}
	return dk, nil
}

// slope returns s = ∂(−½ ln|I + KW|)/∂f at the mode, n×m. With C the covariance of the
// functions at row i, u = Cp and the derivatives of W = w(diag p − ppᵀ),
//
//	s_c = −½ tr(C ∂W/∂f_c) = −½ w p_c [C_cc − Σ_d p_d C_dd − 2(u_c − pᵀu)].
func (o *ClassOptions) slope(ctx context.Context, k *mat.SymDense, l *Latent) (*mat.Dense, error) {
	n, m := l.Mode.Dims()
	p, s := o.probabilities(l.Mode), mat.NewDense(n, m, nil)
	for from := 0; from < n; from += block {
		cross := rowsOf(k, from, min(from+block, n))
		prior := make([]float64, cross.RawMatrix().Rows)
		for i := range prior {
			prior[i] = cross.At(i, from+i)
		}
		covs, _, err := l.Covariances(ctx, prior, cross)
		if err != nil {
			return nil, err
		}
		for i, cov := range covs {
			out, q, w := s.RawRowView(from+i), p.RawRowView(from+i), o.weight(from+i)
			mean, twice := 0.0, 0.0 // Σ p_d C_dd and pᵀu
			for c, pc := range q {
				u := 0.0
				for d, pd := range q {
					u += cov.At(c, d) * pd
				}
				out[c] = cov.At(c, c) - 2*u
				mean, twice = mean+pc*cov.At(c, c), twice+pc*u
			}
			for c, pc := range q {
				out[c] = -w * pc * (out[c] - mean + 2*twice) / 2
			}
		}
	}
	return s, nil
}

// along returns v = (I − RK)s.
func (l *LatentCovariance) along(ctx context.Context, k *mat.SymDense, s *mat.Dense) (*mat.Dense, error) {
	n, m := s.Dims()
	ks := new(mat.Dense)
	ks.Mul(k, s)
	v, common := mat.DenseCopyOf(s), mat.NewDense(n, 1, nil)
	subtract := func(c int, x *mat.Dense, sign float64) {
		for i := range n {
			v.Set(i, c, v.At(i, c)-sign*x.At(i, 0))
		}
	}
	for c := range m {
		x := mat.DenseCopyOf(ks.Slice(0, n, c, c+1))
		if err := l.each[c].apply(ctx, x); err != nil {
			return nil, err
		}
		subtract(c, x, 1)
		common.Add(common, x)
	}
	if err := l.sum.Solve(ctx, common, common); err != nil {
		return nil, err
	}
	for c := range m {
		x := mat.DenseCopyOf(common)
		if err := l.each[c].apply(ctx, x); err != nil {
			return nil, err
		}
		subtract(c, x, -1)
	}
	return v, nil
}
