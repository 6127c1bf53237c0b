package tile

import (
	"math"
	"slices"

	"example.org/mercer/internal/simd"
)

// binaryLimit is the number of coordinates from which on points of 0 and 1 are also held
// as bits: 64 of them take about as long as 8 numbers.
const binaryLimit = 16

// bitset are points whose coordinates are all 0 or 1, as words of 64 bits in panels, and
// how many of them are 1. Inner products and squared distances of such points are counts:
// they are exact, as they are from numbers where nothing is centred.
type bitset struct {
	words, counts []float64 // words as simd.Common wants them
	size          int       // words of a point; 0: the points are not all of 0 and 1
	most          int       // the largest count
}

// countable reports whether the statistic of points of 0 and 1 can be counted.
func (f *field) countable() bool {
	return (f.stat.Kind == InnerProduct || f.stat.Kind == SquaredDistance) && f.stat.Weights == nil && f.cols.d > binaryLimit
}

// counted reports whether it is, as nothing faster is known.
func (f *field) counted() bool {
	return f.rows.bits.size > 0 && f.cols.bits.size > 0 && f.rows.sparse.Len() == 0
}

// binary reports whether the rows are all of 0 and 1: it stops at the first number that is
// neither.
func (p *points) binary() bool {
	for _, v := range p.rows[:p.n*p.d] {
		if v != 0 && v != 1 {
			return false
		}
	}
	return true
}

// packBits makes bits of the rows, if they can be.
func (p *points) packBits() {
	b := &p.bits
	b.size = 0
	if !p.binary() {
		b.counts = b.counts[:0]
		return
	}
	const width = simd.PanelWidth
	b.size = (p.d + 63) / 64
	count := (p.n + width - 1) / width
	b.words, b.counts = resized(b.words, count*b.size*width), resized(b.counts, count*width)
	clear(b.words)
	clear(b.counts)
	b.most = 0
	for i := range p.n {
		lane, word := b.lane(i), uint64(0)
		for j, v := range p.at(i) {
			if v == 1 {
				word |= 1 << (j % 64)
				b.counts[i]++
			}
			if j%64 == 63 || j == p.d-1 {
				lane[j/64*width] = math.Float64frombits(word)
				word = 0
			}
		}
		b.most = max(b.most, int(b.counts[i]))
	}
}

// packBitsAlone makes bits of the column points where distances among them are counted and none is
// had from sparse rows, and reports whether it did: nothing reads panels of numbers then.
func (f *field) packBitsAlone() bool {
	if !f.packed || !f.byNorms || !f.countable() || slices.ContainsFunc(f.centre, func(v float64) bool { return v != 0 }) {
		return false
	}
	f.cols.packBits()
	ones := 0.0
	for _, count := range f.cols.bits.counts {
		ones += count
	}
	return f.cols.bits.size > 0 && ones > binaryShare*float64(f.cols.n*f.cols.d)
}

// lane returns the words from those of point i on, cut so that the point is in lane 0.
func (b *bitset) lane(i int) []float64 {
	return b.words[i/simd.PanelWidth*b.size*simd.PanelWidth+i%simd.PanelWidth:]
}

// count is fill for points of 0 and 1: ⟨x, y⟩ is what they have in common, and ‖x−y‖²
// what they have less twice that.
func (f *field) count(dst []float64, stride, low, high, from, to int) {
	rows, cols := &f.rows.bits, &f.cols.bits
	size := cols.size * simd.PanelWidth
	simd.Panels(simd.Common, dst, stride, high-low, rows.lane(low), cols.words[from*size:to*size], nil, cols.size, to-from)
	if f.stat.Kind == InnerProduct {
		return
	}
	counts := cols.counts[from*simd.PanelWidth : to*simd.PanelWidth]
	for i := low; i < high; i++ {
		simd.SquaredFromInner(dst[(i-low)*stride:(i-low)*stride+len(counts)], counts, rows.counts[i], 0)
	}
}
