package construction

// Plus adds a term with its weight; the terms of a sum are added one by one.
func (r Total[T]) Plus(weight float64, term Features[T]) Total[T] {
	sum, ok := term.(Total[T])
	if !ok {
		return Total[T]{append(r.Weights, weight), append(r.Terms, term)}
	}
	for i, part := range sum.Terms {
		r = r.Plus(weight*sum.Weights[i], part)
	}
	return r
}

// One is the constant kernel 1, the product of no factors.
func One[T any]() Tensor[T] {
	return Tensor[T]{Exact: Explicit[T]{Dim: 1, Map: func(phi []float64, _ T) { phi[0] = 1 }}}
}

// Product returns the construction of a product from those of its factors. whole is the map of
// the product; Dim 0: it is not known.
//
//  1. Weights and functions of one point are taken out of the factors.
//  2. Frequencies of all factors become one random phase: E e^{i⟨ω₁,s⟩} · E e^{i⟨ω₂,t⟩} is
//     E e^{i(⟨ω₁,s⟩+⟨ω₂,t⟩)} for independent ω₁ and ω₂.
//  3. What is left is a tensor product.
func Product[T any](factors []Features[T], whole Explicit[T]) Features[T] {
	weight, phases := 1.0, Stationary[T](nil)
	var rest []Features[T]
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
			factors = append([]Features[T]{r.Of}, factors...)
		case Total[T]:
			if len(r.Terms) != 1 {
				rest = append(rest, r)
				continue
			}
			weight *= r.Weights[0]
			factors = append([]Features[T]{r.Terms[0]}, factors...)
		default:
			rest = append(rest, r)
		}
	}
	if phases != nil {
		rest = append(rest, phases)
	}
	out := tensor(rest, whole, weight == 1 && by == nil)
	for _, f := range by {
		out = Rescaled[T]{Of: out, By: f}
	}
	if weight == 1 {
		return out
	}
	return Total[T]{Weights: []float64{weight}, Terms: []Features[T]{out}}
}

// tensor is the product of factors, with the map of the whole where the factors are all of it.
func tensor[T any](factors []Features[T], whole Explicit[T], all bool) Features[T] {
	switch len(factors) {
	case 0:
		return One[T]()
	case 1:
		return factors[0]
	}
	t := Tensor[T]{Factors: factors}
	if all {
		t.Exact = whole
	}
	return t
}
