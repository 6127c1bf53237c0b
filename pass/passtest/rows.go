package passtest

import (
	"sync/atomic"

	"example.org/mercer/data"
)

// Rows are vectors that are read in runs, as from a file: what is given out is a copy, and a
// method that looks for rows in memory does not find them.
type Rows struct {
	xs    data.Vectors
	reads atomic.Int64
}

// NewRows returns rows of the numbers of xs.
func NewRows(xs data.Vectors) *Rows { return &Rows{xs: xs} }

// Len returns the number of rows.
func (r *Rows) Len() int { return r.xs.Len() }

// Dim returns the length of a row.
func (r *Rows) Dim() int { return r.xs.Dim() }

// At returns row i.
func (r *Rows) At(i int) []float64 { return r.xs.At(i) }

// Run reads the rows from ≤ i < to.
func (r *Rows) Run(from, to int) data.Set[[]float64] {
	r.reads.Add(1)
	index := make([]int, to-from)
	for i := range index {
		index[i] = from + i
	}
	return r.xs.Gather(index)
}

// Reads returns how many runs have been read.
func (r *Rows) Reads() int64 { return r.reads.Load() }

var (
	_ data.Rows              = (*Rows)(nil)
	_ data.Runner[[]float64] = (*Rows)(nil)
)
