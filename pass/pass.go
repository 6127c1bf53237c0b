package pass

import (
	"context"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
)

// Pass is a reading of rows: a kernel, in whose features or columns they are read, and a job, done
// for runs of them, the pieces.
type Pass struct {
	Kernel kernel.Kernel[[]float64] // nil: the rows themselves are read
	Job    Job
	Pieces []Piece
	// Numbers returns what goes along with a piece, some for each of its rows; nil: nothing.
	Numbers func(piece int) ([]float64, error)
}

// Piece is a run of rows, From ≤ i < To. Pieces depend on the number of rows and the size of the
// sums alone, so that bits do not depend on who works.
type Piece struct{ From, To int }

// Job is what is done with a piece. Its fields are exported, and its type is known to encoding/gob,
// so that it can be sent.
type Job interface {
	// Run computes a piece of the rows, which have the kernel and the numbers of the pass.
	Run(ctx context.Context, k kernel.Kernel[[]float64], rows data.Rows, p Piece,
		numbers []float64, o compute.Options) (Result, error)
}

// Result is what a job makes of a piece: sums over its rows, and some numbers for each of them.
type Result struct{ Sums, Rows []float64 }

// Driver runs passes where rows are. It is safe for concurrent use.
type Driver interface {
	// Run does the job for every piece, and calls done once for each, in any order, from one
	// goroutine at a time. It ends with the error of done, of a job, or of ctx.
	Run(ctx context.Context, p Pass, done func(piece int, r Result) error) error
	// Part returns the driver of some of the rows, which are these.
	Part(rows data.Rows) Driver
}

// Costed is a driver that says what its passes cost, for plans; known is false where it cannot.
type Costed interface {
	Cost() (c compute.PassCost, known bool)
}

// Table is a table whose rows have passes made where they are.
type Table interface {
	data.Blocks
	// Driver returns what makes the passes over prepared rows.
	Driver(steps *prep.Pipeline, rows *prep.Streamed) (Driver, error)
}

// Rows have a driver. They can be read here, too, as any others.
type Rows interface {
	data.Rows
	Driver() Driver
}

// Over gives a driver to rows that are read from files.
func Over(rows Readable, d Driver) Rows { return driven{rows, d} }

// Readable are rows of which some are read when they are asked for.
type Readable interface {
	data.Rows
	data.Runner[[]float64]
	data.Gatherer[[]float64]
	data.Parted[[]float64]
}

type driven struct {
	Readable
	driver Driver
}

func (d driven) Driver() Driver { return d.driver }

// Part returns some of the rows, with the driver of these.
func (d driven) Part(index []int) data.Set[[]float64] {
	some := d.Readable.Part(index).(Readable)
	return Over(some, d.driver.Part(some))
}

// Here returns rows without their driver.
func Here(rows data.Rows) data.Rows {
	if d, ok := rows.(driven); ok {
		return d.Readable
	}
	return rows
}

const (
	// pieceRows is the least number of rows of a piece where there are more, and mostPieces the
	// most pieces: what is sent of the sums is then little beside what is computed for them.
	pieceRows, mostPieces = 1 << 16, 1 << 10
)

// Many is the number of pieces of very many rows, 0 of fewer.
func Many(rows int) int { return min(mostPieces, rows/pieceRows) }

// PieceBlocks is how many blocks of rows a piece of a pass over features has.
const PieceBlocks = 64

// Pieces cuts rows into whole blocks: as many to a piece as are given, or more where there would
// be very many pieces.
func Pieces(rows, block, blocks int) (out []Piece) {
	height := max(blocks*block, (rows/mostPieces+block)/block*block)
	for from := 0; from < rows; from += height {
		out = append(out, Piece{from, min(from+height, rows)})
	}
	return out
}
