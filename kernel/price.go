package kernel

import "math"

// Priced is implemented by Pairs that know what work a value takes before any is computed:
// ways to a result that need values several times are chosen by it. It depends on the kernel and
// the points, never on a clock, so that the choice is the same in every run.
type Priced interface {
	Pairs
	// Price is about how many coordinates of an inner product, of many points with many in
	// double precision, take as long as a value; +Inf where that is not known.
	Price() float64
}

// Price returns that of a value of p, +Inf where p does not know it.
func Price(p Pairs) float64 {
	if priced, ok := p.(Priced); ok {
		return priced.Price()
	}
	return math.Inf(1)
}
