package seq

import (
	"math/bits"
	"sync"

	"mercer/kernel"
)

// counter counts the pairs of words at each distance up to the largest with a weight, for
// all pairs of points of a tile, in one of two ways that count alike:
//
// By places: the pairs of words that agree in a set S of l−j of the l places are found
// through a table of what stands there. Summed over all such S they are
//
//	N_j = Σ_{d≤j} C(l−d, j−d) M_d,
//
// because a pair at distance d agrees in C(l−d, l−j) of these sets; M_0, M_1, … follow one
// after the other. Or by pairs: the distance of every two words, which is less work in small
// tiles and for large distances.
type counter struct {
	*profile
	bits   int // of a symbol
	groups []group
	total  []int      // how many sets of l−j places there are
	excess [][]uint64 // excess[j][d] = C(l−d, j−d)
	room   sync.Pool
}

// group is some neighbouring places and the sets that contain all of them. Words that
// differ there need not meet, so that tables hold few words at a time and stay in the nearest
// cache. Cut into more groups than there are places left out, l places have a group in
// every set.
type group struct {
	shift uint
	mask  uint64     // of a shifted word
	sets  [][]uint64 // for each j the masks of the sets of l−j places
}

const (
	// mostSets is the number of sets of places beyond which pairs are looked at in any case.
	mostSets = 1 << 14
	// groupBits is the most bits of a group.
	groupBits = 8
)

func newCounter(p *profile) *counter {
	c := &counter{profile: p, bits: alphabets[p.alphabet].bits}
	c.room.New = func() any { return new(workroom) }
	parts, all := len(p.h), 0
	for g := range parts {
		first, end := g*p.l/parts, (g+1)*p.l/parts
		size := min(end-first, groupBits/c.bits)
		c.groups = append(c.groups, group{shift: uint(first * c.bits), mask: uint64(1)<<(size*c.bits) - 1, sets: make([][]uint64, parts)})
	}
	for j := range parts {
		n := choose(p.l, j)
		if !n.IsInt64() || int64(all)+n.Int64() > mostSets {
			c.groups = nil
			return c
		}
		all += int(n.Int64())
		c.total = append(c.total, int(n.Int64()))
		c.share(0, p.l-j, 0, j)
		row := make([]uint64, j)
		for d := range row {
			row[d] = choose(p.l-d, j-d).Uint64()
		}
		c.excess = append(c.excess, row)
	}
	return c
}

// share gives every set of keep places from place on, joined to mask, to the widest group that
// it contains.
func (c *counter) share(place, keep int, mask uint64, j int) {
	switch {
	case keep == 0:
		best := -1
		for i, g := range c.groups {
			if mask>>g.shift&g.mask == g.mask && (best < 0 || g.mask > c.groups[best].mask) {
				best = i
			}
		}
		c.groups[best].sets[j] = append(c.groups[best].sets[j], mask)
	case c.l-place >= keep:
		symbol := uint64(1)<<c.bits - 1
		c.share(place+1, keep-1, mask|symbol<<(place*c.bits), j)
		c.share(place+1, keep, mask, j)
	}
}

// apart is the distance of two packed words.
func (c *counter) apart(u, v uint64) int {
	x := u ^ v
	low := x
	for b := 1; b < c.bits; b++ {
		low |= x >> b
	}
	return bits.OnesCount64(low & (lowest[c.bits]))
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
	pairs      []uint64 // planes of the tile, one for each distance
	rows, cols bucketed
	heads      []int32  // 1 + the first word of each slot, or 0
	value      []uint64 // of one pair
}

// word is a word of a point, and 1 + the next one of its slot.
type word struct {
	code  uint64
	point int32
	next  int32
}

// bucketed are the words of points in the order of what stands in a group:
// words[start[b]:start[b+1]] have b there.
type bucketed struct {
	start []int32
	words []word
}

// fill sorts the words of points by a group, by counting.
func (b *bucketed) fill(g group, points [][]uint64) {
	b.start = grown(b.start, int(g.mask)+3)
	clear(b.start)
	total := 0
	for _, codes := range points {
		total += len(codes)
		for _, code := range codes {
			b.start[code>>g.shift&g.mask+2]++
		}
	}
	for i := 2; i < len(b.start); i++ {
		b.start[i] += b.start[i-1]
	}
	b.words = grown(b.words, total)
	next := b.start[1:]
	for i, codes := range points {
		for _, code := range codes {
			at := &next[code>>g.shift&g.mask]
			b.words[*at] = word{code: code, point: int32(i)}
			*at++
		}
	}
}

