package filters_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"example.org/mercer/approx/filters"
	"example.org/mercer/data"
	"example.org/mercer/kernel/ckn"
)

// Images of 8×8 pixels become vectors of 2·2·10 features.
func Example() {
	images, r := data.MakeVectors(50, 64), rand.New(rand.NewPCG(1, 1))
	for i := range images.Len() {
		for j := range images.At(i) {
			images.At(i)[j] = r.Float64()
		}
	}
	k, err := ckn.New(ckn.Options{Shape: [3]int{8, 8, 1}, Layers: []ckn.Layer{{Patch: 3, Pool: 4, Sigma: 0.6}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	net, err := filters.Learn(context.Background(), k, images, filters.Options{Filters: []int{10}})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := images.At(0), images.At(1)
	fmt.Println(net.Dim(), net.Eval(x, y) == net.Eval(y, x))
	// Output: 40 true
}
