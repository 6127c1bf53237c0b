package erm_test

import (
	"context"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/loss"
	"example.org/mercer/supervised/erm"
)

// A line with three wrong numbers.
func line() (data.Vectors, []float64) {
	xs, y := data.MakeVectors(21, 1), make([]float64, 21)
	for i := range y {
		xs.At(i)[0] = float64(i)
		y[i] = 1 + 2*float64(i) + 0.1*float64(i%3-1)
	}
	y[3], y[17], y[20] = 300, 500, 400
	return xs, y
}

func ExampleFit() {
	xs, y := line()
	ctx := context.Background()
	for _, l := range []loss.Loss{loss.Squared{}, loss.Huber{}, loss.Tukey{}} {
		f, report, err := erm.Fit(ctx, vec.Linear{}, xs, y, l, erm.Options{Lambda: 1e-6})
		if err != nil {
			fmt.Println(err)
			return
		}
		at, err := f.Predict(ctx, data.Slice[[]float64]{{0}, {10}}, compute.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s, scale %.2f: f(0) = %.1f, f(10) = %.1f\n", l, report.Scale, at.At(0, 0), at.At(1, 0))
	}
	// Output:
	// squared, scale 0.00: f(0) = -8.1, f(10) = 74.2
	// huber(k=1.345), scale 0.13: f(0) = 1.0, f(10) = 21.0
	// tukey(c=4.685), scale 0.10: f(0) = 1.0, f(10) = 21.0
}

// Three quantiles, in order at every point.
func ExampleFitQuantiles() {
	xs, y := line()
	ctx := context.Background()
	f, _, err := erm.FitQuantiles(ctx, vec.Linear{}, xs, y, []float64{0.25, 0.5, 0.75}, erm.Options{Lambda: 1e-6})
	if err != nil {
		fmt.Println(err)
		return
	}
	at, err := f.Predict(ctx, data.Slice[[]float64]{{10}}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	erm.Rearrange(at)
	fmt.Printf("%.2f\n", at.RawRowView(0))
	// Output:
	// [20.90 21.00 21.10]
}
