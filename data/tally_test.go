package data_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"example.org/mercer/data"
)

// tallyOf counts cells as a reader of text does: "" is missing, digits are numbers, a comma is one
// of a number.
func tallyOf(cells []string) data.Tally {
	var t data.Tally
	var texts data.Texts
	var missing []bool
	for i, cell := range cells {
		texts.Add([]byte(cell))
		missing = append(missing, cell == "")
		switch {
		case cell == "":
		case cell[0] <= '9':
			t.Numbers++
		default:
			if t.Words == 0 {
				t.First = data.FirstText{Line: i + 1, Why: "holds " + cell, Before: t.Numbers}
			}
			t.Words++
			if cell[0] == 'c' {
				t.Commas++
			}
		}
	}
	t.Counts = texts.Counts(missing)
	return t
}

// The tallies of the parts of a column, merged, are that of the whole, wherever it is cut.
func TestTalliesMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := rapid.SliceOfN(rapid.SampledFrom([]string{"", "1", "2", "word", "c", "other"}), 0, 60).Draw(t, "cells")
		at := rapid.IntRange(0, len(cells)).Draw(t, "at")
		to := rapid.IntRange(at, len(cells)).Draw(t, "to")
		var all data.Tally
		for _, part := range [][2]int{{0, at}, {at, to}, {to, len(cells)}} {
			all.Merge(tallyOf(cells[part[0]:part[1]]), part[0])
		}
		want := tallyOf(cells)
		gotKind, gotWhy := all.Kind()
		kind, why := want.Kind()
		if fmt.Sprint(all) != fmt.Sprint(want) || gotKind != kind || gotWhy != why {
			t.Errorf("%v, %v because %s; want %v, %v because %s", all, gotKind, gotWhy, want, kind, why)
		}
	})
}

// A column with more numbers than words is text, and says why.
func TestTallyKind(t *testing.T) {
	for _, c := range []struct {
		cells []string
		kind  data.Kind
		why   string
	}{
		{[]string{"a", "b", "a", ""}, data.Categorical, "it has 2 distinct values in 3 rows"},
		{[]string{"a", "b", "word"}, data.Text, "it has 3 distinct values in 3 rows"},
		{[]string{"1", "", "1", "word"}, data.Text, "line 4 holds word"},
		{[]string{"1", "1", "1", "word", "word"}, data.Text, "line 4 holds word and 2 of its 5 cells are no numbers"},
		{[]string{"1", "c", "word"}, data.Text, "line 2 holds c and 2 of its 3 cells are no numbers"},
	} {
		tally := tallyOf(c.cells)
		if kind, why := tally.Kind(); kind != c.kind || why != c.why {
			t.Errorf("%q: %v because %s, want %v because %s", c.cells, kind, why, c.kind, c.why)
		}
	}
}
