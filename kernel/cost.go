package kernel

import "math"

// Costed is implemented by Pairs that know what work a value takes before any is computed:
// ways to a result that need values several times are chosen by it. It depends on the kernel and
// the points, never on a clock, so that the choice is the same in every run.
type Costed interface {
	Pairs
	// Cost is about how many coordinates of an inner product, of many points with many in
	// double precision, take as long as a value; +Inf where that is not known.
	Cost() float64
}

// Cost returns that of a value of p, +Inf where p does not know it.
func Cost(p Pairs) float64 {
	if priced, ok := p.(Costed); ok {
		return priced.Cost()
	}
	return math.Inf(1)
}

// enlarging is implemented by kernels that hold more of a point, once it is bound, than its own
// numbers.
type enlarging[T any] interface {
	Kernel[T]
	// BoundNumbers returns how many numbers of such a point are held.
	BoundNumbers(like T) int
}

// BoundNumbers returns how many numbers of a point a kernel and its parts hold beside those of the
// point itself.
func BoundNumbers[T any](k Kernel[T], like T) (n int) {
	if e, ok := k.(enlarging[T]); ok {
		return e.BoundNumbers(like)
	}
	if c, ok := k.(Compound[T]); ok {
		for _, part := range c.Parts() {
			n += BoundNumbers(part, like)
		}
	}
	return n
}
