package spelling_test

import (
	"fmt"

	"example.org/mercer/internal/spelling"
)

func Example() {
	fmt.Println(spelling.Near("gausian", []string{"linear", "gaussian", "laplace"}))
	// Output: [gaussian]
}
