package formula

import (
	"errors"
	"fmt"
	"math/big"

	"mercer/internal/bigmath"
)

// extra is added to the precision against the roundings of a formula, and doubled
// up to mostExtra to resolve a cancellation.
const (
	extra     = 64
	mostExtra = 4096
)

// errUndecided: a rounded number is too close to a jump to say on which side it is.
var errUndecided = errors.New("a rounded value lies at a jump (of a comparison, floor, sign, gcd or lcm) and cannot be told from it")

// evalBig evaluates the tree to a relative error of about 2^−prec.
//
// The error of a formula is not known beforehand, because differences cancel. So
// the working precision is raised until two results agree (Ziv, Fast evaluation of
// elementary mathematical functions with correctly rounded last bit, 1991). A
// result that keeps shrinking with the precision is an exact zero, for all that
// mostExtra bits can tell. Values that were never rounded are known to be
// exact; any other that lies at a jump is an error at every precision.
func evalBig(n *node, x, y []float64, prec uint) (*big.Float, error) {
	var last *big.Float
	var err error
	for more := uint(extra); more <= mostExtra; more *= 2 {
		var next bigValue
		next, err = bigWalk{x, y, prec + more}.eval(n)
		if err != nil && !errors.Is(err, errUndecided) {
			return nil, err
		}
		if err == nil && (next.exact || last != nil && agree(last, next.Float, prec)) {
			return wide(prec).Set(next.Float), nil
		}
		last = next.Float
	}
	switch {
	case err != nil:
		return nil, err
	case last.MantExp(nil) < -mostExtra/2:
		return wide(prec), nil
	}
	return nil, fmt.Errorf("the value does not settle with %d more bits: the formula cancels there", mostExtra)
}

// agree reports whether two results are the same number to prec bits.
func agree(a, b *big.Float, prec uint) bool {
	d := wide(b.Prec()).Sub(a, b)
	return d.Sign() == 0 || b.Sign() != 0 && d.MantExp(nil) < b.MantExp(nil)-int(prec)-2
}

// bigValue is a number; exact says that nothing in its history was rounded.
type bigValue struct {
	*big.Float
	exact bool
}

// bigWalk evaluates a tree at a fixed working precision.
type bigWalk struct {
	x, y []float64
	prec uint
}

func (w bigWalk) eval(n *node) (bigValue, error) {
	switch n.op {
	case opNumber:
		return bigValue{wide(w.prec).SetFloat64(n.value), true}, nil
	case opPi:
		return bigValue{bigmath.Pi(w.prec), false}, nil
	case opE:
		v, err := bigmath.Exp(big.NewFloat(1), w.prec)
		return bigValue{v, false}, err
	case opX:
		return bigValue{wide(w.prec).SetFloat64(w.x[max(n.index, 0)]), true}, nil
	case opY:
		return bigValue{wide(w.prec).SetFloat64(w.y[max(n.index, 0)]), true}, nil
	case opPoints:
		v, exact := n.fn.bigs(pick(n.which[0], w.x, w.y), pick(n.which[1], w.x, w.y), w.prec)
		return bigValue{v, exact}, nil
	case opIf:
		yes, err := w.truth(n.args[0])
		if err != nil {
			return bigValue{}, err
		}
		if yes {
			return w.eval(n.args[1])
		}
		return w.eval(n.args[2])
	}
	a, err := w.eval(n.args[0])
	if err != nil {
		return bigValue{}, err
	}
	switch n.op {
	case opNeg:
		a.Neg(a.Float)
		return a, nil
	case opCall1:
		return w.call(n.fn, a)
	}
	b, err := w.eval(n.args[1])
	if err != nil {
		return bigValue{}, err
	}
	v, err := w.combine(n, a, b)
	if err != nil {
		return bigValue{}, err
	}
	ranged, ok := bigmath.Ranged(v.Float, w.prec)
	if !ok {
		return bigValue{}, errors.New("an intermediate value is too large")
	}
	return bigValue{ranged, v.exact && (v.Sign() == 0 || ranged.Sign() != 0)}, nil
}

