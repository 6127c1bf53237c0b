package kmeans

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
)

// Occupied returns the clusters with mass, whose functions are kept: another one is never
// the nearest.
func Occupied(masses []float64) []int {
	var keep []int
	for j, m := range masses {
		if m > 0 {
			keep = append(keep, j)
		}
	}
	return keep
}

// LinearFunctions returns weights and biases of linear functions of which that of the centre
// nearest to x is the largest. With m the mean of the centres,
//
//	f_j(x) = 2⟨x − m, c_j − m⟩ − ‖c_j − m‖² = ‖x − m‖² − ‖x − c_j‖²
//	       = 2⟨x, c_j − m⟩ − ⟨c_j + m, c_j − m⟩:
//
// about m, what is common to all centres is not in the numbers that are compared.
func LinearFunctions(centres data.Vectors) (w *mat.Dense, bias []float64) {
	k, d := centres.Len(), centres.Dim()
	mean := make([]float64, d)
	for j := range k {
		floats.AddScaled(mean, 1/float64(k), centres.At(j))
	}
	w, bias = mat.NewDense(d, k, nil), make([]float64, k)
	for j := range k {
		for c, v := range centres.At(j) {
			w.Set(c, j, 2*(v-mean[c]))
			bias[j] -= (v + mean[c]) * (v - mean[c])
		}
	}
	return w, bias
}

// FeatureFunctions returns weights and biases of the functions of centres c_j that
// [Solution.Coef] has of means of rows, f_j(x) = 2⟨φ(x), c_j⟩ − ‖c_j‖² = k(x, x) − ‖φ(x) −
// c_j‖².
func FeatureFunctions(centres data.Vectors) (w *mat.Dense, bias []float64) {
	k, m := centres.Len(), centres.Dim()
	w, bias = mat.NewDense(m, k, nil), make([]float64, k)
	for j := range k {
		c := centres.At(j)
		bias[j] = -floats.Dot(c, c)
		for i, v := range c {
			w.Set(i, j, 2*v)
		}
	}
	return w, bias
}
