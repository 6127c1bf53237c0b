package width_test

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/kernel/width"
)

// The word median is replaced by the median distance between the points.
func ExampleFill() {
	xs, _ := data.NewVectors(3, 1, []float64{0, 3, 7})
	n, _ := expr.Parse("rbf(sigma=median) + 2*laplace1(sigma=?)")
	n, err := width.Fill(context.Background(), n, xs, vec.Schema{})
	fmt.Println(n, err)
	// Output: rbf(sigma=4) + 2*laplace1(sigma=?) <nil>
}
