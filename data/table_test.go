package data_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
)

// homes returns a small table with a missing number and a missing string.
func homes() *data.Table {
	return &data.Table{Source: "homes.csv", Lines: []int{2, 4}, Columns: []data.Column{
		{Name: "price", Kind: data.Numeric, Numbers: []float64{1.5, math.NaN()}, Missing: []bool{false, true}},
		{Name: "town", Kind: data.Text, Strings: []string{"", "12"}, Missing: []bool{true, false}},
	}}
}

func TestTable(t *testing.T) {
	h := homes()
	if h.Rows() != 2 || new(data.Table).Rows() != 0 {
		t.Errorf("%d and %d rows, want 2 and 0", h.Rows(), new(data.Table).Rows())
	}
	if c, i := h.Column("town"); i != 1 || c != &h.Columns[1] || !c.IsMissing(0) || c.IsMissing(1) || c.Len() != 2 {
		t.Errorf("column town is %+v at %d", c, i)
	}
	if c, i := h.Column("street"); c != nil || i != -1 {
		t.Errorf("column street is %+v at %d", c, i)
	}
	if s := h.Where(1, 0); s != "homes.csv: line 4, column 1 (price)" {
		t.Error(s)
	}
	h.Lines = nil
	if s := h.Where(1, 0); s != "homes.csv: row 2, column 1 (price)" {
		t.Error(s)
	}
}

func TestKind(t *testing.T) {
	if s := fmt.Sprint(data.Numeric, data.Categorical, data.Text, data.Kind(7)); s != "numeric categorical text data.Kind(7)" {
		t.Error(s)
	}
}

func TestForce(t *testing.T) {
	h := homes()
	if err := h.ConvertKinds(map[string]data.Kind{"price": data.Text, "town": data.Numeric}); err != nil {
		t.Fatal(err)
	}
	price, town := h.Columns[0], h.Columns[1]
	if price.Kind != data.Text || !slices.Equal(price.Strings, []string{"1.5", ""}) || price.Numbers != nil || !price.IsMissing(1) {
		t.Errorf("price became %+v", price)
	}
	if town.Kind != data.Numeric || town.Numbers[1] != 12 || !math.IsNaN(town.Numbers[0]) || town.Strings != nil || !town.IsMissing(0) {
		t.Errorf("town became %+v", town)
	}
	if err := h.ConvertKinds(map[string]data.Kind{"price": data.Categorical}); err != nil || h.Columns[0].Kind != data.Categorical || h.Columns[0].Strings[0] != "1.5" {
		t.Errorf("%v, %+v", err, h.Columns[0])
	}
}

func TestForceErrors(t *testing.T) {
	h := &data.Table{Source: "t", Lines: []int{2, 3, 5}, Columns: []data.Column{
		{Name: "x", Kind: data.Text, Strings: []string{"1", "one", "inf"}},
		{Name: "y", Kind: data.Text, Strings: []string{"1", "2", "3"}},
	}}
	err := h.ConvertKinds(map[string]data.Kind{"x": data.Numeric, "z": data.Text, "u": data.Text})
	want := `t: has no column "u"; its 2 columns are #1 x, #2 y
t: has no column "z"; its 2 columns are #1 x, #2 y
t: line 3, column 1 (x): "one" is not a finite number, but its column was declared numeric (and 1 more like it); correct the cell, or do not make the column numeric (--type)`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	wide := &data.Table{Source: "w"}
	for i := range 100 {
		wide.Columns = append(wide.Columns, data.Column{Name: fmt.Sprintf("c%d", i+1)})
	}
	if _, err = wide.ResolveTypes(map[string]data.Kind{"d": data.Text}); err == nil || !strings.HasSuffix(err.Error(), "#11 c11, #12 c12, … #100 c100") {
		t.Errorf("got %v", err)
	}
}
