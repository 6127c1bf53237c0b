package calibrate_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/outcome/calibrate"
)

// Decision values of rows that a classifier did not learn from, and their classes, give
// a map to probabilities. At 0, where the decision changes, it is ½.
func Example() {
	f := mat.NewDense(8, 1, []float64{-2, -1.2, -0.7, 0.4, -0.3, 0.9, 1.5, 2.2})
	class := []int{0, 0, 0, 0, 1, 1, 1, 1}
	m, err := calibrate.Fit(calibrate.Platt, f, calibrate.Two(), class, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := make([]float64, 2)
	for _, v := range []float64{-1, 0, 2} {
		label := 0
		if v >= 0 {
			label = 1
		}
		m.Probabilities(p, []float64{v}, label)
		fmt.Printf("f = %2g: label %d, p = %.3f\n", v, label, p)
	}
	// Output:
	// f = -1: label 0, p = [0.725 0.275]
	// f =  0: label 1, p = [0.500 0.500]
	// f =  2: label 1, p = [0.160 0.840]
}
