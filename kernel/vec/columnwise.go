package vec

import (
	"fmt"
	"math"

	"example.org/mercer/kernel/construction"
)

// Kernels on vectors that look at every column by itself; see [construction.Columnwise].
// Exponentials of sums over columns are products over them. A kernel of a single column is a
// product of one factor, whatever it is a function of.

// ColumnTerms returns Πⱼ exp(−½ ((xⱼ−yⱼ)/σⱼ)²).
func (k RBF) ColumnTerms(dim int) ([]construction.ColumnTerm, error) {
	return product(k, k.widths(), dim, func(u float64) float64 { return math.Exp(-0.5 * u * u) })
}

// ColumnTerms returns Πⱼ exp(−|xⱼ−yⱼ|/σⱼ).
func (k Laplace1) ColumnTerms(dim int) ([]construction.ColumnTerm, error) {
	return product(k, k.widths(), dim, func(u float64) float64 { return math.Exp(-math.Abs(u)) })
}

// ColumnTerms returns Πⱼ exp(−(|xⱼ−yⱼ|/σⱼ)^p) for p = q.
func (k LaplacePQ) ColumnTerms(dim int) ([]construction.ColumnTerm, error) {
	if k.p() != k.q() {
		return single(k, dim)
	}
	return product(k, k.widths(), dim, func(u float64) float64 { return math.Exp(-math.Pow(math.Abs(u), k.p())) })
}

// ColumnTerms returns Πⱼ exp(−2 sin²(π(xⱼ−yⱼ)/p)/σ²).
func (k Periodic) ColumnTerms(dim int) ([]construction.ColumnTerm, error) {
	return overColumns(dim, false, alone(k)), nil
}

// ColumnTerms returns Πⱼ ρ^((xⱼ−yⱼ)²/2).
func (k Category) ColumnTerms(dim int) ([]construction.ColumnTerm, error) {
	return overColumns(dim, false, alone(k)), nil
}

// ColumnTerms returns the kernel itself on a single column.
func (k Laplace) ColumnTerms(dim int) ([]construction.ColumnTerm, error) { return single(k, dim) }

// ColumnTerms returns the kernel itself on a single column.
func (k Matern) ColumnTerms(dim int) ([]construction.ColumnTerm, error) { return single(k, dim) }

// ColumnTerms returns the kernel itself on a single column.
func (k RQ) ColumnTerms(dim int) ([]construction.ColumnTerm, error) { return single(k, dim) }

// ColumnTerms returns Σⱼ xⱼyⱼ.
func (k Linear) ColumnTerms(dim int) ([]construction.ColumnTerm, error) {
	return overColumns(dim, true, func(_ int, a, b float64) float64 { return a * b }), nil
}

// ColumnTerms returns the product, or for [Linear] the sum, over the columns.
func (k Incomplete) ColumnTerms(dim int) ([]construction.ColumnTerm, error) {
	return overColumns(dim, k.sums(), func(j int, a, b float64) float64 {
		v := k.column(j, a, b)
		if k.sums() {
			return v
		}
		return math.Exp(v)
	}), nil
}

// column returns the share of column j in the sum of [Incomplete.Eval].
func (k Incomplete) column(j int, a, b float64) float64 {
	switch {
	case a == a && b == b:
		return k.term(j, a, b)
	case a == a:
		return k.worth(j, a)
	case b == b:
		return k.worth(j, b)
	case k.sums() && k.Nan == Penalise:
		return 1
	}
	return 0
}

// ColumnTerms returns the terms of Of, with the columns that are chosen.
func (k Columns) ColumnTerms(dim int) ([]construction.ColumnTerm, error) {
	terms, err := construction.ColumnTerms(k.Of, len(k.Index))
	if err != nil {
		return nil, err
	}
	out := make([]construction.ColumnTerm, len(terms))
	for i, term := range terms {
		out[i] = term
		out[i].Factors = make([]construction.ColumnFactor, len(term.Factors))
		for f, factor := range term.Factors {
			out[i].Factors[f] = construction.ColumnFactor{Column: k.Index[factor.Column], Of: factor.Of}
		}
	}
	return out, nil
}

// product returns Πⱼ κ((xⱼ−yⱼ)/σⱼ).
func product(k Kernel, w widths, dim int, kappa func(u float64) float64) ([]construction.ColumnTerm, error) {
	if w.each != nil && len(w.each) != dim {
		return nil, fmt.Errorf("%s has %d widths (one per column) but the points have %d columns: give one width, or %d", k, len(w.each), dim, dim)
	}
	return overColumns(dim, false, func(j int, a, b float64) float64 { return kappa((a - b) / w.at(j)) }), nil
}

// single returns a kernel of one column as a product of one factor.
func single(k Kernel, dim int) ([]construction.ColumnTerm, error) {
	if dim != 1 {
		return nil, fmt.Errorf("%s of %d columns is a function of a distance over all of them, and no product of kernels of one column each", k, dim)
	}
	return overColumns(1, false, alone(k)), nil
}

// alone evaluates a kernel on the numbers of one column.
func alone(k Kernel) func(j int, a, b float64) float64 {
	return func(_ int, a, b float64) float64 { return k.Eval([]float64{a}, []float64{b}) }
}

// overColumns is a product or a sum over all columns.
func overColumns(dim int, additive bool, of func(j int, a, b float64) float64) []construction.ColumnTerm {
	term := construction.ColumnTerm{Weight: 1, Additive: additive, Factors: make([]construction.ColumnFactor, dim)}
	for j := range term.Factors {
		term.Factors[j] = construction.ColumnFactor{Column: j, Of: func(a, b float64) float64 { return of(j, a, b) }}
	}
	return []construction.ColumnTerm{term}
}
