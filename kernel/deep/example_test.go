package deep_test

import (
	"fmt"

	"example.org/mercer/kernel/deep"
	"example.org/mercer/kernel/vec"
)

// A network of one unit that adds its two inputs, before a Gaussian kernel.
func Example() {
	k, err := deep.NewKernel(vec.RBF{Sigma: 1}, []int{1}, deep.SiLU, []float64{1, 1, 0}, 0)
	fmt.Println(k, err)
	fmt.Println(k.Eval([]float64{1, 2}, []float64{2, 1}))
	// Output:
	// deep(of=rbf(sigma=1), widths=[1], activation=silu, weights=[1, 1, 0]) <nil>
	// 1
}
