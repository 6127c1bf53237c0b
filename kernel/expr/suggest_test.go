package expr_test

import (
	"testing"

	"example.org/mercer/kernel/expr"
)

func TestSuggest(t *testing.T) {
	known := []string{"rbf", "laplace", "laplace1", "Air.Flow", "größe"}
	for _, c := range []struct{ wrong, want string }{
		{"rbff", "rbf"},
		{"rfb", "rbf"}, // a swap is one change
		{"RBF", "rbf"},
		{"laplcae", "laplace"},
		{"laplace2", "laplace"},
		{"air.flow", "Air.Flow"},
		{"grosse", ""}, // three changes are too many for six characters
		{"größ", "größe"},
		{"poly", ""},
		{"", ""},
	} {
		want := ""
		if c.want != "" {
			want = "; did you mean " + c.want + "?"
		}
		if got := expr.Suggest(c.wrong, known); got != want {
			t.Errorf("Suggest(%q) is %q, want %q", c.wrong, got, want)
		}
	}
}
