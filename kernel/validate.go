package kernel

import (
	"fmt"

	"example.org/mercer/data"
)

// Validate checks that every point lies in the domain of k and of all its parts.
// The error names the first row that does not.
func Validate[T any](k Kernel[T], xs data.Set[T]) error {
	if i, err := Outside(k, xs); err != nil {
		return fmt.Errorf("kernel %s: row %d: %w", k, i, err)
	}
	return nil
}

// Contains returns nil when x lies in the domain of k and of all its parts, or the
// first objection.
func Contains[T any](k Kernel[T], x T) error {
	if d, ok := k.(Domain[T]); ok {
		if err := d.Contains(x); err != nil {
			return err
		}
	}
	if c, ok := k.(Compound[T]); ok {
		for _, part := range c.Parts() {
			if err := Contains(part, x); err != nil {
				return err
			}
		}
	}
	return nil
}

// SetDomain is a [Domain] that looks at the points of a set together, faster than one by
// one: where its objection needs kernel values. Outside does what the function of that
// name does, without the parts of a [Compound].
type SetDomain[T any] interface {
	Outside(xs data.Set[T]) (row int, err error)
}

// Outside returns the first point of a set that [Contains] objects to, with the
// objection; −1 and nil if there is none.
func Outside[T any](k Kernel[T], xs data.Set[T]) (row int, err error) {
	row = -1
	switch d := k.(type) {
	case SetDomain[T]:
		row, err = d.Outside(xs)
	case Domain[T]:
		row, err = firstOutside(d, xs)
	}
	if c, ok := k.(Compound[T]); ok {
		for _, part := range c.Parts() {
			if i, e := Outside(part, before(xs, row)); e != nil {
				row, err = i, e
			}
		}
	}
	return row, err
}

func firstOutside[T any](d Domain[T], xs data.Set[T]) (int, error) {
	for i := range xs.Len() {
		if err := d.Contains(xs.At(i)); err != nil {
			return i, err
		}
	}
	return -1, nil
}

// before returns the points before a row that Outside has found: all for −1.
func before[T any](xs data.Set[T], row int) data.Set[T] {
	if row < 0 {
		return xs
	}
	return data.Run(xs, 0, row)
}
