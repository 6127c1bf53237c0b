package prep

import (
	"strings"
	"testing"
)

// TestRawColumns: named columns keep their numbers, the others are standardised, also in
// a table that comes later.
func TestRawColumns(t *testing.T) {
	tab := table("age hist1 hist2 y", "20 3 0 1", "40 5 2 2", "60 1 7 3")
	p, got := fit(t, tab, Spec{Targets: []string{"y"}, Raw: []string{"hist*"}})
	for i, want := range [][]float64{{3, 0}, {5, 2}, {1, 7}} {
		if x := got.X.At(i); x[1] != want[0] || x[2] != want[1] {
			t.Errorf("row %d: raw columns are %v, want %v", i, x[1:], want)
		}
	}
	if got.X.At(0)[0] >= 0 || got.X.At(1)[0] != 0 {
		t.Errorf("age is not standardised: %v", got.X.Raw())
	}
	if s := p.String(); s != "standardise 1 column; take 2 columns raw" {
		t.Errorf("the steps are called %q", s)
	}
	later, err := p.Apply(table("age hist1 hist2 y", "50 9 8 4"))
	if err != nil || later.X.At(0)[1] != 9 || later.X.At(0)[2] != 8 {
		t.Errorf("later: %v, %v", later, err)
	}
	if _, _, err := Fit(tab, Spec{Targets: []string{"y"}, Raw: []string{"hust*", "ege"}}); err == nil || !strings.Contains(err.Error(), "hust*") || !strings.Contains(err.Error(), `did you mean "age"`) {
		t.Errorf("columns that are not there: %v", err)
	}
}
