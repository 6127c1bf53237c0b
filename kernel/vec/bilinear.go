package vec

import (
	"fmt"
	"math"
	"math/big"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Bilinear is k(x, y) = xᵀAy with a symmetric A ⪰ 0, which [NewBilinear] checks.
//
// It is positive definite with the feature map φ(x) = Λ^½Uᵀx, where A = UΛUᵀ. For A =
// I it is [Linear]. The zero Bilinear is no kernel.
type Bilinear struct {
	member
	of *bilinear // shared: a Bilinear is immutable
}

type bilinear struct {
	d    int
	a    []float64 // row-major d×d
	rank int
	root []float64 // row-major rank×d: the rows √λᵢ uᵢᵀ with λᵢ > 0
}

// NewBilinear returns the kernel of the d×d matrix whose rows follow one another in
// a. It returns an error where a is not square, not finite, not symmetric, or has a
// negative eigenvalue, which the error names. Eigenvalues that are negative by
// rounding only, not below −d·2⁻⁵²·λmax, are taken as 0.
func NewBilinear(a []float64) (Bilinear, error) {
	d := int(math.Round(math.Sqrt(float64(len(a)))))
	if d == 0 || d*d != len(a) {
		return Bilinear{}, fmt.Errorf("bilinear: %d numbers are not a square matrix: give d·d of them, row after row", len(a))
	}
	for i := range d {
		for j := range d {
			v, mirror := a[i*d+j], a[j*d+i]
			if err := finiteNumber(fmt.Sprintf("bilinear: A[%d,%d]", i, j), v); err != nil {
				return Bilinear{}, err
			}
			if v != mirror {
				return Bilinear{}, fmt.Errorf("bilinear: A[%d,%d] = %s but A[%d,%d] = %s: A must be symmetric; (A+Aᵀ)/2 gives the same quadratic form", i, j, number(v), j, i, number(mirror))
			}
		}
	}
	b := &bilinear{d: d, a: append([]float64(nil), a...)}
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(d, append([]float64(nil), a...)), true) {
		return Bilinear{}, fmt.Errorf("bilinear: the eigenvalues of A could not be computed")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil) // ascending
	if low := values[0]; low < -float64(d)*0x1p-52*math.Max(-low, values[d-1]) {
		return Bilinear{}, fmt.Errorf("bilinear: A has the negative eigenvalue %s: xᵀAy is a kernel only for A ⪰ 0", number(low))
	}
	for i, v := range values {
		if v > 0 {
			b.rank++
			for j := range d {
				b.root = append(b.root, math.Sqrt(v)*vectors.At(j, i))
			}
		}
	}
	return Bilinear{of: b}, nil
}

// Eval returns xᵀAy, added so that exchanging x and y gives the same bits.
func (k Bilinear) Eval(x, y []float64) float64 {
	d, sum := k.of.d, 0.0
	for i := range d {
		sum += k.of.a[i*d+i] * float64(x[i]*y[i])
		for j := range i {
			sum += k.of.a[i*d+j] * (float64(x[i]*y[j]) + float64(x[j]*y[i]))
		}
	}
	return sum
}

// String returns bilinear(matrix=[…]), the rows of A one after another.
func (k Bilinear) String() string {
	text := list(k.of.a)
	if k.of.d == 1 {
		text = "[" + text + "]"
	}
	return "bilinear(matrix=" + text + ")"
}

// Contains refuses points whose number of coordinates is not that of the matrix.
func (k Bilinear) Contains(x []float64) error {
	if len(x) != k.of.d {
		return fmt.Errorf("bilinear has a %d×%d matrix but the point has %d coordinates: select %d columns, or give a matrix of %d×%d", k.of.d, k.of.d, len(x), k.of.d, len(x), len(x))
	}
	return finite(x)
}

func (k Bilinear) emit(c *compiler) { c.transformed(k.of.root, k.of.rank) }

// Features returns the rank of A.
func (k Bilinear) Features([]float64) (int, bool) { return k.of.rank, true }

// Map stores φ(x) = Λ^½Uᵀx.
func (k Bilinear) Map(phi, x []float64) { data.LinearImage(phi, k.of.root, x) }

// EvalBig returns k(x, y) to prec bits.
func (k Bilinear) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		sum := c.Of(0)
		for i := range x {
			for j := range y {
				sum = c.Add(sum, c.Mul(c.Of(k.of.a[i*k.of.d+j]), c.Mul(c.Of(x[i]), c.Of(y[j]))))
			}
		}
		return sum
	})
}

// Derive gives the feature map.
func (k Bilinear) Derive() kernel.Derivation {
	return proof(k, "A = UΛUᵀ has no negative eigenvalue, so xᵀAy = ⟨Λ^½Uᵀx, Λ^½Uᵀy⟩")
}

// Reference describes the kernel.
func (k Bilinear) Reference() kernel.Reference {
	return kernel.Reference{
		Name: "bilinear", Title: "bilinear form", Formula: "xᵀAy", Domain: fmt.Sprintf("x, y ∈ ℝ^%d; A = Aᵀ ⪰ 0", k.of.d),
		Equivalents: []string{fmt.Sprintf("φ(x) = Λ^½Uᵀx with %d features, A = UΛUᵀ", k.of.rank)},
		Source:      "Shawe-Taylor & Cristianini, Kernel Methods for Pattern Analysis (2004), section 3.4.1",
		SeeAlso:     []string{"linear"},
	}
}
