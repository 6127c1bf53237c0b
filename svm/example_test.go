package svm_test

import (
	"context"
	"fmt"
	"math"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel/vec"
	"mercer/svm"
)

// Two rings, one inside of the other, which no line separates.
func ExampleFit() {
	var xs data.Slice[[]float64]
	var y []int
	for i := range 40 {
		radius, angle := float64(1+i%2), float64(i)
		xs, y = append(xs, []float64{radius * math.Cos(angle), radius * math.Sin(angle)}), append(y, i%2)
	}
	f, report, err := svm.Fit(context.Background(), vec.RBF{}, xs, y, svm.Options{C: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	values, err := f.Predict(context.Background(), data.Slice[[]float64]{{0.2, 0.1}, {-1.5, 1.4}}, gram.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("classes %v, converged %v, gap below 1%%: %v\n", report.Decision.Classes(values), report.Converged,
		report.Machines[0].Gap < -0.01*report.Machines[0].Objective)
	// Output: classes [0 1], converged true, gap below 1%: true
}
