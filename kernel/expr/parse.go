package expr

import (
	"math"
	"unicode/utf8"
)

// Limits that keep a hostile text from exhausting the stack or the memory. A list
// of a number per column for 40,000 columns still fits.
const (
	maxText  = 1 << 20 // bytes
	maxDepth = 128     // nested brackets
	maxNodes = 1 << 16 // kernels and operators
)

// Parse reads an expression of at most 1 MiB, 128 nested brackets and 65536 parts. The
// error is a [*SyntaxError]. Names are not looked up: that is done by [Resolve] and
// [Build].
func Parse(text string) (Node, error) {
	switch {
	case len(text) > maxText:
		return Node{}, &SyntaxError{Text: text, Offset: -1, Msg: "the expression is longer than 1 MiB"}
	case !utf8.ValidString(text):
		return Node{}, &SyntaxError{Text: text, Offset: -1, Msg: "the text is not valid UTF-8"}
	}
	p := parser{lexer: lexer{text: text}}
	if err := p.advance(); err != nil {
		return Node{}, err
	}
	if p.tok.kind == endToken {
		return Node{}, p.errorf(0, "the expression is empty: write a kernel such as rbf(sigma=1)")
	}
	n, err := p.sum()
	if err != nil {
		return Node{}, err
	}
	if p.tok.kind != endToken {
		return Node{}, p.unexpected()
	}
	n.Text = text
	return n, nil
}

// parser is a recursive-descent parser with one token of lookahead, one method for
// each rule of the grammar in the package comment.
type parser struct {
	lexer
	tok   token
	depth int
	nodes int
}

// advance reads the next token.
func (p *parser) advance() (err error) {
	p.tok, err = p.next()
	return err
}

// enter counts one level of nesting, and one node; leave undoes the level.
func (p *parser) enter() error {
	p.depth++
	p.nodes++
	switch {
	case p.depth > maxDepth:
		return p.errorf(p.tok.pos, "brackets are nested more than %d deep", maxDepth)
	case p.nodes > maxNodes:
		return p.errorf(p.tok.pos, "the expression has more than %d parts", maxNodes)
	}
	return nil
}

func (p *parser) leave() { p.depth-- }

// chain parses operand { operator operand }; a single operand stands for itself.
func (p *parser) chain(op Op, operator string, operand func() (Node, error)) (Node, error) {
	first, err := operand()
	if err != nil || !p.tok.is(operator) {
		return first, err
	}
	n := Node{Op: op, Terms: []Node{first}, Pos: first.Pos}
	for p.tok.is(operator) {
		if err := p.advance(); err != nil {
			return Node{}, err
		}
		if operator == "*" && p.tok.is("*") {
			return Node{}, p.errorf(p.tok.pos, "a power is written k^2, not k**2")
		}
		next, err := operand()
		if err != nil {
			return Node{}, err
		}
		n.Terms = append(n.Terms, next)
	}
	return flatten(n), nil
}

// flatten removes brackets that do not change the order of evaluation: sums are
// added from the left, products are multiplied from the right.
func flatten(n Node) Node {
	at := 0
	if n.Op == Product {
		at = len(n.Terms) - 1
	}
	inner := n.Terms[at]
	if inner.Op != n.Op || inner.Columns != nil {
		return n
	}
	if n.Op == Product {
		n.Terms = append(n.Terms[:at:at], inner.Terms...)
	} else {
		n.Terms = append(inner.Terms[:len(inner.Terms):len(inner.Terms)], n.Terms[1:]...)
	}
	return n
}

func (p *parser) sum() (Node, error) { return p.chain(Sum, "+", p.product) }

func (p *parser) product() (Node, error) { return p.chain(Product, "*", p.power) }

