package seq

import (
	"slices"

	"mercer/data"
	"mercer/kernel"
)

// counts are the coordinates of φ(x) that are not zero, in ascending order.
type counts struct {
	features []uint32
	times    []uint32
}

// dot returns Σ over common features of the products of counts: below 2⁵³ exactly the
// inner product of the tries.
func (x counts) dot(y counts) uint64 {
	sum, j := uint64(0), 0
	for i, f := range x.features {
		for j < len(y.features) && y.features[j] < f {
			j++
		}
		if j == len(y.features) {
			break
		}
		if y.features[j] == f {
			sum += uint64(x.times[i]) * uint64(y.times[j])
		}
	}
	return sum
}

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
	cols     []counts
	postings *postings
}

// anchor counts the words of the column points.
func (s Spectrum) anchor(cols data.Set[string]) kernel.Anchored[string] {
	a := &spectra{of: s, reader: newReader(s.Alphabet), book: newBook(s.Alphabet), features: map[uint64]uint32{}, points: cols}
	bits, ok := a.book.packed(s.Length())
	a.direct = ok && bits <= directBits
	a.cols = a.counts(cols)
	a.reader.fixed, a.book.fixed = true, true
	dims := len(a.features)
	if a.direct {
		dims = 1 << bits
	}
	a.postings = newPostings(a.cols, dims)
	return a
}

// counts returns those of points; words that are new become features until the book is
// fixed, and are left out afterwards.
func (a *spectra) counts(xs data.Set[string]) []counts {
	out := make([]counts, xs.Len())
	var words []uint64
	for i := range out {
		words = words[:0]
		for _, strand := range a.reader.strands(xs.At(i), a.of.Both) {
			words = append(words, a.book.codes(strand, a.of.Length())...)
		}
		if !a.direct {
			words = a.numbered(words)
		}
		slices.Sort(words)
		out[i] = run(words)
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

// run counts equal neighbours; absent words stand at the end.
func run(words []uint64) counts {
	distinct := 0
	for i, w := range words {
		if w == absent {
			words = words[:i]
			break
		}
		if i == 0 || w != words[i-1] {
			distinct++
		}
	}
	c := counts{make([]uint32, 0, distinct), make([]uint32, 0, distinct)}
	for i, w := range words {
		if i > 0 && w == words[i-1] {
			c.times[len(c.times)-1]++
			continue
		}
		c.features, c.times = append(c.features, uint32(w)), append(c.times, 1)
	}
	return c
}

// Bind counts the words of the rows, which are those of the columns where the points are
// the same.
func (a *spectra) Bind(rows data.Set[string], _ kernel.Pairs) kernel.Pairs {
	if sameSet(rows, a.points) {
		return &spectrumPairs{a.cols, a.cols, a.postings}
	}
	return &spectrumPairs{a.counts(rows), a.cols, a.postings}
}

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
