package data_test

import (
	"math"
	"slices"
	"testing"

	"example.org/mercer/data"
)

func TestCells(t *testing.T) {
	var c data.Cells
	c.Number(1, nil)
	c.Absent()
	c.Number(math.NaN(), nil)
	if out := c.Column("a", (*data.Texts).Column); out.Kind != data.Numeric || c.Rows != 3 || !slices.Equal(out.Missing, []bool{false, true, true}) {
		t.Errorf("%+v", out)
	}
	if reason := c.Number(math.Inf(1), nil); reason != "holds infinity" || c.Rows != 4 {
		t.Errorf("%q in row %d", reason, c.Rows)
	}
	c = data.Cells{}
	c.Number(7, nil)
	c.Absent()
	c.Number(1<<53, func() string { return "9007199254740992" })
	if c.Texts != nil {
		t.Error("2⁵³ is exact")
	}
	c.Number(1<<53, func() string { return "9007199254740993" })
	out := c.Column("a", (*data.Texts).Column)
	if out.Kind != data.Text || !slices.Equal(out.Strings, []string{"7", "", "9007199254740992", "9007199254740993"}) || out.Why != "row 4 holds 9007199254740993, more digits than a number can keep" {
		t.Errorf("%+v", out)
	}
	if reason := c.Text([]byte{0xff}); reason != "is not UTF-8 text" {
		t.Error(reason)
	}
}
