package prep_test

import (
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
)

// Features go back to the numbers of their column; levels and marks of missing cells are
// no numbers of the table.
func TestOriginal(t *testing.T) {
	table := &data.Table{Source: "t", Headed: true, Columns: []data.Column{
		{Name: "kind", Kind: data.Categorical, Strings: []string{"a", "b", "a"}},
		{Name: "size", Numbers: []float64{3, 8, 31}},
		{Name: "raw", Numbers: []float64{5, 7, 6}},
	}}
	p, rows, err := prep.Fit(table, prep.Spec{NoTarget: true, Raw: []string{"raw"}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		for j, want := range []float64{0, 0, table.Columns[1].Numbers[i], table.Columns[2].Numbers[i]} {
			got, ok := p.Original(j, rows.X.At(i)[j])
			if ok != (j > 1) {
				t.Fatalf("feature %d is a number: %v", j, ok)
			}
			if ok {
				testkit.Close(t, "number", got, want, 1e-14)
			}
		}
	}
	if _, ok := p.Original(4, 0); ok {
		t.Error("there is no fifth feature")
	}
}
