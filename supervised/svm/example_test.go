package svm_test

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/svm"
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
	values, err := f.Predict(context.Background(), data.Slice[[]float64]{{0.2, 0.1}, {-1.5, 1.4}}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("classes %v, converged %v, gap below 1%%: %v\n", report.Decision.Classes(values), report.Converged,
		report.Problems[0].Gap < -0.01*report.Problems[0].Objective)
	// Output: classes [0 1], converged true, gap below 1%: true
}

// How far the solution for one width is from the best for another, and on from there.
func ExampleFitFrom() {
	ctx, xs := context.Background(), data.MakeVectors(60, 1)
	y := make([]int, 60)
	for i := range y {
		xs.At(i)[0] = float64(i) / 10
		y[i] = i / 7 % 2
	}
	o := svm.Options{C: 10}
	f, r, err := svm.Fit(ctx, vec.RBF{Sigma: 0.5}, xs, y, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, better, err := svm.FitFrom(ctx, vec.RBF{Sigma: 0.4}, xs, y, svm.Start{Rows: r.Support, Coef: f.Coef}, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := better.Problems[0]
	fmt.Printf("converged %v, gap below a hundredth of that at the start: %v\n", m.Converged, m.Gap < m.StartGap/100)
	// Output: converged true, gap below a hundredth of that at the start: true
}
