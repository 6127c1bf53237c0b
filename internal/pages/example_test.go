package pages_test

import (
	"fmt"

	"example.org/mercer/internal/pages"
)

// A matrix of 16 MiB.
func Example() {
	k := pages.Make[float32](2048 * 2048)
	fmt.Println(len(k), k[0])
	// Output: 4194304 0
}
