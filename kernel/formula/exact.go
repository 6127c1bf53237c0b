package formula

import (
	"fmt"
	"math/big"

	"mercer/internal/bigmath"
)

// rounds is how often the working precision is doubled to resolve a cancellation.
const rounds = 4

// extra is added to the working precision against the roundings of a formula.
const extra = 64

// evalBig evaluates the tree to a relative error of about 2^−prec.
//
// The error of a formula is not known beforehand, because differences cancel. So
// the working precision is doubled until two results agree (Ziv, Fast evaluation of
// elementary mathematical functions with correctly rounded last bit, 1991). A
// result that keeps shrinking with the precision is an exact zero, for all that
// 2^4 times the precision can tell.
func evalBig(n *node, x, y []float64, prec uint) (*big.Float, error) {
	w := prec + extra
	last, err := bigWalk{x, y, w}.eval(n)
	if err != nil {
		return nil, err
	}
	if n.isLeaf() {
		return wide(prec).Set(last), nil
	}
	for range rounds {
		w *= 2
		next, err := bigWalk{x, y, w}.eval(n)
		if err != nil {
			return nil, err
		}
		d := wide(w).Sub(next, last)
		if d.Sign() == 0 || next.Sign() != 0 && d.MantExp(nil) < next.MantExp(nil)-int(prec)-2 {
			return wide(prec).Set(next), nil
		}
		last = next
	}
	if last.MantExp(nil) < -int(w/2) {
		return wide(prec), nil
	}
	return nil, fmt.Errorf("the value does not settle at %d bits: the formula is discontinuous or cancels there", w)
}

func (n *node) isLeaf() bool { return len(n.args) == 0 && n.op != opPoints }

// bigWalk evaluates a tree at a fixed working precision.
type bigWalk struct {
	x, y []float64
	prec uint
}

func (w bigWalk) eval(n *node) (*big.Float, error) {
	switch n.op {
	case opNumber:
		return wide(w.prec).SetFloat64(n.value), nil
	case opPi:
		return bigmath.Pi(w.prec), nil
	case opE:
		return bigmath.Exp(big.NewFloat(1), w.prec)
	case opX:
		return wide(w.prec).SetFloat64(w.x[max(n.index, 0)]), nil
	case opY:
		return wide(w.prec).SetFloat64(w.y[max(n.index, 0)]), nil
	case opPoints:
		return n.fn.bigs(pick(n.which[0], w.x, w.y), pick(n.which[1], w.x, w.y), w.prec), nil
	case opIf:
		yes, err := w.truth(n.args[0])
		if err != nil {
			return nil, err
		}
		if yes {
			return w.eval(n.args[1])
		}
		return w.eval(n.args[2])
	}
	a, err := w.eval(n.args[0])
	if err != nil {
		return nil, err
	}
	switch n.op {
	case opNeg:
		return a.Neg(a), nil
	case opCall1:
		return n.fn.big1(a, w.prec)
	}
	b, err := w.eval(n.args[1])
	if err != nil {
		return nil, err
	}
	v, err := w.combine(n, a, b)
	if err != nil {
		return nil, err
	}
	v, ok := bigmath.Ranged(v, w.prec)
	if !ok {
		return nil, fmt.Errorf("an intermediate value is too large")
	}
	return v, nil
}

// combine applies an operation of two numbers; they are finite.
func (w bigWalk) combine(n *node, a, b *big.Float) (*big.Float, error) {
	switch n.op {
	case opAdd:
		return a.Add(a, b), nil
	case opSub:
		return a.Sub(a, b), nil
	case opMul:
		return a.Mul(a, b), nil
	case opQuo:
		if b.Sign() == 0 {
			return nil, fmt.Errorf("division by zero")
		}
		return a.Quo(a, b), nil
	case opPow:
		return bigmath.Pow(a, b, w.prec)
	case opMin:
		if b.Cmp(a) < 0 {
			return b, nil
		}
		return a, nil
	case opMax:
		if b.Cmp(a) > 0 {
			return b, nil
		}
		return a, nil
	}
	return n.fn.big2(a, b, w.prec)
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
	switch c := a.Cmp(b); n.op {
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
