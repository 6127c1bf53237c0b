package open_test

import (
	"context"
	"fmt"
	"strings"

	"example.org/mercer/data/open"
)

func ExampleRead() {
	for _, text := range []string{
		"price,rooms\n120.5,3\n99,2\n",
		"1 1:0.5 3:2\n-1 2:1\n",
	} {
		t, err := open.Read(context.Background(), "-", open.Options{Stdin: strings.NewReader(text)})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d rows, target %q\n", t.Rows(), t.Target)
		for _, c := range t.Columns {
			fmt.Println(" ", c.Name, c.Kind, c.Numbers)
		}
	}
	// Output:
	// 2 rows, target ""
	//   price numeric [120.5 99]
	//   rooms numeric [3 2]
	// 2 rows, target "label"
	//   label numeric [1 -1]
	//   f1 numeric [0.5 0]
	//   f2 numeric [0 1]
	//   f3 numeric [2 0]
}
