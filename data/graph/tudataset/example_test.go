package tudataset_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"example.org/mercer/data/graph/tudataset"
)

// A data set of one graph: an edge between two nodes with labels.
func ExampleRead() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"A": "1, 2\n2, 1\n", "graph_indicator": "1\n1\n", "graph_labels": "1\n", "node_labels": "6\n8\n"} {
		if err := os.WriteFile(filepath.Join(dir, "DS_"+name+".txt"), []byte(text), 0o644); err != nil {
			panic(err)
		}
	}
	table, err := tudataset.Read(context.Background(), dir, nil)
	if err != nil {
		panic(err)
	}
	for _, c := range table.Columns {
		fmt.Println(c.Name, c.Strings[0])
	}
	// Output:
	// id 1
	// graph {"nodes":2,"edges":[[0,1]],"node":{"label":["6","8"]}}
	// class 1
}
