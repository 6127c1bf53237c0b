package tabular_test

import (
	"os"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data/prep"
	"example.org/mercer/outcome"
	"example.org/mercer/outcome/tabular"
)

// Two predicted prices with bounds.
func Example() {
	p := &outcome.Prediction{
		Rows: &prep.Prepared{Rows: []int{0, 1}}, Values: mat.NewDense(2, 1, []float64{120, 80.5}),
		Outputs: []string{"price"}, Targets: []prep.Target{{Name: "price"}}, Decision: outcome.Decision{Outputs: []string{"price"}},
	}
	header, lines := tabular.Tabulate(p, &tabular.Additions{Lower: []float64{100, 70}, Upper: []float64{140, 91}})
	if err := tabular.WriteCSV(os.Stdout, header, lines); err != nil {
		panic(err)
	}
	// Output:
	// row,price,price lower,price upper
	// 1,120,100,140
	// 2,80.5,70,91
}
