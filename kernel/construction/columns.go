package construction

import "fmt"

// Columnwise are the kernels on vectors of dim columns that are sums of products of kernels of one
// column each, or of sums over columns: the Gaussian is exp(−½ Σⱼ (xⱼ−yⱼ)²/σⱼ²) =
// Πⱼ exp(−½ (xⱼ−yⱼ)²/σⱼ²). The error says why a kernel is none. The algebra of kernels, which has
// the method always, derives the terms of a compound kernel from those of its parts.
type Columnwise interface {
	ColumnTerms(dim int) ([]ColumnTerm, error)
}

// ColumnTerms returns the terms of a kernel that is [Columnwise].
func ColumnTerms(k fmt.Stringer, dim int) ([]ColumnTerm, error) {
	if c, ok := k.(Columnwise); ok {
		return c.ColumnTerms(dim)
	}
	return nil, fmt.Errorf("%s is no product of kernels of one column each", k)
}

// ColumnTerm is one term of a kernel on vectors that looks at every column by itself:
//
//	c·Π_f k_f(x_{j(f)}, y_{j(f)}),   or, of an Additive term,   c·Σ_f k_f(x_{j(f)}, y_{j(f)}),
//
// over its factors f, of which several may look at the same column j. A product of no factors is 1.
type ColumnTerm struct {
	Weight   float64 // c
	Additive bool
	Factors  []ColumnFactor
}

// ColumnFactor is a kernel on the numbers of one column.
type ColumnFactor struct {
	Column int // j, counted from 0
	Of     func(a, b float64) float64
}

// mostColumnTerms is how many terms the product of sums may be multiplied out to.
const mostColumnTerms = 1000

// ColumnProduct multiplies sums of terms out: (s + t)·u = s·u + t·u. Products by products are
// products, and an additive term can only be multiplied by numbers.
func ColumnProduct(factors [][]ColumnTerm) ([]ColumnTerm, error) {
	product := []ColumnTerm{{Weight: 1}}
	for _, sum := range factors {
		if len(product)*len(sum) > mostColumnTerms {
			return nil, fmt.Errorf("multiplied out it has more than %d terms: write it with fewer sums as factors", mostColumnTerms)
		}
		var next []ColumnTerm
		for _, left := range product {
			for _, right := range sum {
				if (left.Additive || right.Additive) && len(left.Factors)*len(right.Factors) > 0 {
					return nil, fmt.Errorf("a sum over columns, such as linear(), is multiplied by another kernel, which makes it neither a sum nor a product over columns: add it instead")
				}
				next = append(next, ColumnTerm{Weight: left.Weight * right.Weight, Additive: left.Additive || right.Additive,
					Factors: append(left.Factors[:len(left.Factors):len(left.Factors)], right.Factors...)})
			}
		}
		product = next
	}
	return product, nil
}

// Orthogonal are kernels Σ_s w_s·e_s(k₀(x₁, y₁), …, k₀(x_d, y_d)) whose k₀ has the mean 0 under a
// law of the columns, which are independent in it. The terms of their functions, one for each set
// of columns, are orthogonal. The error says why a kernel is none.
type Orthogonal interface {
	OrthogonalTerms(dim int) (OrthogonalTerms, error)
}

// OrthogonalTerms are the w_s and the inner products E k₀(a, z)k₀(b, z) under the law.
type OrthogonalTerms struct {
	Weights []float64
	Overlap func(a, b float64) float64
}
