package seq

import (
	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// family binds the kernels of this package one by one: the algebra joins them.
type family struct{}

// anchorable kernels look at the column points once. anchor returns nil where the points
// are better compared pair by pair.
type anchorable interface {
	anchor(cols data.Set[string]) kernel.BoundColumns[string]
}

// Bind binds a kernel of this package to both sets, or returns nil for any other.
func (f family) Bind(k kernel.Kernel[string], rows, cols data.Set[string]) kernel.Pairs {
	if a := f.BindColumns(k, cols); a != nil {
		return a.Bind(rows, nil)
	}
	return nil
}

// BindColumns looks at the column points of a kernel of this package.
func (family) BindColumns(k kernel.Kernel[string], cols data.Set[string]) kernel.BoundColumns[string] {
	if k, ok := k.(anchorable); ok {
		return k.anchor(cols)
	}
	return nil
}
