package prep

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/data/prep/transform"
)

// TestTransformedTarget: a target becomes a function of it, here and in tables that come later, and
// what is taken back is the column.
func TestTransformedTarget(t *testing.T) {
	tab := table("x y", "1 10", "2 100", "3 1000", "4 1")
	p, got := fit(t, tab, Spec{Targets: []string{"y"}, Transform: "log"})
	if s := p.String(); s != "standardise 1 column; learn log(y)" {
		t.Errorf("the steps are called %q", s)
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	again := new(Pipeline)
	if err := json.Unmarshal(text, again); err != nil {
		t.Fatal(err)
	}
	later, err := again.Apply(tab)
	if err != nil || !mat.Equal(later.Y, got.Y) {
		t.Errorf("later: %v, %v", later, err)
	}
	for i, y := range []float64{10, 100, 1000, 1} {
		if z := got.Y.At(i, 0); z != math.Log(y) {
			t.Errorf("row %d is learned as %v, want ln %v", i, z, y)
		}
	}
	InUnits(p.Targets(), later.Y)
	for i, y := range []float64{10, 100, 1000, 1} {
		if back := later.Y.At(i, 0); math.Abs(back-y) > 1e-15*1000 {
			t.Errorf("row %d comes back as %v, want %v", i, back, y)
		}
	}
	if p.Plain() {
		t.Error("a pipeline with a function of the target is called plain")
	}
}

// TestTransformRefused: each error says where, and what else there is.
func TestTransformRefused(t *testing.T) {
	tab := table("x y", "1 10", "2 -3", "3 7", "4 8")
	tab.Lines = []int{2, 3, 4, 5}
	_, _, err := Fit(tab, Spec{Targets: []string{"y"}, Transform: "log"})
	wantError(t, err, "line 3", "has no log, which needs targets above 0", "-3", "yeo-johnson")
	p, _ := fit(t, table("x y", "1 10", "2 3"), Spec{Targets: []string{"y"}, Transform: "log"})
	_, err = p.Apply(tab)
	wantError(t, err, "line 3", "has no log")
	_, _, err = Fit(table("x y", "1 a", "2 b"), Spec{Targets: []string{"y"}, Transform: "log"})
	wantError(t, err, "is for numbers, and the target has labels")
	_, _, err = Fit(tab, Spec{Targets: []string{"y"}, Transform: "square"})
	wantError(t, err, `"square"`, "log, rank, yeo-johnson, or none")
	if p, _ := fit(t, tab, Spec{Targets: []string{"y"}, Transform: transform.None}); IsTransformed(p.Targets()) {
		t.Error("none is a function")
	}
}

// TestTransformForgets: the knots and the bounds of a function that joins targets lose those of a
// row that is forgotten, and the values of others stay.
func TestTransformForgets(t *testing.T) {
	p, got := fit(t, table("x y", "1 10", "2 777", "3 7", "4 8"), Spec{Targets: []string{"y"}, Transform: "rank"})
	left := mat.NewDense(3, 1, []float64{got.Y.At(0, 0), got.Y.At(2, 0), got.Y.At(3, 0)})
	text, err := json.Marshal(p.Forget(data.Vectors{}, left))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "777") || strings.Contains(string(text), "1547") { // 1547 = 777 + (777 − 7)
		t.Errorf("the forgotten target is in %s", text)
	}
	after := new(Pipeline)
	if err := json.Unmarshal(text, after); err != nil {
		t.Fatal(err)
	}
	m := after.Targets()[0].Transform
	for i, y := range []float64{10, 7, 8} {
		if back := m.Inverse(left.At(i, 0)); back != y {
			t.Errorf("%v comes back as %v", y, back)
		}
	}
}
