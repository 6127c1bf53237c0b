package formula

import (
	"fmt"
	"math"

	"example.org/mercer/kernel/expr"
)

// maxDepth is the size of the evaluation stack.
const maxDepth = 64

const (
	opJump      op = 100 + iota // to target
	opJumpFalse                 // to target if the popped value is 0
)

// instruction is one step of a stack program. Truth values are 0 and 1.
type instruction struct {
	op     op
	index  int // coordinate, or target of a jump
	value  float64
	float1 func(a float64) float64
	float2 func(a, b float64) float64
	points func(x, y []float64) float64
	which  [2]op
}

// program evaluates a formula in float64 without allocating.
type program []instruction

// compile lays the tree out in postfix order.
func compile(text string, n *node) (program, error) {
	c := compiler{}
	c.emit(n)
	if c.deepest > maxDepth {
		return nil, &expr.SyntaxError{Text: text, Offset: c.at, Msg: fmt.Sprintf("the formula is nested too deeply: it needs %d intermediate values, at most %d are kept", c.deepest, maxDepth)}
	}
	return c.code, nil
}

type compiler struct {
	code           program
	depth, deepest int
	at             int // where the depth was first exceeded
}

// push appends a step that leaves grow more values on the stack.
func (c *compiler) push(in instruction, grow, pos int) {
	c.code = append(c.code, in)
	c.depth += grow
	if c.depth > maxDepth && c.deepest <= maxDepth {
		c.at = pos
	}
	c.deepest = max(c.deepest, c.depth)
}

func (c *compiler) emit(n *node) {
	if n.op == opIf || n.op == opAnd || n.op == opOr {
		c.branch(n)
		return
	}
	for _, a := range n.args {
		c.emit(a)
	}
	in := instruction{op: n.op, index: max(n.index, 0), value: n.value, which: n.which}
	if n.fn != nil {
		in.float1, in.float2, in.points = n.fn.float1, n.fn.float2, n.fn.points
	}
	switch n.op {
	case opPi:
		in.op, in.value = opNumber, math.Pi
	case opE:
		in.op, in.value = opNumber, math.E
	}
	c.push(in, 1-len(n.args), n.pos)
}

// branch emits c ? a : b; "p and q" is p ? q : false, "p or q" is p ? true : q. Only
// the chosen side is evaluated.
func (c *compiler) branch(n *node) {
	yes, no := n.args[1], &node{op: opNumber, pos: n.pos}
	switch n.op {
	case opOr:
		yes, no = &node{op: opNumber, value: 1, pos: n.pos}, n.args[1]
	case opIf:
		no = n.args[2]
	}
	c.emit(n.args[0])
	c.push(instruction{op: opJumpFalse}, -1, n.pos)
	test := len(c.code) - 1
	c.emit(yes)
	c.push(instruction{op: opJump}, -1, n.pos)
	end := len(c.code) - 1
	c.code[test].index = len(c.code)
	c.emit(no)
	c.code[end].index = len(c.code)
}

// run evaluates the program; the caller has checked the number of coordinates.
func (p program) run(x, y []float64) float64 {
	var stack [maxDepth]float64
	top := -1
	for pc := 0; pc < len(p); pc++ {
		in := &p[pc]
		switch in.op {
		case opNumber:
			top++
			stack[top] = in.value
		case opX:
			top++
			stack[top] = x[in.index]
		case opY:
			top++
			stack[top] = y[in.index]
		case opPoints:
			top++
			stack[top] = in.points(pick(in.which[0], x, y), pick(in.which[1], x, y))
		case opNeg:
			stack[top] = -stack[top]
		case opNot:
			stack[top] = 1 - stack[top]
		case opCall1:
			stack[top] = in.float1(stack[top])
		case opJump:
			pc = in.index - 1
		case opJumpFalse:
			if top--; stack[top+1] == 0 {
				pc = in.index - 1
			}
		default:
			top--
			stack[top] = in.combine(stack[top], stack[top+1])
		}
	}
	return stack[0]
}

func (in *instruction) combine(a, b float64) float64 {
	switch in.op {
	case opAdd:
		return a + b
	case opSub:
		return a - b
	case opMul:
		return a * b
	case opQuo:
		return a / b
	case opPow:
		return math.Pow(a, b)
	case opMin:
		return min(a, b)
	case opMax:
		return max(a, b)
	case opLess:
		return truth(a < b)
	case opLessEqual:
		return truth(a <= b)
	case opEqual:
		return truth(a == b)
	case opNotEqual:
		return truth(a != b)
	}
	return in.float2(a, b)
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func pick(which op, x, y []float64) []float64 {
	if which == opY {
		return y
	}
	return x
}
