package rkhs_test

import (
	"context"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs"
)

// The distance of 1.9 to the set {2, 3}, that is to the mean of φ(2) and φ(3), in the space
// of a narrow Gaussian: the mean is the image of no point.
func ExampleFunction() {
	k, ctx := vec.RBF{Sigma: 0.2}, context.Background()
	mean, err := rkhs.Mean(k, data.Slice[[]float64]{{2}, {3}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, x := range []float64{1.9, 2, 2.5} {
		d2, err := rkhs.Section(k, []float64{x}).Distance2(ctx, mean, compute.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("d(%g, {2, 3})² = %.4f\n", x, d2)
	}
	// Output:
	// d(1.9, {2, 3})² = 0.6175
	// d(2, {2, 3})² = 0.5000
	// d(2.5, {2, 3})² = 1.4121
}

// Two samples with the same mean and different spread: a linear kernel cannot tell them
// apart, a Gaussian can.
func ExampleMMD() {
	xs, ys := data.MakeVectors(60, 1), data.MakeVectors(60, 1)
	for i := range 60 {
		x := float64(i)/59 - 0.5
		xs.At(i)[0], ys.At(i)[0] = x, 3*x
	}
	for _, text := range []string{"linear", "rbf(sigma=0.5)"} {
		k, err := vec.Parse(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		_, r, err := rkhs.MMD(context.Background(), k, xs, ys, rkhs.MMDOptions{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: p = %.3f\n", text, r.P)
	}
	// Output:
	// linear: p = 1.000
	// rbf(sigma=0.5): p = 0.001
}
