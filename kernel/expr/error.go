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

// Error names the expression and the column, counted from 1 in characters.
func (e *SyntaxError) Error() string {
	if e.Offset < 0 || e.Offset > len(e.Text) {
		return fmt.Sprintf("kernel %q: %s", e.Text, e.Msg)
	}
	return fmt.Sprintf("kernel %q: column %d: %s", e.Text, e.Column(), e.Msg)
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
