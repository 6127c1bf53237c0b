package visual

import "fmt"

// Pyramid are the cells in which descriptors are pooled: for each number g in it a grid of g×g
// cells over the image, row by row. A descriptor lies in the cell that its place in the grid of
// descriptors falls in.
type Pyramid []int

// mostCells bounds the cells of a side, so that a text cannot ask for any memory.
const mostCells = 64

// check returns an error for a pyramid that is finer than the descriptors, or is none.
func (p Pyramid) check(rows, cols int) error {
	if len(p) == 0 {
		return fmt.Errorf("the pyramid has no level: write 1 for the whole image")
	}
	for _, g := range p {
		if g < 1 || g > mostCells || g > min(rows, cols) {
			return fmt.Errorf("pyramid: %d×%d cells for %d×%d descriptors; give from 1 to %d cells a side", g, g, rows, cols, min(rows, cols, mostCells))
		}
	}
	return nil
}

// Cells returns the number of cells of all levels.
func (p Pyramid) Cells() (n int) {
	for _, g := range p {
		n += g * g
	}
	return n
}

// Weights returns one for each level: 2^−L for the first of L + 1 levels, and 2^(ℓ−L−1) for the
// ℓ-th after it, so that what agrees in finer cells counts more. They sum to 1. With them and the
// kernel intersection words are compared by the pyramid match (Lazebnik, Schmid and Ponce 2006, eq.
// 3).
func (p Pyramid) Weights() []float64 {
	w, last := make([]float64, len(p)), len(p)-1
	for i := range w {
		w[i] = 1 / float64(uint64(1)<<(last-max(i, 1)+1))
	}
	return w
}

// members returns the descriptors of each cell, of so many rows and columns of them.
func (p Pyramid) members(rows, cols int) [][]int {
	all := make([][]int, 0, p.Cells())
	for _, g := range p {
		level := make([][]int, g*g)
		for i := range rows {
			for j := range cols {
				c := i*g/rows*g + j*g/cols
				level[c] = append(level[c], i*cols+j)
			}
		}
		all = append(all, level...)
	}
	return all
}
