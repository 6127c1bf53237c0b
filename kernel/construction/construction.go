package construction

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"example.org/mercer/kernel/explanation"
)

// Features says what a kernel is made of, for maps z of a chosen length with ⟨z(x),
// z(y)⟩ near k(x, y) and, where they are drawn, E⟨z(x), z(y)⟩ = k(x, y). It is one of [Explicit],
// [Stationary], [Homogeneous], [Counting], [Words], [Units], [Total], [Tensor] and [Rescaled].
type Features[T any] interface{ construction(T) }

// Explicit is ⟨φ(x), φ(y)⟩ with a known map φ of Dim features.
type Explicit[T any] struct {
	Dim int
	Map func(phi []float64, x T)
}

// Stationary is E cos Σ_p ⟨ω_p, P_p(x) − P_p(y)⟩ with independent random frequencies ω_p:
// one term for a shift-invariant kernel on vectors (Bochner's theorem), several for a product
// of such kernels.
type Stationary[T any] []Phase[T]

// Phase is one term: a part P(x) of a point with Dim coordinates, and the law of ω.
type Phase[T any] struct {
	Dim   int
	Point func(x T) []float64
	Law   Law
}

// Law is the distribution of the frequency ω of a shift-invariant kernel, which is the
// normalised Fourier transform of the kernel. Radial, Each or both are given:
//
//	ωⱼ = r·gⱼ/σⱼ  with g standard normal and r ≥ 0 drawn by Radial, a scale mixture of Gaussians
//	     (Schoenberg 1938: all radial kernels of every dimension are), spherically
//	     symmetric but for the widths;
//	ωⱼ = eⱼ/σⱼ    with independent eⱼ drawn by Each;
//	ωⱼ = r·eⱼ/σⱼ  with one r for all of them where Radial is given, too.
type Law struct {
	// Scale holds the 1/σⱼ: one for all coordinates, or one for each.
	Scale  []float64
	Radial func(*rand.Rand) float64
	Each   func(*rand.Rand) float64
}

// Homogeneous is Σⱼ √(xⱼyⱼ)·κ(ln xⱼ − ln yⱼ) of the coordinates x = Point(·) ≥ 0, an additive
// kernel with k(cx, cy) = c·k(x, y) (A. Vedaldi and A. Zisserman, Efficient additive kernels
// via explicit feature maps, TPAMI 34, 2012).
type Homogeneous[T any] struct {
	Dim       int
	Point     func(x T) []float64
	Signature func(lambda float64) float64 // κ
	Density   func(omega float64) float64  // of κ: κ(λ) = ∫ cos(ωλ)·Density(ω) dω
}

// Units is E f(⟨g, φ(x)⟩)f(⟨g, φ(y)⟩) for standard normal g and the features φ of another
// construction: the units of a random network. Where φ are drawn themselves, ⟨z(x), z(y)⟩ has a
// bias that falls as one over their number.
type Units[T any] struct {
	Of         Features[T]
	Activation func(u float64) float64 // f
}

// Total is Σ Weights[i]·Terms[i], with weights ≥ 0.
type Total[T any] struct {
	Weights []float64
	Terms   []Features[T]
}

// Tensor is the product of its factors. Exact is the map of the whole where it is known;
// Dim 0: it is not.
type Tensor[T any] struct {
	Factors []Features[T]
	Exact   Explicit[T]
}

// Rescaled is f(x)·k(x, y)·f(y).
type Rescaled[T any] struct {
	Of Features[T]
	By func(x T) float64 // f
	// Unit says that f(x) is 1/√k(x, x), so that features of length 1 stand for the product as
	// well.
	Unit bool
}

func (Explicit[T]) construction(T)    {}
func (Stationary[T]) construction(T)  {}
func (Homogeneous[T]) construction(T) {}
func (Counting[T]) construction(T)    {}
func (Units[T]) construction(T)       {}
func (Total[T]) construction(T)       {}
func (Tensor[T]) construction(T)      {}
func (Rescaled[T]) construction(T)    {}

// None is the error of a kernel without a construction.
func None(k fmt.Stringer, why string) error {
	return fmt.Errorf("%s has no random features: %s (%w)", k, why, errors.ErrUnsupported)
}

// Pull returns the construction of k(φ(x), φ(y)) from that of k.
func Pull[S, T any](r Features[T], by func(x S) T) Features[S] {
	switch r := r.(type) {
	case Explicit[T]:
		return pullExplicit(r, by)
	case Stationary[T]:
		out := make(Stationary[S], len(r))
		for i, p := range r {
			out[i] = Phase[S]{Dim: p.Dim, Law: p.Law, Point: func(x S) []float64 { return p.Point(by(x)) }}
		}
		return out
	case Homogeneous[T]:
		return Homogeneous[S]{Dim: r.Dim, Signature: r.Signature, Density: r.Density, Point: func(x S) []float64 { return r.Point(by(x)) }}
	case Counting[T]:
		return pullCounting(r, by)
	case Words[T]:
		return pullWords(r, by)
	case Units[T]:
		return Units[S]{Of: Pull(r.Of, by), Activation: r.Activation}
	case Total[T]:
		return Total[S]{Weights: r.Weights, Terms: pullAll(r.Terms, by)}
	case Tensor[T]:
		return Tensor[S]{Factors: pullAll(r.Factors, by), Exact: pullExplicit(r.Exact, by)}
	case Rescaled[T]:
		return Rescaled[S]{Of: Pull(r.Of, by), By: func(x S) float64 { return r.By(by(x)) }, Unit: r.Unit}
	}
	panic(fmt.Sprintf("kernel: a feature construction of type %T", r))
}

func pullExplicit[S, T any](r Explicit[T], by func(x S) T) Explicit[S] {
	return Explicit[S]{Dim: r.Dim, Map: func(phi []float64, x S) { r.Map(phi, by(x)) }}
}

func pullAll[S, T any](parts []Features[T], by func(x S) T) []Features[S] {
	out := make([]Features[S], len(parts))
	for i, part := range parts {
		out[i] = Pull(part, by)
	}
	return out
}

// pullCounting lists the features of the images.
func pullCounting[S, T any](c Counting[T], by func(x S) T) Counting[S] {
	return Counting[S]{Term: c.Term, Places: func(x S) []explanation.Place { return c.Places(by(x)) },
		List: func(ctx context.Context, x S, visit func(string, float64, []int)) error {
			return c.List(ctx, by(x), visit)
		}}
}
