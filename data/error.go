package data

import (
	"errors"
	"fmt"
	"strings"
)

// Error is what every reader returns for bad input: where, what was found, why it is
// wrong and what to do about it. It prints as
//
//	train.csv: line 7, column 3 (price): "12,5" is not a number (and 4 more like it);
//	use a decimal point
//
// Fields that do not apply are left zero. Reason continues the sentence that the
// quoted Value begins; without a Value it stands alone.
type Error struct {
	Source string // the file, or "standard input"
	Line   int    // counted from 1; 0 where the format has no lines
	Row    int    // counted from 1; printed only where there is no Line
	Column int    // counted from 1; 0 where the whole line is meant
	Name   string // name of that column
	Value  string // the text found
	Reason string // why it cannot be used: "is not a number"
	Fix    string // what to do: "use a decimal point"
	More   int    // how many other cells of the column fail in the same way
	Err    error  // the cause, for errors.Is and errors.As

	kind error // what Is answers to
}

// ErrNoColumn is what errors.Is finds in an error about a column that a table lacks.
var ErrNoColumn = errors.New("data: no such column")

// ErrNoRows is what errors.Is finds in an error about a table without rows.
var ErrNoRows = errors.New("data: no rows")

// NoRows is the error for a source without rows: "has no rows".
func NoRows(source, reason, fix string) *Error {
	return &Error{Source: source, Reason: reason, Fix: fix, kind: ErrNoRows}
}

// Is reports whether the error is of the given kind, for errors.Is.
func (e *Error) Is(kind error) bool { return e.kind != nil && e.kind == kind }

// Error returns the one-line message described at the type.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.where())
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	if e.Value != "" {
		b.WriteString(Quote(e.Value))
		b.WriteByte(' ')
	}
	b.WriteString(cut(e.Reason, reasonLimit))
	if e.Err != nil && e.Reason != "" {
		b.WriteString(": ")
	}
	if e.Err != nil {
		b.WriteString(cut(e.Err.Error(), reasonLimit))
	}
	if e.More > 0 {
		fmt.Fprintf(&b, " (and %d more like it)", e.More)
	}
	if e.Fix != "" {
		b.WriteString("; ")
		b.WriteString(e.Fix)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// where returns "train.csv: line 7, column 3 (price)" as far as it is known.
func (e *Error) where() string {
	var at []string
	switch {
	case e.Line > 0:
		at = append(at, fmt.Sprintf("line %d", e.Line))
	case e.Row > 0:
		at = append(at, fmt.Sprintf("row %d", e.Row))
	}
	if e.Column > 0 {
		col := fmt.Sprintf("column %d", e.Column)
		if e.Name != "" {
			col += " (" + Cut(e.Name) + ")"
		}
		at = append(at, col)
	}
	place := strings.Join(at, ", ")
	if e.Source != "" && place != "" {
		return e.Source + ": " + place
	}
	return e.Source + place
}
