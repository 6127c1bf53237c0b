package kernel

import (
	"fmt"
	"math/big"
	"strconv"

	"example.org/mercer/data"
)

// Conformal is the kernel f(x)·k(x, y)·f(y), a conformal change of k. It is positive
// definite where k is, for every real f: its map is f(x)·φ(x).
type Conformal[T any] struct {
	Of Kernel[T]
	By Function[T] // f
}

// Eval returns f(x)·k(x, y)·f(y).
func (k Conformal[T]) Eval(x, y T) float64 {
	return k.Of.Eval(x, y) * (k.By.At(x) * k.By.At(y))
}

// String returns conform(of=k, by="f").
func (k Conformal[T]) String() string {
	return "conform(of=" + k.Of.String() + ", by=" + strconv.Quote(k.By.Text) + ")"
}

// Contains reports a point outside the domain of k, or without a finite f(x).
func (k Conformal[T]) Contains(x T) error {
	if err := Contains(k.Of, x); err != nil {
		return err
	}
	return finite(k.By.Text, k.By.At(x))
}

// Bind binds k, and computes f once per point.
func (k Conformal[T]) Bind(rows, cols data.Set[T]) Pairs {
	return &conformal{of: Bind(k.Of, rows, cols), rows: values(k.By.At, rows), cols: values(k.By.At, cols)}
}

// BindColumns binds k, and computes f once per column.
func (k Conformal[T]) BindColumns(cols data.Set[T]) BoundColumns[T] {
	return boundConformal[T]{by: k.By, points: BindColumns(k.Of, cols), cols: values(k.By.At, cols)}
}

// boundConformal is a conformal change bound to its columns.
type boundConformal[T any] struct {
	by     Function[T]
	points BoundColumns[T]
	cols   []float64
}

func (a boundConformal[T]) Bind(rows data.Set[T], reuse Pairs) Pairs {
	p, ok := reuse.(*conformal)
	if !ok {
		p = new(conformal)
	}
	p.of, p.rows, p.cols = a.points.Bind(rows, p.of), values(a.by.At, rows), a.cols
	return p
}

// values returns f at every point.
func values[T any](f func(T) float64, xs data.Set[T]) []float64 {
	v := make([]float64, xs.Len())
	for i := range v {
		v[i] = f(xs.At(i))
	}
	return v
}

// conformal multiplies the tiles of a kernel by a factor per row and per column.
type conformal struct {
	of         Pairs
	rows, cols []float64 // f(xᵢ) and f(yⱼ)
}

func (p *conformal) Dims() (int, int) { return len(p.rows), len(p.cols) }

func (p *conformal) Tile(dst Tile, row, col int) {
	p.of.Tile(dst, row, col)
	for i := range dst.Rows {
		f := p.rows[row+i]
		out := dst.Row(i)
		for j := range out {
			out[j] *= f * p.cols[col+j]
		}
	}
}

// Diag multiplies the diagonal of k.
func (p *conformal) Diag(dst []float64) {
	Diag(p.of, dst)
	for i := range dst {
		dst[i] *= p.rows[i] * p.cols[i]
	}
}

// Parameters returns those of k.
func (k Conformal[T]) Parameters() []Parameter { return parametersOf(nil, k.Of) }

func (k Conformal[T]) arity() int { return arity(k.Of) }

// With returns the kernel with other parameters of k.
func (k Conformal[T]) With(values []float64) (Kernel[T], error) {
	of, err := withPart(k.Of, values)
	return Conformal[T]{Of: of, By: k.By}, err
}

// EvalGrad multiplies the gradient of k by f(x)·f(y); see [Gradient].
func (k Conformal[T]) EvalGrad(grad []float64, x, y T) float64 {
	f := k.By.At(x) * k.By.At(y)
	v := evalGrad(k.Of, grad, x, y) * f
	scale(f, grad)
	return v
}

// EvalBig needs f in big numbers, too; see [IsExact].
func (k Conformal[T]) EvalBig(x, y T, prec uint) (*big.Float, error) {
	if err := k.NotExact(); err != nil {
		return nil, err
	}
	v, err := evalBig(k.Of, x, y, prec+firstExtra)
	if err != nil {
		return nil, err
	}
	for _, point := range [2]T{x, y} {
		f, err := k.By.Big(point, prec+firstExtra)
		if err != nil {
			return nil, err
		}
		v = new(big.Float).SetPrec(prec+firstExtra).Mul(v, f)
	}
	return v.SetPrec(prec), nil
}

// NotExact names a part that is not exact, or f without big numbers.
func (k Conformal[T]) NotExact() error {
	if k.By.Big == nil {
		return fmt.Errorf("not exact: the function %s can be evaluated in 64-bit numbers only", k.By.Text)
	}
	return notExact(k.Of)
}

// NotDifferentiable names a part that is not differentiable.
func (k Conformal[T]) NotDifferentiable() error { return notDifferentiable(k.Of) }

// Features returns those of k.
func (k Conformal[T]) Features(like T) (int, bool) { return features(k.Of, like) }

// Map stores f(x)·φ(x).
func (k Conformal[T]) Map(phi []float64, x T) {
	copy(phi, mapOf(k.Of, x))
	scale(k.By.At(x), phi)
}

// Derive applies the rule of conformal changes.
func (k Conformal[T]) Derive() Derivation {
	return concluded(premises(k, k.Of), "f(x)k(x, y)f(y) is positive definite with k for every real function f: its map is f(x)·φ(x)")
}

// Reference describes the kernel.
func (k Conformal[T]) Reference() Reference {
	return Reference{
		Name: "conform", Title: "conformal change of a kernel", Formula: "f(x)·k(x, y)·f(y)", Domain: "that of k, where f is finite",
		Equivalents: []string{"f = " + k.By.Text, "k = " + k.Of.String()}, Source: closureSource, SeeAlso: []string{"normalize"},
	}
}
