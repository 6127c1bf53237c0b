package npy

import (
	"context"
	"fmt"
	"io"
	"slices"

	"example.org/mercer/data"
)

// Blocks reads what [Read] reads and passes it on in blocks of rows, of which one at a time is
// in memory; size gives their number of rows for a number of columns. The columns of the blocks are
// reused. It returns the table without its cells. Errors are those of Read, and of an array
// that stores its columns first, whose rows are nowhere together.
func Blocks(ctx context.Context, name string, r io.Reader, size func(columns int) int, budget *data.Budget, use func(*data.Table) error) (*data.Table, error) {
	a, err := open(name, r, budget)
	if err != nil {
		return nil, err
	}
	if err := a.tabular(); err != nil {
		return nil, err
	}
	if a.fortran && a.rows > 1 && a.cols > 1 {
		return nil, &data.Error{Source: name, Reason: "stores its columns first, so that a pass over its rows would read all of it at once", Fix: "save it with numpy.ascontiguousarray"}
	}
	height := min(size(a.cols), a.rows)
	if err := budget.Take(8*int64(height)*int64(a.cols)+columnBytes*int64(a.cols), name, 0); err != nil {
		return nil, err
	}
	block := a.empty(plainName, height)
	schema := &data.Table{Source: name, Columns: slices.Clone(block.Columns)}
	for j := range schema.Columns {
		schema.Columns[j].Numbers = nil
	}
	rows, at := block.Rows(), 0
	pass := func() error {
		full := block.Columns
		block.Columns = slices.Clone(full)
		for j := range block.Columns {
			c := &block.Columns[j]
			c.Numbers = c.Numbers[:at]
			if c.Missing != nil {
				c.Missing = c.Missing[:at]
			}
			full[j].Missing = nil
		}
		err := use(block)
		block.Columns, block.Before, at = full, block.Before+at, 0
		return err
	}
	err = a.each(ctx, func(first int, values []float64) error {
		for len(values) > 0 {
			begun := first - block.Before*a.cols
			n := min(len(values), rows*a.cols-begun)
			if err := a.fill(block, begun, values[:n]); err != nil {
				return err
			}
			first, values = first+n, values[n:]
			if at = (begun + n) / a.cols; at == rows {
				if err := pass(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err == nil && at > 0 {
		err = pass()
	}
	return schema, err
}

// plainName names the columns of an array by their positions.
func plainName(col int) string { return fmt.Sprintf("c%d", col+1) }
