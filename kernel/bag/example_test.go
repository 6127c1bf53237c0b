package bag_test

import (
	"fmt"

	"example.org/mercer/kernel/bag"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
)

// Two clouds of points are compared by the inner product of their mean maps.
func Example() {
	k, err := expr.ParseKernel("mean(of=rbf(sigma=1))", bag.Dictionary(vec.Dictionary(vec.Schema{})))
	if err != nil {
		panic(err)
	}
	x, y := [][]float64{{0, 0}, {1, 0}}, [][]float64{{0, 0}}
	fmt.Printf("%.4f %.4f\n", k.Eval(x, y), k.Eval(y, y))
	// Output: 0.8033 1.0000
}
