package task

import (
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/record"
)

// The kinds of points, as the model file names them.
const (
	OnVectors = "vectors"
	OnRowIDs  = "ids"     // rows of precomputed Gram matrices, or nodes of a graph
	OnRecords = "records" // cells of records, such as strings
)

// Parsed is the expression of a kernel with the kind of points that it compares. Its names have
// no meaning yet: see [PreparedTable.Resolve]. The zero value is no expression.
type Parsed struct {
	Node expr.Node
	Kind string
}

// Parse reads the expression of a kernel. It is the one place that tells the kinds of points
// apart, and whoever asks for a kernel by its text comes through it.
func Parse(text string) (Parsed, error) {
	n, err := expr.Parse(text)
	if err != nil {
		return Parsed{}, err
	}
	switch {
	case onIDs(n):
		return Parsed{n, OnRowIDs}, nil
	case record.Speaks(n, languages...):
		return Parsed{n, OnRecords}, nil
	}
	return Parsed{n, OnVectors}, nil
}

// String returns the text that was read.
func (k Parsed) String() string { return k.Node.Text }
