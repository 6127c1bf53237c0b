package parquet_test

import (
	"bytes"
	"context"
	"fmt"

	pq "github.com/parquet-go/parquet-go"

	"example.org/mercer/data/parquet"
)

func ExampleRead() {
	type home struct {
		Price float64 `parquet:"price"`
		Town  string  `parquet:"town"`
	}
	var file bytes.Buffer
	if err := pq.Write(&file, []home{{120.5, "Ulm"}, {99, "Ulm"}, {101, "Graz"}}); err != nil {
		fmt.Println(err)
		return
	}
	t, err := parquet.Read(context.Background(), "homes.parquet", bytes.NewReader(file.Bytes()), int64(file.Len()), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range t.Columns {
		fmt.Println(c.Name, c.Kind, c.Numbers, c.Strings)
	}
	// Output:
	// price numeric [120.5 99 101] []
	// town categorical [] [Ulm Ulm Graz]
}
