package gram

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
)

// Layout says which elements of a Gram matrix are written, and in which order.
type Layout int

const (
	// Full is every element, row after row: a rows×cols array.
	Full Layout = iota
	// PackedLower is the lower triangle with its diagonal, row after row: row i gives
	// the i+1 numbers k(xᵢ, x₀) … k(xᵢ, xᵢ), a vector of n(n+1)/2.
	PackedLower
)

// Count returns how many numbers a matrix has in the layout.
func (l Layout) Count(rows, cols int) int64 {
	if l == PackedLower {
		return int64(rows) * int64(rows+1) / 2
	}
	return int64(rows) * int64(cols)
}

// Unpack returns the symmetric matrix, both triangles filled, of a [PackedLower] vector.
// It is an error if the length is not a triangular number n(n+1)/2.
func Unpack(lower []float64) (*mat.Dense, error) {
	n := int(math.Sqrt(2 * float64(len(lower))))
	if n*(n+1)/2 != len(lower) {
		return nil, fmt.Errorf("gram: %d numbers are not a packed triangle: the next sizes are %d (%d rows) and %d (%d rows)",
			len(lower), n*(n+1)/2, n, (n+1)*(n+2)/2, n+1)
	}
	if n == 0 {
		return &mat.Dense{}, nil
	}
	k, at := mat.NewDense(n, n, nil), 0
	for i := range n {
		for j := range i + 1 {
			k.Set(i, j, lower[at])
			k.Set(j, i, lower[at])
			at++
		}
	}
	return k, nil
}

// exportBuffer is the number of elements that [Export] computes between two calls of
// its sink: 16 MiB of them, or one row where a row is longer.
const exportBuffer = 2 << 20

// Export computes a Gram matrix from its first row to its last and gives each row to
// the sink, in order and from one goroutine, without ever holding the matrix: memory
// is 16 MiB or one row. So a matrix can be written that is larger than memory. The
// row is valid until the sink returns; the sink chooses the precision of what it
// writes. A [Full] export evaluates every element, also of a symmetric matrix.
// PackedLower wants a square matrix. Errors: those of the sink, the end of ctx.
func Export(ctx context.Context, p kernel.Pairs, layout Layout, o compute.Options, sink func(row []float64) error) error {
	rows, cols := p.Dims()
	if layout == PackedLower {
		if err := square(p); err != nil {
			return err
		}
	}
	if rows == 0 || cols == 0 {
		return ctx.Err()
	}
	p = kernel.Cached(p, o.Store)
	bands := blocks{rows, max(1, min(tileSide, exportBuffer/cols))}
	buffer := make([]float64, bands.side*cols)
	progress := o.Meter("export", layout.Count(rows, cols))
	for b := range bands.count() {
		at, height := bands.at(b)
		width := cols
		if layout == PackedLower {
			width = at + height
		}
		if err := computeBand(ctx, p, buffer, at, height, width, o.WorkerCount()); err != nil {
			return err
		}
		written := int64(0)
		for i := range height {
			row := buffer[i*width : (i+1)*width]
			if layout == PackedLower {
				row = row[:at+i+1]
			}
			if err := sink(row); err != nil {
				return fmt.Errorf("gram: row %d: %w", at+i, err)
			}
			written += int64(len(row))
		}
		progress.Add(written)
	}
	return nil
}

// computeBand stores the first width columns of height rows from row at on in buffer.
func computeBand(ctx context.Context, p kernel.Pairs, buffer []float64, at, height, width, workers int) error {
	wide := blocks{width, tileSide}
	return parallel.Each(ctx, workers, wide.count(), func(_, j int) {
		col, cols := wide.at(j)
		p.Tile(kernel.Tile{Rows: height, Cols: cols, Stride: width, Data: buffer[col:]}, at, col)
	})
}
