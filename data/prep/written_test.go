package prep_test

import (
	"math"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
)

// A prepared row goes back to the cells that it was made of.
func TestWritten(t *testing.T) {
	table := &data.Table{Source: "t", Headed: true, Columns: []data.Column{
		{Name: "kind", Kind: data.Categorical, Strings: []string{"a", "b=c", "a"}},
		{Name: "size", Numbers: []float64{0.1, 8, 1e-7}},
		{Name: "gone", Numbers: []float64{5, math.NaN(), 6}, Missing: []bool{false, true, false}},
	}}
	p, rows, err := prep.Fit(table, prep.Spec{NoTarget: true, Missing: prep.Indicator})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]string{{"a", "0.1", "5"}, {"b=c", "8", ""}, {"a", "1e-07", "6"}} {
		for j, w := range p.Written(rows.X.At(i)) {
			if w.Cell != want[j] || w.Column != table.Columns[j].Name {
				t.Errorf("row %d: %s %q, want %q", i, w.Column, w.Cell, want[j])
			}
			if number := j > 0 && want[j] != ""; number != (w.Number == w.Number) {
				t.Errorf("row %d: the number of %s is %v", i, w.Column, w.Number)
			}
		}
	}
	other := &data.Table{Source: "u", Headed: true, Columns: []data.Column{{Name: "kind", Kind: data.Categorical, Strings: []string{"z"}},
		{Name: "size", Numbers: []float64{3}}, {Name: "gone", Numbers: []float64{1}}}}
	more, err := p.ApplyInputs(other)
	if err != nil {
		t.Fatal(err)
	}
	if w := p.Written(more.X.At(0))[0]; w.Cell != "(unseen)" {
		t.Errorf("a level that training did not see is %q", w.Cell)
	}
}
