package krr

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg/level3"
)

// shifted is what one eigendecomposition gives for many ridges R side by side: with
// D = Λ + R, the products uᵀD⁻¹Z and the forms uᵀD⁻¹u of rows u in eigencoordinates. Both are
// products of matrices, of the rows and of their squares.
type shifted struct {
	columns int        // of Z
	scaled  *mat.Dense // D⁻¹Z of every ridge
	inverse *mat.Dense // 1/D, a column for every ridge
	logDet  []float64  // Σ log D
	fast    level3.Implementation

	squares, products, forms *mat.Dense // of the rows that were multiplied last
}

// shiftedRows is how many rows are squared and multiplied at a time, shiftedColumns how
// many columns they are multiplied with at least: one alone is slower than two.
const (
	shiftedRows    = 256
	shiftedColumns = 2
)

// newShifted takes Λ, ascending, and Z; the first of the eigenvalues, as many as idle says,
// do no harm where R = 0 (see system.shift): their D is then 1.
func newShifted(values []float64, z *mat.Dense, ridges []float64, idle, workers int) *shifted {
	n, cols := z.Dims()
	s := &shifted{columns: cols, scaled: mat.NewDense(n, max(shiftedColumns, len(ridges)*cols), nil), inverse: mat.NewDense(n, max(shiftedColumns, len(ridges)), nil),
		logDet: make([]float64, len(ridges)), fast: level3.Implementation{Workers: workers}, squares: mat.NewDense(shiftedRows, n, nil)}
	s.products, s.forms = mat.NewDense(shiftedRows, s.scaled.RawMatrix().Cols, nil), mat.NewDense(shiftedRows, s.inverse.RawMatrix().Cols, nil)
	for i, r := range ridges {
		for k, v := range values {
			v += r
			if r == 0 && k < idle {
				v = 1
			}
			s.logDet[i] += math.Log(v)
			s.inverse.Set(k, i, 1/v)
			for j, x := range z.RawRowView(k) {
				s.scaled.Set(k, i*cols+j, x/v)
			}
		}
	}
	return s
}

// multiply computes products and forms of at most shiftedRows rows.
func (s *shifted) multiply(u *mat.Dense) {
	rows, _ := u.Dims()
	for r := range rows {
		to := s.squares.RawRowView(r)
		for k, v := range u.RawRowView(r) {
			to[k] = v * v
		}
	}
	s.gemm(top(s.products, rows), u.RawMatrix(), s.scaled)
	s.gemm(top(s.forms, rows), top(s.squares, rows), s.inverse)
}

// product returns uᵀD⁻¹Z for ridge i and row r of those multiplied last.
func (s *shifted) product(i, r int) []float64 {
	return s.products.RawRowView(r)[i*s.columns : (i+1)*s.columns]
}

// form returns uᵀD⁻¹u.
func (s *shifted) form(i, r int) float64 { return s.forms.At(r, i) }

// solution returns D⁻¹Z for ridge i.
func (s *shifted) solution(i int) *mat.Dense {
	n, _ := s.scaled.Dims()
	return s.scaled.Slice(0, n, i*s.columns, (i+1)*s.columns).(*mat.Dense)
}

// gemm stores A·B in dst.
func (s *shifted) gemm(dst, a blas64.General, b *mat.Dense) {
	s.fast.Gemm(blas.NoTrans, blas.NoTrans, 1, a, b.RawMatrix(), 0, dst)
}

// top returns the first rows of a matrix.
func top(a *mat.Dense, rows int) blas64.General {
	g := a.RawMatrix()
	g.Rows = rows
	return g
}
