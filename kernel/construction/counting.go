package construction

import (
	"context"

	"example.org/mercer/data"
	"example.org/mercer/kernel/explanation"
)

// Counting describes a kernel that is a weighted inner product of counts,
//
//	k(x, y) = Σ_u m_u n_u(x) n_u(y),
//
// where n_u counts the occurrences of the feature u.
type Counting[T any] struct {
	Term string
	// Places returns what x is made of.
	Places func(x T) []explanation.Place
	// List visits the occurrences of all features in x. The places may be overwritten
	// after the visit.
	List func(ctx context.Context, x T, visit func(feature string, m float64, places []int)) error
}

// Explain adds up w(u) = m_u Σᵢ cᵢ n_u(xᵢ), which is what one occurrence of u adds to
// g(x) = Σ_u w(u) n_u(x).
func (c Counting[T]) Explain(ctx context.Context, points data.Set[T], coef []float64) (explanation.Function[T], error) {
	g := &counted[T]{Counting: c, at: map[string]int{}}
	for i, ci := range coef {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		err := c.List(ctx, points.At(i), func(feature string, m float64, _ []int) {
			u, ok := g.at[feature]
			if !ok {
				u = len(g.weights)
				g.at[feature], g.weights = u, append(g.weights, explanation.Weight{Feature: feature})
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
	weights []explanation.Weight
}

// Split returns the occurrences of the features that the points have; others add nothing.
func (g *counted[T]) Split(ctx context.Context, x T) ([]explanation.Split, error) {
	s := explanation.Split{Term: g.Term, Rule: explanation.ByFeatures, Places: g.Places(x)}
	err := g.List(ctx, x, func(feature string, _ float64, places []int) {
		if u, ok := g.at[feature]; ok {
			s.Add(feature, g.weights[u].Value, places)
		}
	})
	return []explanation.Split{s}, err
}

// Weights returns those of all features, in the order in which the points have them.
func (g *counted[T]) Weights(context.Context) ([]explanation.Weights, error) {
	return []explanation.Weights{{Term: g.Term, Features: g.weights}}, nil
}
