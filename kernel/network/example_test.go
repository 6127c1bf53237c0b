package network_test

import (
	"fmt"
	"math"

	"example.org/mercer/kernel/network"
)

// The deeper a network, the more alike it finds points that make a right angle.
func ExampleNetwork_Value() {
	for _, depth := range []int{1, 2, 4, 8} {
		n := network.Network{Activation: network.Rectifier, Depth: depth, Input: 0.5, Weight: 2}
		fmt.Printf("%.3f ", n.Value(math.Pi/2, 1, 1))
	}
	// Output: 0.318 0.494 0.681 0.834
}
