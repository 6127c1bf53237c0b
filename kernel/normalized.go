package kernel

import (
	"fmt"
	"math"

	"mercer/data"
)

// Normalized is the kernel k(x, y)/√(k(x, x)·k(y, y)), the cosine of the angle between
// φ(x) and φ(y). It is f(x)·k(x, y)·f(y) with f(x) = 1/√k(x, x), and so positive
// definite where k is.
//
// A point with k(x, x) = 0 has φ(x) = 0 and no direction: its normalised values are 0,
// its own included, which is f(x) = 0 and keeps positive definiteness. A point with
// k(x, x) < 0 or NaN shows that k is not positive definite: its values are NaN, and
// Contains refuses it.
type Normalized[T any] struct {
	Of Kernel[T]
}

// Eval returns k(x, y)/√(k(x, x)·k(y, y)).
func (k Normalized[T]) Eval(x, y T) float64 {
	return cosine(k.Of.Eval(x, y), k.Of.Eval(x, x), k.Of.Eval(y, y))
}

// String returns normalize(of=k).
func (k Normalized[T]) String() string { return "normalize(of=" + k.Of.String() + ")" }

// Contains reports a point outside the domain of k, or with k(x, x) < 0.
func (k Normalized[T]) Contains(x T) error {
	if err := Contains(k.Of, x); err != nil {
		return err
	}
	if d := k.Of.Eval(x, x); !(d >= 0) {
		return fmt.Errorf("%s gives k(x, x) = %v, so it is not positive definite and has no norm: normalize a kernel with k(x, x) ≥ 0", k.Of, d)
	}
	return nil
}

// Bind binds k, and both diagonals once.
func (k Normalized[T]) Bind(rows, cols data.Set[T]) Pairs {
	p := &normalized{of: Bind(k.Of, rows, cols), rows: make([]float64, rows.Len()), cols: make([]float64, cols.Len())}
	Diag(Bind(k.Of, rows, rows), p.rows)
	Diag(Bind(k.Of, cols, cols), p.cols)
	return p
}

// normalized divides the tiles of a kernel by the norms of its points.
type normalized struct {
	of         Pairs
	rows, cols []float64 // k(xᵢ, xᵢ) and k(yⱼ, yⱼ)
}

func (p *normalized) Dims() (int, int) { return len(p.rows), len(p.cols) }

func (p *normalized) Tile(dst Tile, row, col int) {
	p.of.Tile(dst, row, col)
	for i := range dst.Rows {
		d := p.rows[row+i]
		out := dst.Row(i)
		for j, v := range out {
			out[j] = cosine(v, d, p.cols[col+j])
		}
	}
}

// cosine returns kxy/√(kxx·kyy), exactly 1 for equal arguments unless their square
// leaves the normal range; 0 where a norm is zero.
func cosine(kxy, kxx, kyy float64) float64 {
	if kxx == 0 || kyy == 0 {
		return 0
	}
	const least = 0x1p-1022 // below it a product loses bits
	if d := kxx * kyy; d >= least && !math.IsInf(d, 1) {
		return kxy / math.Sqrt(d)
	}
	return kxy / math.Sqrt(kxx) / math.Sqrt(kyy)
}