func (p *parser) power() (Node, error) {
	base, err := p.factor()
	if err != nil || !p.tok.is("^") {
		return base, err
	}
	if err := p.advance(); err != nil {
		return Node{}, err
	}
	degree := p.tok
	if degree.kind != numberToken || degree.value != math.Trunc(degree.value) || degree.value > math.MaxInt32 {
		return Node{}, p.errorf(degree.pos, "the power must be a whole number, 0 or more, not %s: other powers of a kernel need not be positive definite", degree)
	}
	if err := p.advance(); err != nil {
		return Node{}, err
	}
	switch {
	case p.tok.is("^"):
		return Node{}, p.errorf(p.tok.pos, "write (k^2)^3 for a power of a power")
	case p.tok.is("["):
		return Node{}, p.errorf(p.tok.pos, "columns are selected before the power: write k[age]^2 or (k^2)[age]")
	}
	return Node{Op: Power, Value: degree.value, Terms: []Node{base}, Pos: base.Pos}, nil
}

// factor parses a number, a call or a sum in brackets, and the columns it is
// restricted to.
func (p *parser) factor() (Node, error) {
	if err := p.enter(); err != nil {
		return Node{}, err
	}
	defer p.leave()
	n, err := p.operand()
	if err != nil {
		return Node{}, err
	}
	if !p.tok.is("[") {
		return n, nil
	}
	n.ColumnsPos = p.tok.pos
	if inner, found := selection(n); found {
		return Node{}, p.errorf(p.tok.pos, "columns %s are already selected inside: select once, because a selection within a selection could mean two things", FormatColumns(inner))
	}
	if n.Columns, err = p.columns(p.tok.pos); err != nil {
		return Node{}, err
	}
	return n, p.advance()
}

// selection returns the first selection of columns in n. Those in arguments are left to
// [Build], which knows whether they select from the same points.
func selection(n Node) (columns []string, found bool) {
	if n.Columns != nil {
		return n.Columns, true
	}
	for _, term := range n.Terms {
		if columns, found = selection(term); found {
			return columns, true
		}
	}
	return nil, false
}

// operand parses a factor without its columns.
func (p *parser) operand() (Node, error) {
	start := p.tok
	switch {
	case start.kind == numberToken, start.is("-"):
		value, err := p.signed()
		return Node{Op: Number, Value: value, Pos: start.pos}, err
	case start.kind == nameToken:
		if err := p.advance(); err != nil {
			return Node{}, err
		}
		return p.call(start)
	case start.is("("):
		if err := p.advance(); err != nil {
			return Node{}, err
		}
		n, err := p.sum()
		if err != nil {
			return Node{}, err
		}
		return n, p.close(start, ")")
	}
	return Node{}, p.unexpected()
}

// signed parses a number with an optional minus sign directly before it.
func (p *parser) signed() (float64, error) {
	sign := 1.0
	if minus := p.tok; minus.is("-") {
		if err := p.advance(); err != nil {
			return 0, err
		}
		if p.tok.kind != numberToken {
			return 0, p.errorf(minus.pos, leavesCone, "-", "the difference of two kernels")
		}
		sign = -1
	}
	value := sign * p.tok.value
	return value, p.advance()
}

// leavesCone explains why there is no subtraction and no division.
const leavesCone = "%q leaves the positive definite kernels: %s is in general not one; sums, products, powers and non-negative factors are"

// close expects the bracket that closes open, and moves past it.
func (p *parser) close(open token, symbol string) error {
	switch {
	case p.tok.is(symbol):
		return p.advance()
	case p.tok.kind == endToken:
		return p.errorf(open.pos, "%q is never closed", open.text)
	}
	return p.unexpected()
}

// unexpected explains a token that fits no rule here.
func (p *parser) unexpected() error {
	t := p.tok
	switch {
	case t.is("-"):
		return p.errorf(t.pos, leavesCone, "-", "the difference of two kernels")
	case t.is("/"):
		return p.errorf(t.pos, leavesCone, "/", "the quotient of two kernels")
	case t.is(")"), t.is("]"):
		return p.errorf(t.pos, "unexpected %s: no such bracket is open, or something is missing before it", t)
	case t.is("?"):
		return p.errorf(t.pos, `unexpected "?": a free parameter stands for the value of an argument, as in rbf(sigma=?)`)
	case t.kind == endToken:
		return p.errorf(t.pos, "the expression ends where a kernel or a number is expected")
	case t.kind == nameToken, t.kind == numberToken, t.is("("):
		return p.errorf(t.pos, "unexpected %s: write * between factors and + between terms", t)
	}
	return p.errorf(t.pos, "unexpected %s", t)
}
