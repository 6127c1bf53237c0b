package record_test

import (
	"fmt"

	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/record"
	"example.org/mercer/kernel/seq"
	"example.org/mercer/kernel/vec"
)

// Rows with an age and a sequence are compared in both.
func Example() {
	sequences := record.Of("sequence", seq.Dictionary(), func(cell string) (string, error) { return cell, nil })
	schema := record.Schema{
		Numbers: vec.Schema{Names: []string{"age"}},
		Slots:   []record.Slot{{Column: "dna", Language: "sequence"}},
	}
	dictionary, err := record.Dictionary(schema, sequences)
	if err != nil {
		panic(err)
	}
	k, err := expr.ParseKernel("rbf(sigma=10)[age] * spectrum(k=2)[dna]", dictionary)
	if err != nil {
		panic(err)
	}
	x := record.Record{Numbers: []float64{40}, Cells: []any{"ACGT"}}
	y := record.Record{Numbers: []float64{50}, Cells: []any{"ACGG"}}
	fmt.Printf("%.4f\n", k.Eval(x, y))
	// Output: 1.2131
}
