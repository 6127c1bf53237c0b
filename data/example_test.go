package data_test

import (
	"fmt"

	"example.org/mercer/data"
)

func Example() {
	t := &data.Table{Source: "homes.csv", Lines: []int{2, 3}, Columns: []data.Column{
		{Name: "price", Kind: data.Numeric, Numbers: []float64{120.5, 99}},
		{Name: "zip", Kind: data.Numeric, Numbers: []float64{89073, 8010}},
	}}
	if err := t.ConvertKinds(map[string]data.Kind{"zip": data.Categorical}); err != nil {
		fmt.Println(err)
		return
	}
	zip, at := t.Column("zip")
	fmt.Printf("%s is %v: %q\n", t.Where(1, at), zip.Kind, zip.Strings[1])
	// Output: homes.csv: line 3, column 2 (zip) is categorical: "8010"
}
