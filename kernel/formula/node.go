package formula

// op is the operation of a node.
type op uint8

const (
	opNumber op = iota // value
	opPi
	opE
	opX // coordinate index of x
	opY // coordinate index of y

	opNeg
	opAdd
	opSub
	opMul
	opQuo
	opPow
	opMin
	opMax
	opCall1  // fn.float1(args[0])
	opCall2  // fn.float2(args[0], args[1])
	opPoints // fn.points(p, q), the points in which

	// The operations from here on give a truth value.
	opLess
	opLessEqual
	opEqual
	opNotEqual
	opNot
	opAnd
	opOr

	opIf // args[0] ? args[1] : args[2]; after the truth values because it gives a number
)

// bare is the index of a point that is written without one and used as a number.
const bare = -1

// node is a checked formula: arities and types are right.
type node struct {
	op    op
	args  []*node
	value float64
	index int       // of opX and opY
	fn    *function // of calls
	which [2]op     // of opPoints: opX or opY
	pos   int       // byte offset in the text
}

// isTruth reports whether the node gives a truth value instead of a number.
func (n *node) isTruth() bool { return opLess <= n.op && n.op <= opOr }

// walk calls visit for n and everything below it.
func (n *node) walk(visit func(*node)) {
	visit(n)
	for _, a := range n.args {
		a.walk(visit)
	}
}

// coordinates returns how many coordinates a point must have: exactly one if the
// formula uses a point as a number, else more than the largest index.
func (n *node) coordinates() (least int, one bool) {
	n.walk(func(m *node) {
		if m.op != opX && m.op != opY {
			return
		}
		if m.index == bare {
			one = true
		}
		least = max(least, m.index+1)
	})
	return least, one
}
