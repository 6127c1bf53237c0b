package kernel

import (
	"sync"

	"example.org/mercer/data"
)

// BoundColumns is a kernel bound to its column points, waiting for rows: what a server
// keeps of a model, for which packing all training points again for every question
// would be most of the work.
//
// Bind returns the Pairs that [Bind] of the same rows and columns would, to the bit. A
// reuse that is not nil must come from an earlier call of the same Bind and not be used
// any more: the result may take its memory. Bind is safe for concurrent use with
// different reuse. The columns must not change meanwhile.
type BoundColumns[T any] interface {
	Bind(rows data.Set[T], reuse Pairs) Pairs
}

// ColumnBinder is a [Family] that binds column points alone. BindColumns returns nil where a
// part of k is not its own.
type ColumnBinder[T any] interface {
	Family[T]
	BindColumns(k Kernel[T], cols data.Set[T]) BoundColumns[T]
}

// SelfColumnBinder is a [Binder] that binds column points alone.
type SelfColumnBinder[T any] interface {
	Binder[T]
	BindColumns(cols data.Set[T]) BoundColumns[T]
}

// BindColumns binds k to its column points. Where neither the family of k, nor k itself, nor,
// for a [Compound], its parts can do that in advance, every Bind does all of it.
func BindColumns[T any](k Kernel[T], cols data.Set[T]) BoundColumns[T] {
	if f, ok := familyOf(k).(ColumnBinder[T]); ok {
		if a := f.BindColumns(k, cols); a != nil {
			return a
		}
	}
	switch k := k.(type) {
	case SelfColumnBinder[T]:
		return k.BindColumns(cols)
	case Binder[T]:
	case Compound[T]:
		a := anchoredParts[T]{of: k, cols: cols.Len()}
		for _, part := range k.Parts() {
			a.parts = append(a.parts, BindColumns(part, cols))
		}
		return a
	}
	return unanchored[T]{k, cols}
}

// unanchored binds both sides every time.
type unanchored[T any] struct {
	k    Kernel[T]
	cols data.Set[T]
}

func (a unanchored[T]) Bind(rows data.Set[T], _ Pairs) Pairs { return Bind(a.k, rows, a.cols) }

// anchoredParts is a compound kernel whose parts are bound to their columns.
type anchoredParts[T any] struct {
	of    Compound[T]
	parts []BoundColumns[T]
	cols  int
}

func (a anchoredParts[T]) Bind(rows data.Set[T], reuse Pairs) Pairs {
	c, ok := reuse.(*combined[T])
	if !ok {
		c = &combined[T]{of: a.of, parts: make([]Pairs, len(a.parts)), cols: a.cols, scratch: new(sync.Pool)}
	}
	c.rows = rows.Len()
	for i, part := range a.parts {
		c.parts[i] = part.Bind(rows, c.parts[i])
	}
	return c
}
