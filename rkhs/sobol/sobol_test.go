package sobol_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs/sobol"
)

// grid has 120 points and weights of one column of the law, by the trapezoidal rule, which is exact
// to far below a rounding for functions as smooth as these.
func grid(center, spread float64) (points, weights []float64) {
	const n = 120
	h := 18. / n
	for i := range n + 1 {
		z := -9 + h*float64(i)
		points = append(points, center+spread*z)
		weights = append(weights, h*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi))
	}
	return points, weights
}

// brute are the indices of f in two columns by their definition: D₁ = Var E(f | x₁), D₂ likewise,
// and D₁₂ what is left of Var f.
func brute(f func(x []float64) float64, center, spread float64) (variance, first, second float64) {
	p, w := grid(center, spread)
	rows, cols := make([]float64, len(p)), make([]float64, len(p))
	mean, square := 0.0, 0.0
	for i, a := range p {
		for j, b := range p {
			v := f([]float64{a, b})
			rows[i] += w[j] * v
			cols[j] += w[i] * v
			mean += w[i] * w[j] * v
			square += w[i] * w[j] * v * v
		}
	}
	for i := range p {
		first += w[i] * (rows[i] - mean) * (rows[i] - mean)
		second += w[i] * (cols[i] - mean) * (cols[i] - mean)
	}
	return square - mean*mean, first, second
}

func expansion(k vec.Kernel, xs data.Set[[]float64], coef []float64) func(x []float64) float64 {
	return func(x []float64) float64 {
		sum := 0.3
		for i, c := range coef {
			sum += c * k.Eval(x, xs.At(i))
		}
		return sum
	}
}

func TestIndicesByBruteForce(t *testing.T) {
	rng := testkit.Rand(t, 60)
	xs, coef := data.MakeVectors(5, 2), make([]float64, 5)
	for i := range coef {
		coef[i] = rng.NormFloat64()
		xs.At(i)[0], xs.At(i)[1] = rng.NormFloat64(), rng.NormFloat64()
	}
	for _, c := range []struct {
		text           string
		center, spread float64
	}{{"anova(of=centred(of=rbf(sigma=0.8)))", 0, 1}, {"1 + 2*anova(of=centred(of=rbf(sigma=1.5), center=0.4, spread=1.3), weights=[0.5, 2])", 0.4, 1.3}, {"anova(of=centred(of=rbf(sigma=1)), degree=1)", 0, 1}} {
		k, err := vec.Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := sobol.Of(t.Context(), k, xs, coef)
		if err != nil {
			t.Fatal(err)
		}
		variance, first, second := brute(expansion(k, xs, coef), c.center, c.spread)
		testkit.Close(t, c.text+": variance", got.Variance, variance, 1e-11)
		testkit.Close(t, c.text+": first", got.First[0], first/variance, 1e-11)
		testkit.Close(t, c.text+": second", got.First[1], second/variance, 1e-11)
		testkit.Close(t, c.text+": pair", got.Pairs[0][1], 1-(first+second)/variance, 1e-11)
		testkit.Close(t, c.text+": total", got.Total[0], 1-second/variance, 1e-11)
	}
}

// In three columns the indices of all sets add up to 1, and a total is the sum of those with it.
func TestIndicesAddUp(t *testing.T) {
	rng := testkit.Rand(t, 61)
	xs, coef := data.MakeVectors(8, 3), make([]float64, 8)
	for i := range coef {
		coef[i] = rng.NormFloat64()
		for j := range 3 {
			xs.At(i)[j] = rng.NormFloat64()
		}
	}
	k, _ := vec.Parse("anova(of=centred(of=rbf(sigma=1)), degree=2)")
	got, err := sobol.Of(t.Context(), k, xs, coef)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for j, first := range got.First {
		total := first
		for m, pair := range got.Pairs[j] {
			total += pair
			if m < j {
				sum += pair
			}
		}
		sum += first
		testkit.Close(t, "total", got.Total[j], total, 1e-12)
	}
	testkit.Close(t, "sum", sum, 1, 1e-12)
}

func TestOtherKernelsHaveNone(t *testing.T) {
	xs := data.MakeVectors(2, 2)
	for _, text := range []string{"rbf(sigma=1)", "anova(of=rbf(sigma=1))", "anova(of=centred(of=laplace1(sigma=1)))", "2 + linear", "anova(of=centred(of=rbf(sigma=1))) + anova(of=centred(of=rbf(sigma=2)))", "1 + 2"} {
		k, err := vec.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sobol.Of(t.Context(), k, xs, []float64{1, 1}); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s: %v", text, err)
		}
	}
	k, _ := vec.Parse("anova(of=centred(of=rbf(sigma=1)))")
	if _, err := sobol.Of(t.Context(), k, xs, []float64{0, 0}); err == nil {
		t.Error("a constant function has indices")
	}
	if _, err := sobol.Of(t.Context(), k, data.MakeVectors(0, 2), nil); err == nil {
		t.Error("a function of no columns has indices")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sobol.Of(ctx, k, xs, []float64{1, 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: %v", err)
	}
}
