package task

import (
	"fmt"
	"math"

	"example.org/mercer/data"
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
	return in.zeroRows(text, squaresOf(p)), nil
}

// squaresOf returns k(x, x) of all rows.
func squaresOf(pairs kernel.Pairs) []float64 {
	n, _ := pairs.Dims()
	squares := make([]float64, n)
	kernel.Diag(pairs, squares)
	return squares
}

// zeroRows is DegenerateRows for k(x, x).
func (in PreparedTable) zeroRows(text string, squares []float64) string {
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
		return ""
	}
	return fmt.Sprintf("%d of %d rows, the first %s, have k(x, x) = 0 with %s: it is 0 between them and every row, so that they add nothing to the function and their prediction is its constant",
		zeros, len(squares), in.where(in.Rows.Rows[first]), text)
}

// Look looks at the diagonal of the Gram matrix and at one of its rows before a method does.
// Remarks say of which rows, or of all, the kernel makes nothing. The error names the first row
// whose k(x, x) is not a finite number; where all are, so are all values of a positive definite
// kernel. Rows that stay in their file are not looked at: that is a pass over it. Nor are images
// that are mapped by filters: the exact kernel takes milliseconds for one, and of finite pixels all
// features are finite.
func (p *Task) Look() (remarks []string, err error) {
	if p.Rows.Streamed != nil || p.FeatureMap != nil && p.FeatureMap.Filters != nil {
		return nil, nil
	}
	if p.Points.Kind() == OnVectors {
		k, _ := p.Points.AsVectors()
		if of, ok := k.(interface{ Unlearned() error }); ok && of.Unlearned() != nil {
			return nil, of.Unlearned()
		}
	}
	squares, same := p.squares()
	in := PreparedTable{Table: p.Raw, Blocks: p.Blocks, Steps: p.Prep, Rows: p.Rows}
	for i, v := range squares {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			row := p.Rows.Rows[i]
			e := &data.Error{Row: row + 1, Reason: fmt.Sprintf("the kernel %s is %v between this row and itself, not a finite number", p.Kernel(), v), Fix: "check the domain of the kernel and the size of its parameters"}
			e.Source, e.Line = placeOf(in.cells(), row)
			return nil, e
		}
	}
	if p.Points.Kind() == OnRecords {
		if note := in.zeroRows(p.Kernel(), squares); note != "" {
			remarks = append(remarks, note)
		}
	}
	if n := len(squares); same && n > 1 && squares[0] != 0 {
		remarks = append(remarks, fmt.Sprintf("the kernel %s is %.4g between any two of the %d rows: it sees no difference between them, so that whatever is fitted is a constant; choose a kernel, columns or labels in which the rows differ",
			p.Kernel(), squares[0], n))
	}
	return remarks, nil
}

// alike is how much two values of a kernel between indistinguishable points may differ by rounding,
// relative to their size.
const alike = 1e-12

// lookedAt is the number of rows that are bound at a time to be looked at.
const lookedAt = 1024

// squares returns k(x, x) of all rows, and whether the kernel is the same between all of them. It
// is where k(x, x) = k(x, x₁) = k(x₁, x₁) for every x: the images of all rows are that of the first
// then, because ‖φ(x) − φ(x₁)‖² = 0.
func (p *Task) squares() (squares []float64, same bool) {
	points := p.Points.Original() // a kernel that stands for another takes longer, and tells no more
	n := points.Size()
	same = true
	for from := 0; from < n; from += lookedAt {
		rows := append([]int{0}, data.Range(from, min(from+lookedAt, n))...)
		pairs := points.part(rows).Bind()
		block := squaresOf(pairs)
		squares = append(squares, block[1:]...)
		if !same {
			continue
		}
		tile := kernel.NewTile(1, len(rows))
		pairs.Tile(tile, 0, 0)
		size := squares[0]
		for i, v := range tile.Row(0) {
			same = same && math.Abs(v-size) <= alike*math.Abs(size) && math.Abs(block[i]-size) <= alike*math.Abs(size)
		}
	}
	return squares, same
}

// where names a row of the table.
func (in PreparedTable) where(row int) string {
	if line := LineOf(in.cells(), row); line > 0 && in.Table.Files == nil {
		return fmt.Sprintf("on line %d", line)
	}
	return fmt.Sprintf("row %d", row+1)
}
