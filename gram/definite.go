package gram

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
)

// Treatment says what is done with a Gram matrix that is not positive semidefinite: that
// of tanh, of a similarity that is no kernel, of numbers from a file. See Chen, Garcia,
// Gupta, Rahimi and Cazzanti, Similarity-based classification, JMLR 10, 2009, §4.
type Treatment string

const (
	// Refuse makes a negative eigenvalue an error that names it.
	Refuse Treatment = "refuse"
	// Clip replaces negative eigenvalues by 0: the nearest positive semidefinite matrix
	// in the Frobenius norm.
	Clip Treatment = "clip"
	// Flip replaces every eigenvalue by its absolute value.
	Flip Treatment = "flip"
	// Shift adds the size of the smallest eigenvalue to the diagonal: similarities of
	// different points stay what they are, each point is more similar to itself.
	Shift Treatment = "shift"
)

// Treatments are all of them.
var Treatments = []Treatment{Refuse, Clip, Flip, Shift}

// Definite is a positive semidefinite matrix K' made from a symmetric one, K.
type Definite struct {
	K         *mat.SymDense // K'
	Treatment Treatment
	Negative  int     // eigenvalues of K below the rounding of its largest
	Smallest  float64 // eigenvalue of K
	Largest   float64
	// Change is ‖K' − K‖/‖K‖ in the Frobenius norm: 0 where K was semidefinite.
	Change float64
	// map is P = U diag(r) Uᵀ with K' = PK, r = 0 or −1 for the negative eigenvalues; nil
	// where P = I.
	projection *mat.Dense
}

// MakeDefinite decomposes the symmetric operator and treats its negative eigenvalues.
// Those within n·2⁻⁵² of the largest are rounding, and are treated silently as zero:
// a matrix without others is returned as it is. 5n³ flops, 40n² bytes.
func MakeDefinite(ctx context.Context, op Operator, t Treatment, o compute.Options) (*Definite, error) {
	if !slices.Contains(Treatments, t) {
		return nil, fmt.Errorf("gram: treatment %q is not known; one of %q is", t, Treatments)
	}
	k, err := Materialize(ctx, op, o)
	if err != nil {
		return nil, err
	}
	e, err := linalg.EigenSym(ctx, k, linalg.Options{Workers: o.Workers})
	if err != nil {
		return nil, err
	}
	n := len(e.Values)
	d := &Definite{K: k, Treatment: t, Smallest: e.Values[0], Largest: e.Values[n-1]}
	rounding := float64(n) * 0x1p-52 * max(d.Largest, -d.Smallest)
	norm, change := 0.0, 0.0
	for _, v := range e.Values {
		norm += v * v
		if v < -rounding {
			d.Negative++
			change += v * v
		}
	}
	if d.Negative == 0 {
		return d, nil
	}
	switch t {
	case Refuse:
		return nil, fmt.Errorf("gram: %d of %d eigenvalues of the Gram matrix are negative, the smallest %.4g (the largest is %.4g): it is not that of a positive definite kernel; use another kernel, or treat it with %q, %q or %q", d.Negative, n, d.Smallest, d.Largest, Clip, Flip, Shift)
	case Shift:
		d.K = mat.NewSymDense(n, nil)
		d.K.CopySym(k)
		for i := range n {
			d.K.SetSym(i, i, k.At(i, i)-d.Smallest)
		}
		d.Change = -d.Smallest * math.Sqrt(float64(n)/norm)
		return d, nil
	}
	d.Change = math.Sqrt(change / norm)
	d.reflect(e, o)
	return d, nil
}

// reflect forms P and K' = U diag(rλ) Uᵀ.
func (d *Definite) reflect(e *linalg.Eigen, o compute.Options) {
	n, r := len(e.Values), 0.0
	if d.Treatment == Flip {
		r = -1
		d.Change *= 2 // |λ| − λ = 2|λ|, where clipping changes |λ|
	}
	// With the m negative eigenvectors V: P = I − (1−r)VVᵀ and K' = K − (1−r)VΛVᵀ.
	m := 0
	for m < n && e.Values[m] < 0 {
		m++
	}
	negative := mat.DenseCopyOf(e.Vectors.Slice(0, n, 0, m))
	scaled := mat.DenseCopyOf(negative)
	for i := range n {
		row := scaled.RawRowView(i)
		for j := range row {
			row[j] *= e.Values[j]
		}
	}
	product, fast := mat.NewDense(n, n, nil), level3.Implementation{Workers: o.Workers}
	fast.Gemm(blas.NoTrans, blas.Trans, 1-r, negative.RawMatrix(), scaled.RawMatrix(), 0, product.RawMatrix())
	treated := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			treated.SetSym(i, j, d.K.At(i, j)-product.At(i, j))
		}
	}
	d.K = treated
	fast.Gemm(blas.NoTrans, blas.Trans, r-1, negative.RawMatrix(), negative.RawMatrix(), 0, product.RawMatrix())
	for i := range n {
		product.Set(i, i, product.At(i, i)+1)
	}
	d.projection = product
}

// Coef returns α with k(x)ᵀα = k'(x)ᵀβ for every new point x, where k(x) holds its
// kernel values against the n points and k'(x) = Pk(x) treats them as K' = PK treats
// those of the points themselves: what was learned with K' is an expansion in the
// original kernel. With [Shift], and where nothing was treated, α = β.
func (d *Definite) Coef(beta *mat.Dense) *mat.Dense {
	if d.projection == nil {
		return beta
	}
	n, m := beta.Dims()
	alpha := mat.NewDense(n, m, nil)
	level3.Implementation{}.Gemm(blas.NoTrans, blas.NoTrans, 1, d.projection.RawMatrix(), beta.RawMatrix(), 0, alpha.RawMatrix())
	return alpha
}
