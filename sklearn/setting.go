package sklearn

import (
	"context"

	"example.org/mercer/sklearn/skops"
)

// setting is a parameter that may be None, and what it is then.
type setting struct {
	*skops.Value
	otherwise float64
}

// Float is the number.
func (s setting) Float(ctx context.Context) float64 {
	if s.IsNone() {
		return s.otherwise
	}
	return s.Value.Float(ctx)
}

// Int is the whole number.
func (s setting) Int(ctx context.Context) int {
	if s.IsNone() {
		return int(s.otherwise)
	}
	return s.Value.Int(ctx)
}
