package kernel

import "math/big"

// Function is a real function of one point that remembers its text, so that a
// kernel built from it can be printed and parsed again. Big may be nil; without it
// kernels built from the function are not [Exact].
type Function[T any] struct {
	Text string
	At   func(x T) float64
	Big  func(x T, prec uint) (*big.Float, error)
}
