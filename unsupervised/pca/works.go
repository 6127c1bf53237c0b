package pca

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

// What passes add up over the rows xᵢ. Their shares pᵢ go along.

func init() { pass.RegisterWork(gramian{}, moments{}) }

// gramian is Σ aᵢaᵢᵀV for aᵢ = √pᵢ(xᵢ − μ), then Σ √pᵢaᵢ and Σ ‖aᵢ‖².
type gramian struct {
	Mean []float64
	V    *mat.Dense
}

// Sizes counts pᵢ and the sums.
func (w gramian) Sizes(dim int) (in, out, sums int) {
	_, cols := w.V.Dims()
	return 1, 0, dim*cols + dim + 1
}

// Worker adds Aᵀ(AV) of each block.
func (w gramian) Worker(dim int, p level3.Implementation) func(pass.Block) {
	_, cols := w.V.Dims()
	c, scores := newCentring(w.Mean), mat.NewDense(pass.BlockRows, cols, nil)
	return func(b pass.Block) {
		rows := c.rows(b, b.Sums[dim*cols:])
		z := scores.Slice(0, rows.Rows, 0, cols).(*mat.Dense).RawMatrix()
		p.Gemm(blas.NoTrans, blas.NoTrans, 1, rows, w.V.RawMatrix(), 0, z)
		p.Gemm(blas.Trans, blas.NoTrans, 1, rows, z, 1, blas64.General{Rows: dim, Cols: cols, Stride: cols, Data: b.Sums[:dim*cols]})
	}
}

// moments are Σ VᵀaᵢaᵢᵀV, of which the upper triangle is set, then Σ √pᵢaᵢ and Σ ‖aᵢ‖²; a nil V is
// I.
type moments struct {
	Mean []float64
	V    *mat.Dense
}

// order is that of the matrix.
func (w moments) order(dim int) int {
	if w.V == nil {
		return dim
	}
	_, cols := w.V.Dims()
	return cols
}

// Sizes counts pᵢ and the sums.
func (w moments) Sizes(dim int) (in, out, sums int) {
	m := w.order(dim)
	return 1, 0, m*m + dim + 1
}

// Worker adds (AV)ᵀAV of each block.
func (w moments) Worker(dim int, p level3.Implementation) func(pass.Block) {
	m := w.order(dim)
	c := newCentring(w.Mean)
	var scores *mat.Dense
	if w.V != nil {
		scores = mat.NewDense(pass.BlockRows, m, nil)
	}
	return func(b pass.Block) {
		z := c.rows(b, b.Sums[m*m:])
		if w.V != nil {
			rows := z
			z = scores.Slice(0, rows.Rows, 0, m).(*mat.Dense).RawMatrix()
			p.Gemm(blas.NoTrans, blas.NoTrans, 1, rows, w.V.RawMatrix(), 0, z)
		}
		p.Syrk(blas.Trans, 1, z, 1, blas64.Symmetric{Uplo: blas.Upper, N: m, Stride: m, Data: b.Sums[:m*m]})
	}
}

// centring makes rows of A.
type centring struct {
	mean []float64
	a    *mat.Dense
}

func newCentring(mean []float64) centring {
	return centring{mean, mat.NewDense(pass.BlockRows, len(mean), nil)}
}

// rows returns those of a block, and adds Σ √pᵢaᵢ and Σ ‖aᵢ‖² to the sums.
func (c centring) rows(b pass.Block, sums []float64) blas64.General {
	n, d := b.X.Dims()
	a := c.a.Slice(0, n, 0, d).(*mat.Dense)
	for i := range n {
		row, root := a.RawRowView(i), math.Sqrt(b.In.At(i, 0))
		floats.SubTo(row, b.X.RawRowView(i), c.mean)
		floats.Scale(root, row)
		floats.AddScaled(sums[:d], root, row)
		sums[d] += floats.Dot(row, row)
	}
	return a.RawMatrix()
}
