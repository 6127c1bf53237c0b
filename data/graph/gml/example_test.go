package gml_test

import (
	"context"
	"fmt"
	"strings"

	"example.org/mercer/data/graph/gml"
)

func ExampleRead() {
	file := strings.NewReader(`graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]`)
	graphs, err := gml.Read(context.Background(), "pair.gml", file, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(graphs[0].IDs, graphs[0].Edges)
	// Output: [1 2] [{0 1}]
}
