package design

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

func init() { pass.RegisterWork(Moments{}, Hessian{}, Products{}, Adjoint{}) }

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

// Worker adds the products of W^½Φ with itself and with W^½T.
func (m Moments) Worker(dim int, p level3.Implementation) func(pass.Block) {
	var space *mat.Dense // of W^½Φ
	if m.Weighted {
		space = mat.NewDense(BlockRows, dim, nil)
	}
	return func(b pass.Block) {
		rows, _ := b.X.Dims()
		phi := b.X
		if m.Weighted {
			phi = space.Slice(0, rows, 0, dim).(*mat.Dense)
			for i := range rows {
				along := b.In.RawRowView(i)
				root := math.Sqrt(along[m.Outputs])
				floats.Scale(root, along[:m.Outputs])
				floats.ScaleTo(phi.RawRowView(i), root, b.X.RawRowView(i))
			}
		}
		p.Syrk(blas.Trans, 1, phi.RawMatrix(), 1, blas64.Symmetric{N: dim, Stride: dim, Uplo: blas.Upper, Data: b.Sums[:dim*dim]})
		if m.Outputs > 0 {
			targets := b.In.Slice(0, rows, 0, m.Outputs).(*mat.Dense)
			p.Gemm(blas.Trans, blas.NoTrans, 1, phi.RawMatrix(), targets.RawMatrix(), 1, blas64.General{Rows: dim, Cols: m.Outputs, Stride: m.Outputs, Data: b.Sums[dim*dim:]})
		}
	}
}

// Hessian is Σ vᵢφᵢφᵢᵀ, of which the upper triangle is set, and then Σ φᵢgᵢᵀ, dim rows of so many
// columns: gᵢ and vᵢ go along.
type Hessian struct{ Columns int }

// Sizes counts g and v, and both sums.
func (h Hessian) Sizes(dim int) (in, out, sums int) {
	return h.Columns + 1, 0, dim * (dim + h.Columns)
}

// Worker adds the product of V^½Φ with itself, and ΦᵀG.
func (h Hessian) Worker(dim int, p level3.Implementation) func(pass.Block) {
	space := mat.NewDense(BlockRows, dim, nil) // of V^½Φ
	return func(b pass.Block) {
		rows, _ := b.X.Dims()
		phi := space.Slice(0, rows, 0, dim).(*mat.Dense)
		for i := range rows {
			floats.ScaleTo(phi.RawRowView(i), math.Sqrt(b.In.At(i, h.Columns)), b.X.RawRowView(i))
		}
		p.Syrk(blas.Trans, 1, phi.RawMatrix(), 1, blas64.Symmetric{N: dim, Stride: dim, Uplo: blas.Upper, Data: b.Sums[:dim*dim]})
		along := b.In.Slice(0, rows, 0, h.Columns).(*mat.Dense)
		p.Gemm(blas.Trans, blas.NoTrans, 1, b.X.RawMatrix(), along.RawMatrix(), 1, blas64.General{Rows: dim, Cols: h.Columns, Stride: h.Columns, Data: b.Sums[dim*dim:]})
	}
}

// Products are those of the rows with the columns of W.
type Products struct{ W *mat.Dense }

// Sizes counts the columns.
func (w Products) Sizes(int) (in, out, sums int) { return 0, w.W.RawMatrix().Cols, 0 }

// Worker stores ΦW.
func (w Products) Worker(_ int, p level3.Implementation) func(pass.Block) {
	return func(b pass.Block) {
		p.Gemm(blas.NoTrans, blas.NoTrans, 1, b.X.RawMatrix(), w.W.RawMatrix(), 0, b.Out.RawMatrix())
	}
}

// Adjoint is Σ φᵢgᵢᵀ, dim rows of so many columns; gᵢ goes along.
type Adjoint struct{ Columns int }

// Sizes counts g and the sum.
func (a Adjoint) Sizes(dim int) (in, out, sums int) { return a.Columns, 0, dim * a.Columns }

// Worker adds ΦᵀG.
func (a Adjoint) Worker(dim int, p level3.Implementation) func(pass.Block) {
	return func(b pass.Block) {
		p.Gemm(blas.Trans, blas.NoTrans, 1, b.X.RawMatrix(), b.In.RawMatrix(), 1, blas64.General{Rows: dim, Cols: a.Columns, Stride: a.Columns, Data: b.Sums})
	}
}
