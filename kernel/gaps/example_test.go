package gaps_test

import (
	"fmt"
	"math"

	"example.org/mercer/kernel/gaps"
)

// A gap is filled by 0 for the pairs that go the fast way, and remembered.
func ExampleCompleted() {
	fmt.Println(gaps.Completed([]float64{1, math.NaN(), 3}))
	// Output: [1 0 3] true
}