// call applies a function of one number.
func (w bigWalk) call(f *function, a bigValue) (bigValue, error) {
	if f.jumps && w.nearInteger(a) {
		return bigValue{}, errUndecided
	}
	v, err := f.big1(a.Float, w.prec)
	if err != nil {
		return bigValue{}, err
	}
	exact := false
	switch f.name {
	case "abs", "floor", "sign":
		exact = a.exact || f.jumps
	case "sqrt":
		exact = a.exact && isSquare(a.Float, v)
	case "log", "log2":
		exact = a.exact && a.MinPrec() == 1 && (f.name == "log2" || v.Sign() == 0)
	default:
		exact = a.exact && a.Sign() == 0 // exp 0, cos 0, sin 0, tan 0, tanh 0, log1p 0
	}
	return bigValue{v, exact}, nil
}

// nearInteger reports whether a rounded value may be an integer for all that half of
// its bits tell.
func (w bigWalk) nearInteger(a bigValue) bool {
	if a.exact {
		return false
	}
	if a.Sign() == 0 || a.MantExp(nil) > int(w.prec/2) {
		return true
	}
	nearest := wide(w.prec).Add(a.Float, big.NewFloat(0.5))
	nearest, _ = bigFloor(nearest, w.prec) // never fails
	return w.touch(a, bigValue{nearest, true})
}

// touch reports whether two numbers, one of them rounded, may be equal for all that
// half of their bits tell.
func (w bigWalk) touch(a, b bigValue) bool {
	if a.exact && b.exact {
		return false
	}
	d := wide(w.prec).Sub(a.Float, b.Float)
	return d.Sign() == 0 || d.MantExp(nil) < max(a.MantExp(nil), b.MantExp(nil))-int(w.prec/2)
}

// combine applies an operation of two numbers; they are finite.
func (w bigWalk) combine(n *node, a, b bigValue) (bigValue, error) {
	v, exact := wide(w.prec), a.exact && b.exact
	switch n.op {
	case opAdd:
		v.Add(a.Float, b.Float)
	case opSub:
		v.Sub(a.Float, b.Float)
	case opMul:
		v.Mul(a.Float, b.Float)
	case opQuo:
		if b.Sign() == 0 {
			return bigValue{}, errors.New("division by zero")
		}
		v.Quo(a.Float, b.Float)
	case opPow:
		return w.power(a, b)
	case opMin, opMax:
		if (b.Cmp(a.Float) < 0) == (n.op == opMin) {
			a = b
		}
		return bigValue{a.Float, exact}, nil
	default:
		if w.nearInteger(a) || w.nearInteger(b) {
			return bigValue{}, errUndecided
		}
		v, err := n.fn.big2(a.Float, b.Float, w.prec)
		return bigValue{v, exact && err == nil && v.Acc() == big.Exact}, err
	}
	return bigValue{v, exact && v.Acc() == big.Exact}, nil
}

// power is exact for small integer powers, whose digits all fit.
func (w bigWalk) power(a, b bigValue) (bigValue, error) {
	v, err := bigmath.Pow(a.Float, b.Float, w.prec)
	n, acc := b.Int64()
	fits := acc == big.Exact && n >= 0 && uint64(n)*uint64(a.MinPrec()) <= uint64(w.prec) && n <= 1<<20
	return bigValue{v, a.exact && b.exact && fits}, err
}

func (w bigWalk) truth(n *node) (bool, error) {
	switch n.op {
	case opNot:
		yes, err := w.truth(n.args[0])
		return !yes, err
	case opAnd, opOr:
		yes, err := w.truth(n.args[0])
		if err != nil || yes == (n.op == opOr) {
			return yes, err
		}
		return w.truth(n.args[1])
	}
	a, err := w.eval(n.args[0])
	if err != nil {
		return false, err
	}
	b, err := w.eval(n.args[1])
	if err != nil {
		return false, err
	}
	if w.touch(a, b) {
		return false, errUndecided
	}
	switch c := a.Cmp(b.Float); n.op {
	case opLess:
		return c < 0, nil
	case opLessEqual:
		return c <= 0, nil
	case opEqual:
		return c == 0, nil
	default:
		return c != 0, nil
	}
}
