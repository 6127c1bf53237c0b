package visual_test

import (
	"fmt"

	"example.org/mercer/kernel/vec"
)

// Two words of single pixels, dark and bright: images are compared by how many pixels are which,
// wherever they are.
func Example() {
	k, err := vec.Parse("words(shape=[2, 2, 1], input=raw, reduce=1, patch=1, size=2, dictionary=[0, 1])")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(k.Eval([]float64{0, 0, 9, 9}, []float64{9, 9, 0, 0}))
	fmt.Println(k.Eval([]float64{0, 0, 0, 9}, []float64{9, 9, 9, 0}))
	// Output:
	// 1
	// 0.5
}
