package formula

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"example.org/mercer/internal/bigmath"
)

// extra is added to the precision against the roundings of a formula, and doubled
// up to mostExtra to resolve a cancellation.
const (
	extra     = 64
	mostExtra = 2048
)

// errUndecided: the error bound of a value is too large to say on which side of a
// jump, a zero or the border of a domain it lies.
var errUndecided = errors.New("a rounded value cannot be told from zero, from the border of a domain or from a jump")

// evalBig evaluates the tree to a relative error of 2^−prec.
//
// Every value carries a bound of its error, from which the working precision that
// a cancellation needs shows; it is raised until the bound of the result is small
// enough. Values that were never rounded have no error at all. A result that cannot
// be told from zero with mostExtra bits is an error: calling it zero would be a guess.
func evalBig(n *node, x, y []float64, prec uint) (*big.Float, error) {
	var err error
	for more := uint(extra); more <= mostExtra; more *= 2 {
		var v bounded
		v, err = bigWalk{x, y, prec + more}.eval(n)
		switch {
		case err == nil && v.within(prec):
			return wide(prec).Set(v.Float), nil
		case err != nil && !errors.Is(err, errUndecided):
			return nil, err
		}
	}
	if err == nil {
		err = errUndecided
	}
	return nil, fmt.Errorf("not even %d more bits settle the value: %w", mostExtra, err)
}

// bigWalk evaluates a tree at a fixed working precision.
type bigWalk struct {
	x, y []float64
	prec uint
}

func (w bigWalk) eval(n *node) (bounded, error) {
	switch n.op {
	case opNumber:
		return exactly(wide(w.prec).SetFloat64(n.value)), nil
	case opPi:
		return w.rounded(bigmath.Pi(w.prec), exact), nil
	case opE:
		v, err := bigmath.Exp(big.NewFloat(1), w.prec)
		return w.rounded(v, exact), err
	case opX, opY:
		return exactly(wide(w.prec).SetFloat64(w.coordinate(n))), nil
	case opPoints:
		v := exactly(n.fn.bigs(pick(n.which[0], w.x, w.y), pick(n.which[1], w.x, w.y)))
		if n.fn.name == "norm" {
			return w.sqrt(v)
		}
		return v, nil
	case opIf:
		yes, err := w.truth(n.args[0])
		if err != nil {
			return bounded{}, err
		}
		if yes {
			return w.eval(n.args[1])
		}
		return w.eval(n.args[2])
	}
	if n.op == opSub && w.equal(n.args[0], n.args[1]) {
		return exactly(wide(w.prec)), nil
	}
	a, err := w.eval(n.args[0])
	if err != nil {
		return bounded{}, err
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
		return bounded{}, err
	}
	v, err := w.combine(n, a, b)
	if err != nil {
		return bounded{}, err
	}
	ranged, ok := bigmath.Ranged(v.Float, max(w.prec, v.Prec()))
	if !ok {
		return bounded{}, errors.New("an intermediate value is too large")
	}
	if ranged.Sign() == 0 && v.Sign() != 0 {
		return w.rounded(ranged, v.err), nil // underflow
	}
	v.Float = ranged
	return v, nil
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
	difference, err := w.eval(&node{op: opSub, args: n.args})
	if err != nil {
		return false, err
	}
	if !difference.awayFromZero(0) && !difference.isExact() {
		return false, errUndecided
	}
	switch c := difference.Sign(); n.op {
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

// equal reports whether two parts are the same operations on the same numbers, as
// log(x) and log(y) are at x = y: their difference is zero, however they are rounded.
func (w bigWalk) equal(a, b *node) bool {
	switch {
	case a.isCoordinate() && b.isCoordinate():
		return w.coordinate(a) == w.coordinate(b)
	case a.op != b.op || a.fn != b.fn || a.value != b.value || len(a.args) != len(b.args):
		return false
	case a.op == opPoints:
		return slices.Equal(pick(a.which[0], w.x, w.y), pick(b.which[0], w.x, w.y)) &&
			slices.Equal(pick(a.which[1], w.x, w.y), pick(b.which[1], w.x, w.y))
	}
	for i := range a.args {
		if !w.equal(a.args[i], b.args[i]) {
			return false
		}
	}
	return true
}

func (n *node) isCoordinate() bool { return n.op == opX || n.op == opY }

// coordinate returns the number that x, y, x[i] or y[i] stands for.
func (w bigWalk) coordinate(n *node) float64 {
	return pick(n.op, w.x, w.y)[max(n.index, 0)]
}
