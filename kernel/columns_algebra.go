package kernel

import (
	"fmt"

	"example.org/mercer/kernel/construction"
)

// Columnwise kernels on vectors of dim columns are sums of products of kernels of one column each,
// or of sums over columns: the Gaussian is exp(−½ Σⱼ (xⱼ−yⱼ)²/σⱼ²) = Πⱼ exp(−½ (xⱼ−yⱼ)²/σⱼ²).
// The error says why a kernel is none.
type Columnwise[T any] interface {
	Kernel[T]
	ColumnTerms(dim int) ([]construction.ColumnTerm, error)
}

// ColumnTerms returns the terms of a kernel that is [Columnwise].
func ColumnTerms[T any](k Kernel[T], dim int) ([]construction.ColumnTerm, error) {
	if c, ok := k.(Columnwise[T]); ok {
		return c.ColumnTerms(dim)
	}
	return nil, fmt.Errorf("%s is no product of kernels of one column each", k)
}

// ColumnTerms returns those of all terms.
func (k Sum[T]) ColumnTerms(dim int) ([]construction.ColumnTerm, error) {
	var all []construction.ColumnTerm
	for _, term := range k.Terms {
		terms, err := ColumnTerms(term, dim)
		if err != nil {
			return nil, err
		}
		all = append(all, terms...)
	}
	return all, nil
}

// ColumnTerms returns those of k with their weights times c.
func (k Scaled[T]) ColumnTerms(dim int) ([]construction.ColumnTerm, error) {
	return columnProduct(k, []Kernel[T]{Constant[T]{Value: k.Factor}, k.Of}, dim)
}

// ColumnTerms returns the empty product with the weight c.
func (k Constant[T]) ColumnTerms(int) ([]construction.ColumnTerm, error) {
	return []construction.ColumnTerm{{Weight: k.Value}}, nil
}

// ColumnTerms multiplies those of the factors out.
func (k Product[T]) ColumnTerms(dim int) ([]construction.ColumnTerm, error) {
	return columnProduct(k, k.Factors, dim)
}

// ColumnTerms are those of a product of p equal factors.
func (k Power[T]) ColumnTerms(dim int) ([]construction.ColumnTerm, error) {
	if k.Degree < 0 {
		return nil, fmt.Errorf("%s has a negative degree", k)
	}
	factors := make([]Kernel[T], k.Degree)
	for i := range factors {
		factors[i] = k.Of
	}
	return columnProduct(k, factors, dim)
}

// columnProduct returns the terms of a kernel that is the product of others.
func columnProduct[T any](k Kernel[T], factors []Kernel[T], dim int) ([]construction.ColumnTerm, error) {
	sums := make([][]construction.ColumnTerm, len(factors))
	for i, factor := range factors {
		terms, err := ColumnTerms(factor, dim)
		if err != nil {
			return nil, err
		}
		sums[i] = terms
	}
	terms, err := construction.ColumnProduct(sums)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k, err)
	}
	return terms, nil
}
