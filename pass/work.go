package pass

import (
	"encoding/gob"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/linalg/level3"
)

// Work is what a pass does with blocks of rows. It can be sent: its fields are exported, and its
// type is known to encoding/gob.
type Work interface {
	// Sizes returns how many numbers go along with each row of dim numbers, how many are made of
	// each, and how many are summed up over the rows.
	Sizes(dim int) (in, out, sums int)
	// Worker returns what does the work, one block after another. It may keep space between blocks,
	// and nothing on which results depend.
	Worker(dim int, p level3.Implementation) func(b Block)
}

// Block is a block of rows in a pass. The rows, and what goes along, are not written.
type Block struct {
	X       *mat.Dense // rows: vectors, or features of points
	In, Out *mat.Dense // numbers of the rows; nil where there are none. Out is zeros at first
	Sums    []float64
}

// Vectors returns the rows.
func (b Block) Vectors() data.Vectors {
	raw := b.X.RawMatrix()
	xs, err := data.NewVectors(raw.Rows, raw.Cols, raw.Data)
	if err != nil {
		panic(err) // rows are contiguous
	}
	return xs
}

// RegisterWork makes the work of a package known to encoding/gob.
func RegisterWork(work ...Work) {
	for _, w := range work {
		gob.Register(w)
	}
}

// BlockSpace is space for what goes along with the rows of a block, and for what is made of them.
type BlockSpace struct{ in, out []float64 }

// Block returns the block of some rows with its sums, and with space for what work takes and makes.
// It is valid until the next.
func (s *BlockSpace) Block(x *mat.Dense, work Work, sums []float64) Block {
	rows, dim := x.Dims()
	in, out, _ := work.Sizes(dim)
	b := Block{X: x, In: matrix(&s.in, rows, in), Out: matrix(&s.out, rows, out), Sums: sums}
	if b.Out != nil {
		b.Out.Zero()
	}
	return b
}

// matrix is one in some space, which grows; nil where there are no columns.
func matrix(space *[]float64, rows, cols int) *mat.Dense {
	if cols == 0 {
		return nil
	}
	*space = slices.Grow((*space)[:0], rows*cols)[:rows*cols]
	return mat.NewDense(rows, cols, *space)
}
