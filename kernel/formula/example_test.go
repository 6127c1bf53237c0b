package formula_test

import (
	"fmt"

	"example.org/mercer/kernel/formula"
)

func Example() {
	k, err := formula.New("exp(-abs(x - y)) * (1 + x*y)")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(k)
	fmt.Printf("%.6f\n", k.Eval([]float64{1}, []float64{2}))
	v, err := k.EvalBig([]float64{1}, []float64{2}, 120)
	fmt.Println(v.Text('f', 30), err)
	_, err = formula.New("exq(-x*y)")
	fmt.Println(err)
	// Output:
	// formula("exp(-abs(x - y)) * (1 + x*y)")
	// 1.103638
	// 1.103638323514326964786571310484 <nil>
	// kernel "exq(-x*y)": column 1: unknown function "exq"; did you mean exp?; functions are exp, log, log1p, log2, sqrt, abs, sin, cos, tan, tanh, asin, erf, floor, sign, pow, gcd, lcm, min, max, dot, sqdist, l1, norm, len
}
