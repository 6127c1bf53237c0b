package construction

import (
	"math"
	"testing"
)

// at is the map of one feature with the value c·x.
func at(c float64) Explicit[float64] {
	return Explicit[float64]{Dim: 1, Map: func(phi []float64, x float64) { phi[0] = c * x }}
}

// wave is the kernel cos of one frequency.
func wave(omega float64) Stationary[float64] {
	return Stationary[float64]{{Dim: 1, Point: func(x float64) []float64 { return []float64{x} }, Law: Law{Scale: []float64{omega}}}}
}

// value returns k(x, y) of a construction without random numbers.
func value(t *testing.T, f Features[float64], x, y float64) float64 {
	t.Helper()
	switch f := f.(type) {
	case Explicit[float64]:
		a, b := make([]float64, f.Dim), make([]float64, f.Dim)
		f.Map(a, x)
		f.Map(b, y)
		sum := 0.0
		for i, v := range a {
			sum += v * b[i]
		}
		return sum
	case Stationary[float64]: // a sure frequency: the scale
		phase := 0.0
		for _, p := range f {
			phase += p.Law.Scale[0] * (p.Point(x)[0] - p.Point(y)[0])
		}
		return math.Cos(phase)
	case Total[float64]:
		sum := 0.0
		for i, term := range f.Terms {
			sum += f.Weights[i] * value(t, term, x, y)
		}
		return sum
	case Tensor[float64]:
		if len(f.Factors) == 0 {
			return value(t, f.Exact, x, y)
		}
		product := 1.0
		for _, factor := range f.Factors {
			product *= value(t, factor, x, y)
		}
		return product
	case Rescaled[float64]:
		return f.By(x) * value(t, f.Of, x, y) * f.By(y)
	}
	t.Fatalf("a construction of type %T", f)
	return 0
}

// TestProductIsTheProductOfTheFactors compares values at two points. All numbers are dyadic.
func TestProductIsTheProductOfTheFactors(t *testing.T) {
	const x, y = 2, -0.5
	double := func(x float64) float64 { return 2 * x }
	scaled := Total[float64]{}.Plus(4, at(0.5))
	sum := Total[float64]{}.Plus(1, at(1)).Plus(0.25, at(2))
	rescaled := Rescaled[float64]{Of: at(1), By: double}
	for _, factors := range [][]Features[float64]{
		{},
		{at(2)},
		{at(2), at(4)},
		{scaled, at(2)},
		{scaled, scaled, rescaled},
		{sum, scaled},
		{sum, sum, rescaled},
		{One[float64](), at(2), One[float64]()},
		{Tensor[float64]{Factors: []Features[float64]{at(1), sum}}, at(2)},
	} {
		want := 1.0
		for _, f := range factors {
			want *= value(t, f, x, y)
		}
		if got := value(t, Product(factors, Explicit[float64]{}), x, y); got != want {
			t.Errorf("product of %d factors: %g instead of %g", len(factors), got, want)
		}
	}
}

// TestFrequenciesOfFactorsAreAdded: the product of two laws is one phase with two terms, in which
// frequencies are drawn independently.
func TestFrequenciesOfFactorsAreAdded(t *testing.T) {
	product, ok := Product([]Features[float64]{wave(1), at(2), wave(0.5)}, Explicit[float64]{}).(Tensor[float64])
	if !ok || len(product.Factors) != 2 {
		t.Fatalf("%+v instead of the map and one law", product)
	}
	phases, ok := product.Factors[1].(Stationary[float64])
	if !ok || len(phases) != 2 || phases[0].Law.Scale[0] != 1 || phases[1].Law.Scale[0] != 0.5 {
		t.Errorf("%+v instead of the phases of both laws", product.Factors[1])
	}
}

// TestMapOfTheProduct: the known map of a product stands for its factors alone, not for weights and
// functions that are taken out of them.
func TestMapOfTheProduct(t *testing.T) {
	whole := at(8)
	if p := Product([]Features[float64]{at(2), at(4)}, whole).(Tensor[float64]); p.Exact.Dim != 1 {
		t.Error("the map of the product is lost")
	}
	weighted := Product([]Features[float64]{at(2), Total[float64]{}.Plus(3, at(4))}, whole).(Total[float64])
	if p := weighted.Terms[0].(Tensor[float64]); weighted.Weights[0] != 3 || p.Exact.Dim != 0 {
		t.Errorf("weight %v, and a map of %d features that has the weight already", weighted.Weights, p.Exact.Dim)
	}
}

// TestPlusFlattensSums: Σ over terms of terms has one list.
func TestPlusFlattensSums(t *testing.T) {
	inner := Total[float64]{}.Plus(2, at(1)).Plus(3, at(2))
	outer := Total[float64]{}.Plus(1, at(4)).Plus(0.5, inner)
	if len(outer.Terms) != 3 || outer.Weights[1] != 1 || outer.Weights[2] != 1.5 {
		t.Errorf("weights %v of %d terms instead of 1, 1 and 1.5", outer.Weights, len(outer.Terms))
	}
}

// TestPullEvaluatesAtTheImage: k(φ(x), φ(y)) of every construction.
func TestPullEvaluatesAtTheImage(t *testing.T) {
	half := func(x float64) float64 { return x / 2 }
	sum := Total[float64]{}.Plus(1, at(1)).Plus(0.25, at(2))
	for _, f := range []Features[float64]{
		at(2), wave(0.5), sum, One[float64](), Tensor[float64]{Factors: []Features[float64]{at(1), sum}},
		Rescaled[float64]{Of: at(1), By: half},
	} {
		if got, want := value(t, Pull(f, half), 3, -1), value(t, f, 1.5, -0.5); got != want {
			t.Errorf("%T: %g instead of %g", f, got, want)
		}
	}
}
