package model_test

import (
	"math"
	"testing"

	"example.org/mercer/model"
)

func TestLinesAreWrittenForPeople(t *testing.T) {
	for _, c := range []struct {
		line       model.Line
		name, text string
	}{
		{model.PenaltyLine(1e-3, 0.15, ""), "λ", "0.001 (ridge Nλ = 0.15)"},
		{model.PenaltyLine(1, 100, "; the least loo along its path"), "λ", "1 (ridge Nλ = 100; the least loo along its path)"},
		{model.CountLine("rows", 1234567), "rows", "1234567"},
		{model.NumberLine("condition", 1234567.89), "condition", "1.23457e+06"},
		{model.Linef("solver", "%s (%d steps)", "cg", 7), "solver", "cg (7 steps)"},
		{model.NumberLine("gap", math.NaN()), "gap", "NaN"},
	} {
		if c.line != (model.Line{Name: c.name, Text: c.text}) {
			t.Errorf("the line is %+v, not %q: %q", c.line, c.name, c.text)
		}
	}
	if got, want := model.FormatNumbers([]float64{1.0 / 3, 2, 1e-12}), "0.333333, 2, 1e-12"; got != want {
		t.Errorf("numbers are written %q, not %q", got, want)
	}
	if got := model.FormatNumbers(nil); got != "" {
		t.Errorf("no numbers are written %q", got)
	}
}