// pairs stores in planes[d], at row·len(cols)+col, the number of pairs of words at distance d.
func (c *counter) pairs(w *workroom, rows, cols [][]uint64) {
	size := len(rows) * len(cols)
	w.pairs = grown(w.pairs, size*len(c.h))
	clear(w.pairs)
	if !c.byPlaces(rows, cols) {
		for i, x := range rows {
			for j, y := range cols {
				c.compare(w.pairs[i*len(cols)+j:], size, x, y)
			}
		}
		return
	}
	for _, g := range c.groups {
		w.rows.fill(g, rows)
		w.cols.fill(g, cols)
		for b := range g.mask + 1 {
			left, right := w.rows.words[w.rows.start[b]:w.rows.start[b+1]], w.cols.words[w.cols.start[b]:w.cols.start[b+1]]
			if len(left) == 0 || len(right) == 0 {
				continue
			}
			for j, masks := range g.sets {
				for _, mask := range masks {
					w.agree(w.pairs[j*size:(j+1)*size], mask, left, right, len(cols))
				}
			}
		}
	}
	for j, row := range c.excess {
		plane := w.pairs[j*size : (j+1)*size]
		for d, excess := range row {
			for i, m := range w.pairs[d*size : (d+1)*size] {
				plane[i] -= excess * m
			}
		}
	}
}

// compare counts the distances between the words of two points.
func (c *counter) compare(planes []uint64, size int, x, y []uint64) {
	for _, u := range x {
		for _, v := range y {
			if d := c.apart(u, v); d < len(c.h) {
				planes[d*size]++
			}
		}
	}
}

// byPlaces says which way takes less time, by the number of words that are looked at.
func (c *counter) byPlaces(rows, cols [][]uint64) bool {
	if c.groups == nil {
		return false
	}
	high, wide, all := 0, 0, 0.0
	for _, x := range rows {
		high += len(x)
	}
	for _, y := range cols {
		wide += len(y)
	}
	for j, sets := range c.total {
		agreeing := float64(high) * float64(wide)
		for range c.l - j {
			agreeing /= float64(c.alphabet.size())
		}
		all += float64(sets) * (2*float64(high+wide) + agreeing + 1000)
	}
	return all < float64(high)*float64(wide)
}

// agree adds to the plane the pairs of words that agree under the mask.
func (w *workroom) agree(plane []uint64, mask uint64, rows, cols []word, wide int) {
	const golden = 0x9e3779b97f4a7c15
	size := bits.Len(uint(len(cols)))
	w.heads = grown(w.heads, 1<<size)
	heads, shift := w.heads, uint(64-size)
	clear(heads)
	for i := range cols {
		slot := &heads[(cols[i].code&mask)*golden>>(shift&63)]
		cols[i].next = *slot
		*slot = int32(i + 1)
	}
	for i := range rows {
		u := rows[i].code & mask
		for e := heads[u*golden>>(shift&63)]; e != 0; {
			at := &cols[e-1]
			if at.code&mask == u {
				plane[int(rows[i].point)*wide+int(at.point)]++
			}
			e = at.next
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
}

// Dims returns the numbers of points.
func (p *nearPairs) Dims() (rows, cols int) { return len(p.rows), len(p.cols) }

// Tile counts distances and weighs them; counts are exact, so that the bits do not depend
// on the way of counting.
func (p *nearPairs) Tile(dst kernel.Tile, row, col int) {
	if dst.Rows == 0 || dst.Cols == 0 {
		return
	}
	w := p.room.Get().(*workroom)
	defer p.room.Put(w)
	p.pairs(w, p.rows[row:row+dst.Rows], p.cols[col:col+dst.Cols])
	size := dst.Rows * dst.Cols
	w.value = grown(w.value, len(p.h))
	for i := range dst.Rows {
		out := dst.Row(i)
		for j := range out {
			for d := range w.value {
				n := w.pairs[d*size+i*dst.Cols+j]
				if p.both {
					n *= 2
				}
				w.value[d] = n
			}
			out[j] = p.value(w.value)
		}
	}
}
