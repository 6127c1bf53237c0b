package krr

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

func init() { pass.RegisterWork(inverses{}) }

// shifted is what one eigendecomposition gives for many ridges R side by side, with D = Λ + R.
type shifted struct {
	inverses
	logDet []float64 // Σ log D
}

// shiftedColumns is how many columns rows are multiplied with at least: one alone is slower than
// two.
const shiftedColumns = 2

// newShifted takes Λ, ascending, and Z; the first of the eigenvalues, as many as idle says,
// do no harm where R = 0 (see system.shift): their D is then 1.
func newShifted(values []float64, z *mat.Dense, ridges []float64, idle int) *shifted {
	n, cols := z.Dims()
	s := &shifted{logDet: make([]float64, len(ridges))}
	s.Columns, s.Scaled, s.Inverse = cols, mat.NewDense(n, max(shiftedColumns, len(ridges)*cols), nil), mat.NewDense(n, max(shiftedColumns, len(ridges)), nil)
	for i, r := range ridges {
		for k, v := range values {
			v += r
			if r == 0 && k < idle {
				v = 1
			}
			s.logDet[i] += math.Log(v)
			s.Inverse.Set(k, i, 1/v)
			for j, x := range z.RawRowView(k) {
				s.Scaled.Set(k, i*cols+j, x/v)
			}
		}
	}
	return s
}

// solution returns D⁻¹Z for ridge i.
func (s *shifted) solution(i int) *mat.Dense {
	n, _ := s.Scaled.Dims()
	return s.Scaled.Slice(0, n, i*s.Columns, (i+1)*s.Columns).(*mat.Dense)
}

// inverses are, for every ridge, the products uᵀD⁻¹Z and the forms uᵀD⁻¹u of rows u in
// eigencoordinates: products of matrices, of the rows and of their squares.
type inverses struct {
	Columns int        // of Z
	Scaled  *mat.Dense // D⁻¹Z of every ridge
	Inverse *mat.Dense // 1/D, a column for every ridge
}

// Sizes counts products and forms.
func (s inverses) Sizes(int) (in, out, sums int) {
	return 0, s.Scaled.RawMatrix().Cols + s.Inverse.RawMatrix().Cols, 0
}

// Worker stores the products, and then the forms.
func (s inverses) Worker(dim int, p level3.Implementation) func(pass.Block) {
	products, squares := s.Scaled.RawMatrix().Cols, mat.NewDense(pass.BlockRows, dim, nil)
	return func(b pass.Block) {
		rows, cols := b.Out.Dims()
		squared := squares.Slice(0, rows, 0, dim).(*mat.Dense)
		for r := range rows {
			to := squared.RawRowView(r)
			for k, v := range b.X.RawRowView(r) {
				to[k] = v * v
			}
		}
		p.Gemm(blas.NoTrans, blas.NoTrans, 1, b.X.RawMatrix(), s.Scaled.RawMatrix(), 0, b.Out.Slice(0, rows, 0, products).(*mat.Dense).RawMatrix())
		p.Gemm(blas.NoTrans, blas.NoTrans, 1, squared.RawMatrix(), s.Inverse.RawMatrix(), 0, b.Out.Slice(0, rows, products, cols).(*mat.Dense).RawMatrix())
	}
}

// product returns uᵀD⁻¹Z of ridge i from what is made of a row.
func (s inverses) product(i int, made []float64) []float64 {
	return made[i*s.Columns : (i+1)*s.Columns]
}

// form returns uᵀD⁻¹u.
func (s inverses) form(i int, made []float64) float64 { return made[s.Scaled.RawMatrix().Cols+i] }
