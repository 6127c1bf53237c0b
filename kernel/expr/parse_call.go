package expr

// kernelArgument is the name of the argument that is a kernel in every call.
const kernelArgument = "of"

// call parses the arguments after a name, if any.
func (p *parser) call(name token) (Node, error) {
	n := Node{Op: Call, Name: name.text, Pos: name.pos}
	open := p.tok
	if !open.is("(") {
		return n, nil
	}
	if err := p.advance(); err != nil {
		return Node{}, err
	}
	for !p.tok.is(")") {
		a, err := p.arg()
		if err != nil {
			return Node{}, err
		}
		if err := p.fits(n, a); err != nil {
			return Node{}, err
		}
		n.Args = append(n.Args, a)
		if !p.tok.is(",") {
			break
		}
		if err := p.advance(); err != nil {
			return Node{}, err
		}
		if p.tok.is(")") {
			return Node{}, p.errorf(p.tok.pos, "an argument is missing after the comma")
		}
	}
	return n, p.close(open, ")")
}

// fits checks a new argument against those before it.
func (p *parser) fits(n Node, a Arg) error {
	for _, before := range n.Args {
		switch {
		case a.Name == "" && before.Name != "":
			return p.errorf(a.Pos, "an argument without a name cannot follow %s=: name it too", before.Name)
		case a.Name != "" && a.Name == before.Name:
			return p.errorf(a.Pos, "%s gets the argument %s twice", n.Name, a.Name)
		}
	}
	return nil
}

// arg parses [ name "=" ] value.
func (p *parser) arg() (Arg, error) {
	first := p.tok
	if first.kind != nameToken {
		return p.value(Arg{Pos: first.pos})
	}
	if err := p.advance(); err != nil {
		return Arg{}, err
	}
	if !p.tok.is("=") {
		return p.word(Arg{Pos: first.pos}, first)
	}
	if err := p.advance(); err != nil {
		return Arg{}, err
	}
	return p.value(Arg{Name: first.text, Pos: first.pos})
}

// value parses what stands after "name=".
func (p *parser) value(a Arg) (Arg, error) {
	start := p.tok
	switch {
	case start.kind == nameToken:
		if err := p.advance(); err != nil {
			return a, err
		}
		return p.word(a, start)
	case start.kind == stringToken:
		a.Kind, a.Text = StringArg, start.text
		return a, p.advance()
	case start.is("?"):
		a.Kind, a.Text = WordArg, "?"
		return a, p.advance()
	case start.is("["):
		if err := p.advance(); err != nil {
			return a, err
		}
		return p.list(a, start)
	case start.is(","), start.is(")"), start.kind == endToken:
		return a, p.errorf(start.pos, "a value is missing: an argument is written name=value")
	}
	return p.kernel(a, start)
}

// word parses a value that starts with a name, which has been read: a word of its
// own, or the beginning of a kernel.
func (p *parser) word(a Arg, name token) (Arg, error) {
	if a.Name != kernelArgument && (p.tok.is(",") || p.tok.is(")")) {
		a.Kind, a.Text = WordArg, name.text
		return a, nil
	}
	return p.kernel(a, name)
}

// kernel parses a value that is a kernel, starting again at the given token. A bare
// number is a number, and a bare name a word, whatever brackets are around them:
// only the entry knows whether it wants a kernel there. The argument of= always does.
func (p *parser) kernel(a Arg, from token) (Arg, error) {
	p.pos = from.pos
	if err := p.advance(); err != nil {
		return a, err
	}
	n, err := p.sum()
	if err != nil {
		return a, err
	}
	switch {
	case a.Name == kernelArgument:
		a.Kind, a.Kernel = KernelArg, &n
	case n.Op == Number && n.Columns == nil:
		a.Kind, a.Number = NumberArg, n.Value
	case n.Op == Call && n.Args == nil && n.Columns == nil:
		a.Kind, a.Text = WordArg, n.Name
	default:
		a.Kind, a.Kernel = KernelArg, &n
	}
	return a, nil
}

// list parses the numbers of a list after its opening bracket.
func (p *parser) list(a Arg, open token) (Arg, error) {
	a.Kind, a.List = ListArg, []float64{}
	for !p.tok.is("]") {
		if p.tok.kind != numberToken && !p.tok.is("-") {
			if p.tok.kind == endToken {
				return a, p.errorf(open.pos, "%q is never closed", open.text)
			}
			return a, p.errorf(p.tok.pos, "expected a number in the list, found %s", p.tok)
		}
		v, err := p.signed()
		if err != nil {
			return a, err
		}
		a.List = append(a.List, v)
		if !p.tok.is(",") {
			break
		}
		if err := p.advance(); err != nil {
			return a, err
		}
	}
	return a, p.close(open, "]")
}
