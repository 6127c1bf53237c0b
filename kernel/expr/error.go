package expr

import "fmt"

// SyntaxError is an error in an expression, at a byte offset of its text.
type SyntaxError struct {
	Text   string
	Offset int
	Msg    string
}

// Error names the expression and the column, counted from 1 in characters.
func (e *SyntaxError) Error() string {
	if e.Offset > len(e.Text) {
		return fmt.Sprintf("kernel %q: %s", e.Text, e.Msg)
	}
	return fmt.Sprintf("kernel %q: column %d: %s", e.Text, len([]rune(e.Text[:e.Offset]))+1, e.Msg)
}
