package vec_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

var schema = vec.Schema{
	Names:  []string{"age", "color=red", "color=blue", "hist1", "hist2", "hist/last", "3"},
	Groups: []string{"age", "color", "color", "hist1", "hist2", "hist/last", "3"},
}

func TestIndices(t *testing.T) {
	for _, c := range []struct {
		patterns string
		want     []int
	}{
		{"age", []int{0}},
		{"color", []int{1, 2}},
		{"color=blue", []int{2}},
		{"hist*", []int{3, 4, 5}},
		{"hist?", []int{3, 4}},
		{"hist[2-9]", []int{4}},
		{"*", []int{0, 1, 2, 3, 4, 5, 6}},
		{"3", []int{6}}, // a name comes before a number
		{"4", []int{4}},
		{"hist2 hist*", []int{4, 3, 5}},
		{"age age", []int{0}},
	} {
		got, err := schema.Indices(strings.Fields(c.patterns))
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Indices(%s) = %v, %v; want %v", c.patterns, got, err, c.want)
		}
	}
	if got, err := (vec.Schema{}).Indices([]string{"7", "0"}); err != nil || !slices.Equal(got, []int{7, 0}) {
		t.Errorf("without names: %v, %v", got, err)
	}
}

func TestIndicesRefuses(t *testing.T) {
	for pattern, want := range map[string]string{
		"agee":  `unknown column "agee"; did you mean age?`,
		"price": "the columns are age, color, hist1, hist2, hist/last, 3",
		"zip*":  `no column matches the pattern "zip*"`,
		"7":     "there is no column 7: columns are counted from 0 to 6",
		"-1":    "there is no column -1",
		"[a":    "malformed",
	} {
		if got, err := schema.Indices([]string{pattern}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Indices(%s) = %v, %v; want %s", pattern, got, err, want)
		}
	}
	if _, err := schema.Indices(nil); err == nil {
		t.Error("an empty selection was accepted")
	}
	if _, err := (vec.Schema{}).Indices([]string{"a*"}); err == nil {
		t.Error("a pattern without names was accepted")
	}
}

func FuzzIndices(f *testing.F) {
	for _, p := range []string{"age", "hist*", "[a-", "\\", "*?[", "-1", "99999999999999999999"} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		index, err := schema.Indices([]string{pattern})
		if (err == nil) != (len(index) > 0) {
			t.Errorf("Indices(%q) = %v, %v", pattern, index, err)
		}
		for _, j := range index {
			if j < 0 || j >= len(schema.Names) {
				t.Errorf("Indices(%q) = %v", pattern, index)
			}
		}
	})
}

func TestColumnsByName(t *testing.T) {
	k, err := vec.ParseWith("rbf(sigma=[2,3])[hist1,age] + linear()[color]", schema)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := k.String(), "rbf(sigma=[2, 3])[hist1,age] + linear()[color]"; strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("String() = %s, want %s", got, want)
	}
	x, y := []float64{1, 2, 3, 4, 5, 6, 7}, []float64{2, 1, 1, 0, 0, 0, 0}
	// hist1 differs by 4 and age by 1; colours are (2,3) and (1,1).
	want := vec.RBF{Widths: []float64{2, 3}}.Eval([]float64{4, 1}, []float64{0, 2}) + 5
	testkit.Close(t, "k", k.Eval(x, y), want, 0)
	var names []string
	for _, p := range k.(kernel.Tunable[[]float64]).Parameters() {
		names = append(names, p.Name)
	}
	if got := fmt.Sprint(names); got != "[sigma[hist1] sigma[age]]" {
		t.Errorf("parameters %s", got)
	}
}

// Columns within columns count in the outer selection, compiled or not.
func TestNestedColumns(t *testing.T) {
	rng := testkit.Rand(t, 40)
	xs := cloud(rng, 9, 4, 0)
	inner := vec.Columns{Of: vec.RBF{}, Index: []int{1, 0}}
	k := vec.Columns{Of: inner, Index: []int{3, 1, 0}}
	want := vec.Columns{Of: vec.RBF{}, Index: []int{1, 3}}
	got := full(kernel.Bind(k, xs, xs), 9, 9)
	slow := full(k.Bind(xs, xs), 4, 5)
	for i := range 9 {
		for j := range 9 {
			testkit.Close(t, "compiled", got.Row(i)[j], want.Eval(xs.At(i), xs.At(j)), 1e-15)
			testkit.Close(t, "projected", slow.Row(i)[j], want.Eval(xs.At(i), xs.At(j)), 1e-15)
		}
	}
}

func TestDomains(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"rbf(sigma=1)", "coordinate 2 (counted from 1) is NaN"},
		{"rbf(sigma=[1,2,3])", "rbf has 3 widths (one per column) but the point has 2 coordinates"},
		{"bilinear(matrix=[1])", "bilinear has a 1×1 matrix but the point has 2 coordinates"},
		{"gcd", "gcd is a kernel on one number but the point has 2 coordinates: select a column"},
		{"rbf(sigma=1)[5]", "column 5 (counted from 0) is selected but the point has 2 coordinates"},
		{"gcd[0]", "coordinate 1 (counted from 1) is 0.5: this kernel needs whole numbers from 1"},
		{"(1+min)[0]*geometric[0]", "geometric needs −1 < x < 1"},
		{"min", "is NaN"},
	} {
		x := []float64{0.5, math.NaN()}
		if c.text == "(1+min)[0]*geometric[0]" {
			x = []float64{1, 0}
		}
		if err := kernel.Contains(parse(t, c.text), x); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s at %v: %v, want %s", c.text, x, err, c.want)
		}
	}
	for _, c := range []struct {
		text string
		bad  float64
	}{{"min", -1}, {"minmax", -1}, {"gcd", 0}, {"gcdlcm", 1.5}, {"gcd", 0x1p54}, {"geometric", 1}, {"geometric", -1}, {"geometric_min", 1}, {"geometric_min", -0.1}} {
		if err := kernel.Contains(parse(t, c.text), []float64{c.bad}); err == nil {
			t.Errorf("%s contains %v", c.text, c.bad)
		}
	}
}
