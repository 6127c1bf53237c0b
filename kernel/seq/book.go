package seq

import "math"

// absent is the number of a word with a symbol outside the alphabet, or of one that a
// fixed book does not have.
const absent = math.MaxUint64

// book gives words of symbols numbers, the same to equal words and different ones to
// different words. Short words are packed, symbol beside symbol. Of longer ones each half
// gets a number, and the pair of numbers is packed: no hash stands for a word. A book that
// is fixed knows the words that it has seen; any number of goroutines may read it.
type book struct {
	bits  int // of a symbol
	known map[int]map[uint64]uint32
	fixed bool
}

func newBook(a Alphabet) *book {
	return &book{bits: alphabets[a].bits, known: map[int]map[uint64]uint32{}}
}

// packed says how many bits the packed words of k symbols have, or false where they do not
// fit in 62.
func (b *book) packed(k int) (bits int, ok bool) {
	return k * b.bits, k <= 62/b.bits
}

// codes returns the numbers of the words of length k that begin at each place of s, which
// are len(s)−k+1. For words that are not packed it takes O(log k) steps a place.
func (b *book) codes(s []rune, k int) []uint64 {
	if k < 1 || len(s) < k {
		return nil
	}
	out := make([]uint64, len(s)-k+1)
	if bits, ok := b.packed(k); ok {
		var code uint64
		mask, good := uint64(1)<<bits-1, 0
		for i, symbol := range s {
			good++
			if symbol == outside {
				good, symbol = 0, 0
			}
			code = (code<<b.bits | uint64(symbol)) & mask
			if i+1 < k {
				continue
			}
			out[i+1-k] = code
			if good < k {
				out[i+1-k] = absent
			}
		}
		return out
	}
	half := (k + 1) / 2
	left := b.short(s, half)
	right := left
	if k-half != half {
		right = b.short(s, k-half)
	}
	for i := range out {
		l, r := left[i], right[i+half]
		if out[i] = l<<32 | r; l == absent || r == absent {
			out[i] = absent
		}
	}
	return out
}

// short returns numbers of words that fit in 31 bits.
func (b *book) short(s []rune, k int) []uint64 {
	codes := b.codes(s, k)
	if bits, ok := b.packed(k); ok && bits <= 31 {
		return codes
	}
	if b.known[k] == nil {
		if b.fixed {
			return filled(codes)
		}
		b.known[k] = map[uint64]uint32{}
	}
	known := b.known[k]
	for i, code := range codes {
		if code == absent {
			continue
		}
		n, ok := known[code]
		switch {
		case !ok && b.fixed:
			codes[i] = absent
			continue
		case !ok:
			n = uint32(len(known))
			known[code] = n
		}
		codes[i] = uint64(n)
	}
	return codes
}

// filled marks all words absent.
func filled(codes []uint64) []uint64 {
	for i := range codes {
		codes[i] = absent
	}
	return codes
}
