package gram

import (
	"context"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/kernel"
)

// Operator is all that an iterative solver needs of a matrix. Mul stores A·x in dst;
// dst and x must not overlap. It stops within a second of ctx ending, and returns
// its error.
type Operator interface {
	Dims() (rows, cols int)
	Mul(ctx context.Context, dst, x *mat.Dense) error
}

// Matrix is the operator of a symmetric matrix in memory.
type Matrix struct{ K *mat.SymDense }

// FromMatrix returns the operator of k, which is not copied. Only the upper triangle
// of its storage is read.
func FromMatrix(k *mat.SymDense) *Matrix { return &Matrix{K: k} }

// Dims returns the size of the matrix twice.
func (m *Matrix) Dims() (rows, cols int) { return m.K.Dims() }

// Pairs presents the matrix as a bound kernel.
func (m *Matrix) Pairs() kernel.Pairs { return stored{m.K.RawSymmetric()} }

// Mul stores K·x in dst, which is given its size if it is empty; 2n²·rhs flops. It
// goes through the tiles of the upper triangle in the order of a symmetric [Stream]
// and gives the same bits for less than 8 columns. More are multiplied faster, in
// another order.
func (m *Matrix) Mul(ctx context.Context, dst, x *mat.Dense) error {
	s := Stream{pairs: m.Pairs(), symmetric: true}
	if _, rhs := x.Dims(); rhs < multipleRHS {
		return s.Mul(ctx, dst, x)
	}
	if err := fitProduct(m, dst, x); err != nil {
		return err
	}
	return m.mulMultipleRHS(ctx, dst, x)
}

// stored presents the upper triangle of a matrix as bound pairs.
type stored struct{ raw blas64.Symmetric }

// IsStored reports whether bound pairs are elements of a [Matrix].
func IsStored(p kernel.Pairs) bool {
	_, ok := p.(stored)
	return ok
}

func (s stored) Dims() (rows, cols int) { return s.raw.N, s.raw.N }

func (s stored) Tile(dst kernel.Tile, row, col int) {
	for i := range dst.Rows {
		out, r := dst.Row(i), row+i
		below := min(max(0, r-col), dst.Cols)
		for j := range below {
			out[j] = s.raw.Data[(col+j)*s.raw.Stride+r]
		}
		copy(out[below:], s.raw.Data[r*s.raw.Stride+col+below:])
	}
}

// gather stores the elements of chosen rows and columns.
func (s stored) gather(dst kernel.Tile, rows, cols []int) {
	data, stride := s.raw.Data, s.raw.Stride
	for i, r := range rows {
		out, own := dst.Row(i), data[r*stride:(r+1)*stride]
		for j, c := range cols {
			if c >= r {
				out[j] = own[c]
			} else {
				out[j] = data[c*stride+r]
			}
		}
	}
}
