package gp

import (
	"context"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/loss"
)

// GradientClasses returns the approximate log evidence and its derivative in K. For two
// classes it is R&W algorithm 5.1: with R = (K + W⁻¹)⁻¹, a the coefficients, and
// s = ∂(−½ ln|I + KW|)/∂f at the mode,
//
//	∂/∂K = ½aaᵀ − ½R + ½(vaᵀ + avᵀ),  v = (I − RK)s.
//
// For more it is the sum over the classes of the same, with the blocks of
// R = E − ES⁻¹E (see [LatentCovariance]) on the diagonal and the part of v of each class.
//
// It overwrites k, of which only the upper triangle is read; about 3n³ multiplications
// and 8n² bytes beside those of [SolveClasses], 5mn³ and 24n² for m > 2 classes.
func GradientClasses(ctx context.Context, k *mat.SymDense, y []int, o ClassOptions) (*Sensitivity, error) {
	if err := o.validate(k.SymmetricDim(), y); err != nil {
		return nil, err
	}
	r := &ClassReport{}
	l, err := o.mode(ctx, k, y, r)
	if err != nil {
		return nil, err
	}
	out := &Sensitivity{LogEvidence: r.LogEvidence}
	if len(l.each) > 1 {
		out.DK, err = o.softmaxGradient(ctx, k, l)
	} else {
		out.DK, err = o.logisticGradient(ctx, k, l)
	}
	return out, err
}

// logisticGradient is ∂/∂K for two classes.
func (o *ClassOptions) logisticGradient(ctx context.Context, k *mat.SymDense, l *Latent) (*mat.SymDense, error) {
	// Rows that are not active have been cleared: their covariance is not needed, because
	// their third derivatives are zero, too.
	n, given := k.SymmetricDim(), l.each[0]
	s := make([]float64, n)
	for from := 0; from < n; from += block {
		cross := rowsOf(k, from, min(from+block, n))
		part := s[from:min(from+block, n)]
		for i := range part {
			part[i] = cross.At(i, from+i)
		}
		if _, err := given.Variances(ctx, part, cross); err != nil {
			return nil, err
		}
	}
	for i := range n {
		p := loss.Sigmoid(l.Mode.At(i, 0))
		s[i] *= -o.weight(i) * p * (1 - p) * (1 - 2*p) / 2
	}
	dk, err := given.precision(ctx)
	if err != nil {
		return nil, err
	}
	raw := dk.RawSymmetric()
	v, ks := make([]float64, n), make([]float64, n)
	copy(v, s)
	blas64.Symv(1, k.RawSymmetric(), vector(s), 0, vector(ks))
	blas64.Symv(-1, raw, vector(ks), 1, vector(v))
	for i := range n {
		for j, row := i, raw.Data[i*raw.Stride:]; j < n; j++ {
			row[j] /= -2
		}
	}
	addOuter(dk, mat.Col(nil, 0, l.Coef), v)
	return dk, nil
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
