package prep_test

import (
	"encoding/json"
	"slices"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
)

// TestForget: levels and labels of no remaining row lose their names, the others keep their places.
func TestForget(t *testing.T) {
	table := &data.Table{Source: "t", Headed: true, Columns: []data.Column{
		{Name: "colour", Kind: data.Categorical, Strings: []string{"amber", "blue", "cyan", "blue", "blue"}},
		{Name: "size", Numbers: []float64{1, 2, 3, 4, 5}},
		{Name: "kind", Kind: data.Categorical, Strings: []string{"a", "b", "c", "b", "c"}},
	}}
	p, rows, err := prep.Fit(table, prep.Spec{Targets: []string{"kind"}})
	if err != nil {
		t.Fatal(err)
	}
	stay := []int{1, 3, 4}
	q := p.Forget(rows.X.Gather(stay), dense(rows.Y, stay))
	text, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	var again prep.Pipeline
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	names, _ := again.Features()
	if want := []string{"colour=(forgotten 1)", "colour=blue", "colour=(forgotten 3)", "size"}; !slices.Equal(names, want) {
		t.Errorf("features %q, want %q", names, want)
	}
	if want := []string{"kind=(forgotten 1)", "kind=b", "kind=c"}; !slices.Equal(again.Outputs(), want) {
		t.Errorf("outputs %q, want %q", again.Outputs(), want)
	}
	if label := again.Targets()[0].Decode([]float64{5, -1, -0.5}); label != "c" {
		t.Errorf("a forgotten label wins: %q", label)
	}
	after, err := again.ApplyInputs(table)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(after.X.At(1), rows.X.At(1)) || after.X.At(0)[0] != 0 || after.X.At(0)[1] != 0 {
		t.Errorf("rows are %v and %v, were %v and %v", after.X.At(0), after.X.At(1), rows.X.At(0), rows.X.At(1))
	}
	if same := p.Forget(rows.X, rows.Y); !slices.Equal(same.Outputs(), p.Outputs()) {
		t.Errorf("outputs %q after nothing was forgotten", same.Outputs())
	}
}
