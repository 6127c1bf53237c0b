package metric_test

import (
	"fmt"

	"example.org/mercer/metric"
)

func Example() {
	truth, predicted := []int{0, 0, 0, 1}, []int{0, 0, 1, 1}
	c := metric.Confusion(truth, predicted, 2, nil)
	fmt.Println(c, metric.Accuracy(c))
	fmt.Printf("%.4f\n", metric.Balanced(c))
	// Output:
	// [[2 1] [0 1]] 0.75
	// 0.8333
}
