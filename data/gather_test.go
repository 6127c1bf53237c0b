package data

import (
	"slices"
	"testing"
)

func TestGather(t *testing.T) {
	table := &Table{Source: "t.csv", Headed: true, Target: "y", Lines: []int{2, 3, 4}, Columns: []Column{
		{Name: "y", Numbers: []float64{1, 2, 3}, Missing: []bool{false, true, false}},
		{Name: "c", Kind: Categorical, Strings: []string{"a", "b", "c"}},
	}}
	got := table.Gather([]int{2, 0, 2})
	if got.Rows() != 3 || !slices.Equal(got.Columns[0].Numbers, []float64{3, 1, 3}) || !slices.Equal(got.Columns[1].Strings, []string{"c", "a", "c"}) {
		t.Errorf("rows 2, 0, 2 are %+v", got.Columns)
	}
	if !slices.Equal(got.Lines, []int{4, 2, 4}) || !got.Headed || got.Source != "t.csv" || got.Target != "y" {
		t.Errorf("the table around the rows is %+v", got)
	}
	if !slices.Equal(table.Gather([]int{1}).Columns[0].Missing, []bool{true}) {
		t.Error("a missing cell was lost")
	}
	if got.Columns[1].Missing != nil {
		t.Error("a column without missing cells got a mask")
	}
}
