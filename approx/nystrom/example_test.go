package nystrom_test

import (
	"context"
	"fmt"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
)

// Points on a line: few landmarks leave a thousandth of the trace.
func ExampleLandmarks() {
	xs := data.MakeVectors(200, 1)
	for i := range 200 {
		xs.At(i)[0] = float64(i) / 20
	}
	k, err := vec.Parse("rbf(sigma=2)")
	if err != nil {
		panic(err)
	}
	s, report, err := nystrom.Landmarks(context.Background(), k, xs, nystrom.Options{Scheme: nystrom.Greedy, Tolerance: 1e-3})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d of %d rows, the first %d; they leave less than 0.001: %v\n", s.Points.Len(), xs.Len(), s.Rows[0], report.TraceError <= 1e-3)
	// Output: 8 of 200 rows, the first 0; they leave less than 0.001: true
}
