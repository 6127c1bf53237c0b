package expr_test

import (
	"fmt"

	"example.org/mercer/kernel/expr"
)

// Free parameters are filled before the kernel is built.
func Example() {
	n, err := expr.Parse("2*gauss(sigma=?)[age] + dot[hist*]^2")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range n.Placeholders() {
		fmt.Println(p.Kernel, p.Argument, p.Word, p.Columns)
	}
	n = n.Fill(func(expr.Placeholder) []float64 { return []float64{0.25} })
	k, err := expr.Build(n, toy())
	fmt.Println(k, err)
	// Output:
	// gauss sigma ? [age]
	// 2*gauss(sigma=0.25)[age] + dot[hist*]^2 <nil>
}

func ExampleBuild_errors() {
	for _, text := range []string{"dot + gaus(sigma=1)", "gauss(gama=1)", "dot - 1", "(dot"} {
		_, err := expr.ParseKernel(text, toy())
		fmt.Println(err)
	}
	// Output:
	// kernel "dot + gaus(sigma=1)": column 7: unknown kernel "gaus"; did you mean gauss?
	// kernel "gauss(gama=1)": column 7: gauss has no argument "gama"; did you mean gamma?
	// kernel "dot - 1": column 5: "-" leaves the positive definite kernels: the difference of two kernels is in general not one; sums, products, powers and non-negative factors are
	// kernel "(dot": column 1: "(" is never closed
}
