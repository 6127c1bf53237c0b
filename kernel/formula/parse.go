package formula

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"

	"example.org/mercer/kernel/expr"
)

// maxLength bounds the text of a formula in bytes, and with it every recursion.
const maxLength = 4096

// scope says which names stand for points.
type scope struct {
	points []string // "x", "y"; the first one is x
	scalar bool     // points are numbers: no coordinates, no functions of points
}

// parse checks a formula and returns its tree; every error is an [expr.SyntaxError].
func parse(text string, in scope) (*node, error) {
	if strings.TrimSpace(text) == "" {
		return nil, &expr.SyntaxError{Text: text, Msg: `an empty formula; write one such as "exp(-abs(x-y))"`}
	}
	if len(text) > maxLength {
		return nil, &expr.SyntaxError{Text: text[:40] + "…", Msg: fmt.Sprintf("a formula of %d bytes; at most %d are accepted", len(text), maxLength)}
	}
	tree, err := parser.Parse(text)
	c := checker{text: text, scope: in}
	if err != nil {
		var at *file.Error
		if errors.As(err, &at) {
			return nil, c.errorf(at.Location, "%s", readable(at.Message))
		}
		return nil, &expr.SyntaxError{Text: text, Msg: err.Error()}
	}
	n, err := c.check(tree.Node)
	if err != nil {
		return nil, err
	}
	if n.isTruth() {
		return nil, c.errorf(tree.Node.Location(), "the formula is true or false, not a number; write (… ? 1 : 0)")
	}
	return n, nil
}

// readable rewrites the parser's token names: `unexpected token Operator("*")`.
func readable(msg string) string {
	msg = strings.ReplaceAll(msg, "token EOF", "end of the formula")
	for _, kind := range []string{"Operator", "Bracket", "Identifier", "Number", "String", "Bytes"} {
		msg = strings.ReplaceAll(msg, "token "+kind+"(", "(")
	}
	return msg
}

// checker turns the parser's tree into a node, refusing what the language lacks.
type checker struct {
	text string
	scope
}

// offset converts a place counted in characters to bytes.
func (c *checker) offset(at file.Location) int {
	runes := 0
	for i := range c.text {
		if runes == at.From {
			return i
		}
		runes++
	}
	return len(c.text)
}

func (c *checker) errorf(at file.Location, format string, args ...any) error {
	return &expr.SyntaxError{Text: c.text, Offset: c.offset(at), Msg: fmt.Sprintf(format, args...)}
}

func (c *checker) check(from ast.Node) (*node, error) {
	at := from.Location()
	n := &node{pos: c.offset(at)}
	switch from := from.(type) {
	case *ast.IntegerNode:
		n.value = float64(from.Value)
		return n, nil
	case *ast.FloatNode:
		if math.IsInf(from.Value, 0) {
			return nil, c.errorf(at, "the number is too large")
		}
		n.value = from.Value
		return n, nil
	case *ast.IdentifierNode:
		return c.identifier(n, from)
	case *ast.MemberNode:
		return c.coordinate(n, from)
	case *ast.UnaryNode:
		return c.unary(n, from)
	case *ast.BinaryNode:
		return c.binary(n, from)
	case *ast.ConditionalNode:
		return c.conditional(n, from)
	case *ast.CallNode:
		if name, ok := from.Callee.(*ast.IdentifierNode); ok {
			return c.call(n, name.Value, from.Arguments, at)
		}
		return nil, c.errorf(at, "methods are not part of the language; functions are %s", functionNames())
	case *ast.BuiltinNode:
		return c.call(n, from.Name, from.Arguments, at)
	}
	return nil, c.errorf(at, "%s not part of the language: a formula has numbers, %s, + - * / ^, comparisons, c ? a : b and the functions %s",
		construct(from), strings.Join(c.points, ", "), functionNames())
}

// construct names what the parser understood but formulas do not have.
func construct(from ast.Node) string {
	switch from.(type) {
	case *ast.StringNode, *ast.BytesNode:
		return "text is"
	case *ast.ArrayNode, *ast.SliceNode:
		return "lists are"
	case *ast.MapNode, *ast.PairNode:
		return "maps are"
	case *ast.BoolNode:
		return "true and false are"
	case *ast.VariableDeclaratorNode, *ast.SequenceNode:
		return "variables and sequences are"
	}
	return "this is"
}

// operand checks a part that must be a number (truth = false) or a truth value.
func (c *checker) operand(from ast.Node, truth bool, what string) (*node, error) {
	n, err := c.check(from)
	if err != nil {
		return nil, err
	}
	switch {
	case truth && !n.isTruth():
		return nil, c.errorf(from.Location(), "%s needs a comparison such as x < y, not a number", what)
	case !truth && n.isTruth():
		return nil, c.errorf(from.Location(), "%s needs a number; write (… ? 1 : 0)", what)
	}
	return n, nil
}

func (c *checker) operands(n *node, o op, truth bool, what string, from ...ast.Node) (*node, error) {
	n.op = o
	for _, f := range from {
		a, err := c.operand(f, truth, what)
		if err != nil {
			return nil, err
		}
		n.args = append(n.args, a)
	}
	return n, nil
}

