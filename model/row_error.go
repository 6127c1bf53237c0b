package model

import "fmt"

// RowError is an error about the target of one row. Whoever knows the table that the row came from
// says instead on which line it stands, and in which column.
type RowError struct {
	Package string // that found it
	Place   string // what it calls the target: "y[3]"
	Row     int    // of those that were fitted, counted from 0
	Output  int    // column of the targets, counted from 0
	Value   float64
	Reason  string // why the value cannot be used
	Fix     string // what to do; "" where the reason says it
}

// Error returns the message for whoever gave the targets as numbers.
func (e *RowError) Error() string {
	text := fmt.Sprintf("%s: %s = %v: %s", e.Package, e.Place, e.Value, e.Reason)
	if e.Fix != "" {
		text += "; " + e.Fix
	}
	return text
}

// What is wrong with the target of a row, in the words of every method.
const (
	notFiniteTarget = "targets must be finite"
	dropOrFill      = "drop or fill the row"
)

// InfiniteTarget adds that the target of a row is not a finite number. Place is what the package
// calls it, such as "y[3]".
func (c *Checks) InfiniteTarget(place string, row, output int, value float64) {
	c.problems = append(c.problems, &RowError{c.name, place, row, output, value, notFiniteTarget, dropOrFill})
}

// NoLabel adds that the target of a row is not −1 or 1, and why it must be.
func (c *Checks) NoLabel(place string, row, output int, value float64, why string) {
	c.problems = append(c.problems, &RowError{c.name, place, row, output, value, why + " wants labels −1 and 1", ""})
}
