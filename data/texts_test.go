package data_test

import (
	"fmt"
	"strings"
	"testing"

	"example.org/mercer/data"
)

func TestTextsKind(t *testing.T) {
	for _, tc := range []struct {
		name         string
		rows, levels int
		kind         data.Kind
		why          string
	}{
		{"all different", 5, 5, data.Text, "it has 5 distinct values in 5 rows"},
		{"one repeats", 6, 5, data.Categorical, "it has 5 distinct values in 6 rows"},
		{"a few in many rows", 21, 20, data.Categorical, "it has 20 distinct values in 21 rows"},
		{"too many for the rows", 209, 21, data.Text, "it has 21 distinct values in 209 rows"},
		{"enough rows each", 210, 21, data.Categorical, "it has 21 distinct values in 210 rows"},
		{"the most", 10000, 1000, data.Categorical, "it has 1000 distinct values in 10000 rows"},
		{"one too many", 20000, 1001, data.Text, "it has more than 1000 distinct values in 20000 rows"},
		{"far too many", 60000, 5000, data.Text, "it has more than 1000 distinct values in 60000 rows"},
	} {
		var plain, holed data.Texts
		var missing []bool
		for i := range tc.rows {
			cell := fmt.Appendf(nil, "level %d", i%tc.levels)
			plain.Add(cell)
			holed.Add(cell)
			holed.Add([]byte("?"))
			missing = append(missing, false, true)
		}
		if kind, why := plain.Kind(nil); kind != tc.kind || why != tc.why {
			t.Errorf("%s: %v because %s; want %v because %s", tc.name, kind, why, tc.kind, tc.why)
		}
		if kind, why := holed.Kind(missing); kind != tc.kind || why != tc.why {
			t.Errorf("%s, every other cell missing: %v because %s; want %v because %s", tc.name, kind, why, tc.kind, tc.why)
		}
		for i, cell := range plain.Cells() {
			if want := fmt.Sprintf("level %d", i%tc.levels); cell != want {
				t.Fatalf("%s: cell %d is %q, want %q", tc.name, i, cell, want)
			}
		}
	}
}

func TestTextsLong(t *testing.T) {
	for n, want := range map[int]data.Kind{100: data.Categorical, 101: data.Text} {
		var x data.Texts
		x.Add([]byte(strings.Repeat("a", n)))
		x.Add([]byte(strings.Repeat("a", n)))
		if kind, why := x.Kind(nil); kind != want {
			t.Errorf("%d bytes: %v because %s, want %v", n, kind, why, want)
		}
	}
}
