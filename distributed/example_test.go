package distributed_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/distributed"
	"example.org/mercer/task"
)

// A table of two shards becomes a task whose passes an engine makes.
func ExampleTable() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	var paths []string
	for name, text := range map[string]string{"a.csv": "x,y\n1,2\n2,3\n", "b.csv": "x,y\n3,5\n"} {
		paths = append(paths, filepath.Join(folder, name))
		if err := os.WriteFile(paths[len(paths)-1], []byte(text), 0o600); err != nil {
			panic(err)
		}
	}
	ctx := context.Background()
	shards, err := open.CompileShards(ctx, "a.csv and b.csv", paths, "", open.Options{})
	if err != nil {
		panic(err)
	}
	store := distributed.Folder(filepath.Join(folder, "staging"))
	table := &distributed.Table{Blocks: shards, Shards: shards.Shards, Store: store, Engine: distributed.Local{Store: store}}
	t, err := task.New(ctx, table, prep.Spec{Targets: []string{"y"}}, "linear()")
	if err != nil {
		panic(err)
	}
	rows, features, outputs := t.Dims()
	fmt.Println(rows, features, outputs)
	// Output: 3 1 1
}
