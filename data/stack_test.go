package data

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestStack(t *testing.T) {
	a := &Table{Source: "a", Headed: true, Columns: []Column{{Name: "x", Numbers: []float64{1, 2}}, {Name: "c", Kind: Categorical, Strings: []string{"u", "v"}}}}
	b := &Table{Source: "b", Headed: true, Columns: []Column{{Name: "c", Kind: Text, Strings: []string{"w"}}, {Name: "x", Numbers: []float64{3}, Missing: []bool{true}}}}
	got, err := Stack(a, b)
	if err != nil {
		t.Fatal(err)
	}
	x, c := got.Columns[0], got.Columns[1]
	if !slices.Equal(x.Numbers, []float64{1, 2, 3}) || !slices.Equal(x.Missing, []bool{false, false, true}) || !slices.Equal(c.Strings, []string{"u", "v", "w"}) || c.Kind != Text {
		t.Errorf("stacked %+v", got.Columns)
	}
	if got.Rows() != 3 || !got.Headed || got.Source != "a and b" || a.Rows() != 2 {
		t.Errorf("the table around is %+v", got)
	}
}

func TestStackMatchesPositionsAndZeros(t *testing.T) {
	plain := &Table{Source: "a", Columns: []Column{{Name: "1", Numbers: []float64{1}}}}
	headed := &Table{Source: "b", Headed: true, Columns: []Column{{Name: "x", Numbers: []float64{2}}}}
	if got, err := Stack(plain, headed); err != nil || got.Headed || !slices.Equal(got.Columns[0].Numbers, []float64{1, 2}) {
		t.Errorf("by position: %+v, %v", got, err)
	}
	wide := &Table{Source: "w", Headed: true, Sparse: true, Columns: []Column{{Name: "1", Numbers: []float64{1}}, {Name: "2", Numbers: []float64{5}}}}
	narrow := &Table{Source: "n", Headed: true, Sparse: true, Columns: []Column{{Name: "1", Numbers: []float64{2}}}}
	for _, pair := range [][2]*Table{{wide, narrow}, {narrow, wide}} {
		got, err := Stack(pair[0], pair[1])
		if err != nil || len(got.Columns) != 2 || !got.Sparse {
			t.Fatalf("sparse: %+v, %v", got, err)
		}
		_, at := got.Column("2")
		if v := got.Columns[at].Numbers; v[0]+v[1] != 5 || v[0]*v[1] != 0 {
			t.Errorf("column 2 is %v", v)
		}
	}
}

func TestStackRefuses(t *testing.T) {
	a := &Table{Source: "a", Headed: true, Columns: []Column{{Name: "x", Numbers: []float64{1}}, {Name: "y", Numbers: []float64{1}}}}
	b := &Table{Source: "b", Headed: true, Columns: []Column{{Name: "x", Kind: Categorical, Strings: []string{"u"}, Why: `line 2 holds "u"`}, {Name: "y", Numbers: []float64{1}}}}
	if _, err := Stack(a, b); err == nil || !strings.Contains(err.Error(), `a: column 1 (x): is numeric, and in b it is categorical (line 2 holds "u")`) {
		t.Errorf("kinds: %v", err)
	}
	c := &Table{Source: "c", Headed: true, Columns: []Column{{Name: "x", Numbers: []float64{1}}, {Name: "z", Numbers: []float64{1}}}}
	if _, err := Stack(a, c); !errors.Is(err, ErrNoColumn) || !strings.Contains(err.Error(), `c: has no column "y"`) || !strings.Contains(err.Error(), `a: has no column "z"`) {
		t.Errorf("names: %v", err)
	}
	d := &Table{Source: "d", Columns: []Column{{Name: "1", Numbers: []float64{1}}}}
	if _, err := Stack(a, d); err == nil || !strings.Contains(err.Error(), "d: has 1 column, and a has 2") {
		t.Errorf("positions: %v", err)
	}
}
