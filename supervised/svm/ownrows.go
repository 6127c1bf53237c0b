package svm

import (
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram/design"
	"example.org/mercer/pass"
)

const (
	// blockBytes is the size of a block of features, few enough for a cache that cores share, and
	// blockRows the most rows of one, each of which has some numbers beside its features.
	// Constants, because bits depend on them.
	blockBytes = 4 << 20
	blockRows  = 8192
)

// blockHeight is the number of rows in a block of so many features.
func blockHeight(features int) int {
	return min(blockRows, max(1, blockBytes/8/features/design.BlockRows)*design.BlockRows)
}

// spaceNumbers are those of a space for a row of a block beside its features: right-hand sides, its
// place, a value and a weight, and what goes along with the row and is made of it.
const spaceNumbers = 5 + 3 + 9

// space is the working memory for the rows of a problem in a block.
type space struct {
	index                                []int // which rows of the block they are
	rows, values, weights, sides, scaled []float64
}

// spaces are free: as many are made as problems are worked on at the same time.
var spaces = sync.Pool{New: func() any { return new(space) }}

// onOwn makes the function of w at the rows of the problem in a block, and then calls do with their
// features, one beside the other, and the function, where there are any.
func onOwn(b pass.Block, w []float64, do func(s *space, phi *mat.Dense, f []float64)) {
	s := spaces.Get().(*space)
	defer spaces.Put(s)
	phi := s.own(b)
	if len(s.index) == 0 {
		return
	}
	f := numbersIn(&s.values, len(s.index))
	mat.NewVecDense(len(f), f).MulVec(phi, mat.NewVecDense(len(w), w))
	for k, i := range s.index {
		b.Out.Set(i, 0, f[k])
	}
	do(s, phi, f)
}

// own finds the rows of the problem, and returns their features.
func (s *space) own(b pass.Block) *mat.Dense {
	rows, dim := b.X.Dims()
	s.index = s.index[:0]
	for i := range rows {
		if b.In.At(i, 0) != 0 {
			s.index = append(s.index, i)
		}
	}
	if len(s.index) == 0 || len(s.index) == rows {
		return b.X
	}
	own := matrixIn(&s.rows, len(s.index), dim)
	for k, i := range s.index {
		copy(own.RawRowView(k), b.X.RawRowView(i))
	}
	return own
}

// matrixIn is a matrix in some memory, which grows.
func matrixIn(memory *[]float64, rows, cols int) *mat.Dense {
	return mat.NewDense(rows, cols, numbersIn(memory, rows*cols))
}

func numbersIn(memory *[]float64, count int) []float64 {
	*memory = slices.Grow((*memory)[:0], count)[:count]
	return *memory
}
