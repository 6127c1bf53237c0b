package task

import (
	"fmt"

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

// where names a row of the table.
func (in PreparedTable) where(row int) string {
	if line := LineOf(in.cells(), row); line > 0 {
		return fmt.Sprintf("on line %d", line)
	}
	return fmt.Sprintf("row %d", row+1)
}
