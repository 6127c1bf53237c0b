package kernel

import (
	"fmt"
	"math"
	"math/big"
)

// Exact kernels can be evaluated beyond float64, so that rounding can never be
// mistaken for indefiniteness (or hide it). The coordinates of x and y are taken
// as the exact dyadic rationals that they are. EvalBig returns k(x, y) with a
// relative error of a few units of 2^−prec, or an error outside the domain.
type Exact[T any] interface {
	Kernel[T]
	EvalBig(x, y T, prec uint) (*big.Float, error)
}

// IsExact reports whether k and all its parts can be evaluated beyond float64.
func IsExact[T any](k Kernel[T]) bool { return notExact(k) == nil }

// notExact names the first part that can be evaluated in float64 only.
func notExact[T any](parts ...Kernel[T]) error {
	for _, part := range parts {
		_, ok := part.(Exact[T])
		if !ok {
			return fmt.Errorf("not exact: %s can be evaluated in 64-bit numbers only", part)
		}
		if c, ok := part.(conditional); ok {
			if err := c.NotExact(); err != nil {
				return err
			}
		}
	}
	return nil
}

// evalBig evaluates a part that must be exact.
func evalBig[T any](k Kernel[T], x, y T, prec uint) (*big.Float, error) {
	e, ok := k.(Exact[T])
	if !ok {
		return nil, notExact(k)
	}
	return e.EvalBig(x, y, prec)
}

// expander is the exact form of an elementwise function of kernels. expand returns
// f(v) computed with prec bits, and how many of its leading bits are lost to the
// errors of v: f(v) has a relative error below 2^(lost−prec).
type expander interface {
	expand(v []*big.Float, prec uint) (f *big.Float, lost int, err error)
}

// Extra bits of intermediate results: enough for a sum of a few terms at first, and
// the most that are spent before a sum that cancels completely is taken to be 0.
const (
	firstExtra = 64
	mostExtra  = 1 << 14
)

// expanded evaluates the parts of k with extra bits, and with more if cancellation
// has eaten them up.
func expanded[T any](k assembled[T], x, y T, prec uint) (*big.Float, error) {
	parts := k.Parts()
	v := make([]*big.Float, len(parts))
	for extra := uint(firstExtra); ; extra *= 2 {
		for i, part := range parts {
			p, err := evalBig(part, x, y, prec+extra)
			if err != nil {
				return nil, err
			}
			v[i] = p
		}
		f, lost, err := k.expand(v, prec+extra)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
		if lost <= int(extra) || extra >= mostExtra {
			return f.SetPrec(prec), nil
		}
	}
}

// sumBig adds terms, each with a relative error of a few units of 2^−prec, and
// returns the bits lost to their cancellation.
func sumBig(terms []*big.Float, prec uint) (sum *big.Float, lost int) {
	sum = new(big.Float).SetPrec(prec)
	largest, any := 0, false
	for _, term := range terms {
		sum.Add(sum, term)
		if e := term.MantExp(nil); term.Sign() != 0 && (!any || e > largest) {
			largest, any = e, true
		}
	}
	switch {
	case !any:
		return sum, 0
	case sum.Sign() == 0:
		return sum, int(prec) // all of them
	}
	return sum, largest - sum.MantExp(nil) + bits(len(terms))
}

// bits is the number of bits that an error grows by when n errors add up, with a
// margin for the errors of a few units that they are.
func bits(n int) int {
	b := 8
	for ; n > 0; n >>= 1 {
		b++
	}
	return b
}

// exactly returns the number c itself, or an error if it is none.
func exactly(c float64, prec uint) (*big.Float, error) {
	if math.IsNaN(c) || math.IsInf(c, 0) {
		return nil, fmt.Errorf("%v is not a finite number", c)
	}
	return new(big.Float).SetPrec(max(prec, 53)).SetFloat64(c), nil
}
