package onnx_test

import (
	"fmt"

	"example.org/mercer/kernel/vec"
	"example.org/mercer/onnx"
)

func ExampleGraph_Kernel() {
	k, err := vec.Parse("rbf(sigma=1)")
	if err != nil {
		panic(err)
	}
	plan, err := vec.Compile(k)
	if err != nil {
		panic(err)
	}
	g := onnx.New(onnx.Double)
	rows := g.Input(onnx.Port{Name: "rows", Type: g.Number(), Columns: 1})
	values, err := g.Kernel(plan, rows, onnx.Points{Count: 2, Dim: 1, Numbers: []float64{0, 1}})
	if err != nil {
		panic(err)
	}
	g.Output(values, onnx.Port{Name: "values", Type: g.Number(), Columns: 2})
	out, err := g.Run(map[string]onnx.Array{"rows": {Dims: []int{1, 1}, Float: []float64{1}}})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.4f\n", out["values"].Float)
	// Output: [0.6065 1.0000]
}
