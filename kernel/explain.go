package kernel

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"example.org/mercer/data"
)

// Explanation is a function g(x) = Σᵢ cᵢ k(x, xᵢ) in the span of a kernel, taken apart by
// what the kernel looks at in a point.
type Explanation[T any] interface {
	// Split takes g(x) apart: one split for each term of the kernel, which add up to g(x).
	Split(ctx context.Context, x T) ([]Split, error)
	// Weights returns what one occurrence of each feature adds to g, for the features
	// that the points xᵢ have: one list for each term.
	Weights(ctx context.Context) ([]Weights, error)
}

// Explainable kernels have functions that are sums over features of a point:
//
//	g(x) = Σ_u w(u) φ_u(x),   w(u) = Σᵢ cᵢ φ_u(xᵢ).
//
// Explain returns g as such a sum. A kernel that can only be made of others (a sum, a
// normalised kernel) always has the method; where its parts do not allow it, the error
// wraps [errors.ErrUnsupported] and says why.
type Explainable[T any] interface {
	Kernel[T]
	Explain(ctx context.Context, points data.Set[T], coef []float64) (Explanation[T], error)
}

// Rule says how the value of a [Split] is shared among parts.
type Rule string

const (
	// ByFeatures: the parts are the features of x, and their values add up to that of the
	// split.
	ByFeatures Rule = "features"
	// ByOcclusion: the value of a part is how far g falls if one place of x is made
	// unknown. These differences do not add up to g(x).
	ByOcclusion Rule = "occlusion"
	// Whole: the kernel is no sum over features, and there are no parts.
	Whole Rule = "whole"
)

// Split is what one term of a kernel adds to g(x).
type Split struct {
	Term   string // the term as an expression
	Column string // of a record, that the term looks at; "": no single cell
	Rule   Rule
	Why    string  // why there are no parts, for Whole
	Value  float64 // of the term at x
	Places []Place // what x is made of, as far as the term knows
	Parts  []Part
}

// Place is a symbol of a sequence, a node of a graph, a coordinate of a vector.
type Place struct {
	Name   string // its number or id; "" where only a schema knows it
	Symbol string // what stands there
}

// Part is what one occurrence of a feature adds to a split.
type Part struct {
	Feature string // its name; "" for an occlusion
	Value   float64
	Places  []int // of the point, that the occurrence consists of
}

// ByPlace shares the value of every part equally among its places. Parts without places
// are left out.
func (s Split) ByPlace() []float64 {
	out := make([]float64, len(s.Places))
	for _, p := range s.Parts {
		for _, at := range p.Places {
			out[at] += p.Value / float64(len(p.Places))
		}
	}
	return out
}

// Name gives names to places that have none, by their order, and to the features of one place
// that have none the name of the place.
func (s *Split) Name(names []string) {
	for j := range min(len(names), len(s.Places)) {
		if s.Places[j].Name == "" {
			s.Places[j].Name = names[j]
		}
	}
	for i := range s.Parts {
		if p := &s.Parts[i]; p.Feature == "" && s.Rule == ByFeatures && len(p.Places) == 1 {
			p.Feature = s.Places[p.Places[0]].Name
		}
	}
}

// Weights are the features of one term.
type Weights struct {
	Term, Column string
	Why          string // why there are none, where the term is no sum over features
	Features     []Weight
}

// Weight is what one occurrence of a feature adds to g, beside how many occurrences the
// points have. Under a normalised kernel it adds this divided by the norm of x.
type Weight struct {
	Feature string
	Value   float64
	Times   int
}

// Name gives names to features that have none, by their order.
func (w *Weights) Name(names []string) {
	for j := range min(len(names), len(w.Features)) {
		if w.Features[j].Feature == "" {
			w.Features[j].Feature = names[j]
		}
	}
}

// Explain takes g(x) = Σᵢ cᵢ k(x, xᵢ) apart term by term: by features where a term is
// [Explainable], by occlusion where it knows how to make a place of a point unknown
// ([Occludable]), and otherwise as a whole.
func Explain[T any](ctx context.Context, k Kernel[T], points data.Set[T], coef []float64) (Explanation[T], error) {
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
func strictly[T any](ctx context.Context, k Kernel[T], points data.Set[T], coef []float64) (Explanation[T], error) {
	a, ok := k.(Explainable[T])
	if !ok {
		return nil, NotExplainable(k)
	}
	return a.Explain(ctx, points, coef)
}

// NotExplainable is the error about a kernel whose functions are no sums over features.
func NotExplainable(k interface{ String() string }) error {
	return fmt.Errorf("%s is no sum over features of a point: %w", k, errors.ErrUnsupported)
}

// linearly is strictly, with a term that is no sum over features as a whole: all that a
// factor for each point may be applied to.
func linearly[T any](ctx context.Context, k Kernel[T], points data.Set[T], coef []float64) (Explanation[T], error) {
	g, err := strictly(ctx, k, points, coef)
	if errors.Is(err, errors.ErrUnsupported) {
		return undivided[T]{of: k, points: points, coef: coef, why: err.Error()}, nil
	}
	return g, err
}

// explainTerms joins the explanations of the terms of a sum.
func explainTerms[T any](ctx context.Context, terms []Kernel[T], points data.Set[T], coef []float64,
	each func(context.Context, Kernel[T], data.Set[T], []float64) (Explanation[T], error)) (Explanation[T], error) {
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
type explanations[T any] []Explanation[T]

func (a explanations[T]) Split(ctx context.Context, x T) ([]Split, error) {
	return concatenated(a, func(g Explanation[T]) ([]Split, error) { return g.Split(ctx, x) })
}

func (a explanations[T]) Weights(ctx context.Context) ([]Weights, error) {
	return concatenated(a, func(g Explanation[T]) ([]Weights, error) { return g.Weights(ctx) })
}

func concatenated[T, E any](terms []Explanation[T], of func(Explanation[T]) ([]E, error)) ([]E, error) {
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

func (g undivided[T]) Split(ctx context.Context, x T) ([]Split, error) {
	v, err := combination(ctx, g.of, data.Slice[T]{x}, g.points, g.coef)
	if err != nil {
		return nil, err
	}
	return []Split{{Term: g.of.String(), Rule: Whole, Why: reason(g.why), Value: v[0]}}, nil
}

func (g undivided[T]) Weights(context.Context) ([]Weights, error) {
	return []Weights{{Term: g.of.String(), Why: reason(g.why)}}, nil
}

// reason leaves out the words of [errors.ErrUnsupported].
func reason(why string) string { return strings.TrimSuffix(why, ": "+errors.ErrUnsupported.Error()) }

// renamed writes the terms of g in another way.
type renamed[T any] struct {
	of   Explanation[T]
	name func(term string) string
}

// term writes a term of the part as one of the multiple.
func (k Scaled[T]) term(of string) string {
	if of == k.Of.String() {
		return k.String()
	}
	return number(k.Factor) + "*" + of
}

func (g renamed[T]) Split(ctx context.Context, x T) ([]Split, error) {
	out, err := g.of.Split(ctx, x)
	for i := range out {
		out[i].Term = g.name(out[i].Term)
	}
	return out, err
}

func (g renamed[T]) Weights(ctx context.Context) ([]Weights, error) {
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
