package sparsegp

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

func init() { pass.RegisterWork(moments{}) }

// moments are ΦᵀΛ⁻¹Φ, of which the upper triangle is set, and then ΦᵀΛ⁻¹T. wᵢ, wᵢΣᵢᵢ, kᵢᵢ and tᵢ go
// along with a row, and dᵢ is made of it.
type moments struct {
	Approximation Approximation
	Columns       int // of T
}

// Sizes counts both sums.
func (s moments) Sizes(dim int) (in, out, sums int) { return 3 + s.Columns, 1, dim * (dim + s.Columns) }

// Worker adds the products of Λ^-½Φ with itself and with Λ^-½T. Noise that is not positive makes no
// number of a sum: who reads dᵢ says so.
func (s moments) Worker(dim int, p level3.Implementation) func(pass.Block) {
	phi, t := mat.NewDense(pass.BlockRows, dim, nil).RawMatrix(), mat.NewDense(pass.BlockRows, s.Columns, nil).RawMatrix()
	return func(b pass.Block) {
		phi.Rows, _ = b.X.Dims()
		t.Rows = phi.Rows
		for i := range phi.Rows {
			row, along := b.X.RawRowView(i), b.In.RawRowView(i)
			left := along[2] - square(row)
			b.Out.Set(i, 0, left)
			root := 0.0
			if w := along[0]; w != 0 {
				root = math.Sqrt(w / s.Approximation.noise(along[1], left))
			}
			floats.ScaleTo(phi.Data[i*phi.Stride:][:dim], root, row)
			floats.ScaleTo(t.Data[i*t.Stride:][:s.Columns], root, along[3:])
		}
		p.Syrk(blas.Trans, 1, phi, 1, blas64.Symmetric{N: dim, Stride: dim, Uplo: blas.Upper, Data: b.Sums[:dim*dim]})
		p.Gemm(blas.Trans, blas.NoTrans, 1, phi, t, 1, blas64.General{Rows: dim, Cols: s.Columns, Stride: s.Columns, Data: b.Sums[dim*dim:]})
	}
}

// noise is wᵢΛᵢᵢ, that of a row at weight 1: of wᵢΣᵢᵢ and dᵢ.
func (a Approximation) noise(own, left float64) float64 {
	if a == FITC {
		return own + left
	}
	return own
}
