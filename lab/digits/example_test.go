package digits_test

import (
	"fmt"
	"math/rand/v2"

	"example.org/mercer/lab/digits"
)

func ExampleDraw() {
	image := digits.Draw(rand.New(rand.NewPCG(1, 2)), 7)
	for i := 0; i < digits.Side; i += 2 {
		for j := range digits.Side {
			if image[i*digits.Side+j] > 0 {
				fmt.Print("#")
			} else {
				fmt.Print(".")
			}
		}
		fmt.Println()
	}
	// Output:
	// ................
	// ................
	// .....#######....
	// .........###....
	// .........###....
	// .........###....
	// .........###....
	// ................
}
