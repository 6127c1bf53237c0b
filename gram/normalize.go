package gram

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Normalize replaces kᵢⱼ by kᵢⱼ/√(kᵢᵢkⱼⱼ) in place, the cosine of the angle of two
// points in feature space; the diagonal becomes exactly 1. It is an error, and k is
// unchanged, if an element of the diagonal is not positive: that point has no
// direction.
func Normalize(k *mat.SymDense) error {
	n := k.SymmetricDim()
	diag := make([]float64, n)
	for i := range diag {
		diag[i] = k.At(i, i)
	}
	scale, err := inverseNorms(diag, "row")
	if err != nil {
		return err
	}
	for i := range n {
		k.SetSym(i, i, 1)
		for j := i + 1; j < n; j++ {
			k.SetSym(i, j, k.At(i, j)*(scale[i]*scale[j]))
		}
	}
	return nil
}

// NormalizeCross replaces k(zᵢ, xⱼ) by k(zᵢ, xⱼ)/√(k(zᵢ, zᵢ)k(xⱼ, xⱼ)) in place, for the
// given diagonals of the row points and of the column points.
func NormalizeCross(k *mat.Dense, rowDiag, colDiag []float64) error {
	rows, cols := k.Dims()
	if len(rowDiag) != rows || len(colDiag) != cols {
		return fmt.Errorf("gram: a %d×%d matrix cannot be normalised with diagonals of length %d and %d", rows, cols, len(rowDiag), len(colDiag))
	}
	left, err := inverseNorms(rowDiag, "row")
	if err != nil {
		return err
	}
	right, err := inverseNorms(colDiag, "column")
	if err != nil {
		return err
	}
	for i := range rows {
		row := k.RawRowView(i)
		for j := range row {
			row[j] *= left[i] * right[j]
		}
	}
	return nil
}

// inverseNorms returns 1/√d for every element of a diagonal.
func inverseNorms(diag []float64, what string) ([]float64, error) {
	out := make([]float64, len(diag))
	for i, d := range diag {
		if !(d > 0) || math.IsInf(d, 0) {
			return nil, fmt.Errorf("gram: %s %d cannot be normalised: k(x, x) = %v, and only a positive number is the square of a norm", what, i, d)
		}
		out[i] = 1 / math.Sqrt(d)
	}
	return out, nil
}
