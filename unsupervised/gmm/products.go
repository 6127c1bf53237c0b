package gmm

import (
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/simd"
)

// The sums of all components about one centre c are one product of two matrices: with
// u = (x − c, 1) and one column for each pair a ≥ b,
//
//	Σᵢ wᵢq_ij u_ia u_ib = Pᵀ(WQ),  P_i,ab = u_ia u_ib,
//
// (d+1)(d+2)/2 × k numbers, which hold the second moments, the first and the mass. That is
// half of the work of Σ zzᵀ by component, of which both triangles are computed, and in
// one piece that keeps the processor busy. It costs digits where a component is far from c
// in terms of its own width: see spread.

// maxCancellation is the largest spread at which moments are taken from products.
const maxCancellation = 1 << 14

// cancellation bounds what products about a centre c lose: an error of ε in every sum leaves
// one of at most about dε·spread in the covariance of a component in its own whitened
// coordinates, where it is I. With A = L_j⁻¹ it is the largest over the components of
//
//	Σ_ab A_ba² (Σ_j,aa + (μ_ja − c_a)²).
func (w *whitening) cancellation(centre []float64) float64 {
	largest, square := 0.0, make([]float64, w.d)
	for j, p := range w.m.Weights {
		if p == 0 {
			continue
		}
		for a, c := range centre {
			from := w.m.Means.At(j)[a] - c
			square[a] = w.m.Covariances[j].At(a, a) + from*from
		}
		sum := 0.0
		for b := range w.d {
			for a := range b + 1 {
				v := w.inverse(j, b, a)
				sum += v * v * square[a]
			}
		}
		if !(sum <= largest) { // NaN counts
			largest = sum
		}
	}
	return largest
}

// summation returns how the moments are to be added up: by products of columns where that takes
// fewer multiplications and loses few digits.
func (w *whitening) summation() summation {
	if w.m.Shape != Full {
		return squares
	}
	g := simd.GemmAt[float64](simd.Best())
	padded := func(n, unit int) int { return (n + unit - 1) / unit * unit }
	if padded((w.d+1)*(w.d+2)/2, g.Rows)*padded(w.k, g.Cols) > w.k*padded(w.d, g.Rows)*padded(w.d, g.Cols) || !(w.cancellation(w.centre) <= maxCancellation) {
		return squares
	}
	return products
}

// stack is what a worker needs for products.
type stack struct {
	gemm  simd.Gemm[float64]
	left  []float64 // some columns of P
	right []float64 // panels of WQ, row by row
	pairs [][2]int  // a, b of the columns of P
}

func newStack(k, d int) *stack {
	s := &stack{gemm: simd.GemmAt[float64](simd.Best())}
	for a := range d + 1 {
		for b := range a + 1 {
			s.pairs = append(s.pairs, [2]int{a, b})
		}
	}
	s.left, s.right = make([]float64, s.gemm.Rows*stride), make([]float64, s.panels(k)*s.gemm.Cols*blockRows)
	return s
}

// panels is the number of panels of k components.
func (s *stack) panels(k int) int { return (k + s.gemm.Cols - 1) / s.gemm.Cols }

// size is how many numbers the products for k components are.
func (s *stack) size(k int) int { return s.height() * s.panels(k) * s.gemm.Cols }

// height is the number of columns of P, filled up to whole tiles.
func (s *stack) height() int {
	return (len(s.pairs) + s.gemm.Rows - 1) / s.gemm.Rows * s.gemm.Rows
}

// stack adds PᵀWQ of a block of rows, a few columns of P at a time: they never leave the
// first cache.
func (w *whitening) stack(s *moments, buf *buffer, weights []float64) {
	if buf.stack == nil {
		buf.stack = newStack(w.k, w.d)
	}
	t, rows := buf.stack, len(weights)
	panels, cols := t.panels(w.k), t.gemm.Cols
	for j := range w.k {
		q := buf.q[j*stride : j*stride+rows]
		simd.Multiply(q, q, weights)
	}
	for p := range panels {
		from := p * cols
		simd.Transpose(t.right[p*cols*blockRows:], cols, buf.q[from*stride:], stride, min(cols, w.k-from), rows, 1)
	}
	column := func(a int) []float64 { return buf.x[a*stride : a*stride+rows] }
	for at := 0; at < len(t.pairs); at += t.gemm.Rows {
		for r, pair := range t.pairs[at:min(at+t.gemm.Rows, len(t.pairs))] {
			simd.Multiply(t.left[r*stride:], column(pair[0]), column(pair[1]))
		}
		for p := range panels {
			t.gemm.Strided(s.stacked[(at*panels+p)*cols:], panels*cols, t.left, stride, 1, t.right[p*cols*blockRows:], rows, true)
		}
	}
}

// unstack turns the products into the moments of y = Ax − o, x around the centre:
//
//	Σ q y = Af − mo,   Σ q yyᵀ = ASAᵀ − (Af)oᵀ − o(Af)ᵀ + m ooᵀ
//
// with the mass m, f = Σ q x and S = Σ q xxᵀ. They are those of squares.
func (w *whitening) unstack(s *moments) {
	d := w.d
	t := newStack(w.k, d)
	wide := t.panels(w.k) * t.gemm.Cols
	u, a, second := mat.NewDense(d, d, nil), mat.NewDense(d, d, nil), new(mat.Dense)
	first, af := mat.NewVecDense(d, nil), mat.NewVecDense(d, nil)
	s.mass, s.first, s.second = make([]float64, w.k), make([]float64, w.k*d), make([]float64, w.k*d*d)
	for j := range w.k {
		for row, pair := range t.pairs {
			v, p, q := s.stacked[row*wide+j], pair[0], pair[1]
			switch {
			case q == d:
				s.mass[j] = v
			case p == d:
				first.SetVec(q, v)
			default:
				u.Set(p, q, v)
				u.Set(q, p, v)
				a.Set(p, q, w.inverse(j, p, q))
			}
		}
		if s.mass[j] < negligible { // lost, as with squares
			s.mass[j] = 0
			continue
		}
		second.Mul(a, u)
		second.Mul(second, a.T())
		af.MulVec(a, first)
		o, m := w.offsets[j*d:(j+1)*d], s.mass[j]
		for p := range d {
			s.first[j*d+p] = af.AtVec(p) - m*o[p]
			for q := range d {
				s.second[(j*d+p)*d+q] = second.At(p, q) - af.AtVec(p)*o[q] - o[p]*af.AtVec(q) + m*o[p]*o[q]
			}
		}
	}
}
