package csv_test

import (
	"context"
	"fmt"
	"strings"

	"example.org/mercer/data/csv"
)

func ExampleRead() {
	text := "price; rooms; town\n" +
		"120.5; 3; Ulm\n" +
		"99;    2; Ulm\n" +
		"NA;    4; Graz\n"
	t, err := csv.Read(context.Background(), "homes.csv", strings.NewReader(text), csv.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range t.Columns {
		fmt.Println(c.Name, c.Kind, c.Numbers, c.Strings)
	}
	fmt.Println("missing:", t.Where(2, 0))

	_, err = csv.Read(context.Background(), "homes.csv", strings.NewReader(text+"12;5\n"), csv.Options{})
	fmt.Println(err)
	// Output:
	// price numeric [120.5 99 NaN] []
	// rooms numeric [3 2 4] []
	// town categorical [] [Ulm Ulm Graz]
	// missing: homes.csv: line 4, column 1 (price)
	// homes.csv: line 5: has 2 cells where line 1 has 3; a cell may be missing, or hold a line end without being quoted
}
