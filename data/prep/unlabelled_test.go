package prep

import (
	"math"
	"strings"
	"testing"
)

// Rows without a target stay, with NaN for their outputs; the labels are those of the others. Where
// they are not asked for they are refused, and so are rows of later tables.
func TestRowsWithoutATarget(t *testing.T) {
	for _, c := range []struct {
		rows   []string
		labels bool
		want   [][]float64
	}{
		{[]string{"1 a", "2 ?", "3 b", "4 a"}, true, [][]float64{{-1}, {math.NaN()}, {1}, {-1}}},
		{[]string{"1 a", "2 c", "3 b", "4 ?"}, true, [][]float64{{1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}, {math.NaN(), math.NaN(), math.NaN()}}},
		{[]string{"1 5", "2 ?", "3 6", "4 7.5"}, false, [][]float64{{5}, {math.NaN()}, {6}, {7.5}}},
	} {
		tab := table(append([]string{"x y"}, c.rows...)...)
		s := Spec{Targets: []string{"y"}, Labels: c.labels, Unlabelled: true}
		p, got := fit(t, tab, s)
		for i, want := range c.want {
			for j, v := range want {
				if y := got.Y.At(i, j); y != v && !(math.IsNaN(y) && math.IsNaN(v)) {
					t.Errorf("output %d of row %d of %q is %v, want %v", j, i, c.rows, y, v)
				}
			}
		}
		if _, err := p.Apply(tab); err == nil || !strings.Contains(err.Error(), "missing") {
			t.Errorf("a later table without some targets: %v", err)
		}
		s.Unlabelled = false
		if _, _, err := Fit(tab, s); err == nil || !strings.Contains(err.Error(), "missing") {
			t.Errorf("missing targets that nobody asked for: %v", err)
		}
	}
	_, dropped, err := Fit(table("x y", "1 5", "? 4", "3 ?", "4 2"), Spec{Targets: []string{"y"}, Unlabelled: true, Missing: DropRows})
	if err != nil || len(dropped.Rows) != 3 {
		t.Errorf("rows without a feature are left out, those without a target are not: %v, %v", dropped, err)
	}
}
