package idfile_test

import (
	"fmt"
	"strings"

	"example.org/mercer/gram/idfile"
)

func Example() {
	rows, columns := idfile.Paths("K.npy")
	names, err := idfile.Read(strings.NewReader("first\nsecond\n"))
	fmt.Println(rows, columns, names, err)
	// Output: K.rows.txt K.cols.txt [first second] <nil>
}
