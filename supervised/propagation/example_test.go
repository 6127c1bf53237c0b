package propagation_test

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/propagation"
)

// Two groups of numbers, of which one in each has a label.
func ExampleFit() {
	xs := data.Slice[[]float64]{{0}, {0.5}, {1}, {4}, {4.5}, {5}}
	y := []int{0, -1, -1, -1, -1, 1}
	f, report, err := propagation.Fit(context.Background(), vec.RBF{Sigma: 0.7}, xs, y, propagation.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d of %d points have a label\n", report.Labelled, report.N)
	for i := range 6 {
		fmt.Printf("%.1f: %.2f\n", xs[i][0], f.Coef.At(i, 1))
	}
	// Output:
	// 2 of 6 points have a label
	// 0.0: 0.00
	// 0.5: 0.00
	// 1.0: 0.00
	// 4.0: 1.00
	// 4.5: 1.00
	// 5.0: 1.00
}
