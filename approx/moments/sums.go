package moments

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/pass"
)

// sums adds up the rows, wherever they are. Integers have the same sum in any order, and cut in any
// way.
func sums[T any](ctx context.Context, shape Shape, r Rows[T], o compute.Options) (*Statistics, error) {
	if s := pass.SenderOf(kernel.Kernel[T](r.Map), r.Points); s != nil {
		return send(ctx, s, shape, r)
	}
	out := zero(shape)
	if err := addRows(ctx, out, r.Map, r.Points, pass.Piece{To: r.Points.Len()}, r.beside, o); err != nil {
		return nil, err
	}
	return out, out.positive()
}

// beside stores what a row has beside its features: its targets, and √w.
func (r Rows[T]) beside(dst []float64, i int) {
	copy(dst, r.Targets.RawRowView(i))
	dst[len(dst)-1] = r.root(i)
}

// addRows adds up a piece of the rows, a block at a time. The features of a row must have the same
// bits in every block, so that the row can be taken out again. Bits depend on the size of a block:
// the last one is filled up with its last row to the size of the others.
func addRows[T any](ctx context.Context, s *Statistics, by kernel.Mapped[T], xs data.Set[T], p pass.Piece, beside func(dst []float64, i int), o compute.Options) error {
	n, columns := xs.Len(), s.columns()
	w := newWorkspace(s.size(), o.WorkerCount())
	z, a := mat.NewDense(height, s.Features, nil), mat.NewDense(height, s.size(), nil)
	told := o.Meter("sums", int64(p.To-p.From))
	for from := p.From; from < p.To; from += height {
		to := min(from+height, p.To)
		if to-from == height {
			kernel.MapRows(by, tileOf(z), data.Run(xs, from, to), 0)
		} else {
			index := make([]int, height)
			for i := range index {
				index[i] = min(from+i, n-1)
			}
			kernel.MapRows(by, tileOf(z), data.Subset(xs, index), 0)
		}
		block := a.Slice(0, to-from, 0, s.size()).(*mat.Dense)
		for i := from; i < to; i++ {
			row := block.RawRowView(i - from)
			copy(row, z.RawRowView(i-from))
			beside(row[s.Features:], i)
			root := row[len(row)-1]
			for j := range row[:len(row)-1] {
				row[j] *= root
			}
		}
		most, beyond := whole(block, columns)
		if beyond[0] >= 0 {
			return &TooLarge{Row: from + beyond[0], Times: most / (1 << mostBits)}
		}
		if err := s.add(ctx, w, block, most); err != nil {
			return err
		}
		told.Reach(int64(to - p.From))
	}
	return ctx.Err()
}

// tileOf presents a matrix as a tile.
func tileOf(m *mat.Dense) kernel.Tile {
	raw := m.RawMatrix()
	return kernel.Tile{Rows: raw.Rows, Cols: raw.Cols, Stride: raw.Stride, Data: raw.Data}
}
