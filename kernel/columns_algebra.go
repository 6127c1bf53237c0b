package kernel

import (
	"fmt"

	"example.org/mercer/kernel/construction"
)

// How the algebra makes the terms of a kernel over columns from those of its parts; see
// [construction.Columnwise].

// ColumnTerms returns those of all terms.
func (k Sum[T]) ColumnTerms(dim int) ([]construction.ColumnTerm, error) {
	var all []construction.ColumnTerm
	for _, term := range k.Terms {
		terms, err := construction.ColumnTerms(term, dim)
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
		terms, err := construction.ColumnTerms(factor, dim)
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
