package model

import (
	"fmt"
	"strconv"
	"strings"
)

// Line is one line of a report as people read it, such as "condition 52.1".
type Line struct {
	Name string // what it is
	Text string // its value, in words or by [FormatNumber]
	// Output is the number, from 1, of the output of the function that the line is of: its name,
	// which a report does not know, belongs behind Name. 0: the line is of no single output.
	Output int
	// Form marks the place of what a report does not know of the function: its form and size.
	Form bool
	// Detail says that the line is for those who ask for more.
	Detail bool
}

// InDetail returns the line as one for those who ask for more.
func (l Line) InDetail() Line {
	l.Detail = true
	return l
}

// FormLine is the place among the lines of a report for the form of the function.
func FormLine() Line { return Line{Form: true, Detail: true} }

// PenaltyLine is the line of a penalty in its two conventions: λ, and the ridge Nλ. What follows
// stands behind them.
func PenaltyLine(lambda, ridge float64, follows string) Line {
	return Line{Name: "λ", Text: FormatNumber(lambda) + " (ridge Nλ = " + FormatNumber(ridge) + follows + ")"}
}

// Linef is a line whose text is written as [fmt.Sprintf] does.
func Linef(name, format string, args ...any) Line {
	return Line{Name: name, Text: fmt.Sprintf(format, args...)}
}

// NumberLine is the line of one number.
func NumberLine(name string, x float64) Line { return Line{Name: name, Text: FormatNumber(x)} }

// CountLine is the line of a count, such as that of the rows.
func CountLine(name string, n int) Line { return Line{Name: name, Text: strconv.Itoa(n)} }

// FormatNumber writes a number for people, with six significant digits.
func FormatNumber(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// FormatNumbers writes numbers for people, with commas between them.
func FormatNumbers(xs []float64) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = FormatNumber(x)
	}
	return strings.Join(parts, ", ")
}
