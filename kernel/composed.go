package kernel

import (
	"fmt"
	"math"
	"math/big"
	"strconv"

	"example.org/mercer/data"
)

// Composed is the kernel k(φ(x), φ(y)) on points of type S, from a kernel k on points
// of type T and a map φ. It is positive definite where k is, for every map.
type Composed[S, T any] struct {
	Of Kernel[T]
	By func(x S) T // φ
	// Many returns the images of many points at once, those of By; nil: of one after another.
	Many func(xs data.Set[S]) data.Set[T]
	Text string // φ as the expression language writes it
	// Lossless says that φ commits no rounding (a projection, a sign, a table), so that
	// k can be evaluated exactly at the images.
	Lossless bool
}

// Eval returns k(φ(x), φ(y)).
func (k Composed[S, T]) Eval(x, y S) float64 { return k.Of.Eval(k.By(x), k.By(y)) }

// String returns compose(of=k, map="φ").
func (k Composed[S, T]) String() string {
	return "compose(of=" + k.Of.String() + ", map=" + strconv.Quote(k.Text) + ")"
}

// Contains reports a point whose image lies outside the domain of k.
func (k Composed[S, T]) Contains(x S) error {
	if err := Contains(k.Of, k.By(x)); err != nil {
		return fmt.Errorf("after the map %s: %w", k.Text, err)
	}
	return nil
}

// Bind maps every point once and binds k to the images.
func (k Composed[S, T]) Bind(rows, cols data.Set[S]) Pairs {
	images := k.Images(cols)
	if sameSet(rows, cols) {
		return Bind(k.Of, images, images)
	}
	return Bind(k.Of, k.Images(rows), images)
}

// sameSet reports whether two sets hold the very same vectors; of other points it is not known.
func sameSet[S any](a, b data.Set[S]) bool {
	x, vectors := any(a).(data.Set[[]float64])
	return vectors && data.SameSlices(x, any(b).(data.Set[[]float64]))
}

// BoundNumbers returns those of the images and of their copy where they are bound.
func (k Composed[S, T]) BoundNumbers(like S) int {
	image, vectors := any(k.By(like)).([]float64)
	if !vectors {
		return 0
	}
	return 2 * len(image)
}

// BindColumns maps the columns once and binds the columns of k to the images.
func (k Composed[S, T]) BindColumns(cols data.Set[S]) BoundColumns[S] {
	return BindImages(k.Of, k.Images, cols)
}

// BindImages binds the columns of k to the images of column points under a map of sets.
func BindImages[S, T any](k Kernel[T], images func(xs data.Set[S]) data.Set[T], cols data.Set[S]) BoundColumns[S] {
	return anchoredImages[S, T]{images, BindColumns(k, images(cols))}
}

// anchoredImages is a kernel after a map, bound to its columns.
type anchoredImages[S, T any] struct {
	images func(data.Set[S]) data.Set[T]
	points BoundColumns[T]
}

func (a anchoredImages[S, T]) Bind(rows data.Set[S], reuse Pairs) Pairs {
	return a.points.Bind(a.images(rows), reuse)
}

// Images returns the set of φ(x); vectors of one length are packed as
// [data.Vectors], which families of kernels on vectors are fastest on.
func (k Composed[S, T]) Images(xs data.Set[S]) data.Set[T] {
	if k.Many != nil {
		return k.Many(xs)
	}
	out := make(data.Slice[T], xs.Len())
	for i := range out {
		out[i] = k.By(xs.At(i))
	}
	if rows, ok := any(out).(data.Slice[[]float64]); ok && len(rows) > 0 {
		if packed, err := data.Pack(rows); err == nil {
			return any(packed).(data.Set[T])
		}
	}
	return out
}

// finite reports a function value that is no number.
func finite(text string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%s is %v: the function must be finite at every point", text, v)
	}
	return nil
}

// Parameters returns those of k.
func (k Composed[S, T]) Parameters() []Parameter { return parametersOf(nil, k.Of) }

func (k Composed[S, T]) arity() int { return arity(k.Of) }

// With returns the kernel with other parameters of k.
func (k Composed[S, T]) With(values []float64) (Kernel[S], error) {
	of, err := withPart(k.Of, values)
	k.Of = of
	return k, err
}

// EvalGrad is the gradient of k at the images; see [Gradient].
func (k Composed[S, T]) EvalGrad(grad []float64, x, y S) float64 {
	return evalGrad(k.Of, grad, k.By(x), k.By(y))
}

// EvalBig evaluates k exactly at the images of a lossless map; see [IsExact].
func (k Composed[S, T]) EvalBig(x, y S, prec uint) (*big.Float, error) {
	if err := k.NotExact(); err != nil {
		return nil, err
	}
	return evalBig(k.Of, k.By(x), k.By(y), prec)
}

// NotExact names a part that is not exact, or a map that rounds.
func (k Composed[S, T]) NotExact() error {
	if !k.Lossless {
		return fmt.Errorf("not exact: the map %s rounds to 64-bit numbers", k.Text)
	}
	return notExact(k.Of)
}

// NotDifferentiable names a part that is not differentiable.
func (k Composed[S, T]) NotDifferentiable() error { return notDifferentiable(k.Of) }

// Features returns those of k at an image.
func (k Composed[S, T]) Features(like S) (int, bool) { return features(k.Of, k.By(like)) }

// Map stores the explicit map of k at φ(x).
func (k Composed[S, T]) Map(phi []float64, x S) { copy(phi, mapOf(k.Of, k.By(x))) }

// Derive applies the rule of composition.
func (k Composed[S, T]) Derive() Derivation {
	d := Derivation{Kernel: k.String(), From: []Derivation{Derive(k.Of)}}
	return concluded(d, "k(φ(x), φ(y)) is positive definite with k for every map φ: its Gram matrices are Gram matrices of k")
}

// Reference describes the kernel.
func (k Composed[S, T]) Reference() Reference {
	return Reference{
		Name: "compose", Title: "kernel after a map of the points", Formula: "k(φ(x), φ(y))", Domain: "points whose image lies in the domain of k",
		Equivalents: []string{"φ = " + k.Text, "k = " + k.Of.String()}, Source: closureSource, SeeAlso: []string{"conform"},
	}
}
