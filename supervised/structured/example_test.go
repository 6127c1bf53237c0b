package structured_test

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/structured"
)

// Which of three labels belong to a number: those of the waves that are positive there.
func ExampleFit() {
	xs, ys := data.MakeVectors(80, 1), make([][]bool, 80)
	for i := range ys {
		x := float64(i) / 10
		xs.At(i)[0] = x
		ys[i] = []bool{math.Sin(x) > 0, math.Cos(x) > 0, math.Sin(2*x) > 0}
	}
	ctx := context.Background()
	out := structured.LabelSetF1{Labels: 3}
	theta, report, err := structured.Fit(ctx, vec.RBF{Sigma: 0.5}, xs, ys, out, structured.Options{Lambda: 1e-4, LOO: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	sets, err := structured.Predict(ctx, theta, out, data.Slice[[]float64]{{0.75}, {2.35}}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sets, report.Dim, *report.LOOLoss < 0.1)
	// Output:
	// [[true true true] [true false false]] 10 true
}

// parity is a user's own output: numbers from 0 to 9, where an answer of the wrong parity
// costs ten and one that is merely wrong costs one.
type parity struct{}

func (parity) Dim() int { return 10 }

func (parity) Embed(dst []float64, z int) error {
	if z < 0 || z > 9 {
		return fmt.Errorf("%d is not a digit", z)
	}
	for y := range dst {
		dst[y] = parity{}.Loss(y, z)
	}
	return nil
}

func (parity) Decode(theta []float64) int {
	best := 0
	for y, cost := range theta {
		if cost < theta[best] {
			best = y
		}
	}
	return best
}

func (parity) Loss(y, z int) float64 {
	switch {
	case y == z:
		return 0
	case y%2 == z%2:
		return 1
	}
	return 10
}

// A loss and a decoder of one's own.
func ExampleOutput() {
	xs, ys := data.Slice[[]float64]{{0}, {1}, {2}, {3}, {4}}, []int{2, 2, 7, 4, 4}
	ctx := context.Background()
	theta, _, err := structured.Fit(ctx, vec.RBF{Sigma: 2}, xs, ys, parity{}, structured.Options{Lambda: 0.3})
	if err != nil {
		fmt.Println(err)
		return
	}
	digits, err := structured.Predict(ctx, theta, parity{}, xs, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(digits)
	// Output:
	// [2 2 2 4 4]
}
