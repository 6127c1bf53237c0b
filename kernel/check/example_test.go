package check_test

import (
	"context"
	"fmt"

	"example.org/mercer/kernel/check"
	"example.org/mercer/kernel/formula"
)

// The maximum of two numbers is symmetric and looks harmless, but is no kernel.
func Example() {
	k, err := formula.New("max(x, y)")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := check.Run(context.Background(), k, check.Options{Domain: check.Positive()})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Verdict)
	fmt.Println("points", r.Witness.Points, "coefficients", r.Witness.Coefficients, "value", r.Witness.Exact)
	// Output:
	// not a kernel
	// points [[0] [1]] coefficients [1 -1] value -1
}
