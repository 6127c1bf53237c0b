package formula

import (
	"errors"
	"math"
	"math/big"
	"math/bits"

	"example.org/mercer/internal/bigmath"
)

// bounded is a number with a bound of its error: the true value is within 2^err. The
// bounds follow from the derivatives of the operations and are generous by a few
// bits.
type bounded struct {
	*big.Float
	err int
}

// exact is the err of a value without error, and the exponent of zero.
const exact = -1 << 28

// ulps is log₂ of the error of an elementary function in units of the last place.
const ulps = 3

func exactly(v *big.Float) bounded { return bounded{v, exact} }

func (v bounded) isExact() bool { return v.err <= exact/2 }

// size returns e with |v| < 2^e; zero has none.
func (v bounded) size() int { return sizeOf(v.Float) }

func sizeOf(v *big.Float) int {
	if v.Sign() == 0 {
		return exact
	}
	return v.MantExp(nil)
}

// within reports a relative error of at most 2^−prec.
func (v bounded) within(prec uint) bool {
	return v.isExact() || v.Sign() != 0 && v.err <= v.size()-2-int(prec)
}

// awayFromZero reports whether |v| is more than 2^spare times its error bound.
func (v bounded) awayFromZero(spare int) bool {
	return v.Sign() != 0 && v.err+spare <= v.size()-2
}

// rounded gives the result v of an operation the error that its operands brought
// and that of its own rounding, a few units in the last place; a zero may be an
// underflow.
func (w bigWalk) rounded(v *big.Float, brought int) bounded {
	own := -bigmath.MaxExponent
	if v.Sign() != 0 {
		own = v.MantExp(nil) - int(w.prec) + ulps
	}
	return bounded{v, 1 + max(brought, own)}
}

// sum is rounded for an operation that may be free of rounding.
func (w bigWalk) sum(v *big.Float, brought int) bounded {
	if brought <= exact/2 && v.Acc() == big.Exact {
		return exactly(v)
	}
	return w.rounded(v, brought)
}

func (w bigWalk) add(a, b bounded) bounded {
	return w.sum(wide(w.prec).Add(a.Float, b.Float), 1+max(a.err, b.err))
}

func (w bigWalk) sub(a, b bounded) bounded {
	return w.sum(wide(w.prec).Sub(a.Float, b.Float), 1+max(a.err, b.err))
}

// mul: |ab − a'b'| ≤ |a|δb + |b|δa + δaδb.
func (w bigWalk) mul(a, b bounded) bounded {
	return w.sum(wide(w.prec).Mul(a.Float, b.Float), 2+max(a.size()+b.err, b.size()+a.err, a.err+b.err))
}

// quo: |a/b − a'/b'| ≤ (δa + |a/b|δb)/|b'| with |b'| ≥ |b|/2.
func (w bigWalk) quo(a, b bounded) (bounded, error) {
	if b.Sign() == 0 && b.isExact() {
		return bounded{}, errors.New("division by zero")
	}
	if !b.awayFromZero(0) {
		return bounded{}, errUndecided
	}
	v := wide(w.prec).Quo(a.Float, b.Float)
	return w.sum(v, 3+max(a.err, sizeOf(v)+b.err)-b.size()), nil
}

// combine applies an operation of two numbers.
func (w bigWalk) combine(n *node, a, b bounded) (bounded, error) {
	switch n.op {
	case opAdd:
		return w.add(a, b), nil
	case opSub:
		return w.sub(a, b), nil
	case opMul:
		return w.mul(a, b), nil
	case opQuo:
		return w.quo(a, b)
	case opPow:
		return w.pow(a, b)
	case opMin, opMax:
		return w.extreme(n.op, a, b), nil
	}
	if w.nearInteger(a) || w.nearInteger(b) { // gcd, lcm
		return bounded{}, errUndecided
	}
	v, err := n.fn.big2(a.Float, b.Float, w.prec)
	if err != nil {
		return bounded{}, err
	}
	return w.sum(v, exact), nil
}

// extreme is the smaller or the larger of two numbers. Where the errors hide which one
// it is, either is as close to the true one as the worse of the two.
func (w bigWalk) extreme(o op, a, b bounded) bounded {
	if (b.Cmp(a.Float) < 0) == (o == opMin) {
		a, b = b, a
	}
	if d := w.sub(a, b); !d.isExact() && !d.awayFromZero(0) {
		a.err = max(a.err, b.err)
	}
	return a
}

