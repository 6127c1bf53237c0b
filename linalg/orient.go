package linalg

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Orient multiplies columns by −1 so that the element of largest magnitude in each is
// positive: of ±v, which an eigenvector leaves open, one is chosen that does not depend
// on the algorithm. Where several magnitudes agree to 1e-8 relative the first of them
// decides, because rounding must not.
func Orient(vectors *mat.Dense) {
	rows, cols := vectors.Dims()
	for j := range cols {
		largest := 0.0
		for i := range rows {
			largest = math.Max(largest, math.Abs(vectors.At(i, j)))
		}
		if !decidedNegative(vectors.ColView(j), largest*(1-1e-8)) {
			continue
		}
		for i := range rows {
			vectors.Set(i, j, -vectors.At(i, j))
		}
	}
}

// decidedNegative reports whether the first element of magnitude bound or more is
// negative.
func decidedNegative(v mat.Vector, bound float64) bool {
	for i := range v.Len() {
		if x := v.AtVec(i); math.Abs(x) >= bound {
			return x < 0
		}
	}
	return false
}
