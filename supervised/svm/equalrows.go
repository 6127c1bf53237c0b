package svm

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// fingerprint stands for a row of features, or for a coefficient: two that are equal have the same,
// and two that are not have the same with a probability of 2⁻¹²⁸.
type fingerprint [2]uint64

// fingerprintOf reads the bits of the features of a row.
func fingerprintOf(phi []float64) fingerprint {
	f := fingerprint{0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f}
	for _, v := range phi {
		f.add(math.Float64bits(v))
	}
	return f
}

// fingerprintNumbers are the halves of both words, whole numbers that are exact.
const fingerprintNumbers = 4

// store stores these.
func (f fingerprint) store(dst []float64) {
	for half, word := range f {
		dst[2*half], dst[2*half+1] = float64(word>>32), float64(word&math.MaxUint32)
	}
}

// storedFingerprint is the one that was stored.
func storedFingerprint(of []float64) (f fingerprint) {
	for half := range f {
		f[half] = uint64(of[2*half])<<32 | uint64(of[2*half+1])
	}
	return f
}

// add mixes a number into both halves, by products whose upper and lower halves are folded.
func (f *fingerprint) add(v uint64) {
	for half, odd := range [2]uint64{0xa0761d6478bd642f, 0xe7037ed1a0b428db} {
		high, low := bits.Mul64(v^f[half]^odd, f[half]|1)
		f[half] = bits.RotateLeft64(f[half], 23) ^ high ^ low
	}
}

// compare orders fingerprints.
func (f fingerprint) compare(g fingerprint) int {
	return cmp.Or(cmp.Compare(f[0], g[0]), cmp.Compare(f[1], g[1]))
}

// mergeEqual makes one variable of the coefficients whose rows have the same features, the same
// linear term, the same sign and the same group.
//
// The program depends on them by their sum alone, whose bound is the sum of theirs. Tables with
// many equal rows have fewer variables by as much, and a middle of their bounds that does not
// depend on how often a row is written.
func (b *barrier) mergeEqual(rows []fingerprint) {
	p := b.m.p
	prints, order := make([]fingerprint, p.size()), make([]int32, p.size())
	for _, s := range p.segments {
		for t := s.from; t < s.to; t++ {
			f := rows[b.row[t]]
			f.add(math.Float64bits(p.q(t)))
			f.add(uint64(s.group)<<1 | uint64(bit(t < p.rising)))
			prints[t], order[t] = f, int32(t)
		}
	}
	slices.SortStableFunc(order, func(i, k int32) int { return prints[i].compare(prints[k]) })
	first := b.of // of each coefficient, the first that equals it
	for i, t := range order {
		first[t] = t
		if i > 0 && prints[t] == prints[order[i-1]] {
			first[t] = first[order[i-1]]
		}
	}
	for t, equal := range first { // in place: the first of equals comes before the others
		if int(equal) == t {
			first[t] = int32(len(b.first))
			b.first = append(b.first, int32(t))
		} else {
			first[t] = first[equal]
		}
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
