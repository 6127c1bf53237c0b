package svm

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram/design"
	"example.org/mercer/linalg/level3"
)

// workspace is the working memory of a worker.
type workspace struct {
	own     *mat.Dense // the rows of a problem in a block, where they are not all
	sides   *mat.Dense // right-hand sides of these rows
	values  *mat.VecDense
	weights []float64
	scaled  *mat.Dense // V^½Φ of some rows
	product level3.Implementation
}

// of returns the function of w at the rows of a block.
func (s *workspace) of(phi *mat.Dense, w mat.Vector) *mat.VecDense {
	rows, _ := phi.Dims()
	f := s.values.SliceVec(0, rows).(*mat.VecDense)
	f.MulVec(phi, w)
	return f
}

// ownRows returns the rows of a problem in a block, one beside the other.
func (s *workspace) ownRows(b *barrier, at, from int, phi *mat.Dense) *mat.Dense {
	rows, dim := phi.Dims()
	last := -1
	for i := range b.in(at) {
		last = i
	}
	if last == rows-1 {
		return phi
	}
	own := s.own.Slice(0, last+1, 0, dim).(*mat.Dense)
	for i, v := range b.in(at) {
		copy(own.RawRowView(i), phi.RawRowView(int(b.row[v])-from))
	}
	return own
}

const (
	// mostSides is the number of right-hand sides of a row.
	mostSides = 5
	// workspaceNumbers are those of a workspace for a row of a block beside its features:
	// right-hand sides, a value and a weight.
	workspaceNumbers = mostSides + 1 + 1
)

func (ip *interior) newWorkspace() *workspace {
	height, dim := ip.rows.height, ip.rows.design.Dim
	return &workspace{sides: mat.NewDense(height, mostSides, nil), values: mat.NewVecDense(height, nil), own: mat.NewDense(height, dim, nil),
		weights: make([]float64, height), scaled: mat.NewDense(min(height, design.BlockRows), dim, nil)}
}

// clear returns right-hand sides of the rows of a block, zero.
func (s *workspace) clear(rows, cols int) *mat.Dense {
	out := s.sides.Slice(0, rows, 0, cols).(*mat.Dense)
	out.Zero()
	return out
}

// add adds Φᵀ of right-hand sides.
func (s *workspace) add(sums, phi, sides *mat.Dense) {
	s.product.Gemm(blas.Trans, blas.NoTrans, 1, phi.RawMatrix(), sides.RawMatrix(), 1, sums.RawMatrix())
}
