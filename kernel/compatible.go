package kernel

import "example.org/mercer/data"

// comparing is implemented by kernels that compare points only with their like: graphs with the
// same attributes. CompatibleWith returns the first point of a set that cannot be compared with
// like, and the objection; −1 and nil if there is none. It may leave points to the objections of
// [Domain].
type comparing[T any] interface {
	CompatibleWith(xs data.Set[T], like T) (row int, err error)
}

// CheckCompatible returns the first point that k, or a part of it, cannot compare with like: with a
// point that a model was trained on.
func CheckCompatible[T any](k Kernel[T], xs data.Set[T], like T) (row int, err error) {
	row = -1
	if c, ok := k.(comparing[T]); ok {
		row, err = c.CompatibleWith(xs, like)
	}
	if c, ok := k.(Compound[T]); ok {
		for _, part := range c.Parts() {
			if i, e := CheckCompatible(part, before(xs, row), like); e != nil {
				row, err = i, e
			}
		}
	}
	return row, err
}
