package kernel

import (
	"fmt"

	"mercer/data"
)

// Validate checks that every point lies in the domain of k and of all its parts.
// The error names the first row that does not.
func Validate[T any](k Kernel[T], xs data.Set[T]) error {
	for i := range xs.Len() {
		if err := Contains(k, xs.At(i)); err != nil {
			return fmt.Errorf("kernel %s: row %d: %w", k, i, err)
		}
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
