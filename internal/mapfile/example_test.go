package mapfile_test

import (
	"fmt"

	"example.org/mercer/internal/mapfile"
)

// Numbers read the bytes that other numbers are.
func Example() {
	bytes := mapfile.Bytes([]float64{1, 2.5})
	fmt.Println(len(bytes), mapfile.Numbers[float64](bytes))
	// Output: 16 [1 2.5]
}
