package count

import "sort"

// postings list the points that have each feature, cut into blocks of points so that a
// row of a block stays in the nearest cache.
type postings struct {
	width  int // points of a block
	blocks []block
}

// block has in entries[start[f]:start[f+1]] the points of the block that have feature f,
// in ascending order.
type block struct {
	points  int
	start   []uint32
	entries []posting
}

// posting is the place of a point in its block and a count. A count that does not fit
// takes several postings.
type posting struct{ at, times uint16 }

const (
	leastWidth = 128 // the side of a tile of package gram
	mostWidth  = 1 << 16
	mostTimes  = 1<<16 - 1
	// startShare bounds the tables of starts: this many numbers for each count.
	startShare = 4
)

// newPostings transposes the features that are not common. Blocks are wider where features
// are many and counts are few, so that memory stays proportional to the counts.
func newPostings(points []Row, common []int32) *postings {
	stored := 0
	for _, x := range points {
		stored += len(x.Features)
	}
	p := &postings{width: leastWidth}
	for p.width < mostWidth && (len(points)+p.width-1)/p.width*len(common) > startShare*stored+1<<16 {
		p.width *= 2
	}
	for first := 0; first < len(points); first += p.width {
		p.blocks = append(p.blocks, transpose(points[first:min(first+p.width, len(points))], common))
	}
	return p
}

// transpose makes one block by counting sort.
func transpose(points []Row, common []int32) block {
	b := block{points: len(points), start: make([]uint32, len(common)+2)}
	for _, x := range points {
		for i, f := range x.Features {
			if common[f] < 0 {
				b.start[f+2] += (x.Times[i] + mostTimes - 1) / mostTimes
			}
		}
	}
	for f := 2; f < len(b.start); f++ {
		b.start[f] += b.start[f-1]
	}
	b.entries = make([]posting, b.start[len(b.start)-1])
	next := b.start[1:] // of each feature the place of its next posting; at the end, its start
	for at, x := range points {
		for i, f := range x.Features {
			for left := x.Times[i]; left > 0 && common[f] < 0; {
				some := min(left, mostTimes)
				b.entries[next[f]] = posting{uint16(at), uint16(some)}
				next[f]++
				left -= some
			}
		}
	}
	b.start = b.start[:len(common)+1]
	return b
}

// add adds to sum[j−from] the products of x with point j of the block, for from ≤ j < to.
func add[A uint64 | uint32](b *block, sum []A, x Row, from, to int) {
	last := uint32(len(b.start) - 1)
	part := from > 0 || to < b.points
	for i, f := range x.Features {
		if f >= last {
			break // a feature that no column point has
		}
		list := b.entries[b.start[f]:b.start[f+1]]
		if part {
			list = list[sort.Search(len(list), func(e int) bool { return int(list[e].at) >= from }):]
			list = list[:sort.Search(len(list), func(e int) bool { return int(list[e].at) >= to })]
		}
		times := A(x.Times[i])
		for _, p := range list {
			sum[int(p.at)-from] += times * A(p.times)
		}
	}
}
