package linalg

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// lanczosRecord holds what the block recurrence of conjugate gradients says of Lanczos' iteration
// from the same residual R₀ = Q₀S₀: with QᵢᵀM⁻¹Qᵢ = DᵢDᵢᵀ and the bases Vᵢ = QᵢDᵢ⁻ᵀ, which are
// orthonormal in the inner product of M⁻¹, the block tridiagonal matrix T = VᵀM⁻¹AM⁻¹V has
//
//	Tᵢᵢ = Dᵢ⁻¹(LᵢLᵢᵀ + BᵢᵀBᵢ)Dᵢ⁻ᵀ,  Tᵢ₋₁ᵢ = Dᵢ₋₁⁻¹Lᵢ₋₁BᵢDᵢ⁻ᵀ
//
// because Z = PLᵀ + P₋B and the directions are conjugate. For one column these are the numbers of
// Saad (2003), section 6.7.3.
type lanczosRecord struct {
	coefficients blas64.General // S₀
	start        blas64.General // D₀ᵀS₀, the coordinates of R₀ in V₀
	t            blockTridiagonal
	d, l         blas64.General // of the last step
}

// begin records S₀.
func (l *lanczosRecord) begin(s blas64.General) { l.coefficients = s }

// add records a step: QᵀM⁻¹Q, B (none in the first) and L. It reports false, and adds
// nothing, where rounding has made the first of them indefinite.
func (l *lanczosRecord) add(energy, back, factor blas64.General) bool {
	symmetrise(energy)
	taken, d := independent(energy, 0)
	if len(taken) < energy.Rows {
		return false
	}
	diag := newGeneral(d.Rows, d.Rows)
	serial.Gemm(blas.NoTrans, blas.Trans, 1, factor, factor, 0, diag)
	if back.Cols == 0 {
		l.start = newGeneral(d.Rows, l.coefficients.Cols)
		serial.Gemm(blas.Trans, blas.NoTrans, 1, d, l.coefficients, 0, l.start)
	} else {
		serial.Gemm(blas.Trans, blas.NoTrans, 1, back, back, 1, diag)
		off := newGeneral(l.l.Rows, d.Rows)
		serial.Gemm(blas.NoTrans, blas.NoTrans, 1, l.l, back, 0, off)
		serial.Trsm(blas.Left, blas.NoTrans, 1, lower(l.d), off)
		serial.Trsm(blas.Right, blas.Trans, 1, lower(d), off)
		l.t.off = append(l.t.off, off)
	}
	serial.Trsm(blas.Left, blas.NoTrans, 1, lower(d), diag)
	serial.Trsm(blas.Right, blas.Trans, 1, lower(d), diag)
	l.t.diag = append(l.t.diag, diag)
	l.d, l.l = d, factor
	return true
}

// blockTridiagonal is a symmetric matrix: off[i] stands between blocks i and i+1.
type blockTridiagonal struct{ diag, off []blas64.General }

// radau returns the matrix with the last diagonal block such that a is an eigenvalue, as
// often as the block has rows: aI + Tₗ₋₁ₗᵀ(T₋ − aI)⁻¹Tₗ₋₁ₗ, T₋ what stands above. Where an
// eigenvalue is a already, up to rounding, that is the matrix itself.
//
// Golub, Some modified matrix eigenvalue problems, SIAM Review 15 (1973), section 7.
func (t blockTridiagonal) radau(a float64) blockTridiagonal {
	last := len(t.diag) - 1
	pivot := blas64.General{} // Cholesky factor of the last block of T − aI, eliminated from the first on
	for i := range last {
		left := t.reduced(i, pivot, t.diag[i])
		for j := range left.Rows {
			left.Data[j*left.Stride+j] -= a
		}
		symmetrise(left)
		taken, l := independent(left, 0)
		if len(taken) < left.Rows {
			return t
		}
		pivot = l
	}
	moved := t.reduced(last, pivot, newGeneral(t.diag[last].Rows, t.diag[last].Rows))
	for i := range moved.Rows {
		row(moved, i)[i] -= a
		for j := range moved.Cols {
			moved.Data[i*moved.Stride+j] *= -1
		}
	}
	return blockTridiagonal{append(append([]blas64.General(nil), t.diag[:last]...), moved), t.off}
}

// reduced returns from − Tᵢ₋₁ᵢᵀ(LLᵀ)⁻¹Tᵢ₋₁ᵢ, for i = 0 a copy.
func (t blockTridiagonal) reduced(i int, l, from blas64.General) blas64.General {
	out := newGeneral(from.Rows, from.Cols)
	copyTo(out, from)
	if i > 0 {
		w := newGeneral(t.off[i-1].Rows, t.off[i-1].Cols)
		copyTo(w, t.off[i-1])
		serial.Trsm(blas.Left, blas.NoTrans, 1, lower(l), w)
		serial.Gemm(blas.Trans, blas.NoTrans, -1, w, w, 1, out)
	}
	return out
}

// logarithms returns wᵀ(ln T)w for the columns w of start, which stand for vectors in the first
// block.
func (t blockTridiagonal) logarithms(ctx context.Context, start blas64.General) ([]float64, error) {
	e, err := EigenSym(ctx, t.matrix(), Options{})
	if err != nil {
		return nil, err
	}
	logs := make([]float64, len(e.Values))
	for i, v := range e.Values {
		if !(v > 0) {
			return nil, fmt.Errorf("linalg: log determinant: Lanczos' iteration found the eigenvalue %.3g: the matrix is not positive definite up to rounding; add a ridge", v)
		}
		logs[i] = math.Log(v)
	}
	along := newGeneral(start.Cols, len(e.Values))
	serial.Gemm(blas.Trans, blas.NoTrans, 1, start, view(e.Vectors.RawMatrix(), 0, 0, start.Rows, len(e.Values)), 0, along)
	sums := make([]float64, start.Cols)
	for j := range sums {
		for i, v := range row(along, j) {
			sums[j] += v * v * logs[i]
		}
	}
	return sums, nil
}

// matrix returns all of it.
func (t blockTridiagonal) matrix() *mat.SymDense {
	order := 0
	for _, d := range t.diag {
		order += d.Rows
	}
	out, at := mat.NewSymDense(order, nil), 0
	for b, d := range t.diag {
		for i := range d.Rows {
			for j := i; j < d.Cols; j++ {
				out.SetSym(at+i, at+j, d.Data[i*d.Stride+j])
			}
			if b < len(t.off) {
				for j, v := range row(t.off[b], i) {
					out.SetSym(at+i, at+d.Rows+j, v)
				}
			}
		}
		at += d.Rows
	}
	return out
}
