package npy_test

import (
	"bytes"
	"context"
	"fmt"

	"example.org/mercer/data/npy"
)

func Example() {
	var file bytes.Buffer
	w, err := npy.NewWriter(&file, 2, 3, npy.Float64)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range [][]float64{{1, 2, 3}, {4, 5, 6}} {
		if err := w.Write(row); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}

	rows, cols, values, err := npy.ReadMatrix(context.Background(), "gram.npy", &file, nil)
	fmt.Println(rows, cols, values, err)
	// Output: 2 3 [1 2 3 4 5 6] <nil>
}
