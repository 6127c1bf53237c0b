package task

import (
	"errors"

	"example.org/mercer/data"
)

// concealed returns the error of reading a graph that a kernel expression names without what stands
// in the file: whoever may write an expression need not be allowed to read every file.
func concealed(err error) error {
	var e *data.Error
	if !errors.As(err, &e) || e.Line == 0 && e.Row == 0 && e.Value == "" || errors.Is(err, data.ErrBudget) {
		return err
	}
	return &data.Error{Source: e.Source, Line: e.Line, Row: e.Row, Column: e.Column,
		Reason: "does not belong into a graph, and is not repeated here, because the kernel names the file", Fix: "correct it, or give the file with --graph to see more"}
}
