package seq

import (
	"sort"
	"sync"

	"mercer/kernel"
)

// postings list the points that have each feature: the transpose of the counts, cut into
// blocks of points so that a row of a block stays in the nearest cache.
type postings struct {
	width  int // points of a block
	blocks []block
	sums   sync.Pool // rows of a block in whole numbers
}

// block has in entries[start[f]:start[f+1]] the points of the block that have feature f,
// in ascending order.
type block struct {
	start   []uint32
	entries []posting
}

// posting is the place of a point in its block in the low 16 bits and a count in the others.
// A count that does not fit takes several postings.
type posting uint32

const (
	leastWidth = 128 // the side of a tile of package gram
	mostWidth  = 1 << 16
	mostTimes  = 1<<16 - 1
	// startShare bounds the tables of starts: this many numbers for each count.
	startShare = 4
)

// newPostings transposes counts over the given number of features. Blocks are wider where
// features are many and counts are few, so that memory stays proportional to the counts.
func newPostings(xs []counts, dims int) *postings {
	stored := 0
	for _, x := range xs {
		stored += len(x.features)
	}
	p := &postings{width: leastWidth}
	for p.width < mostWidth && (len(xs)+p.width-1)/p.width*dims > startShare*stored+1<<16 {
		p.width *= 2
	}
	for first := 0; first < len(xs); first += p.width {
		p.blocks = append(p.blocks, transpose(xs[first:min(first+p.width, len(xs))], dims))
	}
	p.sums.New = func() any { s := make([]uint64, p.width); return &s }
	return p
}

// transpose makes one block by counting sort.
func transpose(xs []counts, dims int) block {
	b := block{start: make([]uint32, dims+2)}
	for _, x := range xs {
		for i, f := range x.features {
			b.start[f+2] += (x.times[i] + mostTimes - 1) / mostTimes
		}
	}
	for f := 2; f < len(b.start); f++ {
		b.start[f] += b.start[f-1]
	}
	b.entries = make([]posting, b.start[len(b.start)-1])
	next := b.start[1:] // of each feature the place of its next posting; at the end, its start
	for at, x := range xs {
		for i, f := range x.features {
			for left := x.times[i]; left > 0; {
				some := min(left, mostTimes)
				b.entries[next[f]] = posting(uint32(at) | some<<16)
				next[f]++
				left -= some
			}
		}
	}
	b.start = b.start[:dims+1]
	return b
}

// add adds to sum[j] the inner product of x with point j of the block, at least for from ≤ j < to;
// whole says that it need not look for these among the others.
func (b *block) add(sum []uint64, x counts, from, to int, whole bool) {
	for i, f := range x.features {
		list := b.entries[b.start[f]:b.start[f+1]]
		if !whole && len(list) > 8 {
			at := func(p posting) int { return int(p & 0xffff) }
			list = list[sort.Search(len(list), func(e int) bool { return at(list[e]) >= from }):]
			list = list[:sort.Search(len(list), func(e int) bool { return at(list[e]) >= to })]
		}
		times := uint64(x.times[i])
		for _, p := range list {
			sum[p&0xffff] += times * uint64(p>>16)
		}
	}
}

// spectrumPairs is the spectrum kernel bound to points. Its values are sums of whole
// numbers, rounded once where they exceed 2⁵³ (2²⁴ in single precision).
type spectrumPairs struct {
	rows, cols []counts
	*postings
}

// Dims returns the numbers of points.
func (p *spectrumPairs) Dims() (rows, cols int) { return len(p.rows), len(p.cols) }

// Diag compares the lists of the two points of each pair.
func (p *spectrumPairs) Diag(dst []float64) {
	for i := range dst {
		dst[i] = float64(p.rows[i].dot(p.cols[i]))
	}
}

// Tile adds up the postings of the features of each row.
func (p *spectrumPairs) Tile(dst kernel.Tile, row, col int) {
	for i := range dst.Rows {
		fill(p, dst.Row(i), row+i, col)
	}
}

// Tile32 is Tile, rounded once.
func (p *spectrumPairs) Tile32(dst kernel.Tile32, row, col int) {
	for i := range dst.Rows {
		fill(p, dst.Row(i), row+i, col)
	}
}

// fewColumns is the number of columns up to which two lists are compared instead.
const fewColumns = 4

// fill stores k(x[row], y[col+j]) in out[j].
func fill[F float32 | float64](p *spectrumPairs, out []F, row, col int) {
	x := p.rows[row]
	if len(out) <= fewColumns {
		for j := range out {
			out[j] = F(x.dot(p.cols[col+j]))
		}
		return
	}
	buffer := p.sums.Get().(*[]uint64)
	defer p.sums.Put(buffer)
	for len(out) > 0 {
		at := col / p.width
		from := col - at*p.width
		to := min(p.width, from+len(out))
		sum := (*buffer)[:p.width]
		clear(sum)
		p.blocks[at].add(sum, x, from, to, to-from > p.width/2)
		for j, v := range sum[from:to] {
			out[j] = F(v)
		}
		out, col = out[to-from:], col+to-from
	}
}
