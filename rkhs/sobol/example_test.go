package sobol_test

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs/sobol"
)

// A function that bends in the first column most.
func ExampleOf() {
	k, _ := vec.Parse("anova(of=centred(of=rbf(sigma=1)), degree=2)")
	xs, _ := data.NewVectors(2, 2, []float64{2, 0, -2, 0.5})
	got, err := sobol.Of(context.Background(), k, xs, []float64{1, -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("first %.2f, total %.2f, together %.2f\n", got.First, got.Total, got.Pairs[0][1])
	// Output: first [0.85 0.13], total [0.87 0.15], together 0.02
}
