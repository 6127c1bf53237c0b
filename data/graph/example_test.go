package graph_test

import (
	"fmt"

	"example.org/mercer/data/graph"
)

// A triangle with a tail, and its neighbours.
func ExampleGraph_Adjacency() {
	g, err := graph.New("triangle", false, []string{"a", "b", "c", "d"}, []graph.Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 0}, {From: 2, To: 3}}, nil)
	if err != nil {
		panic(err)
	}
	adj := g.Adjacency(false)
	for i, id := range g.IDs {
		fmt.Print(id, ":")
		for _, j := range adj.Node[adj.Start[i]:adj.Start[i+1]] {
			fmt.Print(" ", g.IDs[j])
		}
		fmt.Println()
	}
	// Output:
	// a: b c
	// b: a c
	// c: a b d
	// d: c
}
