package passestest_test

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/data/passes"
	"example.org/mercer/data/passes/passestest"
)

// 600 rows are three blocks: one pass reads three runs.
func Example() {
	xs := passestest.New(data.MakeVectors(600, 2))
	err := passes.Each(context.Background(), xs, 1, 1, func(_, _, b int, rows data.Vectors) {
		fmt.Println("block", b, "of", rows.Len())
	})
	fmt.Println(xs.Reads(), "reads", err)
	// Output:
	// block 0 of 256
	// block 1 of 256
	// block 2 of 88
	// 3 reads <nil>
}
