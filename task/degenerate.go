package task

import (
	"fmt"
	"math"

	"example.org/mercer/kernel"
)

// Where k(x, x) = 0 a positive definite kernel is 0 between x and every point, by the inequality of
// Cauchy and Schwarz: a sequence shorter than the words that are counted, a graph without edges
// whose walks are. Such a row is no error, and means the same when a model is made and when it is
// used: it adds nothing to a function, and is predicted by its constant. It is never silent.

// DegenerateRows says which rows are 0 in the space of a kernel, or "". It looks at cells alone:
// numbers that are all 0 are usual. pairs binds the rows to themselves.
func (in PreparedTable) DegenerateRows(kind, text string, pairs func() (kernel.Pairs, error)) (string, error) {
	if kind != OnRecords {
		return "", nil
	}
	p, err := pairs()
	if err != nil {
		return "", err
	}
	n, _ := p.Dims()
	squares := make([]float64, n)
	kernel.Diag(p, squares)
	first, zeros := 0, 0
	for i, v := range squares {
		if v != 0 {
			continue
		}
		if zeros++; zeros == 1 {
			first = i
		}
	}
	if zeros == 0 {
		return "", nil
	}
	return fmt.Sprintf("%d of %d rows, the first %s, have k(x, x) = 0 with %s: it is 0 between them and every row, so that they add nothing to the function and their prediction is its constant",
		zeros, n, in.where(in.Rows.Rows[first]), text), nil
}

// alike is how much two values of a kernel between indistinguishable points may differ by rounding,
// relative to their size.
const alike = 1e-12

// IndistinguishableRows says that a kernel has the same value between all rows, or "". Then it sees
// no difference between them, and every function in its span is a constant. It takes one row of the
// Gram matrix and its diagonal: where k(x, x) = k(x, x₁) = k(x₁, x₁) for every x, the images of all
// rows are that of the first, because ‖φ(x) − φ(x₁)‖² = 0, for a positive definite kernel.
func IndistinguishableRows(text string, pairs kernel.Pairs) string {
	n, _ := pairs.Dims()
	if n < 2 {
		return ""
	}
	squares := make([]float64, n)
	kernel.Diag(pairs, squares)
	size := squares[0]
	if size == 0 {
		return "" // DegenerateRows has said it
	}
	row := kernel.NewTile(1, n)
	pairs.Tile(row, 0, 0)
	for i, v := range row.Row(0) {
		if !(math.Abs(v-size) <= alike*math.Abs(size)) || !(math.Abs(squares[i]-size) <= alike*math.Abs(size)) {
			return ""
		}
	}
	return fmt.Sprintf("the kernel %s is %.4g between any two of the %d rows: it sees no difference between them, so that whatever is fitted is a constant; choose a kernel, columns or labels in which the rows differ",
		text, size, n)
}

// where names a row of the table.
func (in PreparedTable) where(row int) string {
	if line := LineOf(in.cells(), row); line > 0 && in.Table.Files == nil {
		return fmt.Sprintf("on line %d", line)
	}
	return fmt.Sprintf("row %d", row+1)
}
