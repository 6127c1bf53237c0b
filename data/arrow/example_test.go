package arrow_test

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"example.org/mercer/data/arrow"
)

func ExampleRead() {
	b, err := os.ReadFile("testdata/zstd.feather")
	if err != nil {
		panic(err)
	}
	t, err := arrow.Read(context.Background(), "zstd.feather", bytes.NewReader(b), int64(len(b)), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(t.Rows(), "rows,", t.Columns[4].Name, t.Columns[4].Strings)
	// Output: 4 rows, kind [a b a ]
}
