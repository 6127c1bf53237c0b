package prep_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
)

func shirts() *data.Table {
	return &data.Table{Source: "shirts", Headed: true, Columns: []data.Column{
		{Name: "size", Kind: data.Categorical, Strings: []string{"small", "large", "medium", "small"}},
		{Name: "y", Kind: data.Numeric, Numbers: []float64{1, 3, 2, 1}},
	}}
}

func sizes(t *testing.T, text string) prep.Spec {
	o, err := prep.ParseOrdering(text)
	if err != nil {
		t.Fatal(err)
	}
	return prep.Spec{Targets: []string{"y"}, Ordered: []prep.Ordering{o}}
}

// Rows that are c steps apart in an order have the squared distance c, and a stored pipeline
// prepares the same.
func TestOrderedLevels(t *testing.T) {
	p, rows, err := prep.Fit(shirts(), sizes(t, "size = small < medium<large <huge"))
	if err != nil {
		t.Fatal(err)
	}
	names, _ := p.Features()
	if got, want := strings.Join(names, " "), "size>=huge size>=large size>=medium size>=small"; got != want {
		t.Errorf("features %s, want %s", got, want)
	}
	ranks := []float64{0, 2, 1, 0}
	for i, a := range ranks {
		for j, b := range ranks {
			d := mat.NewVecDense(len(names), nil)
			d.SubVec(mat.NewVecDense(len(names), rows.X.At(i)), mat.NewVecDense(len(names), rows.X.At(j)))
			if got := mat.Dot(d, d); got != max(a-b, b-a) {
				t.Errorf("rows %d and %d: squared distance %v, want %v", i, j, got, max(a-b, b-a))
			}
		}
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var again prep.Pipeline
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	fresh := shirts()
	fresh.Columns[0].Strings = []string{"huge", "medium", "tiny", "large"} // tiny was not seen
	x, err := again.ApplyInputs(fresh)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{{1, 1, 1, 1}, {0, 0, 1, 1}, {0, 0, 0, 0}, {0, 1, 1, 1}}
	for i, row := range want {
		for j, v := range row {
			if x.X.At(i)[j] != v {
				t.Errorf("row %d is %v, want %v", i, x.X.At(i), row)
				break
			}
		}
	}
	if !strings.Contains(p.String(), "order size (4 levels)") {
		t.Errorf("the steps are %q", p)
	}
}

func TestOrdersThatCannotBe(t *testing.T) {
	for text, want := range map[string]string{
		"size=small<medium": `has the level "large", which its order small < medium lacks`,
		"y=1<2<3":           "numbers have one",
		"nothing=a<b":       "nothing",
	} {
		s := sizes(t, text)
		if strings.HasPrefix(text, "y") {
			s.Targets, s.Drop = nil, nil
			s.NoTarget = true
		}
		if _, _, err := prep.Fit(shirts(), s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", text, err, want)
		}
	}
	for _, text := range []string{"size", "size=small", "=a<b", "size=a<a", "size=a<"} {
		if _, err := prep.ParseOrdering(text); err == nil {
			t.Errorf("%q is taken as an order", text)
		}
	}
	var p prep.Pipeline
	if err := json.Unmarshal([]byte(`{"missing":"refuse","headed":true,"columns":[{"name":"a","role":"feature","kind":"categorical","levels":["x","y"],"ranks":[0,0]}]}`), &p); err == nil || !strings.Contains(err.Error(), "is no order of 2 levels") {
		t.Errorf("ranks that are no order: %v", err)
	}
}

// A level whose rows are forgotten loses its name, also where higher levels are left.
func TestForgottenLevelsOfOrders(t *testing.T) {
	p, rows, err := prep.Fit(shirts(), sizes(t, "size=small<medium<large"))
	if err != nil {
		t.Fatal(err)
	}
	left := p.Forget(rows.X.Gather([]int{0, 1, 3}), nil) // no medium
	text, err := json.Marshal(left)
	if err != nil || strings.Contains(string(text), "medium") || !strings.Contains(string(text), "large") {
		t.Errorf("after forgetting: %s (%v)", text, err)
	}
}
