package passtest_test

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/pass"
	"example.org/mercer/pass/passtest"
)

// 600 rows are three blocks: one pass reads three runs.
func Example() {
	xs := passtest.NewRows(data.MakeVectors(600, 2))
	err := pass.Each(context.Background(), xs, 1, 1, func(_, _, b int, rows data.Vectors) {
		fmt.Println("block", b, "of", rows.Len())
	})
	fmt.Println(xs.Reads(), "reads", err)
	// Output:
	// block 0 of 256
	// block 1 of 256
	// block 2 of 88
	// 3 reads <nil>
}
