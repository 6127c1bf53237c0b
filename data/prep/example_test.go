package prep_test

import (
	"encoding/json"
	"fmt"
	"log"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
)

// The steps are learned once, stored, and applied to a later table whose columns
// stand in another order.
func Example() {
	train := &data.Table{Source: "train.csv", Headed: true, Columns: []data.Column{
		{Name: "age", Kind: data.Numeric, Numbers: []float64{30, 40, 50}},
		{Name: "color", Kind: data.Categorical, Strings: []string{"red", "blue", "red"}},
		{Name: "price", Kind: data.Numeric, Numbers: []float64{1, 2, 3}},
	}}
	pipeline, _, err := prep.Fit(train, prep.Spec{Targets: []string{"price"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pipeline)

	stored, err := json.Marshal(pipeline)
	if err != nil {
		log.Fatal(err)
	}
	var loaded prep.Pipeline
	if err := json.Unmarshal(stored, &loaded); err != nil {
		log.Fatal(err)
	}
	later := &data.Table{Source: "new.csv", Headed: true, Columns: []data.Column{
		{Name: "color", Kind: data.Categorical, Strings: []string{"blue", "pink"}},
		{Name: "age", Kind: data.Numeric, Numbers: []float64{40, 50}},
	}}
	prepared, err := loaded.Apply(later)
	if err != nil {
		log.Fatal(err)
	}
	names, _ := loaded.Features()
	fmt.Println(names)
	for i := range prepared.X.Len() {
		fmt.Printf("%.3f\n", prepared.X.At(i))
	}
	fmt.Println(prepared.Notes)
	// Output:
	// standardise 1 column; one-hot color (2 levels)
	// [age color=blue color=red]
	// [0.000 1.000 0.000]
	// [1.225 0.000 0.000]
	// [new.csv: row 2, column 1 (color): level "pink" was not seen in training and counts as none of the 2 levels (the first of 1 such cell)]
}
