package node

import (
	"context"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/kernel"
)

// columnBlock is the number of columns of K that are computed together: products with M
// read its elements once for all of them.
const columnBlock = 8

// columns is a kernel on a large network bound to nodes. The columns of K are products with
// unit vectors, computed block by block when the first element of a block is asked for, and kept
// in the rows that are bound: 8·rows·columns bytes.
//
// The element (x, y) comes from column y, the element (y, x) from column x: they differ by no more
// than the tolerance of the products.
type columns struct {
	of         *Kernel
	rows, cols []int
	blocks     []func() *mat.Dense // rows × columnBlock
}

func newColumns(k *Kernel, rows, cols []int) *columns {
	c := &columns{of: k, rows: rows, cols: cols, blocks: make([]func() *mat.Dense, (len(cols)+columnBlock-1)/columnBlock)}
	for b := range c.blocks {
		c.blocks[b] = sync.OnceValue(func() *mat.Dense { return c.compute(b) })
	}
	return c
}

// compute returns the bound rows of one block of columns; NaN where a product fails or a
// node is unknown.
func (c *columns) compute(block int) *mat.Dense {
	cols := c.cols[block*columnBlock : min(len(c.cols), (block+1)*columnBlock)]
	unit := mat.NewDense(c.of.net.Len(), len(cols), nil)
	for j, node := range cols {
		if node >= 0 {
			unit.Set(node, j, 1)
		}
	}
	full := new(mat.Dense)
	op, err := c.of.Operator(Options{})
	if err == nil {
		err = op.Mul(context.Background(), full, unit)
	}
	out := mat.NewDense(max(1, len(c.rows)), len(cols), nil)
	for i, node := range c.rows {
		for j := range cols {
			v := math.NaN()
			if err == nil && node >= 0 && cols[j] >= 0 {
				v = full.At(node, j)
			}
			out.Set(i, j, v)
		}
	}
	return out
}

func (c *columns) Dims() (rows, cols int) { return len(c.rows), len(c.cols) }

func (c *columns) Tile(dst kernel.Tile, row, col int) {
	for j := range dst.Cols {
		block := c.blocks[(col+j)/columnBlock]()
		for i := range dst.Rows {
			dst.Data[i*dst.Stride+j] = block.At(row+i, (col+j)%columnBlock)
		}
	}
}

// oneBound is the column of one node.
type oneBound struct {
	node int
	*columns
}

// element returns one element from the column of node i, which it keeps.
func (k *Kernel) element(i, j int) float64 {
	k.mu.Lock()
	if k.last == nil || k.last.node != i {
		all := make([]int, k.net.Len())
		for r := range all {
			all[r] = r
		}
		k.last = &oneBound{node: i, columns: newColumns(k, all, []int{i})}
	}
	last := k.last
	k.mu.Unlock()
	return last.blocks[0]().At(j, 0)
}
