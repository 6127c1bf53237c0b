package xlsx_test

import (
	"context"
	"fmt"
	"os"

	"example.org/mercer/data/csv"
	"example.org/mercer/data/xlsx"
)

func ExampleRead() {
	f, err := os.Open("testdata/book.xlsx")
	if err != nil {
		panic(err)
	}
	defer f.Close()
	t, err := xlsx.Read(context.Background(), "book.xlsx", f, "first", csv.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(t.Rows(), "rows,", t.Columns[3].Name, t.Columns[3].Strings)
	// Output: 3 rows, day [2024-03-01 2024-03-02 ]
}
