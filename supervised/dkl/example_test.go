package dkl_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel/deep"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/dkl"
)

// A network learns that only the sum of two coordinates matters.
func ExampleLearn() {
	xs, y := data.MakeVectors(100, 2), mat.NewDense(100, 1, nil)
	for i := range 100 {
		xs.At(i)[0], xs.At(i)[1] = math.Mod(0.618*float64(i), 1), math.Mod(0.755*float64(i), 1)
		y.Set(i, 0, math.Sin(9*(xs.At(i)[0]+xs.At(i)[1])))
	}
	k, _ := vec.Parse("deep(of=rbf(sigma=0.5), widths=[4, 1], activation=tanh)")
	form, _ := vec.RadialSlope(vec.RBF{Sigma: 0.5})
	_, report, err := dkl.Learn(context.Background(), k.(deep.Kernel), gradients.Radial(form), xs, y, dkl.Options{Lambda: 1e-4})
	fmt.Println(report.Errors[report.Best] < report.Errors[0]/100, err)
	// Output: true <nil>
}