// call applies a function of one number.
func (w bigWalk) call(f *function, a bounded) (bounded, error) {
	if f.name == "sqrt" {
		return w.sqrt(a)
	}
	if !a.isExact() && (f.name == "sign" && !a.awayFromZero(0) || f.name == "floor" && w.nearInteger(a)) {
		return bounded{}, errUndecided
	}
	brought, err := f.carried(w, a)
	if err != nil {
		return bounded{}, err
	}
	v, err := f.big1(a.Float, w.prec)
	if err != nil {
		return bounded{}, err
	}
	switch f.name {
	case "floor", "sign":
		return w.sum(v, exact), nil
	case "abs":
		return w.sum(v, brought), nil
	case "exp": // e^a·(e^δ − 1)
		brought += sizeOf(v)
	case "tan": // δ(1 + tan²)
		if brought += 2 * max(0, sizeOf(v)); brought > -2 {
			return bounded{}, errUndecided
		}
	}
	if a.isExact() && (a.Sign() == 0 || f.name == "log" && v.Sign() == 0 || f.name == "log2" && a.MinPrec() == 1) {
		return exactly(v), nil // f(0), log 1, log2 of a power of two
	}
	return w.rounded(v, brought), nil
}

// carried bounds how far f(a) is from f of the true argument, but for the factors
// of exp and tan that depend on the value.
func (f *function) carried(w bigWalk, a bounded) (int, error) {
	if a.isExact() {
		return exact, nil
	}
	switch f.name {
	case "log", "log2": // δ/|a'| with |a'| ≥ |a|/2; log2 is 1.44·log
		if !a.awayFromZero(0) {
			return 0, errUndecided
		}
		return a.err - a.size() + 3, nil
	case "log1p":
		d := w.add(a, exactly(big.NewFloat(1)))
		if !d.awayFromZero(0) {
			return 0, errUndecided
		}
		return a.err - d.size() + 2, nil
	case "exp": // e^δ − 1 ≤ 2δ for δ ≤ 1
		if a.err > 0 {
			return 0, errUndecided
		}
		return a.err + 1, nil
	case "erf":
		return a.err + 1, nil // its slope is at most 2/√π
	case "asin": // δ/√(1 − a'²) with 1 − a'² ≥ (1 − |a|)/2 =: d/2
		d := w.sub(exactly(big.NewFloat(1)), exactly(new(big.Float).Abs(a.Float)))
		d.err = max(d.err, a.err)
		if !d.awayFromZero(0) {
			return 0, errUndecided
		}
		return a.err + 2 - d.size()/2, nil
	case "tan":
		return a.err + 2, nil // 1 + tan² is at most doubled over the interval
	}
	return a.err, nil // abs, sin, cos, tanh do not grow distances
}

// sqrt: |√a − √a'| ≤ δ/√a.
func (w bigWalk) sqrt(a bounded) (bounded, error) {
	if !a.isExact() && !a.awayFromZero(0) {
		return w.nearZero(a, 0.5), nil
	}
	v, err := bigmath.Sqrt(a.Float, w.prec)
	if err != nil {
		return bounded{}, err
	}
	if a.isExact() && (v.Sign() == 0 || wide(2*v.MinPrec()+1).Mul(v, v).Cmp(a.Float) == 0) {
		return exactly(v), nil
	}
	return w.rounded(v, a.err-sizeOf(v)+1), nil
}

// nearZero is a^p, p > 0, for a value that cannot be told from zero: |a'| ≤ 3δ. That
// a' is not negative is taken from the formula being defined there.
func (w bigWalk) nearZero(a bounded, p float64) bounded {
	err := p * float64(a.err+2)
	return bounded{wide(w.prec), 1 + int(math.Ceil(max(err, exact)))}
}

// pow: the relative error of a^b is |b|δa/|a| + |log a|δb, both at most doubled.
func (w bigWalk) pow(a, b bounded) (bounded, error) {
	if !a.isExact() && !a.awayFromZero(0) {
		p, _ := b.Float64()
		if !b.isExact() || p <= 0 {
			return bounded{}, errUndecided
		}
		return w.nearZero(a, p), nil
	}
	if !b.isExact() && (a.Sign() < 0 || a.Sign() == 0 && !b.awayFromZero(0)) {
		return bounded{}, errUndecided
	}
	v, err := bigmath.Pow(a.Float, b.Float, w.prec)
	if err != nil {
		return bounded{}, err
	}
	n, acc := b.Int64()
	fits := acc == big.Exact && n >= 0 && n <= int64(w.prec) && n*int64(a.MinPrec()) <= int64(w.prec)
	if a.isExact() && (a.Sign() == 0 || b.isExact() && fits) {
		return exactly(v), nil
	}
	relative := exact
	if !a.isExact() {
		relative = b.size() + a.err - a.size() + 2
	}
	if !b.isExact() {
		logarithm := bits.Len(uint(max(a.size(), 2-a.size()))) // |log a| < 2^that
		relative = max(relative, b.err+logarithm)
	}
	if relative += 2; relative > -1 {
		return bounded{}, errUndecided
	}
	return w.rounded(v, sizeOf(v)+relative), nil
}

// nearInteger reports whether a rounded value may be an integer.
func (w bigWalk) nearInteger(a bounded) bool {
	if a.isExact() {
		return false
	}
	if a.err > -2 || a.size() > int(w.prec)-2 {
		return true
	}
	nearest, _ := bigFloor(w.add(a, exactly(big.NewFloat(0.5))).Float, w.prec) // never fails
	return !w.sub(a, exactly(nearest)).awayFromZero(1)
}
