package klr_test

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/klr"
)

// Points inside and outside a circle.
func ExampleFit() {
	xs, y := data.MakeVectors(60, 2), make([]int, 60)
	for i := range y {
		radius, angle := 0.1*float64(i%20), float64(i)
		xs.At(i)[0], xs.At(i)[1] = radius*math.Cos(angle), radius*math.Sin(angle)
		if radius > 1 {
			y[i] = 1
		}
	}
	ctx := context.Background()
	f, report, err := klr.Fit(ctx, vec.RBF{Sigma: 1}, xs, y, klr.Options{Lambda: 1e-4})
	if err != nil {
		fmt.Println(err)
		return
	}
	values, err := f.Predict(ctx, data.Slice[[]float64]{{0, 0}, {0.7, -0.7}, {-1.5, 1}}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("deviance %.1f of %.1f, accuracy %.2f\n", report.Deviance, report.NullDeviance, report.Accuracy)
	p := klr.Probabilities(values)
	for i, class := range klr.Classes(values) {
		fmt.Printf("class %d, P(outside) = %.3f\n", class, p.At(i, 1))
	}
	// Output:
	// deviance 4.3 of 82.6, accuracy 1.00
	// class 0, P(outside) = 0.000
	// class 0, P(outside) = 0.288
	// class 1, P(outside) = 1.000
}
