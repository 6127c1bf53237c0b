package design

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// WeightedSum is Σ wᵢφᵢ; wᵢ goes along with the rows.
type WeightedSum struct{}

// Sizes returns 1, 0 and dim.
func (WeightedSum) Sizes(dim int) (in, out, sums int) { return 1, 0, dim }

// Do adds the rows one by one.
func (WeightedSum) Do(b Block) {
	for i := range b.Phi.RawMatrix().Rows {
		w := b.In.At(i, 0)
		for d, v := range b.Phi.RawRowView(i) {
			b.Sums[d] += w * v
		}
	}
}

// Moments are Σ wᵢφᵢφᵢᵀ, of which the upper triangle is set, and then Σ wᵢφᵢtᵢᵀ: tᵢ and, where rows
// are weighted, wᵢ go along.
type Moments struct {
	Outputs  int
	Weighted bool
}

// Sizes counts targets and weights, and both sums.
func (m Moments) Sizes(dim int) (in, out, sums int) {
	in = m.Outputs
	if m.Weighted {
		in++
	}
	return in, 0, dim * (dim + m.Outputs)
}

// Do adds the products of W^½Φ with itself and with W^½T.
func (m Moments) Do(b Block) {
	rows, dim := b.Phi.Dims()
	phi := b.Phi
	if m.Weighted {
		phi = b.Space
		for i := range rows {
			along := b.In.RawRowView(i)
			root := math.Sqrt(along[m.Outputs])
			floats.Scale(root, along[:m.Outputs])
			floats.ScaleTo(phi.RawRowView(i), root, b.Phi.RawRowView(i))
		}
	}
	b.Product.Syrk(blas.Trans, 1, phi.RawMatrix(), 1, blas64.Symmetric{N: dim, Stride: dim, Uplo: blas.Upper, Data: b.Sums[:dim*dim]})
	if m.Outputs > 0 {
		targets := b.In.Slice(0, rows, 0, m.Outputs).(*mat.Dense)
		b.Product.Gemm(blas.Trans, blas.NoTrans, 1, phi.RawMatrix(), targets.RawMatrix(), 1, blas64.General{Rows: dim, Cols: m.Outputs, Stride: m.Outputs, Data: b.Sums[dim*dim:]})
	}
}

// Products are those of the rows with the columns of W.
type Products struct{ W *mat.Dense }

// Sizes counts the columns.
func (p Products) Sizes(int) (in, out, sums int) { return 0, p.W.RawMatrix().Cols, 0 }

// Do stores ΦW.
func (p Products) Do(b Block) {
	b.Product.Gemm(blas.NoTrans, blas.NoTrans, 1, b.Phi.RawMatrix(), p.W.RawMatrix(), 0, b.Out.RawMatrix())
}

// Adjoint is Σ φᵢgᵢᵀ, dim rows of so many columns; gᵢ goes along.
type Adjoint struct{ Columns int }

// Sizes counts g and the sum.
func (a Adjoint) Sizes(dim int) (in, out, sums int) { return a.Columns, 0, dim * a.Columns }

// Do adds ΦᵀG.
func (a Adjoint) Do(b Block) {
	_, dim := b.Phi.Dims()
	b.Product.Gemm(blas.Trans, blas.NoTrans, 1, b.Phi.RawMatrix(), b.In.RawMatrix(), 1, blas64.General{Rows: dim, Cols: a.Columns, Stride: a.Columns, Data: b.Sums})
}
