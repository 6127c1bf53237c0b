package expr

import (
	"strconv"
	"strings"
	"unicode"
)

// How tightly a node binds, from the loosest to the tightest.
const (
	looseSum = iota
	looseProduct
	loosePower
	atom
)

// String returns the canonical text: one space around +, none around * and ^, and
// only the brackets that are needed. Parsing it gives the same node back.
func (n Node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

// binds returns how tightly the text of n binds.
func (n Node) binds() int {
	switch {
	case n.Columns != nil:
		return atom
	case n.Op == Sum:
		return looseSum
	case n.Op == Product:
		return looseProduct
	case n.Op == Power:
		return loosePower
	}
	return atom
}

// write prints n, in brackets where it carries a selection that an operator alone
// cannot.
func (n Node) write(b *strings.Builder) {
	bare := n
	bare.Columns = nil
	if n.Columns != nil && bare.binds() < atom {
		b.WriteByte('(')
		bare.writeBare(b)
		b.WriteByte(')')
	} else {
		bare.writeBare(b)
	}
	if n.Columns != nil {
		b.WriteString(FormatColumns(n.Columns))
	}
}

// writeBare prints n without its selection.
func (n Node) writeBare(b *strings.Builder) {
	switch n.Op {
	case Number:
		b.WriteString(formatNumber(n.Value))
	case Call:
		b.WriteString(n.Name)
		writeArgs(b, n.Args)
	case Sum:
		writeTerms(b, n.Terms, " + ", looseSum, 0)
	case Product:
		writeTerms(b, n.Terms, "*", looseProduct, len(n.Terms)-1)
	case Power:
		writeTerms(b, n.Terms, "^", loosePower, -1)
		b.WriteByte('^')
		b.WriteString(strconv.FormatFloat(n.Value, 'f', -1, 64))
	}
}

// enclosed prints n, in brackets where it binds more loosely than its place allows.
func (n Node) enclosed(b *strings.Builder, place int) {
	if n.binds() >= place {
		n.write(b)
		return
	}
	b.WriteByte('(')
	n.write(b)
	b.WriteByte(')')
}

// writeTerms joins terms; the one at position flat may be the same operator.
func writeTerms(b *strings.Builder, terms []Node, separator string, place, flat int) {
	for i, term := range terms {
		if i > 0 {
			b.WriteString(separator)
		}
		if i == flat {
			term.enclosed(b, place)
		} else {
			term.enclosed(b, place+1)
		}
	}
}

// writeArgs prints (name=value, …), or nothing without arguments.
func writeArgs(b *strings.Builder, args []Arg) {
	if len(args) == 0 {
		return
	}
	for i, a := range args {
		b.WriteString([]string{"(", ", "}[min(i, 1)])
		if a.Name != "" {
			b.WriteString(a.Name)
			b.WriteByte('=')
		}
		b.WriteString(a.String())
	}
	b.WriteByte(')')
}

// String returns the value of the argument as it is written.
func (a Arg) String() string {
	switch a.Kind {
	case StringArg:
		return strconv.Quote(a.Text)
	case ListArg:
		texts := make([]string, len(a.List))
		for i, v := range a.List {
			texts[i] = formatNumber(v)
		}
		return "[" + strings.Join(texts, ", ") + "]"
	case WordArg:
		return a.Text
	case KernelArg:
		if a.Kernel != nil {
			return a.Kernel.String()
		}
	}
	return formatNumber(a.Number)
}

// formatNumber returns the shortest text that reads back as v.
func formatNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// FormatColumns returns a selection as it is written after a kernel: [age,bmi], with
// the patterns that need it in quotes.
func FormatColumns(patterns []string) string {
	texts := make([]string, len(patterns))
	for i, pattern := range patterns {
		texts[i] = pattern
		if needsQuotes(pattern) {
			texts[i] = strconv.Quote(pattern)
		}
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// needsQuotes reports whether a pattern would not read back as it is.
func needsQuotes(pattern string) bool {
	return pattern == "" || strings.TrimSpace(pattern) != pattern || strings.ContainsAny(pattern, `,[]"`) ||
		strings.ContainsFunc(pattern, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar })
}
