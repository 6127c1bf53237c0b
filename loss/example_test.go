package loss_test

import (
	"fmt"

	"example.org/mercer/loss"
)

func ExampleParse() {
	l, err := loss.Parse("huber(k=1.5, scale=2)")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l, l.Value(0, 1), l.Value(0, 10), l.Gradient(0, 10))
	// Output:
	// huber(k=1.5, scale=2) 0.5 25.5 3
}
