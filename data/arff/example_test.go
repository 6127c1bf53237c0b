package arff_test

import (
	"context"
	"fmt"
	"strings"

	"example.org/mercer/data/arff"
)

func ExampleRead() {
	file := "@relation r\n@attribute age numeric\n@attribute kind {a, b}\n@data\n31, a\n?, b\n"
	t, err := arff.Read(context.Background(), "r.arff", strings.NewReader(file), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(t.Rows(), t.Columns[0].Numbers, t.Columns[1].Strings)
	// Output: 2 [31 NaN] [a b]
}
