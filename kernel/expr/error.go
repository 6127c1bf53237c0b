package expr

import (
	"fmt"
	"unicode/utf8"
)

// SyntaxError is an error in an expression, at a byte offset of its text; a negative
// offset means the expression as a whole. Err is the cause, where there is one.
type SyntaxError struct {
	Text   string
	Offset int
	Msg    string
	Err    error
}

// Error names the expression and the column, counted from 1 in characters. Of a long
// expression it quotes the neighbourhood of the column.
func (e *SyntaxError) Error() string {
	if e.Column() == 0 {
		return fmt.Sprintf("kernel %q: %s", excerpt(e.Text, 0), e.Msg)
	}
	return fmt.Sprintf("kernel %q: column %d: %s", excerpt(e.Text, e.Column()-1), e.Column(), e.Msg)
}

// quoted is the number of characters of an expression that a message quotes.
const quoted = 120

// excerpt returns the text, or the part of a long one around a character.
func excerpt(text string, around int) string {
	runes := []rune(text)
	if len(runes) <= quoted {
		return text
	}
	from := max(0, min(around-quoted/2, len(runes)-quoted))
	part := string(runes[from : from+quoted])
	if from > 0 {
		part = "…" + part
	}
	if from+quoted < len(runes) {
		part += "…"
	}
	return part
}

// Column is the place of the error counted from 1 in characters, or 0 for the
// expression as a whole.
func (e *SyntaxError) Column() int {
	if e.Offset < 0 || e.Offset > len(e.Text) {
		return 0
	}
	return utf8.RuneCountInString(e.Text[:e.Offset]) + 1
}

// Unwrap returns the cause.
func (e *SyntaxError) Unwrap() error { return e.Err }

// PointsError marks an error of the points that a parameter is found from, such as the median
// distance of points that coincide: the expression itself is right.
type PointsError struct{ Err error }

func (e *PointsError) Error() string { return e.Err.Error() }

func (e *PointsError) Unwrap() error { return e.Err }
