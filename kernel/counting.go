package kernel

import (
	"context"

	"example.org/mercer/data"
)

// Counting describes a kernel that is a weighted inner product of counts,
//
//	k(x, y) = Σ_u m_u n_u(x) n_u(y),
//
// where n_u counts the occurrences of the feature u.
type Counting[T any] struct {
	Term string
	// Places returns what x is made of.
	Places func(x T) []Place
	// List visits the occurrences of all features in x. The places may be overwritten
	// after the visit.
	List func(ctx context.Context, x T, visit func(feature string, m float64, places []int)) error
}

// Explain adds up w(u) = m_u Σᵢ cᵢ n_u(xᵢ), which is what one occurrence of u adds to
// g(x) = Σ_u w(u) n_u(x).
func (c Counting[T]) Explain(ctx context.Context, points data.Set[T], coef []float64) (Explanation[T], error) {
	g := &counted[T]{Counting: c, at: map[string]int{}}
	for i, ci := range coef {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		err := c.List(ctx, points.At(i), func(feature string, m float64, _ []int) {
			u, ok := g.at[feature]
			if !ok {
				u = len(g.weights)
				g.at[feature], g.weights = u, append(g.weights, Weight{Feature: feature})
			}
			g.weights[u].Value += m * ci
			g.weights[u].Times++
		})
		if err != nil {
			return nil, err
		}
	}
	return g, nil
}

// counted is g of a kernel of counts.
type counted[T any] struct {
	Counting[T]
	at      map[string]int
	weights []Weight
}

// Split returns the occurrences of the features that the points have; others add nothing.
func (g *counted[T]) Split(ctx context.Context, x T) ([]Split, error) {
	s := Split{Term: g.Term, Rule: ByFeatures, Places: g.Places(x)}
	err := g.List(ctx, x, func(feature string, _ float64, places []int) {
		if u, ok := g.at[feature]; ok {
			s.Add(feature, g.weights[u].Value, places)
		}
	})
	return []Split{s}, err
}

// Weights returns those of all features, in the order in which the points have them.
func (g *counted[T]) Weights(context.Context) ([]Weights, error) {
	return []Weights{{Term: g.Term, Features: g.weights}}, nil
}

// Add notes one occurrence of a feature.
func (s *Split) Add(feature string, value float64, places []int) {
	s.Value += value
	s.Parts = append(s.Parts, Part{Feature: feature, Value: value, Places: append([]int(nil), places...)})
}
