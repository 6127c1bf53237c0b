package learner

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
)

// occupied returns the clusters with mass, whose functions are kept: another one is never
// the nearest.
func occupied(masses []float64) []int {
	var keep []int
	for j, m := range masses {
		if m > 0 {
			keep = append(keep, j)
		}
	}
	return keep
}

// columnsOf gathers columns of a matrix.
func columnsOf(a *mat.Dense, columns []int) *mat.Dense {
	n, m := a.Dims()
	if len(columns) == m {
		return a
	}
	out := mat.NewDense(n, len(columns), nil)
	for to, from := range columns {
		out.SetCol(to, mat.Col(nil, from, a))
	}
	return out
}

// repeated returns the operator of a Gram matrix for many products, stored where it and the
// bytes beside fit.
func repeated(ctx context.Context, k gram.Operator, beside int64, o compute.Options) (gram.Symmetric, string, error) {
	switch k := k.(type) {
	case *gram.Stream:
		return gram.CachedOperator(ctx, k.Pairs(), beside, o)
	case gram.Symmetric:
		return k, "", nil
	}
	return nil, "", fmt.Errorf("learner: the elements of %T cannot be read", k)
}
