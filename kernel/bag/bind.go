package bag

import (
	"sync"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// joined is the points of many bags one after the other.
type joined[T any] struct {
	points data.Set[T]
	start  starts
}

// starts are where bags begin among the points: those of bag i are start[i] ≤ p < start[i+1].
type starts []int

// bags returns the number of bags.
func (s starts) bags() int { return len(s) - 1 }

// count returns the number of points of bag i.
func (s starts) count(i int) int { return s[i+1] - s[i] }

func join[T any](bags data.Set[[]T]) joined[T] {
	n := bags.Len()
	start := make([]int, n+1)
	for i := range n {
		start[i+1] = start[i] + len(bags.At(i))
	}
	points := make(data.Slice[T], 0, start[n])
	for i := range n {
		points = append(points, bags.At(i)...)
	}
	if rows, ok := any(points).(data.Slice[[]float64]); ok && len(rows) > 0 {
		if packed, err := data.Pack(rows); err == nil {
			return joined[T]{any(packed).(data.Set[T]), start}
		}
	}
	return joined[T]{&points, start} // a pointer, so that rows and columns are seen to be the same set
}

// anchor adds up the base kernel over the pairs of two bags, of which the columns are known.
func anchor[T any](of kernel.Kernel[T], cols data.Set[[]T], mean bool) kernel.BoundColumns[[]T] {
	if a := embed(of, cols, mean); a != nil {
		return a
	}
	return newAnchored(of, cols, func(p *summed) kernel.Pairs {
		p.mean = mean
		return p
	})
}

// anchored is a base kernel with the points of the bags of the columns.
type anchored[T any] struct {
	set    data.Set[[]T]
	cols   joined[T]
	points kernel.BoundColumns[T]
	made   func(p *summed) kernel.Pairs
}

func newAnchored[T any](of kernel.Kernel[T], cols data.Set[[]T], made func(p *summed) kernel.Pairs) anchored[T] {
	all := join(cols)
	return anchored[T]{cols, all, kernel.BindColumns(of, all.points), made}
}

// Bind binds the points of the rows' bags.
func (a anchored[T]) Bind(rows data.Set[[]T], _ kernel.Pairs) kernel.Pairs {
	left := a.cols
	if !data.SameSlices(rows, a.set) {
		left = join(rows)
	}
	return a.made(&summed{of: a.points.Bind(left.points, nil), rows: left.start, cols: a.cols.start, scratch: new(sync.Pool)})
}

// summed is the sum, or the mean, of a base kernel over blocks of its tiles.
type summed struct {
	of         kernel.Pairs
	rows, cols starts
	mean       bool
	scratch    *sync.Pool
}

// blockSize is the number of values of the base kernel that are computed at a time.
const blockSize = 1 << 15

// Dims returns the numbers of bags.
func (p *summed) Dims() (rows, cols int) { return p.rows.bags(), p.cols.bags() }

// Tile adds, for every bag of the rows, the values of one of its points after the other, and
// for a point those of one point of the column's bag after the other: an order that does
// not depend on the tile.
func (p *summed) Tile(dst kernel.Tile, row, col int) {
	for i := range dst.Rows {
		clear(dst.Row(i))
	}
	walk(p.of, p.rows[row:row+dst.Rows+1], p.cols[col:col+dst.Cols+1], p.scratch, func(i, j, _ int, values []float64) {
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		dst.Row(i)[j] += sum
	})
	if !p.mean {
		return
	}
	for i := range dst.Rows {
		out := dst.Row(i)
		for j := range out {
			if n := float64(p.rows.count(row+i)) * float64(p.cols.count(col+j)); n > 0 {
				out[j] /= n
			}
		}
	}
}

// CacheParts keeps the base kernel, which other kernels of the bags may share.
func (p *summed) CacheParts(k kernel.TileCache) kernel.Pairs {
	cached := *p
	cached.of = kernel.Cached(p.of, k)
	return &cached
}

// walk computes the base kernel between bags of rows and bags of columns, given by where their
// points begin. It calls visit with the values of one point of bag i and all points of bag j, which
// begin at point at of all.
func walk(of kernel.Pairs, rows, cols []int, scratch *sync.Pool, visit func(i, j, at int, values []float64)) {
	last := len(cols) - 1
	for from := 0; from < last; {
		to := from + 1
		for to < last && cols[to+1]-cols[from] <= blockSize {
			to++
		}
		width := cols[to] - cols[from]
		height := max(1, blockSize/max(1, width))
		i := 0
		for r := rows[0]; r < rows[len(rows)-1] && width > 0; r += height {
			block := borrow(scratch, min(height, rows[len(rows)-1]-r), width)
			of.Tile(block.Tile, r, cols[from])
			for a := range block.Rows {
				for r+a >= rows[i+1] {
					i++
				}
				values := block.Row(a)
				for j := from; j < to; j++ {
					visit(i, j, cols[j], values[cols[j]-cols[from]:cols[j+1]-cols[from]])
				}
			}
			scratch.Put(block)
		}
		from = to
	}
}

// block is a tile that is used again.
type block struct{ kernel.Tile }

func borrow(pool *sync.Pool, rows, cols int) *block {
	b, _ := pool.Get().(*block)
	if b == nil {
		b = new(block)
	}
	if cap(b.Data) < rows*cols {
		b.Data = make([]float64, rows*cols)
	}
	b.Tile = kernel.Tile{Rows: rows, Cols: cols, Stride: cols, Data: b.Data[:rows*cols]}
	return b
}
