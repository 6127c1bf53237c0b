package node_test

import (
	"fmt"

	"example.org/mercer/data/graph"
	"example.org/mercer/kernel/node"
)

// Heat on a path of four nodes: what reaches whom.
func Example() {
	g, err := graph.New("path", false, []string{"a", "b", "c", "d"}, []graph.Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 3}}, nil)
	if err != nil {
		panic(err)
	}
	n, err := node.NewNetwork("path", g)
	if err != nil {
		panic(err)
	}
	k, err := node.New(n, node.Diffusion{T: 1})
	if err != nil {
		panic(err)
	}
	for _, id := range g.IDs {
		fmt.Printf("%s %.3f\n", id, k.Eval("a", id))
	}
	// Output:
	// a 0.524
	// b 0.309
	// c 0.124
	// d 0.044
}
