package formula

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// points says which of the two points a tree depends on.
func (n *node) points() (x, y bool) {
	n.walk(func(m *node) {
		x = x || m.op == opX || m.op == opPoints && (m.which[0] == opX || m.which[1] == opX)
		y = y || m.op == opY || m.op == opPoints && (m.which[0] == opY || m.which[1] == opY)
	})
	return x, y
}

// constant returns the value of a tree without x and y.
func (n *node) constant() (float64, bool) {
	if x, y := n.points(); x || y {
		return 0, false
	}
	c := compiler{}
	if c.emit(n); c.deepest > maxDepth {
		return 0, false
	}
	v := c.code.run(nil, nil)
	return v, !math.IsNaN(v) && !math.IsInf(v, 0)
}

// mirrored reports whether b is a with x and y exchanged: a = f(x) and b = f(y).
func mirrored(a, b *node) bool {
	if len(a.args) != len(b.args) || a.fn != b.fn || a.value != b.value || a.index != b.index {
		return false
	}
	if a.op == opPoints {
		return b.op == opPoints && a.which[0] == other(b.which[0]) && a.which[1] == other(b.which[1])
	}
	if a.op != other(b.op) {
		return false
	}
	for i := range a.args {
		if !mirrored(a.args[i], b.args[i]) {
			return false
		}
	}
	return true
}

// other exchanges x and y and leaves everything else.
func other(o op) op {
	switch o {
	case opX:
		return opY
	case opY:
		return opX
	}
	return o
}

// separated reports whether a and b are f(x) and f(y), in either order.
func separated(a, b *node) bool {
	ax, ay := a.points()
	return ax != ay && mirrored(a, b)
}

// term is one signed term c·body of a sum; body is nil for a constant.
type term struct {
	factor float64
	body   *node
}

// terms splits a sum into c₁·b₁ + c₂·b₂ + … with constant factors cᵢ.
func (n *node) terms(factor float64) []term {
	if v, ok := n.constant(); ok {
		return []term{{factor: factor * v}}
	}
	switch n.op {
	case opNeg:
		return n.args[0].terms(-factor)
	case opAdd:
		return append(n.args[0].terms(factor), n.args[1].terms(factor)...)
	case opSub:
		return append(n.args[0].terms(factor), n.args[1].terms(-factor)...)
	case opMul, opQuo:
		above, below := n.factors()
		above, factor = extracted(above, factor)
		below, under := extracted(below, 1)
		factor /= under
		if len(below) > 0 || len(above) != 1 {
			return []term{{factor, product(above, below)}}
		}
		return above[0].terms(factor)
	}
	return []term{{factor, n}}
}

// extracted takes the constants out of a list of factors.
func extracted(factors []*node, constant float64) (rest []*node, c float64) {
	for _, f := range factors {
		if v, ok := f.constant(); ok {
			constant *= v
		} else {
			rest = append(rest, f)
		}
	}
	return rest, constant
}

// product writes a product again: above[0]·above[1]·… / below[0] / ….
func product(above, below []*node) *node {
	n := &node{op: opNumber, value: 1}
	if len(above) > 0 {
		n, above = above[0], above[1:]
	}
	for _, f := range above {
		n = &node{op: opMul, args: []*node{n, f}}
	}
	for _, f := range below {
		n = &node{op: opQuo, args: []*node{n, f}}
	}
	return n
}

// summands lists the operands of a chain of additions.
func (n *node) summands() []*node {
	if n.op != opAdd {
		return []*node{n}
	}
	return append(n.args[0].summands(), n.args[1].summands()...)
}

// unpaired removes the terms that come as c·f(x) + c·f(y).
func unpaired(terms []term) []term {
	var left []term
	used := make([]bool, len(terms))
next:
	for i, t := range terms {
		if used[i] {
			continue
		}
		for j := i + 1; t.body != nil && j < len(terms); j++ {
			u := terms[j]
			if !used[j] && u.body != nil && t.factor == u.factor && separated(t.body, u.body) {
				used[j] = true
				continue next
			}
		}
		left = append(left, t)
	}
	return left
}

// factors splits a product into numerator and denominator.
func (n *node) factors() (above, below []*node) {
	switch n.op {
	case opNeg:
		above, below = n.args[0].factors()
		return append(above, &node{op: opNumber, value: -1}), below
	case opMul, opQuo:
		above, below = n.args[0].factors()
		a, b := n.args[1].factors()
		if n.op == opQuo {
			a, b = b, a
		}
		return append(above, a...), append(below, b...)
	}
	return []*node{n}, nil
}

// symbols are the infix operators with their binding strength.
var symbols = map[op]struct {
	text     string
	strength int
}{
	opOr: {" or ", 1}, opAnd: {" and ", 2}, opLess: {" < ", 3}, opLessEqual: {" <= ", 3}, opEqual: {" == ", 3}, opNotEqual: {" != ", 3},
	opAdd: {" + ", 4}, opSub: {" - ", 4}, opMul: {"*", 5}, opQuo: {"/", 5}, opPow: {"^", 7},
}

// text writes a tree as a formula, in parentheses where it binds more loosely than
// strength.
func (n *node) text(strength int) string {
	if s, ok := symbols[n.op]; ok {
		left, right := s.strength, s.strength+1
		if n.op == opPow {
			left, right = right, left
		}
		return enclosed(n.args[0].text(left)+s.text+n.args[1].text(right), s.strength < strength)
	}
	name := [...]string{opX: "x", opY: "y"}
	switch n.op {
	case opNumber:
		return enclosed(strconv.FormatFloat(n.value, 'g', -1, 64), n.value < 0 && strength > 4)
	case opPi:
		return "pi"
	case opE:
		return "e"
	case opX, opY:
		if n.index != bare {
			return fmt.Sprintf("%s[%d]", name[n.op], n.index)
		}
		return name[n.op]
	case opNeg:
		return enclosed("-"+n.args[0].text(6), strength > 4)
	case opNot:
		return "not (" + n.args[0].text(0) + ")"
	case opIf:
		return enclosed(n.args[0].text(1)+" ? "+n.args[1].text(0)+" : "+n.args[2].text(0), strength > 0)
	case opPoints:
		if n.fn.most == 1 {
			return n.fn.name + "(" + name[n.which[0]] + ")"
		}
		return n.fn.name + "(" + name[n.which[0]] + ", " + name[n.which[1]] + ")"
	}
	texts := make([]string, len(n.args))
	for i, a := range n.args {
		texts[i] = a.text(0)
	}
	return n.fn.name + "(" + strings.Join(texts, ", ") + ")"
}

func enclosed(text string, yes bool) string {
	if yes {
		return "(" + text + ")"
	}
	return text
}
