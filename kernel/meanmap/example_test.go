package meanmap_test

import (
	"fmt"
	"math"

	"example.org/mercer/kernel/meanmap"
)

// The wider a kernel is beside the law, the more of each point lies in the direction of the mean.
func ExampleShare_At() {
	for _, width := range []float64{0.5, 1, 4} {
		fmt.Printf("%.3f ", math.Exp(meanmap.Gaussian(width).At(0)))
	}
	// Output: 0.775 0.931 0.999
}
