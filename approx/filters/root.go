package filters

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
)

// root is the decomposition UsUᵀ of κ(ZᵀZ) + εI, by which its inverse root is known and how that
// moves with Z.
type root struct {
	of *linalg.Eigen
	k  *mat.SymDense // κ(ZᵀZ) + εI
}

// decompose returns that of m filters of d numbers.
func decompose(ctx context.Context, z []float32, d int, sigma, epsilon float64) (*root, error) {
	m := len(z) / d
	k := mat.NewSymDense(m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			sum := 0.0
			for t, v := range z[i*d : (i+1)*d] {
				sum += float64(v) * float64(z[j*d+t])
			}
			k.SetSym(i, j, math.Exp((sum-1)/(sigma*sigma)))
		}
		k.SetSym(i, i, k.At(i, i)+epsilon)
	}
	return decomposed(ctx, k)
}

// InverseRoot returns (κ(ZᵀZ) + εI)^(−1/2) of m filters of d numbers and length 1, m×m, for κ(t) =
// exp((t − 1)/σ²).
func InverseRoot(ctx context.Context, z []float32, d int, sigma, epsilon float64) ([]float32, error) {
	r, err := decompose(ctx, z, d, sigma, epsilon)
	if err != nil {
		return nil, err
	}
	return r.narrowed(), nil
}

func decomposed(ctx context.Context, a *mat.SymDense) (*root, error) {
	e, err := linalg.EigenSym(ctx, a, linalg.Options{})
	if err != nil {
		return nil, err
	}
	for _, v := range e.Values {
		if !(v > 0) {
			return nil, fmt.Errorf("filters: an eigenvalue of %v where all are above 0: use a larger epsilon", v)
		}
	}
	return &root{e, a}, nil
}

// inverse stores the inverse root, m×m.
func (r *root) inverse(dst []float64) {
	n := len(r.of.Values)
	scaled := mat.NewDense(n, n, nil) // U·s^(−1/4)
	for j, v := range r.of.Values {
		by := math.Pow(v, -0.25)
		for i := range n {
			scaled.Set(i, j, r.of.Vectors.At(i, j)*by)
		}
	}
	if !tiny(n, n, n) {
		level3.Implementation{}.Dgemm(blas.NoTrans, blas.Trans, n, n, n, 1, scaled.RawMatrix().Data, n, scaled.RawMatrix().Data, n, 0, dst, n)
		return
	}
	for i := range n {
		for j := range n {
			dst[i*n+j] = 0
			for t, v := range scaled.RawRowView(i) {
				dst[i*n+j] += v * scaled.At(j, t)
			}
		}
	}
}

// narrowed is the inverse root in single precision.
func (r *root) narrowed() []float32 {
	n := len(r.of.Values)
	wide, out := make([]float64, n*n), make([]float32, n*n)
	r.inverse(wide)
	for i, v := range wide {
		out[i] = float32(v)
	}
	return out
}

// pull adds to dst, m×d, what derivatives G in A = M^(−1/2), M = κ(ZᵀZ) + εI, make in the filters:
//
//	dM = U((UᵀGU)∘F)Uᵀ,   F_ij = −1/(√(sᵢsⱼ)(√sᵢ + √sⱼ)),   dzᵢ = (2/σ²) Σⱼ dM_ij κ(zᵢᵀzⱼ) zⱼ
//
// of which the first is the derivative of a function of a matrix by divided differences
// (Daleckii and Krein 1965), for symmetric G.
func (r *root) pull(dst []float64, z []float32, d int, sigma, epsilon float64, g *mat.Dense) {
	n, u := len(r.of.Values), r.of.Vectors
	var left, inner mat.Dense
	left.Mul(u.T(), g)
	inner.Mul(&left, u)
	for i := range n {
		for j := range n {
			a, b := math.Sqrt(r.of.Values[i]), math.Sqrt(r.of.Values[j])
			inner.Set(i, j, -inner.At(i, j)/(a*b*(a+b)))
		}
	}
	left.Mul(u, &inner)
	inner.Mul(&left, u.T())
	wide := mat.NewDense(n, d, nil)
	for i, v := range z {
		wide.RawMatrix().Data[i] = float64(v)
	}
	for i := range n {
		for j := range n {
			value := r.k.At(i, j)
			if i == j {
				value -= epsilon
			}
			inner.Set(i, j, inner.At(i, j)*value*2/(sigma*sigma))
		}
	}
	var out mat.Dense
	out.Mul(&inner, wide)
	for i, v := range out.RawMatrix().Data {
		dst[i] += v
	}
}
