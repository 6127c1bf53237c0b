package kfda_test

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram/design"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/space"
	"example.org/mercer/supervised/kfda"
)

// Two rings around a disc: no line tells them apart, the discriminant in the feature
// space of a Gaussian kernel does.
func ExampleFit() {
	xs, y := data.MakeVectors(90, 2), make([]int, 90)
	for i := range y {
		y[i] = i % 3
		radius, angle := float64(y[i])+0.2*math.Sin(float64(7*i)), float64(i)
		xs.At(i)[0], xs.At(i)[1] = radius*math.Cos(angle), radius*math.Sin(angle)
	}
	ctx := context.Background()
	f, report, err := kfda.Fit(ctx, vec.RBF{Sigma: 1}, xs, y, kfda.Options{Lambda: 1e-3})
	if err != nil {
		fmt.Println(err)
		return
	}
	values, err := f.Predict(ctx, data.Slice[[]float64]{{0.1, 0}, {-0.8, 0.6}, {1.4, -1.4}}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d directions, accuracy %.2f, classes %v\n", f.Outputs(), report.Accuracy, report.Decision.Classes(values))
	// Output:
	// 2 directions, accuracy 1.00, classes [0 1 2]
}

func ExampleFitBarycentres() {
	xs := data.Slice[[]float64]{{1, 1}, {1, 2}, {1, 3}, {2, 2}}
	ctx := context.Background()
	f, report, err := kfda.FitBarycentres(ctx, vec.Linear{}, xs, []int{0, 0, 1, 1}, kfda.BarycentreOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	values, err := f.Predict(ctx, data.Slice[[]float64]{{0, 0}}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("‖m‖² = %.2f, d² to the classes: %.2f %.2f\n", report.Norm2, -2*values.At(0, 0), -2*values.At(0, 1))
	// Output:
	// ‖m‖² = [3.25 8.50], d² to the classes: 3.25 8.50
}

// A linear kernel has as many features as there are columns: the discriminant of a thousand rows
// takes a system of order two.
func ExampleSolve() {
	const n = 1000
	xs, y := data.MakeVectors(n, 2), make([]int, n)
	for i := range y {
		y[i] = i % 2
		xs.At(i)[0], xs.At(i)[1] = float64(y[i])+math.Sin(float64(3*i)), math.Cos(float64(7*i))
	}
	ctx := context.Background()
	phi, _ := design.Of(vec.Linear{}, xs)
	features, err := space.NewPrimal(ctx, phi, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	direction, report, err := kfda.Solve(ctx, features, y, kfda.Options{Lambda: 1e-3})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("accuracy %.2f, weights %.2f and %.2f\n", report.Accuracy, direction.Coef.At(0, 0), direction.Coef.At(1, 0))
	// Output:
	// accuracy 0.68, weights 1.41 and 0.00
}
