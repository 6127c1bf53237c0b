package prep_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
)

// floors is a table with a number of three values, one of two, and one of six.
func floors() *data.Table {
	return &data.Table{Source: "t", Headed: true, Columns: []data.Column{
		{Name: "floors", Numbers: []float64{1, 2, 10, 2, 1, 2}},
		{Name: "lift", Numbers: []float64{0, 1, 1, 0, 1, 0}},
		{Name: "size", Numbers: []float64{11, 12, 13, 14, 15, 16.5}},
	}}
}

// TestNumbersOfFewValues: a feature for each of three to Levels values stands behind that of the
// number, which is as without.
func TestNumbersOfFewValues(t *testing.T) {
	without, plain, err := prep.Fit(floors(), prep.Spec{NoTarget: true})
	if err != nil {
		t.Fatal(err)
	}
	p, rows, err := prep.Fit(floors(), prep.Spec{NoTarget: true, Levels: 5})
	if err != nil {
		t.Fatal(err)
	}
	names, groups := p.Features()
	if want := []string{"floors", "floors=1", "floors=10", "floors=2", "lift", "size"}; !slices.Equal(names, want) {
		t.Fatalf("features %q, want %q", names, want)
	}
	if want := []string{"floors", "floors", "floors", "floors", "lift", "size"}; !slices.Equal(groups, want) {
		t.Errorf("groups %q", groups)
	}
	for i := range 6 {
		x, y := rows.X.At(i), plain.X.At(i)
		if x[0] != y[0] || x[4] != y[1] || x[5] != y[2] {
			t.Errorf("row %d: numbers %v, without levels %v", i+1, x, y)
		}
		for at, value := range []float64{1, 10, 2} {
			if is := floors().Columns[0].Numbers[i] == value; (x[1+at] == 1) != is || x[1+at] != 0 && x[1+at] != 1 {
				t.Errorf("row %d: feature of %v is %v", i+1, value, x[1+at])
			}
		}
	}
	if text := p.String(); !strings.Contains(text, "floors (3 values)") || strings.Contains(without.String(), "values") {
		t.Errorf("steps %q", text)
	}
	if number, ok := p.Original(0, rows.X.At(2)[0]); !ok || math.Abs(number-10) > 1e-12 {
		t.Errorf("the number is %v, %v", number, ok)
	}
	if _, ok := p.Original(1, 1); ok || p.Plain() {
		t.Error("a level is taken for a number of the table")
	}
}

// TestLevelsOfNewRows: a value that training did not see has no level, a missing one its mark.
func TestLevelsOfNewRows(t *testing.T) {
	table := floors()
	table.Columns[0].Missing = make([]bool, 6)
	table.Columns[0].Missing[5] = true
	p, _, err := prep.Fit(table, prep.Spec{NoTarget: true, Levels: 3, Missing: prep.Indicator})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var again prep.Pipeline
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	after := &data.Table{Source: "t", Headed: true, Columns: []data.Column{
		{Name: "floors", Numbers: []float64{10, 3, 0}, Missing: []bool{false, false, true}}, {Name: "lift", Numbers: []float64{0, 0, 0}}, {Name: "size", Numbers: []float64{11, 11, 11}}}}
	rows, err := again.ApplyInputs(after)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]float64{{0, 1, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}} {
		if got := rows.X.At(i)[1:5]; !slices.Equal(got, want) {
			t.Errorf("row %d: %v, want %v", i+1, got, want)
		}
	}
	if x := rows.X.At(2)[0]; math.Abs(x) > 1e-15 { // the mean, to rounding
		t.Errorf("a missing number is %v, not the mean", x)
	}
}

// TestForgetValues: a value that only forgotten rows had loses its name.
func TestForgetValues(t *testing.T) {
	p, rows, err := prep.Fit(floors(), prep.Spec{NoTarget: true, Levels: 3})
	if err != nil {
		t.Fatal(err)
	}
	names, _ := p.Forget(rows.X.Gather([]int{0, 1, 3}), nil).Features()
	if want := []string{"floors", "floors=1", "floors=(forgotten 2)", "floors=2", "lift", "size"}; !slices.Equal(names, want) {
		t.Errorf("features %q, want %q", names, want)
	}
}

// TestLevelsRefused: fewer than none.
func TestLevelsRefused(t *testing.T) {
	if _, _, err := prep.Fit(floors(), prep.Spec{NoTarget: true, Levels: -1}); err == nil || !strings.Contains(err.Error(), "-1 levels") {
		t.Errorf("error %v", err)
	}
}
