package kfda_test

import (
	"math"
	"slices"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/kfda"
)

// ‖φ(x) − m_c‖² from its definition, by double sums.
func TestBarycentresAreTheDistances(t *testing.T) {
	p := newProblem(testkit.Rand(t, 11), 30, 3, 3, true)
	k := parse(t, "rbf(sigma=1) + 0.3*linear()")
	f, r, err := kfda.FitBarycentres(t.Context(), k, p.xs, p.y, kfda.BarycentreOptions{Weights: p.weights})
	if err != nil {
		t.Fatal(err)
	}
	values, err := f.Predict(t.Context(), p.xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	shares, right, total := make([]float64, 3), 0.0, 0.0
	for i, c := range p.y {
		shares[c] += p.weight(i)
	}
	spread := make([]float64, 3)
	for i := range p.y {
		x, distances := p.xs.At(i), make([]float64, 3)
		for c := range distances {
			distances[c] = k.Eval(x, x)
			for a, ca := range p.y {
				if ca != c {
					continue
				}
				distances[c] -= 2 * p.weight(a) / shares[c] * k.Eval(x, p.xs.At(a))
				for b, cb := range p.y {
					if cb == c {
						distances[c] += p.weight(a) * p.weight(b) / shares[c] / shares[c] * k.Eval(p.xs.At(a), p.xs.At(b))
					}
				}
			}
			testkit.Close(t, "distance", k.Eval(x, x)-2*values.At(i, c), distances[c], 1e-12)
		}
		spread[p.y[i]] += p.weight(i) / shares[p.y[i]] * distances[p.y[i]]
		total += p.weight(i)
		if distances[p.y[i]] == slices.Min(distances) {
			right += p.weight(i)
		}
	}
	testkit.Close(t, "accuracy", r.Accuracy, right/total, 1e-12)
	testkit.CloseSlice(t, "spread", r.Spread, spread, 1e-12)
}

// "Basic application in discrimination" of the lecture notes: S₁ = {(1,1), (1,2)}, S₂ =
// {(1,3), (2,2)}. For the linear kernel d(x, S₁)² − d(x, S₂)² is that to the means
// (1, 1.5) and (1.5, 2.5): x₁ + 2x₂ − 5.25.
func TestLectureExample(t *testing.T) {
	xs := data.Slice[[]float64]{{1, 1}, {1, 2}, {1, 3}, {2, 2}}
	f, _, err := kfda.FitBarycentres(t.Context(), parse(t, "linear()"), xs, []int{0, 0, 1, 1}, kfda.BarycentreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range [][]float64{{0, 0}, {1, 2}, {3, -1}} {
		v, err := f.Predict(t.Context(), data.Slice[[]float64]{x}, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		testkit.Close(t, "difference of distances", 2*(v.At(0, 1)-v.At(0, 0)), x[0]+2*x[1]-5.25, 1e-13)
	}
	g, _, err := kfda.FitBarycentres(t.Context(), parse(t, "rbf(sigma=0.2)"), xs, []int{0, 0, 1, 1}, kfda.BarycentreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := g.Predict(t.Context(), data.Slice[[]float64]{{1, 1}}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// k is 1 on the diagonal, e^(−12.5) for points one apart, and so on.
	e := func(square float64) float64 { return math.Exp(-square / (2 * 0.2 * 0.2)) }
	want := (1+e(1))/2 - (2+2*e(1))/8 - ((e(4)+e(2))/2 - (2+2*e(2))/8)
	testkit.Close(t, "rbf", v.At(0, 0)-v.At(0, 1), want, 1e-12)
}
