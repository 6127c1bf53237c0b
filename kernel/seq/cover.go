package seq

import (
	"iter"
	"math/bits"
)

// cover returns sets of size of l places, as bits, so that any most places are all in one of
// the sets. It takes the set with the most that are missing until none is: for l = 11 and
// most = 3 these are 26 sets of 5 places, where there are 165 sets of 3.
func cover(l, size, most int) (sets []uint32) {
	missing, left := make([]bool, 1<<l), 0
	for s := range combinations(l, most) {
		missing[s] = true
		left++
	}
	if size == most {
		for s := range combinations(l, most) {
			sets = append(sets, s)
		}
		return sets
	}
	for left > 0 {
		best, gain := uint32(0), 0
		for set := range combinations(l, size) {
			n := 0
			for s := range subsets(set) {
				if missing[s] {
					n++
				}
			}
			if n > gain {
				best, gain = set, n
			}
		}
		for s := range subsets(best) {
			missing[s] = false
		}
		left -= gain
		sets = append(sets, best)
	}
	return sets
}

// combinations yields the sets of size of l places, in the order of their numbers.
func combinations(l, size int) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for s := range uint32(1) << l {
			if bits.OnesCount32(s) == size && !yield(s) {
				return
			}
		}
	}
}

// subsets yields those of a set of places, from the set itself down to the empty one.
func subsets(set uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for s := set; yield(s) && s > 0; s = (s - 1) & set {
		}
	}
}
