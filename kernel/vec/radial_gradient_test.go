package vec_test

import (
	"math"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
)

// Central differences of step h = 1e-5 have a truncation error of h²/6 times the
// third derivative, and a rounding error of 1e-16/h: together below 1e-8 here.
func TestEvalGradAgainstDifferences(t *testing.T) {
	rng := testkit.Rand(t, 6)
	const d, h = 3, 1e-5
	xs := cloud(rng, 4, d, 0)
	for _, text := range expressions(d) {
		k, ok := parse(t, text).(kernel.Differentiable[[]float64])
		if !ok {
			continue
		}
		ps := k.Parameters()
		grad := make([]float64, len(ps))
		for a := range 4 {
			for b := range 4 {
				x, y := xs.At(a), xs.At(b)
				if got, want := k.EvalGrad(grad, x, y), k.Eval(x, y); math.Abs(got-want) > 1e-14*math.Max(1, math.Abs(want)) {
					t.Errorf("%s: EvalGrad returns %v, Eval %v", text, got, want)
				}
				want := kerneltest.Slopes(t, k, h, func(k kernel.Kernel[[]float64]) float64 { return k.Eval(x, y) })
				for i, p := range ps {
					testkit.Close(t, text+" ∂"+p.Name, grad[i], want[i], 1e-8)
				}
			}
		}
	}
}

// The fast contraction agrees with the slow one to the rounding of n² = 4900 terms,
// also far from the origin, and has the same bits for any number of workers.
func TestContractAgreesWithPointwise(t *testing.T) {
	for _, text := range append(expressions(4), "rbf(sigma=[1,2])[2,0]", "laplace(sigma=[1,2])[2,0]") {
		if k, ok := kernel.Gradient(parse(t, text)); ok && len(k.Parameters()) > 0 {
			contractBoth(t, k, 0.5)
		}
	}
	for _, text := range []string{"rbf(sigma=[1,2,0.5,1])", "2*laplace(sigma=0.7) + rbf(sigma=[1,2])[2,0]", "rq(sigma=1)"} {
		k, _ := kernel.Gradient(parse(t, text))
		contractBoth(t, k, 1e6)
	}
}

func contractBoth(t *testing.T, k kernel.Differentiable[[]float64], shift float64) {
	t.Helper()
	rng := testkit.Rand(t, 7)
	const n, d = 70, 4
	xs := cloud(rng, n, d, shift)
	copy(xs.At(1), xs.At(0)) // identical points
	m := kernel.NewTile(n, n)
	for i := range m.Data {
		m.Data[i] = rng.NormFloat64()
	}
	want, err := kernel.ContractPointwise(t.Context(), k, xs, m, 2)
	if err != nil {
		t.Fatal(err)
	}
	var first []float64
	for _, workers := range []int{1, 3} {
		got, err := kernel.Contract(t.Context(), k, xs, m, workers)
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, k.String(), got, want, 1e-11)
		if first == nil {
			first = got
		} else if !same(got, first) {
			t.Errorf("%s: %d workers give other bits than one", k, workers)
		}
	}
}

func BenchmarkContract(b *testing.B) {
	rng := testkit.Rand(b, 8)
	const n = 1000
	xs := cloud(rng, n, 8, 0)
	m := kernel.NewTile(n, n)
	for i := range m.Data {
		m.Data[i] = rng.NormFloat64()
	}
	for _, text := range []string{"rbf(sigma=[1,1,1,1,1,1,1,1])", "rq(alpha=2,sigma=[1,1,1,1,1,1,1,1])", "0.5*rbf(sigma=[1,1,1,1,1,1,1,1]) + linear()", "rbf(sigma=[1,1,1,1])[0,1,2,3] * matern(sigma=[1,1,1,1])[4,5,6,7]"} {
		k, ok := parse(b, text).(kernel.Differentiable[[]float64])
		if !ok {
			continue
		}
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				if _, err := kernel.Contract(b.Context(), k, xs, m, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
