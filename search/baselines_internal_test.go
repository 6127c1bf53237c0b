package search

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
)

// The leave-one-out error of the mean is that of leaving every row out, and a weight of 2 counts a
// row twice in the mean, but as one row that is left out.
func TestConstantLOO(t *testing.T) {
	y, ws := []float64{1, 4, 2, 8}, []float64{1, 2, 0.5, 1}
	total, squares, mean := 0.0, 0.0, 0.0
	for i, w := range ws {
		sum, others := 0.0, 0.0
		for j, v := range ws {
			if i != j {
				sum, others = sum+v*y[j], others+v
			}
		}
		d := y[i] - sum/others
		total, squares, mean = total+w, squares+w*d*d, mean+w*y[i]
	}
	mean /= total
	spread := 0.0
	for i, w := range ws {
		spread += w * (y[i] - mean) * (y[i] - mean)
	}
	score, r2 := constantLOO(mat.NewDense(4, 1, y), ws)
	testkit.Close(t, "score", score, squares/total, 1e-14)
	testkit.Close(t, "R²", r2, 1-squares/spread, 1e-14)
}
