package kernel

import "context"

// How the algebra makes the construction of a kernel from those of its parts.

// FeatureConstruction is the sum of those of the terms.
func (k Sum[T]) FeatureConstruction(like T) (FeatureConstruction[T], error) {
	terms, err := recipesOf(k.Terms, like)
	if err != nil {
		return nil, err
	}
	var sum Total[T]
	for _, term := range terms {
		sum = sum.plus(1, term)
	}
	return sum, nil
}

// plus adds a term, and the terms of a sum one by one.
func (r Total[T]) plus(weight float64, term FeatureConstruction[T]) Total[T] {
	sum, ok := term.(Total[T])
	if !ok {
		return Total[T]{append(r.Weights, weight), append(r.Terms, term)}
	}
	for i, part := range sum.Terms {
		r = r.plus(weight*sum.Weights[i], part)
	}
	return r
}

// one is the product of no factors.
func one[T any]() Tensor[T] {
	return Tensor[T]{Exact: Explicit[T]{Dim: 1, Map: func(phi []float64, _ T) { phi[0] = 1 }}}
}

// FeatureConstruction is the empty product with the weight c.
func (k Constant[T]) FeatureConstruction(T) (FeatureConstruction[T], error) {
	if !(k.Value >= 0) {
		return nil, NoFeatureConstruction(k, "it is negative")
	}
	return Total[T]{Weights: []float64{k.Value}, Terms: []FeatureConstruction[T]{one[T]()}}, nil
}

// FeatureConstruction is that of k with its weight.
func (k Scaled[T]) FeatureConstruction(like T) (FeatureConstruction[T], error) {
	if !(k.Factor >= 0) {
		return nil, NoFeatureConstruction(k, "its factor is negative")
	}
	of, err := FeatureConstructionOf(k.Of, like)
	if err != nil {
		return nil, err
	}
	return Total[T]{}.plus(k.Factor, of), nil
}

// FeatureConstruction is the product of those of the factors; their frequencies are added.
func (k Product[T]) FeatureConstruction(like T) (FeatureConstruction[T], error) {
	factors, err := recipesOf(k.Factors, like)
	if err != nil {
		return nil, err
	}
	return product(factors, k, like), nil
}

// FeatureConstruction is a product of equal factors.
func (k Power[T]) FeatureConstruction(like T) (FeatureConstruction[T], error) {
	if k.Degree < 0 {
		return nil, NoFeatureConstruction(k, "its degree is negative")
	}
	of, err := FeatureConstructionOf(k.Of, like)
	if err != nil {
		return nil, err
	}
	factors := make([]FeatureConstruction[T], k.Degree)
	for i := range factors {
		factors[i] = of
	}
	return product(factors, k, like), nil
}

// product collects what the factors are made of: constants, factors of one point,
// frequencies, which become one random phase, and the rest, whose tensor product it is.
func product[T any](factors []FeatureConstruction[T], whole Mapped[T], like T) FeatureConstruction[T] {
	weight, phases := 1.0, Stationary[T](nil)
	var rest []FeatureConstruction[T]
	var by []func(T) float64
	for len(factors) > 0 {
		first := factors[0]
		factors = factors[1:]
		switch r := first.(type) {
		case Stationary[T]:
			phases = append(phases, r...)
		case Tensor[T]:
			rest = append(rest, r.Factors...)
		case Rescaled[T]:
			by = append(by, r.By)
			factors = append([]FeatureConstruction[T]{r.Of}, factors...)
		case Total[T]:
			if len(r.Terms) != 1 {
				rest = append(rest, r)
				continue
			}
			weight *= r.Weights[0]
			factors = append([]FeatureConstruction[T]{r.Terms[0]}, factors...)
		default:
			rest = append(rest, r)
		}
	}
	if phases != nil {
		rest = append(rest, phases)
	}
	out := tensor(rest, whole, like, weight == 1 && by == nil)
	for _, f := range by {
		out = Rescaled[T]{Of: out, By: f}
	}
	if weight == 1 {
		return out
	}
	return Total[T]{Weights: []float64{weight}, Terms: []FeatureConstruction[T]{out}}
}

// tensor is the product of factors, with the map of the whole if it has one and the factors are all
// of it.
func tensor[T any](factors []FeatureConstruction[T], whole Mapped[T], like T, all bool) FeatureConstruction[T] {
	switch len(factors) {
	case 0:
		return one[T]()
	case 1:
		return factors[0]
	}
	t := Tensor[T]{Factors: factors}
	if dim, ok := whole.Features(like); ok && all {
		t.Exact = Explicit[T]{Dim: dim, Map: whole.Map}
	}
	return t
}

// FeatureConstruction divides by the norms of the points, which are computed exactly.
func (k Normalized[T]) FeatureConstruction(like T) (FeatureConstruction[T], error) {
	of, err := FeatureConstructionOf(k.Of, like)
	if err != nil {
		return nil, err
	}
	return Rescaled[T]{Of: of, By: func(x T) float64 { return inverse(k.Of.Eval(x, x)) }}, nil
}

// FeatureConstruction multiplies by f on both sides.
func (k Conformal[T]) FeatureConstruction(like T) (FeatureConstruction[T], error) {
	of, err := FeatureConstructionOf(k.Of, like)
	if err != nil {
		return nil, err
	}
	return Rescaled[T]{Of: of, By: k.By.At}, nil
}

// FeatureConstruction is that of k at the images.
func (k Composed[S, T]) FeatureConstruction(like S) (FeatureConstruction[S], error) {
	of, err := FeatureConstructionOf(k.Of, k.By(like))
	if err != nil {
		return nil, err
	}
	return Pull(of, k.By), nil
}

// pullCounting lists the features of the images.
func pullCounting[S, T any](c Counting[T], by func(x S) T) Counting[S] {
	return Counting[S]{Term: c.Term, Places: func(x S) []Place { return c.Places(by(x)) },
		List: func(ctx context.Context, x S, visit func(string, float64, []int)) error {
			return c.List(ctx, by(x), visit)
		}}
}
