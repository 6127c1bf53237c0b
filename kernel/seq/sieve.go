package seq

import "math/bits"

// sieve finds the pairs of words that agree in some of the l places, the kept ones, and tells from
// what stands in the others, the left ones, whether a pair counts here. A pair that differs in the
// places S is found by the sieves that leave all of S, and counts in the first of them. Sieves
// whose left places cover all sets of m places therefore count every pair at distance m or less
// once.
type sieve struct {
	parts *[4][256]uint32 // what each byte of a word adds to its key
	lists int             // how many values the kept places have
	left  uint32          // the bits of the left places in a key
	// distance has for the exclusive or of the left places of two words their distance; where
	// the pair does not count, one more than the largest.
	distance *[1 << keyBits]uint8
}

const (
	// keyBits is the most bits of the kept places and of the left ones. A key has the kept ones
	// above the left ones.
	keyBits = 16
	// mostSpare is how many more places than necessary are left at most: that makes sieves
	// fewer, and pairs that do not count more.
	mostSpare = 3
	// mostEntries bounds the tables of distances of all sieves of a size, and mostSteps the search
	// for a cover.
	mostEntries, mostSteps = 1 << 22, 1e7
)

// sieves returns those that leave size of the l places, for distances below len(p.h), or none where
// keys or tables would be too large.
func (p *profile) sieves(size int) []sieve {
	width, most := alphabets[p.alphabet].bits, len(p.h)-1
	if size > p.l || size*width > keyBits || (p.l-size)*width > keyBits {
		return nil
	}
	sets, _ := choose(p.l, most).Float64()
	in, _ := choose(size, most).Float64()
	all, _ := choose(p.l, size).Float64()
	sets /= in // of the smallest cover that there could be
	if sets*float64(int(1)<<(size*width)) > mostEntries || size > most && sets*all*float64(int(1)<<size) > mostSteps {
		return nil
	}
	var out []sieve
	counted := map[uint32]bool{} // sets of places where a pair may differ
	for _, set := range cover(p.l, size, most) {
		v := newSieve(p.l, width, set)
		for x := range v.left + 1 {
			places := spread(differing(uint32(x), width), set)
			v.distance[x] = uint8(min(bits.OnesCount32(places), len(p.h)))
			if counted[places] {
				v.distance[x] = uint8(len(p.h))
			}
		}
		for places := range subsets(set) {
			counted[places] = true
		}
		out = append(out, v)
	}
	return out
}

// newSieve makes the tables of keys of words of l symbols of the given width.
func newSieve(l, width int, leave uint32) sieve {
	leaves := bits.OnesCount32(leave) * width
	v := sieve{parts: new([4][256]uint32), lists: 1 << (l*width - leaves), left: 1<<leaves - 1, distance: new([1 << keyBits]uint8)}
	low, high := 0, keyBits
	for at := range l * width {
		to := &high
		if leave>>(at/width)&1 == 1 {
			to = &low
		}
		for b := range v.parts[at/8] {
			v.parts[at/8][b] |= uint32(b) >> (at % 8) & 1 << *to
		}
		*to++
	}
	return v
}

// differing returns the symbols of the given width that are not 0, one bit for each.
func differing(x uint32, width int) (out uint32) {
	for at := 0; x > 0; at++ {
		if x&(1<<width-1) != 0 {
			out |= 1 << at
		}
		x >>= width
	}
	return out
}

// spread moves the bits of x to the places of a set.
func spread(x, set uint32) (out uint32) {
	for ; set > 0; set &= set - 1 {
		if x&1 == 1 {
			out |= set & -set
		}
		x >>= 1
	}
	return out
}

// key returns what a word has in the kept places, above what it has in the others.
func (v *sieve) key(word uint64) (key uint32) {
	p := v.parts
	return p[0][uint8(word)] | p[1][uint8(word>>8)] | p[2][uint8(word>>16)] | p[3][uint8(word>>24)]
}
