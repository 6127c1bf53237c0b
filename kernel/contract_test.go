package kernel_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
)

// twoParameter is a·exp(−x²y²)+b with parameters a (positive) and b.
type twoParameter struct{ a, b float64 }

func (k twoParameter) Eval(x, y float64) float64 { return k.a*math.Exp(-x*x*y*y) + k.b }
func (k twoParameter) String() string            { return "two" }
func (k twoParameter) Parameters() []kernel.Parameter {
	return []kernel.Parameter{{Name: "a", Value: k.a, Positive: true}, {Name: "b", Value: k.b}}
}
func (k twoParameter) With(v []float64) (kernel.Kernel[float64], error) {
	return twoParameter{v[0], v[1]}, nil
}
func (k twoParameter) EvalGrad(grad []float64, x, y float64) float64 {
	v := k.Eval(x, y)
	grad[0], grad[1] = v-k.b, 1
	return v
}

// With M = ccᵀ the contraction is the derivative of cᵀKc, taken here by central
// differences with step h: error O(h²) truncation + 1e-16/h rounding, below 1e-9.
func TestContractIsTheDerivativeOfAQuadraticForm(t *testing.T) {
	rng := testkit.Rand(t, 1)
	const n = 71 // straddles the block edge of 32 rows
	xs, c := make(data.Slice[float64], n), make([]float64, n)
	for i := range xs {
		xs[i], c[i] = rng.NormFloat64(), rng.NormFloat64()
	}
	m := kernel.NewTile(n, n)
	for a := range n {
		for b := range n {
			m.Row(a)[b] = c[a] * c[b]
			if b < a {
				m.Row(a)[b] = math.NaN() // the lower triangle is not read
			}
		}
	}
	form := func(k twoParameter) (sum float64) {
		for a := range n {
			for b := range n {
				sum += c[a] * c[b] * k.Eval(xs[a], xs[b])
			}
		}
		return sum
	}
	k := twoParameter{1.5, 0.25}
	const h = 1e-5
	want := []float64{
		(form(twoParameter{k.a * math.Exp(h), k.b}) - form(twoParameter{k.a * math.Exp(-h), k.b})) / (2 * h),
		(form(twoParameter{k.a, k.b + h}) - form(twoParameter{k.a, k.b - h})) / (2 * h),
	}
	var first []float64
	for _, workers := range []int{1, 3} {
		got, err := kernel.Contract(t.Context(), k, xs, m, workers)
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, "gradient", got, want, 1e-8)
		if first == nil {
			first = got
		} else if got[0] != first[0] || got[1] != first[1] {
			t.Errorf("%d workers give %v, one gives %v: the bits must agree", workers, got, first)
		}
	}
	if _, err := kernel.Contract(t.Context(), k, xs, kernel.NewTile(n, 3), 1); err == nil {
		t.Error("a matrix of the wrong size was accepted")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := kernel.Contract(ctx, k, xs, m, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: %v", err)
	}
}

func TestBindReusableFallsBackToBind(t *testing.T) {
	xs := data.Slice[float64]{0, 0.5, 1}
	r, err := kernel.BindReusable[float64](t.Context(), twoParameter{1, 0}, xs, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, shared := r.Reuse(twoParameter{2, 1})
	if shared {
		t.Error("a kernel without family claims to share")
	}
	tile := kernel.NewTile(3, 3)
	p.Tile(tile, 0, 0)
	if got, want := tile.Row(1)[2], (twoParameter{2, 1}).Eval(0.5, 1); got != want {
		t.Errorf("k(x₁,x₂) = %v, want %v", got, want)
	}
}
