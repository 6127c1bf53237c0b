package sckn_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/filters"
	"example.org/mercer/data"
	"example.org/mercer/kernel/ckn"
	"example.org/mercer/supervised/sckn"
)

// Images of 4×4 pixels have a bright pixel left or right of a brighter one, anywhere: two filters
// that have seen no target cannot tell as well as two that have.
func ExampleLearn() {
	xs, y := data.MakeVectors(120, 16), mat.NewDense(120, 1, nil)
	for i := range 120 {
		at, turn := i%3+4*(i/3%4), i/12%2
		xs.At(i)[at+turn], xs.At(i)[at+1-turn] = 1, 2
		y.Set(i, 0, float64(2*turn-1))
	}
	k, _ := ckn.New(ckn.Options{Shape: [3]int{4, 4, 1}, Layers: []ckn.Layer{{Patch: 2, Pool: 4, Sigma: 0.6}}})
	start, _ := filters.Learn(context.Background(), k, xs, filters.Options{Filters: []int{2}})
	_, report, err := sckn.Learn(context.Background(), start, xs, y, sckn.Options{Rate: 0.1})
	fmt.Println(report.Errors[report.Best] < 0.8*report.Errors[0], err)
	// Output: true <nil>
}
