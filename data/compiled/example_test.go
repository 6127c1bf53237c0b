package compiled_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/data/compiled"
)

// A table of three rows in two blocks.
func Example() {
	var file bytes.Buffer
	w := compiled.NewWriter(&file)
	block := func(lines []int, x []float64, kind []string) {
		columns := []*data.Column{{Name: "x", Numbers: x}, {Name: "kind", Kind: data.Text, Strings: kind}}
		if err := w.Block(len(lines), lines, slices.Values(columns)); err != nil {
			fmt.Println(err)
		}
	}
	block([]int{2, 3}, []float64{1.5, 2}, []string{"left", "right"})
	block([]int{5}, []float64{-1}, []string{"left"})
	schema := &data.Table{Source: "table.csv", Headed: true, Columns: []data.Column{{Name: "x"}, {Name: "kind", Kind: data.Categorical}}}
	if err := w.Close(compiled.Origin{}, schema, nil, true); err != nil {
		fmt.Println(err)
	}

	folder, err := os.MkdirTemp("", "compiled")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "table")
	if err := os.WriteFile(path, file.Bytes(), 0o666); err != nil {
		fmt.Println(err)
	}
	t, err := compiled.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer t.Close()
	last, err := t.Block(1, nil)
	fmt.Println(t.Starts(), last.Columns[0].Numbers, last.Columns[1].Strings, last.Where(0, 1), err)
	// Output: [0 2 3] [-1] [left] table.csv: line 5, column 2 (kind) <nil>
}
