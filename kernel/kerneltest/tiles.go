package kerneltest

import (
	"math"
	"sync"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// shape is a block of a matrix.
type shape struct{ row, col, rows, cols int }

// shapes cuts an n×m matrix into blocks of odd sizes, with remainders at the edges.
func shapes(n, m int) []shape {
	blocks := []shape{{0, 0, n, m}, {n, m, 0, 0}}
	for _, size := range [][2]int{{1, 1}, {3, 5}, {7, 2}, {1, m}, {n, 1}} {
		for row := 0; row < n; row += size[0] {
			for col := 0; col < m; col += size[1] {
				blocks = append(blocks, shape{row, col, min(size[0], n-row), min(size[1], m-col)})
			}
		}
	}
	return blocks
}

// tiles binds k to different row and column points and compares every block with
// Eval, and with the bits of the same elements in one block.
func (s *suite[T]) tiles(check string, xs []T, set func([]T) data.Set[T]) {
	rows, cols := xs, xs[len(xs)/3:]
	p := kernel.Bind(s.k, set(rows), set(cols))
	if n, m := p.Dims(); n != len(rows) || m != len(cols) {
		s.errorf(check, "bound to %d×%d points, Dims says %d×%d", len(rows), len(cols), n, m)
		return
	}
	whole := kernel.NewTile(len(rows), len(cols))
	p.Tile(whole, 0, 0)
	for i, x := range rows {
		for j, y := range cols {
			want, scale := s.k.Eval(x, y), s.scale(x, y)
			if got := whole.Row(i)[j]; !s.close(got, want, scale) {
				s.errorf(check, "row %d, column %d is %.17g, Eval says %.17g: off by %.3g of %.3g", i, j, got, want, math.Abs(got-want), scale)
				return
			}
		}
	}
	for _, b := range shapes(len(rows), len(cols)) {
		if !s.block(check, p, whole, b) {
			return
		}
	}
	s.diagonal(check, p, whole)
}

// guard is written around a block to find stray writes.
const guard = -12345.678

// block computes one block in a wider buffer and compares its bits.
func (s *suite[T]) block(check string, p kernel.Pairs, whole kernel.Tile, b shape) bool {
	const margin = 3
	dst := kernel.Tile{Rows: b.rows, Cols: b.cols, Stride: b.cols + margin}
	dst.Data = make([]float64, (b.rows+1)*dst.Stride)
	for i := range dst.Data {
		dst.Data[i] = guard
	}
	p.Tile(dst, b.row, b.col)
	for i := range b.rows + 1 {
		for j := range dst.Stride {
			got := dst.Data[i*dst.Stride+j]
			switch {
			case i == b.rows || j >= b.cols:
				if got != guard {
					s.errorf(check, "the %d×%d block at (%d, %d) writes outside its columns or rows", b.rows, b.cols, b.row, b.col)
					return false
				}
			case !same(got, whole.Row(b.row + i)[b.col+j]):
				s.errorf(check, "row %d, column %d is %.17g in a %d×%d block at (%d, %d) and %.17g in the whole: the bits must not depend on the tile",
					b.row+i, b.col+j, got, b.rows, b.cols, b.row, b.col, whole.Row(b.row + i)[b.col+j])
				return false
			}
		}
	}
	return true
}

// diagonal compares Diag with the tiles.
func (s *suite[T]) diagonal(check string, p kernel.Pairs, whole kernel.Tile) {
	diag := make([]float64, min(whole.Rows, whole.Cols))
	kernel.Diag(p, diag)
	for i, got := range diag {
		if want := whole.Row(i)[i]; !same(got, want) {
			s.errorf(check, "element %d of the diagonal is %.17g, the tile has %.17g", i, got, want)
			return
		}
	}
}

// emptySets binds k to nothing.
func (s *suite[T]) emptySets() {
	none := plain[T](nil)
	defer func() {
		if r := recover(); r != nil {
			s.errorf("empty sets", "binding to no points panics: %v", r)
		}
	}()
	for _, cols := range []data.Set[T]{none, plain(s.xs)} {
		p := kernel.Bind(s.k, none, cols)
		if n, m := p.Dims(); n != 0 || m != cols.Len() {
			s.errorf("empty sets", "bound to 0×%d points, Dims says %d×%d", cols.Len(), n, m)
		}
		p.Tile(kernel.NewTile(0, cols.Len()), 0, 0)
	}
}

// concurrency computes different blocks of one bound kernel at the same time; run it
// with -race, too.
func (s *suite[T]) concurrency() {
	n, xs := len(s.xs), s.set(s.xs)
	p := kernel.Bind(s.k, xs, xs)
	whole := kernel.NewTile(n, n)
	p.Tile(whole, 0, 0)
	var wg sync.WaitGroup
	var once sync.Once
	for w := range 8 {
		wg.Go(func() {
			row := w % n
			one := kernel.NewTile(1, n)
			for range 16 {
				p.Tile(one, row, 0)
				for j, got := range one.Data {
					if !same(got, whole.Row(row)[j]) {
						once.Do(func() {
							s.errorf("concurrency", "row %d, column %d is %.17g alone and %.17g beside other calls of Tile", row, j, whole.Row(row)[j], got)
						})
						return
					}
				}
			}
		})
	}
	wg.Wait()
}
