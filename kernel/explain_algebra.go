package kernel

import (
	"context"
	"errors"
	"fmt"
	"math"

	"example.org/mercer/data"
	"example.org/mercer/kernel/explanation"
)

// How the algebra carries sums over features. A factor for each point, as in f(x)·k(x, y)·f(y),
// goes into the coefficients on the side of the points, and over all terms on the side of x.

// Explain returns the terms of the sum side by side.
func (k Sum[T]) Explain(ctx context.Context, points data.Set[T], coef []float64) (explanation.Function[T], error) {
	return explainTerms(ctx, k.Terms, points, coef, linearly[T])
}

// Explain multiplies the coefficients by c.
func (k Scaled[T]) Explain(ctx context.Context, points data.Set[T], coef []float64) (explanation.Function[T], error) {
	of, err := strictly(ctx, k.Of, points, scaled(coef, k.Factor))
	if err != nil {
		return nil, err
	}
	return renamed[T]{of, k.term}, nil
}

// Explain refuses: a product of two sums over features is a sum over pairs of them, which
// no one of the factors owns.
func (k Product[T]) Explain(ctx context.Context, points data.Set[T], coef []float64) (explanation.Function[T], error) {
	if len(k.Factors) == 1 {
		return strictly(ctx, k.Factors[0], points, coef)
	}
	return nil, fmt.Errorf("a product of kernels has features that belong to all of its factors together: %w", errors.ErrUnsupported)
}

// Explain divides the coefficients by the norms of the points, and g(x) by that of x.
func (k Normalized[T]) Explain(ctx context.Context, points data.Set[T], coef []float64) (explanation.Function[T], error) {
	divided := make([]float64, len(coef))
	k.norms(divided, points)
	for i, c := range coef {
		divided[i] = c * inverse(divided[i])
	}
	of, err := strictly(ctx, k.Of, points, divided)
	if err != nil {
		return nil, err
	}
	return weighted[T]{of: of, by: func(x T) float64 { return inverse(k.Of.Eval(x, x)) }, name: func(term string) string { return "normalize(of=" + term + ")" }}, nil
}

// inverse is 1/√d, or 0 for a point without a norm.
func inverse(d float64) float64 {
	if d == 0 {
		return 0
	}
	return 1 / math.Sqrt(d)
}

// Explain multiplies by f on both sides.
func (k Conformal[T]) Explain(ctx context.Context, points data.Set[T], coef []float64) (explanation.Function[T], error) {
	by := make([]float64, len(coef))
	for i, c := range coef {
		by[i] = c * k.By.At(points.At(i))
	}
	of, err := strictly(ctx, k.Of, points, by)
	if err != nil {
		return nil, err
	}
	return weighted[T]{of: of, by: k.By.At, name: func(term string) string { return Conformal[T]{Of: named[T](term), By: k.By}.String() }}, nil
}

// named is a kernel of which only the text is wanted.
type named[T any] string

func (n named[T]) Eval(T, T) float64 { return math.NaN() }
func (n named[T]) String() string    { return string(n) }

// weighted is g(x) times a factor of x.
type weighted[T any] struct {
	of   explanation.Function[T]
	by   func(x T) float64
	name func(term string) string
}

func (g weighted[T]) Split(ctx context.Context, x T) ([]explanation.Split, error) {
	out, err := g.of.Split(ctx, x)
	by := g.by(x)
	for i := range out {
		s := &out[i]
		s.Term, s.Value = g.name(s.Term), s.Value*by
		for j := range s.Parts {
			s.Parts[j].Value *= by
		}
	}
	return out, err
}

func (g weighted[T]) Weights(ctx context.Context) ([]explanation.Weights, error) {
	return renamed[T]{g.of, g.name}.Weights(ctx)
}

// Explain returns that of k at the images. The places are those of φ(x).
func (k Composed[S, T]) Explain(ctx context.Context, points data.Set[S], coef []float64) (explanation.Function[S], error) {
	of, err := strictly(ctx, k.Of, k.Images(points), coef)
	if err != nil {
		return nil, err
	}
	return explanation.Mapping[S, T]{Of: of, By: k.By, Edit: func(s *explanation.Split) { s.Term = Composed[S, T]{Of: named[T](s.Term), Text: k.Text}.String() }}, nil
}
