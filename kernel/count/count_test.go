package count_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/count"
)

// random makes points over a few frequent and many rare features, with counts up to most.
func random(r *rand.Rand, n, features int, most uint32) []count.Row {
	rows := make([]count.Row, n)
	for i := range rows {
		for f := range uint32(features) {
			if often := f < 4 && r.IntN(2) == 0; often || r.IntN(features) < 3 {
				rows[i].Features, rows[i].Times = append(rows[i].Features, f), append(rows[i].Times, 1+r.Uint32N(most))
			}
		}
	}
	return rows
}

// dot is the inner product by definition.
func dot(x, y count.Row) float64 {
	times := map[uint32]uint64{}
	for i, f := range x.Features {
		times[f] = uint64(x.Times[i])
	}
	sum := uint64(0)
	for i, f := range y.Features {
		sum += times[f] * uint64(y.Times[i])
	}
	return float64(sum)
}

// TestTiles compares tiles of every kind of size with the definition: few points and many,
// with and without dense columns, counts beyond single precision and beyond 16 bits, and
// rows with features that no column has.
func TestTiles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		rows, cols, features int
		rowMost, most        uint32
	}{{5, 7, 10, 3, 3}, {300, 300, 40, 3, 3}, {30, 280, 500, 3, 3}, {70, 150, 20, 1 << 20, 3}, {9, 140, 20, 3, 1 << 20}, {0, 3, 5, 1, 1}, {3, 0, 5, 1, 1}} {
		rows, cols := random(r, c.rows, c.features+20, c.rowMost), random(r, c.cols, c.features, c.most)
		p := count.Bind(rows, cols)
		if n, m := p.Dims(); n != c.rows || m != c.cols {
			t.Fatalf("%d×%d", n, m)
		}
		for _, size := range [][2]int{{c.rows, c.cols}, {1, c.cols}, {3, 5}, {c.rows, 1}, {17, 133}} {
			for row := 0; row < c.rows; row += max(1, size[0]) {
				for col := 0; col < c.cols; col += max(1, size[1]) {
					tile := kernel.NewTile(min(size[0], c.rows-row), min(size[1], c.cols-col))
					single := kernel.NewTile32(tile.Rows, tile.Cols)
					p.Tile(tile, row, col)
					p.Tile32(single, row, col)
					for i := range tile.Rows {
						for j, got := range tile.Row(i) {
							if want := dot(rows[row+i], cols[col+j]); got != want || single.Row(i)[j] != float32(want) {
								t.Fatalf("%+v, tile %v at (%d, %d): element (%d, %d) is %g and %g, by definition %g", c, size, row, col, i, j, got, single.Row(i)[j], want)
							}
						}
					}
				}
			}
		}
		left, right := make([]float64, c.rows), make([]float64, c.cols)
		p.Norms(left, right)
		for i, x := range rows {
			if left[i] != dot(x, x) {
				t.Fatalf("the norm of row %d is %g, by definition %g", i, left[i], dot(x, x))
			}
		}
		for j, y := range cols {
			if right[j] != dot(y, y) {
				t.Fatalf("the norm of column %d is %g, by definition %g", j, right[j], dot(y, y))
			}
		}
	}
}

// TestSame binds a set to itself, with the diagonal.
func TestSame(t *testing.T) {
	rows := random(rand.New(rand.NewPCG(3, 4)), 200, 60, 4)
	p := count.Bind(rows, rows)
	diag := make([]float64, len(rows))
	kernel.Diag(p, diag)
	whole := kernel.NewTile(len(rows), len(rows))
	p.Tile(whole, 0, 0)
	for i, x := range rows {
		if diag[i] != dot(x, x) || whole.Row(i)[i] != diag[i] {
			t.Fatalf("%d: %g, %g, by definition %g", i, diag[i], whole.Row(i)[i], dot(x, x))
		}
	}
}

func Example() {
	x, y := count.Tally([]uint32{3, 1, 3}), count.Tally([]uint32{3, 3, 7})
	p := count.Bind([]count.Row{x}, []count.Row{x, y})
	tile := kernel.NewTile(1, 2)
	p.Tile(tile, 0, 0)
	fmt.Println(tile.Data)
	// Output: [5 4]
}

// TestVectors compares inner products of stored features with the definition.
func TestVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, dim := range []int{0, 1, 4, 7} {
		p := &count.Vectors{Rows: make([]float64, 3*dim), Cols: make([]float64, 5*dim), N: 3, M: 5, Dim: dim}
		for _, side := range [][]float64{p.Rows, p.Cols} {
			for i := range side {
				side[i] = float64(r.IntN(9) - 4)
			}
		}
		by := func(x, y []float64) (sum float64) {
			for f := range dim {
				sum += x[f] * y[f]
			}
			return sum
		}
		tile, left, right := kernel.NewTile(3, 5), make([]float64, 3), make([]float64, 5)
		p.Tile(tile, 0, 0)
		p.Norms(left, right)
		for i := range 3 {
			x := p.Rows[i*dim:][:dim]
			if left[i] != by(x, x) {
				t.Errorf("the norm of row %d is %v", i, left[i])
			}
			for j := range 5 {
				if y := p.Cols[j*dim:][:dim]; tile.Row(i)[j] != by(x, y) || right[j] != by(y, y) {
					t.Errorf("element (%d, %d) is %v, the norm %v", i, j, tile.Row(i)[j], right[j])
				}
			}
		}
	}
}
