package kernel

import (
	"strconv"
	"strings"
)

// How tightly the text of a kernel binds, from the loosest to the tightest. Every
// kernel that is not part of the algebra prints as a call and binds like an atom.
const (
	looseSum = iota
	looseProduct
	loosePower
	atom
)

// binding is implemented by the kernels of the algebra that print as operators.
type binding interface{ binds() int }

// enclose returns the text of k, in parentheses where it binds more loosely than
// its place allows.
func enclose[T any](k Kernel[T], place int) string {
	if bindingOf(k) < place {
		return "(" + k.String() + ")"
	}
	return k.String()
}

// Operand returns the text of k as it stands before ^ or a selection of columns: in
// parentheses if it is a sum, a product or a power.
func Operand[T any](k Kernel[T]) string { return enclose(k, atom) }

// number returns the shortest text that reads back as v.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// numbers returns a list as the expression language writes it: [1, 0.5].
func numbers(list []float64) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = number(v)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// joined encloses the operands of an operator and joins them; an only operand stands
// for itself. The operand at position flat may be the same operator without
// parentheses, because grouping it there is how the operator is evaluated anyway.
func joined[T any](operands []Kernel[T], separator string, place, flat int) string {
	if len(operands) == 1 {
		return operands[0].String()
	}
	texts := make([]string, len(operands))
	for i, k := range operands {
		if i == flat {
			texts[i] = enclose(k, place)
		} else {
			texts[i] = enclose(k, place+1)
		}
	}
	return strings.Join(texts, separator)
}

// bindingOf returns how tightly the text of k binds.
func bindingOf[T any](k Kernel[T]) int {
	if b, ok := k.(binding); ok {
		return b.binds()
	}
	return atom
}
