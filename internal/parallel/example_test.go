package parallel_test

import (
	"context"
	"fmt"

	"example.org/mercer/internal/parallel"
)

// Partial sums are added up in the order of the pieces: the same bits for any number of workers.
func Example() {
	sum, err := parallel.Sum(context.Background(), 4, 10, func(worker, i int) float64 { return 1 / float64(i+1) })
	fmt.Printf("%.6f %v\n", sum, err)
	// Output: 2.928968 <nil>
}
