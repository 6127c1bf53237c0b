package kernel

import (
	"example.org/mercer/kernel/construction"
)

// FeatureConstructor is implemented by kernels that know their construction. like is a point of the
// kind that is mapped, for its number of coordinates. Where there is none the error says why and
// wraps [errors.ErrUnsupported].
type FeatureConstructor[T any] interface {
	Kernel[T]
	FeatureConstruction(like T) (construction.Features[T], error)
}

// FeatureConstructionOf returns the construction of k: its own, or its explicit map.
func FeatureConstructionOf[T any](k Kernel[T], like T) (construction.Features[T], error) {
	if r, ok := k.(FeatureConstructor[T]); ok {
		return r.FeatureConstruction(like)
	}
	if dim, ok := features(k, like); ok {
		return construction.Explicit[T]{Dim: dim, Map: k.(Mapped[T]).Map}, nil
	}
	return nil, construction.None(k, "it knows no spectral law, no finite map and no list of counts")
}

// constructionsOf returns the constructions of the parts.
func constructionsOf[T any](parts []Kernel[T], like T) ([]construction.Features[T], error) {
	out := make([]construction.Features[T], len(parts))
	var err error
	for i, part := range parts {
		if out[i], err = FeatureConstructionOf(part, like); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// How the algebra makes the construction of a kernel from those of its parts.

// FeatureConstruction is the sum of those of the terms.
func (k Sum[T]) FeatureConstruction(like T) (construction.Features[T], error) {
	terms, err := constructionsOf(k.Terms, like)
	if err != nil {
		return nil, err
	}
	var sum construction.Total[T]
	for _, term := range terms {
		sum = sum.Plus(1, term)
	}
	return sum, nil
}

// FeatureConstruction is the empty product with the weight c.
func (k Constant[T]) FeatureConstruction(T) (construction.Features[T], error) {
	if !(k.Value >= 0) {
		return nil, construction.None(k, "it is negative")
	}
	return construction.Total[T]{Weights: []float64{k.Value}, Terms: []construction.Features[T]{construction.One[T]()}}, nil
}

// FeatureConstruction is that of k with its weight.
func (k Scaled[T]) FeatureConstruction(like T) (construction.Features[T], error) {
	if !(k.Factor >= 0) {
		return nil, construction.None(k, "its factor is negative")
	}
	of, err := FeatureConstructionOf(k.Of, like)
	if err != nil {
		return nil, err
	}
	return construction.Total[T]{}.Plus(k.Factor, of), nil
}

// FeatureConstruction is the product of those of the factors; their frequencies are added.
func (k Product[T]) FeatureConstruction(like T) (construction.Features[T], error) {
	factors, err := constructionsOf(k.Factors, like)
	if err != nil {
		return nil, err
	}
	return construction.Product(factors, wholeMap(k, like)), nil
}

// FeatureConstruction is a product of equal factors.
func (k Power[T]) FeatureConstruction(like T) (construction.Features[T], error) {
	if k.Degree < 0 {
		return nil, construction.None(k, "its degree is negative")
	}
	of, err := FeatureConstructionOf(k.Of, like)
	if err != nil {
		return nil, err
	}
	factors := make([]construction.Features[T], k.Degree)
	for i := range factors {
		factors[i] = of
	}
	return construction.Product(factors, wholeMap(k, like)), nil
}

// wholeMap is the map of k, or one of no features where it is not known.
func wholeMap[T any](k Mapped[T], like T) construction.Explicit[T] {
	dim, ok := k.Features(like)
	if !ok {
		return construction.Explicit[T]{}
	}
	return construction.Explicit[T]{Dim: dim, Map: k.Map}
}

// FeatureConstruction divides by the norms of the points, which are computed exactly.
func (k Normalized[T]) FeatureConstruction(like T) (construction.Features[T], error) {
	of, err := FeatureConstructionOf(k.Of, like)
	if err != nil {
		return nil, err
	}
	return construction.Rescaled[T]{Of: of, By: func(x T) float64 { return inverse(k.Of.Eval(x, x)) }, Unit: true}, nil
}

// FeatureConstruction multiplies by f on both sides.
func (k Conformal[T]) FeatureConstruction(like T) (construction.Features[T], error) {
	of, err := FeatureConstructionOf(k.Of, like)
	if err != nil {
		return nil, err
	}
	return construction.Rescaled[T]{Of: of, By: k.By.At}, nil
}

// FeatureConstruction is that of k at the images.
func (k Composed[S, T]) FeatureConstruction(like S) (construction.Features[S], error) {
	of, err := FeatureConstructionOf(k.Of, k.By(like))
	if err != nil {
		return nil, err
	}
	return construction.Pull(of, k.By), nil
}
