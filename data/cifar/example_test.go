package cifar_test

import (
	"bytes"
	"context"
	"fmt"

	"example.org/mercer/data/cifar"
)

func ExampleRead() {
	file := append([]byte{7}, make([]byte, 3072)...) // a black image of the label 7
	t, err := cifar.Read(context.Background(), "black.bin", bytes.NewReader(file), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(t.Rows(), "image with the label", t.Columns[0].Strings[0], "and", len(t.Columns)-1, "numbers")
	// Output: 1 image with the label 7 and 3072 numbers
}
