package kerneltest

import (
	"fmt"
	"math"
	"slices"
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
	tileCheck{p: p, close: s.close, errorf: func(format string, args ...any) { s.errorf(check, format, args...) },
		want: func(i, j int) (value, scale float64) { return s.k.Eval(rows[i], cols[j]), s.scale(rows[i], cols[j]) },
	}.run(len(rows), len(cols))
}

// Pairs checks bound pairs of a size, in which element (i, j) has a value, with a scale that errors
// are measured by: each element is within the bound times its scale; it has the same bits in every
// block and beside other calls; Diag has those of the tiles; and so for single precision, which is
// within 2⁻²⁰ of the scale, 16 roundings of a float32, or is the value rounded.
func Pairs(t TB, what string, p kernel.Pairs, rows, cols int, want func(i, j int) (value, scale float64), bound float64) {
	t.Helper()
	c := tileCheck{p: p, want: want,
		close:  func(got, want, scale float64) bool { return got == want || math.Abs(got-want) <= bound*scale },
		errorf: func(format string, args ...any) { t.Helper(); t.Errorf("%s: %s", what, fmt.Sprintf(format, args...)) },
	}
	if whole, ok := c.run(rows, cols); ok {
		c.single(whole)
		c.beside(whole)
	}
}

// tileCheck compares tiles with values.
type tileCheck struct {
	p      kernel.Pairs
	want   func(i, j int) (value, scale float64)
	close  func(got, want, scale float64) bool
	errorf func(format string, args ...any)
}

// run checks the size, the elements in one block and in all others, and the diagonal.
func (c tileCheck) run(rows, cols int) (whole kernel.Tile, ok bool) {
	if n, m := c.p.Dims(); n != rows || m != cols {
		c.errorf("bound to %d×%d points, Dims says %d×%d", rows, cols, n, m)
		return whole, false
	}
	whole = kernel.NewTile(rows, cols)
	c.p.Tile(whole, 0, 0)
	for i := range rows {
		for j, got := range whole.Row(i) {
			if want, scale := c.want(i, j); !c.close(got, want, scale) {
				c.errorf("row %d, column %d is %.17g, Eval says %.17g: off by %.3g of %.3g", i, j, got, want, math.Abs(got-want), scale)
				return whole, false
			}
		}
	}
	for _, b := range shapes(rows, cols) {
		if !c.block(whole, b) {
			return whole, false
		}
	}
	return whole, c.diagonal(whole)
}

// guard is written around a block to find stray writes.
const guard = -12345.678

// block computes one block in a wider buffer and compares its bits.
func (c tileCheck) block(whole kernel.Tile, b shape) bool {
	const margin = 3
	dst := kernel.Tile{Rows: b.rows, Cols: b.cols, Stride: b.cols + margin}
	dst.Data = make([]float64, (b.rows+1)*dst.Stride)
	for i := range dst.Data {
		dst.Data[i] = guard
	}
	c.p.Tile(dst, b.row, b.col)
	for i := range b.rows + 1 {
		for j := range dst.Stride {
			got := dst.Data[i*dst.Stride+j]
			switch {
			case i == b.rows || j >= b.cols:
				if got != guard {
					c.errorf("the %d×%d block at (%d, %d) writes outside its columns or rows", b.rows, b.cols, b.row, b.col)
					return false
				}
			case !same(got, whole.Row(b.row + i)[b.col+j]):
				c.errorf("row %d, column %d is %.17g in a %d×%d block at (%d, %d) and %.17g in the whole: the bits must not depend on the tile",
					b.row+i, b.col+j, got, b.rows, b.cols, b.row, b.col, whole.Row(b.row + i)[b.col+j])
				return false
			}
		}
	}
	return true
}

// diagonal compares Diag with the tiles.
func (c tileCheck) diagonal(whole kernel.Tile) bool {
	diag := make([]float64, min(whole.Rows, whole.Cols))
	kernel.Diag(c.p, diag)
	for i, got := range diag {
		if want := whole.Row(i)[i]; !same(got, want) {
			c.errorf("element %d of the diagonal is %.17g, the tile has %.17g", i, got, want)
			return false
		}
	}
	return true
}

// single compares single precision with the whole, and its blocks with each other.
func (c tileCheck) single(whole kernel.Tile) {
	narrow := kernel.NewTile32(whole.Rows, whole.Cols)
	kernel.Fill32(c.p, narrow, 0, 0)
	_, computed := c.p.(kernel.Single)
	for i := range whole.Rows {
		for j, got := range narrow.Row(i) {
			want := whole.Row(i)[j]
			if _, scale := c.want(i, j); computed && !(math.Abs(float64(got)-want) <= 0x1p-20*scale) || !computed && got != float32(want) {
				c.errorf("row %d, column %d is %.9g in single precision and %.17g in double", i, j, got, want)
				return
			}
		}
	}
	for _, b := range shapes(whole.Rows, whole.Cols) {
		part := kernel.NewTile32(b.rows, b.cols)
		kernel.Fill32(c.p, part, b.row, b.col)
		for i := range b.rows {
			if !slices.Equal(part.Row(i), narrow.Row(b.row + i)[b.col:b.col+b.cols]) {
				c.errorf("row %d of the %d×%d block at (%d, %d) has other bits in single precision than the whole", b.row+i, b.rows, b.cols, b.row, b.col)
				return
			}
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
	tileCheck{p: p, errorf: func(format string, args ...any) { s.errorf("concurrency", format, args...) }}.beside(whole)
}

// beside computes rows at the same time.
func (c tileCheck) beside(whole kernel.Tile) {
	if whole.Rows == 0 || whole.Cols == 0 {
		return
	}
	var wg sync.WaitGroup
	var once sync.Once
	for w := range 8 {
		wg.Go(func() {
			row := w % whole.Rows
			one := kernel.NewTile(1, whole.Cols)
			for range 16 {
				c.p.Tile(one, row, 0)
				for j, got := range one.Data {
					if !same(got, whole.Row(row)[j]) {
						once.Do(func() {
							c.errorf("row %d, column %d is %.17g alone and %.17g beside other calls of Tile", row, j, whole.Row(row)[j], got)
						})
						return
					}
				}
			}
		})
	}
	wg.Wait()
}
