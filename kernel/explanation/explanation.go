package explanation

import (
	"context"
	"errors"
	"fmt"
)

// Function is a function g(x) = Σᵢ cᵢ k(x, xᵢ) in the span of a kernel, taken apart by
// what the kernel looks at in a point.
type Function[T any] interface {
	// Split takes g(x) apart: one split for each term of the kernel, which add up to g(x).
	Split(ctx context.Context, x T) ([]Split, error)
	// Weights returns what one occurrence of each feature adds to g, for the features
	// that the points xᵢ have: one list for each term.
	Weights(ctx context.Context) ([]Weights, error)
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
	Symbols      []string // of the alphabet of motifs
}

// Weight is what one occurrence of a feature adds to g, beside how many occurrences the
// points have. Under a normalised kernel it adds this divided by the norm of x.
type Weight struct {
	Feature string
	Value   float64
	Times   int
	// Frequencies are those of the symbols in each place of a motif, which stands for many words;
	// nil: the feature is one word, or none.
	Frequencies [][]float64
}

// Name gives names to features that have none, by their order.
func (w *Weights) Name(names []string) {
	for j := range min(len(names), len(w.Features)) {
		if w.Features[j].Feature == "" {
			w.Features[j].Feature = names[j]
		}
	}
}

// Add notes one occurrence of a feature.
func (s *Split) Add(feature string, value float64, places []int) {
	s.Value += value
	s.Parts = append(s.Parts, Part{Feature: feature, Value: value, Places: append([]int(nil), places...)})
}

// Mapping is the explanation of a kernel on points of type S that looks at φ(x): that of a
// kernel on points of type T, with the splits edited.
type Mapping[S, T any] struct {
	Of   Function[T]
	By   func(x S) T    // φ
	Edit func(s *Split) // the term, the column, the names of places
}

// Split takes g(φ(x)) apart.
func (m Mapping[S, T]) Split(ctx context.Context, x S) ([]Split, error) {
	out, err := m.Of.Split(ctx, m.By(x))
	for i := range out {
		m.Edit(&out[i])
	}
	return out, err
}

// Weights returns those of g.
func (m Mapping[S, T]) Weights(ctx context.Context) ([]Weights, error) {
	out, err := m.Of.Weights(ctx)
	for i := range out {
		s := Split{Term: out[i].Term, Column: out[i].Column}
		m.Edit(&s)
		out[i].Term, out[i].Column = s.Term, s.Column
	}
	return out, err
}

// NoFeatures is the error about a kernel whose functions are no sums over features.
func NoFeatures(k fmt.Stringer) error {
	return fmt.Errorf("%s is no sum over features of a point: %w", k, errors.ErrUnsupported)
}
