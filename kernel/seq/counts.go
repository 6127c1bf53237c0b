package seq

import (
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/count"
)

// directBits is the most bits of a packed word that is its own feature: a table over all
// words then costs less than a map.
const directBits = 16

// spectra are the counts of words of the column points of a spectrum kernel, and what
// gives the words of other points the same features.
type spectra struct {
	of       Spectrum
	reader   *reader
	book     *book
	direct   bool
	features map[uint64]uint32 // of words that are not direct
	points   data.Set[string]
	rows     []count.Row // of the column points
	cols     *count.Columns
}

// anchor counts the words of the column points.
func (s Spectrum) anchor(cols data.Set[string]) kernel.BoundColumns[string] {
	a := &spectra{of: s, reader: newReader(s.Alphabet), book: newBook(s.Alphabet), features: map[uint64]uint32{}, points: cols}
	bits, ok := a.book.packed(s.Length())
	a.direct = ok && bits <= directBits
	a.rows = a.counts(cols)
	a.reader.fixed, a.book.fixed = true, true
	a.cols = count.Transpose(a.rows)
	return a
}

// counts returns those of points; words that are new become features until the book is
// fixed, and are left out afterwards.
func (a *spectra) counts(xs data.Set[string]) []count.Row {
	out := make([]count.Row, xs.Len())
	var words []uint64
	for i := range out {
		words = words[:0]
		for _, strand := range a.reader.strands(xs.At(i), a.of.Both) {
			words = append(words, a.book.codes(strand, a.of.Length())...)
		}
		if !a.direct {
			words = a.numbered(words)
		}
		out[i] = count.Tally(present(words))
	}
	return out
}

// present returns the words that are not absent.
func present(words []uint64) []uint32 {
	out := make([]uint32, 0, len(words))
	for _, w := range words {
		if w != absent {
			out = append(out, uint32(w))
		}
	}
	return out
}

// numbered replaces words by features.
func (a *spectra) numbered(words []uint64) []uint64 {
	for i, word := range words {
		if word == absent {
			continue
		}
		f, ok := a.features[word]
		switch {
		case !ok && a.book.fixed:
			words[i] = absent
			continue
		case !ok:
			f = uint32(len(a.features))
			a.features[word] = f
		}
		words[i] = uint64(f)
	}
	return words
}

// Bind counts the words of the rows, which are those of the columns where the points are
// the same.
func (a *spectra) Bind(rows data.Set[string], _ kernel.Pairs) kernel.Pairs {
	if sameSet(rows, a.points) {
		return a.cols.Bind(a.rows)
	}
	p := a.cols.Bind(a.counts(rows))
	if a.direct {
		return p
	}
	return newcomers{p}
}

// newcomers are pairs whose rows have been counted without the words that no column point
// has: they do not know the norms of their rows, which [count.Pairs] would tell.
type newcomers struct{ pairs *count.Pairs }

func (p newcomers) Dims() (rows, cols int)                 { return p.pairs.Dims() }
func (p newcomers) Diag(dst []float64)                     { p.pairs.Diag(dst) }
func (p newcomers) Tile(dst kernel.Tile, row, col int)     { p.pairs.Tile(dst, row, col) }
func (p newcomers) Tile32(dst kernel.Tile32, row, col int) { p.pairs.Tile32(dst, row, col) }

// sameSet reports whether two sets hold the same sequences in the same order.
func sameSet(rows, cols data.Set[string]) bool {
	if rows.Len() != cols.Len() {
		return false
	}
	for i := range rows.Len() {
		if rows.At(i) != cols.At(i) {
			return false
		}
	}
	return true
}
