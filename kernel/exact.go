package kernel

import "math/big"

// Exact kernels can be evaluated beyond float64, so that rounding can never be
// mistaken for indefiniteness (or hide it). The coordinates of x and y are taken
// as the exact dyadic rationals that they are. EvalBig returns k(x, y) with a
// relative error of a few units of 2^−prec, or an error outside the domain.
type Exact[T any] interface {
	Kernel[T]
	EvalBig(x, y T, prec uint) (*big.Float, error)
}
