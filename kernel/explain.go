package kernel

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/kernel/explanation"
)

// Explainable kernels have functions that are sums over features of a point:
//
//	g(x) = Σ_u w(u) φ_u(x),   w(u) = Σᵢ cᵢ φ_u(xᵢ).
//
// Explain returns g as such a sum. A kernel that can only be made of others (a sum, a
// normalised kernel) always has the method; where its parts do not allow it, the error
// wraps [errors.ErrUnsupported] and says why.
type Explainable[T any] interface {
	Kernel[T]
	Explain(ctx context.Context, points data.Set[T], coef []float64) (explanation.Function[T], error)
}

// Explain takes g(x) = Σᵢ cᵢ k(x, xᵢ) apart term by term: by features where a term is
// [Explainable], by occlusion where it knows how to make a place of a point unknown
// ([Occludable]), and otherwise as a whole.
func Explain[T any](ctx context.Context, k Kernel[T], points data.Set[T], coef []float64) (explanation.Function[T], error) {
	if points.Len() != len(coef) {
		return nil, fmt.Errorf("kernel: %d coefficients for %d points; give one for each", len(coef), points.Len())
	}
	switch k := k.(type) {
	case Sum[T]:
		return explainTerms(ctx, k.Terms, points, coef, Explain[T])
	case Scaled[T]:
		of, err := Explain(ctx, k.Of, points, scaled(coef, k.Factor))
		return renamed[T]{of, k.term}, err
	}
	g, err := strictly(ctx, k, points, coef)
	if !errors.Is(err, errors.ErrUnsupported) {
		return g, err
	}
	if o, ok := k.(Occludable[T]); ok {
		if column, no := o.Occludes(); no == nil {
			return occlusion[T]{of: o, column: column, points: points, coef: coef, why: err.Error()}, nil
		}
	}
	return undivided[T]{of: k, points: points, coef: coef, why: err.Error()}, nil
}

// strictly is the sum over features of a kernel, or the reason why there is none.
func strictly[T any](ctx context.Context, k Kernel[T], points data.Set[T], coef []float64) (explanation.Function[T], error) {
	a, ok := k.(Explainable[T])
	if !ok {
		return nil, explanation.NoFeatures(k)
	}
	return a.Explain(ctx, points, coef)
}

// linearly is strictly, with a term that is no sum over features as a whole: all that a
// factor for each point may be applied to.
func linearly[T any](ctx context.Context, k Kernel[T], points data.Set[T], coef []float64) (explanation.Function[T], error) {
	g, err := strictly(ctx, k, points, coef)
	if errors.Is(err, errors.ErrUnsupported) {
		return undivided[T]{of: k, points: points, coef: coef, why: err.Error()}, nil
	}
	return g, err
}

// explainTerms joins the explanations of the terms of a sum.
func explainTerms[T any](ctx context.Context, terms []Kernel[T], points data.Set[T], coef []float64,
	each func(context.Context, Kernel[T], data.Set[T], []float64) (explanation.Function[T], error)) (explanation.Function[T], error) {
	var out explanations[T]
	for _, term := range terms {
		g, err := each(ctx, term, points, coef)
		if err != nil {
			return nil, err
		}
		out = append(out, g)
	}
	return out, nil
}

// explanations are those of the terms of a sum.
type explanations[T any] []explanation.Function[T]

func (a explanations[T]) Split(ctx context.Context, x T) ([]explanation.Split, error) {
	return concatenated(a, func(g explanation.Function[T]) ([]explanation.Split, error) { return g.Split(ctx, x) })
}

func (a explanations[T]) Weights(ctx context.Context) ([]explanation.Weights, error) {
	return concatenated(a, func(g explanation.Function[T]) ([]explanation.Weights, error) { return g.Weights(ctx) })
}

func concatenated[T, E any](terms []explanation.Function[T], of func(explanation.Function[T]) ([]E, error)) ([]E, error) {
	var out []E
	for _, g := range terms {
		list, err := of(g)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// undivided is g of a kernel without features.
type undivided[T any] struct {
	of     Kernel[T]
	points data.Set[T]
	coef   []float64
	why    string
}

func (g undivided[T]) Split(ctx context.Context, x T) ([]explanation.Split, error) {
	v, err := combination(ctx, g.of, data.Slice[T]{x}, g.points, g.coef)
	if err != nil {
		return nil, err
	}
	return []explanation.Split{{Term: g.of.String(), Rule: explanation.Whole, Why: reason(g.why), Value: v[0]}}, nil
}

func (g undivided[T]) Weights(context.Context) ([]explanation.Weights, error) {
	return []explanation.Weights{{Term: g.of.String(), Why: reason(g.why)}}, nil
}

// reason leaves out the words of [errors.ErrUnsupported].
func reason(why string) string { return strings.TrimSuffix(why, ": "+errors.ErrUnsupported.Error()) }

// renamed writes the terms of g in another way.
type renamed[T any] struct {
	of   explanation.Function[T]
	name func(term string) string
}

// term writes a term of the part as one of the multiple.
func (k Scaled[T]) term(of string) string {
	if of == k.Of.String() {
		return k.String()
	}
	return number(k.Factor) + "*" + of
}

func (g renamed[T]) Split(ctx context.Context, x T) ([]explanation.Split, error) {
	out, err := g.of.Split(ctx, x)
	for i := range out {
		out[i].Term = g.name(out[i].Term)
	}
	return out, err
}

func (g renamed[T]) Weights(ctx context.Context) ([]explanation.Weights, error) {
	out, err := g.of.Weights(ctx)
	for i := range out {
		out[i].Term = g.name(out[i].Term)
	}
	return out, err
}

// combination returns g at some points, by the kernel itself.
func combination[T any](ctx context.Context, k Kernel[T], xs, points data.Set[T], coef []float64) ([]float64, error) {
	pairs, out := Bind(k, xs, points), make([]float64, xs.Len())
	tile := NewTile(1, min(256, len(coef)))
	for i := range out {
		for from := 0; from < len(coef); from += 256 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			tile.Cols = min(256, len(coef)-from)
			pairs.Tile(tile, i, from)
			for j, v := range tile.Row(0) {
				out[i] += coef[from+j] * v
			}
		}
	}
	return out, nil
}

// scaled returns c·v.
func scaled(v []float64, c float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = c * x
	}
	return out
}
