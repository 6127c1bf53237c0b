package kernel

import (
	"strconv"

	"mercer/data"
)

// Conformed is the kernel f(x)·k(x, y)·f(y), a conformal change of k. It is positive
// definite where k is, for every real f: its map is f(x)·φ(x).
type Conformed[T any] struct {
	Of Kernel[T]
	By Function[T] // f
}

// Eval returns f(x)·k(x, y)·f(y).
func (k Conformed[T]) Eval(x, y T) float64 {
	return k.Of.Eval(x, y) * (k.By.At(x) * k.By.At(y))
}

// String returns conform(of=k, by="f").
func (k Conformed[T]) String() string {
	return "conform(of=" + k.Of.String() + ", by=" + strconv.Quote(k.By.Text) + ")"
}

// Contains reports a point outside the domain of k, or without a finite f(x).
func (k Conformed[T]) Contains(x T) error {
	if err := Contains(k.Of, x); err != nil {
		return err
	}
	return finite(k.By.Text, k.By.At(x))
}

// Bind binds k, and computes f once per point.
func (k Conformed[T]) Bind(rows, cols data.Set[T]) Pairs {
	return &conformed{of: Bind(k.Of, rows, cols), rows: values(k.By.At, rows), cols: values(k.By.At, cols)}
}

// values returns f at every point.
func values[T any](f func(T) float64, xs data.Set[T]) []float64 {
	v := make([]float64, xs.Len())
	for i := range v {
		v[i] = f(xs.At(i))
	}
	return v
}

// conformed multiplies the tiles of a kernel by a factor per row and per column.
type conformed struct {
	of         Pairs
	rows, cols []float64 // f(xᵢ) and f(yⱼ)
}

func (p *conformed) Dims() (int, int) { return len(p.rows), len(p.cols) }

func (p *conformed) Tile(dst Tile, row, col int) {
	p.of.Tile(dst, row, col)
	for i := range dst.Rows {
		f := p.rows[row+i]
		out := dst.Row(i)
		for j := range out {
			out[j] *= f * p.cols[col+j]
		}
	}
}
