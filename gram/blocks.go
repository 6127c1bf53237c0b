package gram

// tileSide is the side of a square tile: 128² float64 are 128 KiB, which stay in a
// core's second-level cache between being computed and being used. It is a constant
// because the order of summation, and so the bits of every product, depend on it.
const tileSide = 128

// blocks cuts the indices 0 … n−1 into consecutive runs of side, the last one shorter.
type blocks struct{ n, side int }

// count returns the number of blocks.
func (b blocks) count() int { return (b.n + b.side - 1) / b.side }

// at returns the first index and the length of block i.
func (b blocks) at(i int) (first, length int) {
	first = i * b.side
	return first, min(b.side, b.n-first)
}

// triangle numbers the pairs (i, j), i ≤ j < b, row after row.
type triangle int

// count returns the number of pairs, b(b+1)/2.
func (b triangle) count() int { return int(b) * (int(b) + 1) / 2 }

// list returns all pairs in their order.
func (b triangle) list() [][2]int {
	pairs := make([][2]int, 0, b.count())
	for i := range int(b) {
		for j := i; j < int(b); j++ {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return pairs
}

// round returns the pairs (i, j), i ≤ j < b, with i + j ≡ r modulo b. Every block
// occurs in exactly one pair of a round, and the b rounds hold every pair once: for
// a given i and r the partner j = r − i mod b is unique, and its partner is i.
func (b triangle) round(r int) [][2]int {
	n := int(b)
	pairs := make([][2]int, 0, n/2+1)
	for i := range n {
		if j := (r - i + n) % n; i <= j {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return pairs
}
