package seq

import (
	"math"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// pairwise is a kernel that is computed pair by pair from the symbols of both sequences. The
// smaller sequence comes first, so that rounding cannot tell k(x, y) from k(y, x).
type pairwise struct {
	alphabet Alphabet
	value    func(x, y []rune) float64
	// logarithms says that value is log₂ of a kernel, which is then normalised.
	logarithms bool
}

// eval reads both sequences, in the order of their text because words are numbered as they
// come.
func (p pairwise) eval(x, y string) float64 {
	if x > y {
		x, y = y, x
	}
	r := newReader(p.alphabet)
	s, t := r.symbols(x), r.symbols(y)
	return p.between(s, t, p.norm(s), p.norm(t))
}

// norm returns log₂ k(x, x) where it is needed.
func (p pairwise) norm(x []rune) float64 {
	if !p.logarithms {
		return 0
	}
	return p.value(x, x)
}

// between returns the kernel of two sequences with their norms.
func (p pairwise) between(x, y []rune, xx, yy float64) float64 {
	if !p.logarithms {
		return p.ordered(x, y)
	}
	return math.Exp2(p.ordered(x, y) - (xx+yy)/2)
}

func (p pairwise) ordered(x, y []rune) float64 {
	if len(x) > len(y) || len(x) == len(y) && slices.Compare(x, y) > 0 {
		x, y = y, x
	}
	return p.value(x, y)
}

// anchor reads the columns once. Words are numbered as they come, and so those of other
// rows cannot be read alone.
func (p pairwise) anchor(cols data.Set[string]) kernel.BoundColumns[string] {
	if p.alphabet == Words {
		return nil
	}
	return symbolic{p, cols, p.read(cols)}
}

// sequence is the symbols of a point and its norm.
type sequence struct {
	symbols []rune
	norm    float64
}

func (p pairwise) read(xs data.Set[string]) []sequence {
	r, out := newReader(p.alphabet), make([]sequence, xs.Len())
	for i := range out {
		s := r.symbols(xs.At(i))
		out[i] = sequence{s, p.norm(s)}
	}
	return out
}

// symbolic has the symbols of the column points.
type symbolic struct {
	pairwise
	points data.Set[string]
	cols   []sequence
}

// Bind reads the rows.
func (a symbolic) Bind(rows data.Set[string], _ kernel.Pairs) kernel.Pairs {
	if sameSet(rows, a.points) {
		return symbolicPairs{a, a.cols}
	}
	return symbolicPairs{a, a.read(rows)}
}

// symbolicPairs is the kernel bound to symbols.
type symbolicPairs struct {
	symbolic
	rows []sequence
}

// Dims returns the numbers of points.
func (p symbolicPairs) Dims() (rows, cols int) { return len(p.rows), len(p.cols) }

// Tile computes pair by pair.
func (p symbolicPairs) Tile(dst kernel.Tile, row, col int) {
	for i := range dst.Rows {
		x := p.rows[row+i]
		for j := range dst.Row(i) {
			y := p.cols[col+j]
			dst.Row(i)[j] = p.between(x.symbols, y.symbols, x.norm, y.norm)
		}
	}
}
