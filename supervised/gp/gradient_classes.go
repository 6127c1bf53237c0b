package gp

import (
	"context"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/loss"
	"example.org/mercer/space"
)

// GradientClasses returns the approximate log evidence and its derivative in K. For two
// classes it is R&W algorithm 5.1: with Z = (K + W⁻¹)⁻¹, a the coefficients, and
// s = ∂(−½ ln|I + KW|)/∂f at the mode,
//
//	∂/∂K = ½aaᵀ − ½Z + ½(vaᵀ + avᵀ),  v = (I − ZK)s.
//
// For more it is the sum over the classes of the same, with the blocks of
// Z = (I ⊗ K + W⁻¹)⁻¹ on the diagonal and the part of v of each class.
//
// It takes k over, of which only the upper triangle is read; about 3n³ multiplications
// and 8n² bytes beside those of [SolveClasses], 5mn³ and 24n² for m > 2 classes.
func GradientClasses(ctx context.Context, k *mat.SymDense, y []int, o ClassOptions) (*Sensitivity, error) {
	if err := o.validate(k.SymmetricDim(), y); err != nil {
		return nil, err
	}
	r := &ClassReport{}
	l, err := o.mode(ctx, space.NewDual(k, o.linalg()), y, r)
	if err != nil {
		return nil, err
	}
	out := &Sensitivity{LogEvidence: r.LogEvidence}
	out.DK, err = o.gradient(ctx, k, l)
	return out, err
}

// gradient is ∂/∂K = ½ Σ_c [a_c a_cᵀ − Z_cc + v_c a_cᵀ + a_c v_cᵀ], Z_cc the blocks of
// Z = (I ⊗ K + W⁻¹)⁻¹ and v = s − Z(I ⊗ K)s.
func (o *ClassOptions) gradient(ctx context.Context, k *mat.SymDense, l *Laplace) (*mat.SymDense, error) {
	n, m := l.Mode.Dims()
	var z space.Inverter
	slope := o.softmaxSlope
	if l.joint == nil {
		z, slope = l.one.(space.Inverter), o.logisticSlope
	} else {
		z = l.joint.(space.Inverter)
	}
	v, err := slope(ctx, k, l)
	if err != nil {
		return nil, err
	}
	pulled := mat.NewDense(n, m, nil)
	if err := space.NewDual(k, o.linalg()).Values(ctx, pulled, v); err != nil {
		return nil, err
	}
	if err := z.Apply(ctx, pulled); err != nil {
		return nil, err
	}
	v.Sub(v, pulled)
	dk, err := z.Inverse(ctx)
	if err != nil {
		return nil, err
	}
	raw := dk.RawSymmetric()
	for i := range n {
		for j, row := i, raw.Data[i*raw.Stride:]; j < n; j++ {
			row[j] /= -2
		}
	}
	for c := range m {
		addOuter(dk, mat.Col(nil, c, l.Coef), mat.Col(nil, c, v))
	}
	return dk, nil
}

// logisticSlope returns s = ∂(−½ ln|I + KW|)/∂f at the mode for two classes, n×1.
func (o *ClassOptions) logisticSlope(ctx context.Context, k *mat.SymDense, l *Laplace) (*mat.Dense, error) {
	n, _ := l.Mode.Dims()
	s := mat.NewDense(n, 1, nil)
	return s, eachRows(k, func(from int, prior []float64, cross *mat.Dense) error {
		if _, err := l.one.VariancesAt(ctx, prior, cross); err != nil {
			return err
		}
		for i, v := range prior {
			p := loss.Sigmoid(l.Mode.At(from+i, 0))
			s.Set(from+i, 0, -v*o.weight(from+i)*p*(1-p)*(1-2*p)/2)
		}
		return nil
	})
}

// softmaxSlope returns s = ∂(−½ ln|I + KW|)/∂f at the mode, n×m. With C the covariance of the
// functions at row i, u = Cp and the derivatives of W = w(diag p − ppᵀ),
//
//	s_c = −½ tr(C ∂W/∂f_c) = −½ w p_c [C_cc − Σ_d p_d C_dd − 2(u_c − pᵀu)].
func (o *ClassOptions) softmaxSlope(ctx context.Context, k *mat.SymDense, l *Laplace) (*mat.Dense, error) {
	n, m := l.Mode.Dims()
	p, s := probabilities(l.Mode), mat.NewDense(n, m, nil)
	return s, eachRows(k, func(from int, prior []float64, cross *mat.Dense) error {
		covs, _, err := l.Covariances(ctx, prior, cross)
		if err != nil {
			return err
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
		return nil
	})
}

// eachRows calls use for the rows of a Gram matrix, block by block, with their diagonal.
func eachRows(k *mat.SymDense, use func(from int, diagonal []float64, rows *mat.Dense) error) error {
	n := k.SymmetricDim()
	for from := 0; from < n; from += block {
		rows := rowsOf(k, from, min(from+block, n))
		diagonal := make([]float64, rows.RawMatrix().Rows)
		for i := range diagonal {
			diagonal[i] = rows.At(i, from+i)
		}
		if err := use(from, diagonal, rows); err != nil {
			return err
		}
	}
	return nil
}

// addOuter adds ½(aaᵀ + vaᵀ + avᵀ).
func addOuter(dk *mat.SymDense, a, v []float64) {
	half := make([]float64, len(a)) // ½a + v
	for i := range a {
		half[i] = a[i]/2 + v[i]
	}
	blas64.Syr2(0.5, vector(a), vector(half), dk.RawSymmetric())
}

// rowsOf copies some rows of a symmetric matrix.
func rowsOf(k *mat.SymDense, from, to int) *mat.Dense {
	n := k.SymmetricDim()
	out := mat.NewDense(to-from, n, nil)
	for i := range to - from {
		for j, row := 0, out.RawRowView(i); j < n; j++ {
			row[j] = k.At(from+i, j)
		}
	}
	return out
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }
