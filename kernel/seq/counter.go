package seq

import (
	"math/bits"
	"sync"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// counter counts the pairs of words at each distance up to the largest with a weight, for
// all pairs of points of a tile, in one of three ways that count alike: by sieves, where keys are
// short enough; by the words that agree in sets of places, found by hashing; and by the distance of
// every two words, which is less work in small tiles and for large distances.
type counter struct {
	*profile
	width  int // bits of a symbol
	slots  int // of a pair of points: one for each distance, and one for pairs that do not count
	sieves [][]sieve
	sets   []placeSet
	room   sync.Pool
}

const (
	// mostSets is the number of sets of places beyond which pairs are looked at in any case.
	mostSets = 1 << 14
	// blockPoints is the most points on a side of what is counted at once.
	blockPoints = 128
)

func newCounter(p *profile) *counter {
	c := &counter{profile: p, width: alphabets[p.alphabet].bits, slots: len(p.h) + 1}
	c.room.New = func() any { return new(workroom) }
	c.sieves = p.allSieves()
	if n := choose(p.l, len(p.h)-1); c.sieves == nil && n.IsInt64() && n.Int64() <= mostSets {
		c.leave(0, len(p.h)-1, 0)
	}
	return c
}

// placeSet is a set of m of the l places, each given by the lowest bit of its symbol. Of the sets
// that contain the places S where two words differ, the pair counts in S joined to the first m−|S|
// places outside of it. That is this set if S has all of it but some of its first places without a
// gap.
type placeSet struct {
	kept        uint64 // the bits of the other places
	first, rest uint64 // the first places without a gap, and the others
}

// leave makes all sets of n places from place on, joined to set.
func (c *counter) leave(place, n int, set uint64) {
	switch {
	case n == 0:
		s := placeSet{kept: 1<<(c.l*c.width) - 1}
		for p := set; p > 0; p &= p - 1 {
			s.kept &^= (1<<c.width - 1) * (p & -p)
		}
		for at := uint64(1); set&at > 0; at <<= c.width {
			s.first |= at
		}
		s.rest = set &^ s.first
		c.sets = append(c.sets, s)
	case c.l-place >= n:
		c.leave(place+1, n-1, set|1<<(place*c.width))
		c.leave(place+1, n, set)
	}
}

// differ returns the places where two packed words differ, each as the lowest bit of its symbol.
func (c *counter) differ(u, v uint64) uint64 {
	x := u ^ v
	low := x
	for b := 1; b < c.width; b++ {
		low |= x >> b
	}
	return low & lowest[c.width]
}

// lowest has the lowest bit of each symbol of the given number of bits.
var lowest = func() (m [9]uint64) {
	for b := 1; b < len(m); b++ {
		for at := 0; at+b <= 62; at += b {
			m[b] |= 1 << at
		}
	}
	return m
}()

// workroom is what one tile needs.
type workroom struct {
	pairs []uint64 // at (row·columns + column)·slots + distance
	sum   []uint64 // of one pair of points
	start []uint32 // lists of the words of the columns: entry start[k] is the first of list k
	keys  []uint32 // of the words of the columns, in their order
	found []uint32 // in lists: the first slot of the column above what the word has in the left places
	lists []list   // of the words of a row
	words []listed // in lists
}

// listed is a word of a column and the first slot of the column.
type listed struct {
	word uint64
	slot uint32
}

// count stores in w.pairs how many pairs of words of two points there are at each distance.
func (c *counter) count(w *workroom, rows, cols [][]uint64) {
	w.pairs = grown(w.pairs, len(rows)*len(cols)*c.slots)
	clear(w.pairs)
	high, wide := total(rows), total(cols)
	if sieves := c.choose(high, wide); sieves != nil {
		for i := range sieves {
			w.sift(&sieves[i], c.slots, rows, cols, wide)
		}
		return
	}
	// A set costs about 25 steps for each of its words, a pair of words two.
	if c.sets != nil && 25*float64(len(c.sets))*float64(high+wide) < 2*float64(high)*float64(wide) {
		for _, set := range c.sets {
			c.agree(w, set, rows, cols, wide)
		}
		return
	}
	for i, x := range rows {
		for j, y := range cols {
			c.compare(w.pairs[(i*len(cols)+j)*c.slots:], x, y)
		}
	}
}

func total(points [][]uint64) (words int) {
	for _, codes := range points {
		words += len(codes)
	}
	return words
}

// choose returns the sieves with the least work for so many words, in about the clock cycles that
// an entry of a list takes when it is made, when it is looked up and when it is found; nil where
// comparing all pairs is less.
func (c *counter) choose(high, wide int) (best []sieve) {
	least := 2 * float64(high) * float64(wide)
	for _, sieves := range c.sieves {
		steps := 0.0
		for i := range sieves {
			lists := float64(sieves[i].lists)
			steps += 8*float64(wide) + 15*float64(high) + 1.5*lists + 3*float64(high)*float64(wide)/lists
		}
		if steps < least {
			best, least = sieves, steps
		}
	}
	return best
}

// compare counts the distances between the words of two points.
func (c *counter) compare(slots []uint64, x, y []uint64) {
	for _, u := range x {
		for _, v := range y {
			if d := bits.OnesCount64(c.differ(u, v)); d < len(c.h) {
				slots[d]++
			}
		}
	}
}

// sift counts the pairs of words that count in a sieve.
func (w *workroom) sift(v *sieve, slots int, rows, cols [][]uint64, wide int) {
	w.start, w.keys, w.found = grown(w.start, v.lists+2), grown(w.keys, wide), grown(w.found, wide)
	clear(w.start)
	keys := w.keys[:0]
	for _, codes := range cols {
		for _, code := range codes {
			key := v.key(code)
			keys = append(keys, key)
			w.start[key>>keyBits+2]++
		}
	}
	place := w.places()
	for j, codes := range cols {
		for _, key := range keys[:len(codes)] {
			at := &place[key>>keyBits]
			w.found[*at] = uint32(j*slots)<<keyBits | key&(1<<keyBits-1)
			*at++
		}
		keys = keys[len(codes):]
	}
	for i, codes := range rows {
		w.open(v, codes)
		w.add(w.pairs[i*len(cols)*slots:][:len(cols)*slots], v.distance)
	}
}

// list is where the words are that agree with one of a row in the kept places: w.found[from:to],
// the first of them, and what the word of the row has in the left places.
type list struct {
	from, to, first uint32
	left            uint16
}

// open looks up the lists of the words of a row, all before the first is read: the processor need
// not wait for one after the other.
func (w *workroom) open(v *sieve, codes []uint64) {
	w.lists = w.lists[:0]
	for _, code := range codes {
		key := v.key(code)
		if from, to := w.start[key>>keyBits], w.start[key>>keyBits+1]; from < to {
			w.lists = append(w.lists, list{from, to, w.found[from], uint16(key)})
		}
	}
}

// add adds the words of the lists to the slots of their columns.
func (w *workroom) add(slots []uint64, distance *[1 << keyBits]uint8) {
	found := w.found
	for _, l := range w.lists {
		slots[l.first>>keyBits+uint32(distance[uint16(l.first)^l.left])]++
		for _, entry := range found[l.from+1 : l.to] {
			slots[entry>>keyBits+uint32(distance[uint16(entry)^l.left])]++
		}
	}
}

// places makes starts of the lengths of lists, list k at k + 2. It returns where the next entry of
// each list goes; when all are there, start has the starts.
func (w *workroom) places() []uint32 {
	for k := 2; k < len(w.start); k++ {
		w.start[k] += w.start[k-1]
	}
	return w.start[1:]
}

// agree counts the pairs of words that count in a set of places. Words that agree outside of it
// are in one list, with others by chance.
func (c *counter) agree(w *workroom, set placeSet, rows, cols [][]uint64, wide int) {
	const golden = 0x9e3779b97f4a7c15
	shift := uint(64 - bits.Len(uint(wide)))
	list := func(word uint64) uint32 { return uint32((word & set.kept) * golden >> shift) }
	w.start, w.words = grown(w.start, 1<<(64-shift)+2), grown(w.words, wide)
	clear(w.start)
	for _, codes := range cols {
		for _, code := range codes {
			w.start[list(code)+2]++
		}
	}
	place := w.places()
	for j, codes := range cols {
		for _, code := range codes {
			at := &place[list(code)]
			w.words[*at] = listed{code, uint32(j * c.slots)}
			*at++
		}
	}
	for i, codes := range rows {
		sums := w.pairs[i*len(cols)*c.slots:][:len(cols)*c.slots]
		for _, code := range codes {
			k := list(code)
			for _, entry := range w.words[w.start[k]:w.start[k+1]] {
				if places := c.differ(code, entry.word); places&^set.first == set.rest {
					sums[int(entry.slot)+bits.OnesCount64(places)]++
				}
			}
		}
	}
}

// grown returns a slice of n elements, in the memory of s if that is enough.
func grown[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}

// nearPairs is a profile bound to points: the words of one strand of the rows, and of all
// strands of the columns.
type nearPairs struct {
	*counter
	rows, cols [][]uint64
	// The points themselves, of which the norms need the other strands. rowPoints is nil where they
	// are the columns.
	rowPoints, colPoints data.Set[string]
}

// Dims returns the numbers of points.
func (p *nearPairs) Dims() (rows, cols int) { return len(p.rows), len(p.cols) }

// Tile counts distances and weighs them; counts are exact, so that the bits do not depend
// on the way of counting.
func (p *nearPairs) Tile(dst kernel.Tile, row, col int) {
	w := p.room.Get().(*workroom)
	defer p.room.Put(w)
	for top := 0; top < dst.Rows; top += blockPoints {
		for left := 0; left < dst.Cols; left += blockPoints {
			rows := p.rows[row+top : row+min(top+blockPoints, dst.Rows)]
			cols := p.cols[col+left : col+min(left+blockPoints, dst.Cols)]
			p.count(w, rows, cols)
			for i := range rows {
				for j := range cols {
					dst.Row(top + i)[left+j] = p.value(p.sums(w, i*len(cols)+j))
				}
			}
		}
	}
}

// normPoints is the most points whose norms are computed together: more of them share the lists of
// their words, and fewer compare fewer pairs that are not wanted.
const normPoints = 4

// Norms stores k(x, x) of the row points and of the column points; see [kernel.Normed].
func (p *nearPairs) Norms(rows, cols []float64) {
	switch {
	case p.rowPoints == nil: // one strand is that of the rows
		p.squares(cols, p.rows, p.cols)
		copy(rows, cols)
	case p.both:
		p.squares(rows, p.rows, p.packed(p.rowPoints, true))
		p.squares(cols, p.packed(p.colPoints, false), p.cols)
	default:
		p.squares(rows, p.rows, p.rows)
		p.squares(cols, p.cols, p.cols)
	}
}

// squares stores the values of points with themselves, of which one has the words of one strand and
// all has those of all.
func (p *nearPairs) squares(dst []float64, one, all [][]uint64) {
	w := p.room.Get().(*workroom)
	defer p.room.Put(w)
	for from := 0; from < len(dst); from += normPoints {
		to := min(from+normPoints, len(dst))
		p.count(w, one[from:to], all[from:to])
		for i := range to - from {
			dst[from+i] = p.value(p.sums(w, i*(to-from)+i))
		}
	}
}

// sums returns how many pairs of words of a pair of points there are at each distance, of all
// strands.
func (p *nearPairs) sums(w *workroom, pair int) []uint64 {
	w.sum = grown(w.sum, len(p.h))
	copy(w.sum, w.pairs[pair*p.slots:])
	if p.both {
		for d := range w.sum {
			w.sum[d] *= 2
		}
	}
	return w.sum
}
