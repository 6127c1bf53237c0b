package ckn_test

import (
	"fmt"

	"example.org/mercer/kernel/ckn"
)

// A square that moves by a pixel stays nearer to itself than to a bar of as many pixels.
func Example() {
	k, err := ckn.New(ckn.Options{Shape: [3]int{8, 8, 1}, Layers: []ckn.Layer{{Patch: 3, Pool: 4, Sigma: 0.5}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	drawn := func(pixels ...int) []float64 {
		x := make([]float64, 64)
		for _, p := range pixels {
			x[p] = 1
		}
		return x
	}
	square, moved, bar := drawn(18, 19, 26, 27), drawn(19, 20, 27, 28), drawn(18, 19, 20, 21)
	fmt.Println(k)
	fmt.Println(k.Eval(square, moved) > k.Eval(square, bar))
	// Output:
	// ckn(shape=[8, 8, 1], patch=3, pool=4, sigma=0.5)
	// true
}