func (c *checker) identifier(n *node, from *ast.IdentifierNode) (*node, error) {
	switch i := slices.Index(c.points, from.Value); {
	case i >= 0:
		n.op, n.index = opX+op(i), bare
		return n, nil
	case from.Value == "pi":
		n.op = opPi
		return n, nil
	case from.Value == "e":
		n.op = opE
		return n, nil
	}
	if functionNamed(from.Value) != nil {
		return nil, c.errorf(from.Location(), "the function %s needs arguments: %s(…)", from.Value, from.Value)
	}
	known := append(slices.Clone(c.points), "pi", "e")
	return nil, c.errorf(from.Location(), "unknown name %q%s; known names are %s", from.Value, expr.Suggest(from.Value, known), strings.Join(known, ", "))
}

// coordinate accepts x[0], x[1], … with a literal index.
func (c *checker) coordinate(n *node, from *ast.MemberNode) (*node, error) {
	at := from.Location()
	id, ok := from.Node.(*ast.IdentifierNode)
	i := -1
	if ok {
		i = slices.Index(c.points, id.Value)
	}
	index, literal := from.Property.(*ast.IntegerNode)
	switch {
	case i < 0:
		return nil, c.errorf(at, "only the points %s have coordinates", strings.Join(c.points, ", "))
	case c.scalar:
		return nil, c.errorf(at, "%s is one number here and has no coordinates", id.Value)
	case !literal || index.Value < 0 || index.Value > 1<<20:
		return nil, c.errorf(at, "a coordinate is written %s[0], %s[1], … with a number from 0", id.Value, id.Value)
	}
	n.op, n.index = opX+op(i), index.Value
	return n, nil
}

func (c *checker) unary(n *node, from *ast.UnaryNode) (*node, error) {
	switch from.Operator {
	case "-":
		return c.operands(n, opNeg, false, "-", from.Node)
	case "+":
		return c.operand(from.Node, false, "+")
	case "!", "not":
		return c.operands(n, opNot, true, from.Operator, from.Node)
	}
	return nil, c.errorf(from.Location(), "unknown operator %q", from.Operator)
}

var binaries = map[string]op{
	"+": opAdd, "-": opSub, "*": opMul, "/": opQuo, "^": opPow, "**": opPow,
	"<": opLess, "<=": opLessEqual, ">": opLess, ">=": opLessEqual, "==": opEqual, "!=": opNotEqual,
	"and": opAnd, "&&": opAnd, "or": opOr, "||": opOr,
}

func (c *checker) binary(n *node, from *ast.BinaryNode) (*node, error) {
	o, ok := binaries[from.Operator]
	if !ok {
		return nil, c.errorf(from.Location(), "the operator %q is not part of the language; use + - * / ^, comparisons, and, or", from.Operator)
	}
	left, right := from.Left, from.Right
	if from.Operator[0] == '>' { // a > b is b < a
		left, right = right, left
	}
	return c.operands(n, o, o == opAnd || o == opOr, from.Operator, left, right)
}

func (c *checker) conditional(n *node, from *ast.ConditionalNode) (*node, error) {
	n, err := c.operands(n, opIf, true, "the condition before ?", from.Cond)
	if err != nil {
		return nil, err
	}
	return c.operands(n, opIf, false, "c ? a : b", from.Exp1, from.Exp2)
}

func (c *checker) call(n *node, name string, args []ast.Node, at file.Location) (*node, error) {
	f := functionNamed(name)
	if f == nil {
		hint := expr.Suggest(name, allNames())
		if name == "ln" {
			hint = "; the natural logarithm is log"
		}
		return nil, c.errorf(at, "unknown function %q%s; functions are %s", name, hint, functionNames())
	}
	if len(args) < f.least || (f.most >= 0 && len(args) > f.most) {
		return nil, c.errorf(at, "%s takes %s, not %d", name, f.arity(), len(args))
	}
	n.fn = f
	if f.op == opPoints {
		return c.onPoints(n, args, at)
	}
	n, err := c.operands(n, f.op, false, name, args...)
	if err != nil {
		return nil, err
	}
	for len(n.args) > 2 { // min(a, b, c) = min(min(a, b), c)
		first := &node{op: n.op, fn: f, args: n.args[:2:2], pos: n.pos}
		n.args = append([]*node{first}, n.args[2:]...)
	}
	return n, nil
}

// onPoints checks a call of a function of whole points, such as dot(x, y).
func (c *checker) onPoints(n *node, args []ast.Node, at file.Location) (*node, error) {
	if c.scalar {
		return nil, c.errorf(at, "%s is a function of a point; here x is one number", n.fn.name)
	}
	n.op = opPoints
	for i, a := range args {
		id, ok := a.(*ast.IdentifierNode)
		which := -1
		if ok {
			which = slices.Index(c.points, id.Value)
		}
		if which < 0 {
			return nil, c.errorf(a.Location(), "%s takes the points %s themselves", n.fn.name, strings.Join(c.points, ", "))
		}
		n.which[i] = opX + op(which)
	}
	if len(args) == 1 {
		n.which[1] = n.which[0]
	}
	return n, nil
}

// arity describes the accepted number of arguments.
func (f *function) arity() string {
	switch {
	case f.most < 0:
		return fmt.Sprintf("%d or more arguments", f.least)
	case f.least == 1:
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", f.least)
}

func allNames() []string {
	names := make([]string, len(functions))
	for i, f := range functions {
		names[i] = f.name
	}
	return names
}

func functionNames() string { return strings.Join(allNames(), ", ") }
