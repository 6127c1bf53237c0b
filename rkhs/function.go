package rkhs

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Function is the element f = Σᵢ aᵢ k(·, xᵢ) = Σᵢ aᵢ φ(xᵢ) of the space of the kernel k.
// It is a value: operations return others and share the points.
type Function[T any] struct {
	Kernel kernel.Kernel[T]
	Points data.Set[T] // x₁ … xₙ
	Coef   []float64   // a₁ … aₙ
}

// Section returns φ(x) = k(·, x).
func Section[T any](k kernel.Kernel[T], x T) *Function[T] {
	return &Function[T]{Kernel: k, Points: data.Slice[T]{x}, Coef: []float64{1}}
}

// Mean returns μ = Σᵢ pᵢ φ(xᵢ), pᵢ in proportion to the weights; nil weights are equal. It
// is the mean embedding of the points, whose inner product with any f in H is the mean
// of f(xᵢ). Errors: no points; weights that are negative, not finite or all zero.
func Mean[T any](k kernel.Kernel[T], xs data.Set[T], weights []float64) (*Function[T], error) {
	p, err := shares(xs.Len(), weights)
	if err != nil {
		return nil, err
	}
	return &Function[T]{Kernel: k, Points: xs, Coef: p}, nil
}

// Of returns output j of an expansion without its constant, which is not in H in general.
func Of[T any](e *model.Expansion[T], j int) (*Function[T], error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	if j < 0 || j >= e.Outputs() {
		return nil, fmt.Errorf("rkhs: output %d of an expansion with %d, counted from 0", j, e.Outputs())
	}
	return &Function[T]{Kernel: e.Kernel, Points: e.Points, Coef: mat.Col(nil, j, e.Coef)}, nil
}

// Expansion returns f as a model with one output.
func (f *Function[T]) Expansion() *model.Expansion[T] {
	return &model.Expansion[T]{Kernel: f.Kernel, Points: f.Points, Coef: column(f.Coef)}
}

// Eval returns f(x) = ⟨f, φ(x)⟩, one kernel value after the other.
func (f *Function[T]) Eval(x T) float64 {
	sum := 0.0
	for i, a := range f.Coef {
		sum += a * f.Kernel.Eval(x, f.Points.At(i))
	}
	return sum
}

// Values returns f at every point of xs, in tiles: len(xs)·n kernel values. Errors are
// those of [example.org/mercer/model.Expansion.Predict].
func (f *Function[T]) Values(ctx context.Context, xs data.Set[T], o compute.Options) ([]float64, error) {
	p, err := f.Expansion().Predict(ctx, xs, o)
	if err != nil || xs.Len() == 0 {
		return nil, err
	}
	return p.RawMatrix().Data, nil
}

// Inner returns ⟨f, g⟩ = Σᵢⱼ aᵢ bⱼ k(xᵢ, yⱼ). The functions must have the same kernel, by its
// text. Cost: a kernel value for each pair of points.
func (f *Function[T]) Inner(ctx context.Context, g *Function[T], o compute.Options) (float64, error) {
	if err := f.sameSpace(g); err != nil {
		return 0, err
	}
	values, err := g.Values(ctx, f.Points, o)
	if err != nil || values == nil {
		return 0, err
	}
	return floats.Dot(f.Coef, values), nil
}

// Norm2 returns ‖f‖² = aᵀKa, from the kernel values above the diagonal. It is negative for
// some f where k is not positive definite.
func (f *Function[T]) Norm2(ctx context.Context, o compute.Options) (float64, error) {
	if err := kernel.Validate(f.Kernel, f.Points); err != nil {
		return 0, err
	}
	norms, err := Norms2(ctx, gram.Of(kernel.Bind(f.Kernel, f.Points, f.Points), o), column(f.Coef))
	if err != nil {
		return 0, err
	}
	return norms[0], nil
}

// Scale returns c·f.
func (f *Function[T]) Scale(c float64) *Function[T] {
	coef := make([]float64, len(f.Coef))
	floats.ScaleTo(coef, c, f.Coef)
	return &Function[T]{Kernel: f.Kernel, Points: f.Points, Coef: coef}
}

// Plus returns f + g, over the points of both. The functions must have the same kernel,
// by its text.
func (f *Function[T]) Plus(g *Function[T]) (*Function[T], error) {
	if err := f.sameSpace(g); err != nil {
		return nil, err
	}
	return &Function[T]{Kernel: f.Kernel, Points: joined[T]{f.Points, g.Points}, Coef: append(append([]float64(nil), f.Coef...), g.Coef...)}, nil
}

// Distance2 returns ‖f − g‖².
func (f *Function[T]) Distance2(ctx context.Context, g *Function[T], o compute.Options) (float64, error) {
	d, err := f.Plus(g.Scale(-1))
	if err != nil {
		return 0, err
	}
	return d.Norm2(ctx, o)
}

func (f *Function[T]) sameSpace(g *Function[T]) error {
	if a, b := f.Kernel.String(), g.Kernel.String(); a != b {
		return fmt.Errorf("rkhs: the functions are of two spaces, of the kernels %s and %s: there is no inner product between them", a, b)
	}
	return nil
}

// joined is two sets one after the other.
type joined[T any] struct{ first, then data.Set[T] }

func (j joined[T]) Len() int { return j.first.Len() + j.then.Len() }

func (j joined[T]) At(i int) T {
	if n := j.first.Len(); i >= n {
		return j.then.At(i - n)
	}
	return j.first.At(i)
}

// column returns v as a matrix of one column that shares its storage.
func column(v []float64) *mat.Dense {
	if len(v) == 0 {
		return new(mat.Dense)
	}
	return mat.NewDense(len(v), 1, v)
}

// shares returns weights divided by their sum; nil weights are equal.
func shares(n int, weights []float64) ([]float64, error) {
	if n == 0 {
		return nil, fmt.Errorf("rkhs: there are no points")
	}
	if weights != nil && len(weights) != n {
		return nil, fmt.Errorf("rkhs: %d weights for %d points", len(weights), n)
	}
	p := make([]float64, n)
	for i := range p {
		p[i] = 1
		if weights != nil {
			p[i] = weights[i]
		}
		if !(p[i] >= 0) || math.IsInf(p[i], 1) {
			return nil, fmt.Errorf("rkhs: weight %d is %v: a weight is finite and not negative", i, p[i])
		}
	}
	total := floats.Sum(p)
	if !(total > 0) || math.IsInf(total, 1) {
		return nil, fmt.Errorf("rkhs: the weights add up to %v: there must be a positive one, and their sum must be finite", total)
	}
	for i := range p {
		p[i] /= total
	}
	return p, nil
}
