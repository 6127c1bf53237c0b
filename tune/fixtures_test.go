package tune_test

import (
	"cmp"
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/tune"
)

// wave is n points in d dimensions with y = sin 2x₀ + noise; the other columns say
// nothing.
func wave(t testing.TB, n, d int) (data.Vectors, *mat.Dense) {
	rng := testkit.Rand(t, 7)
	xs, y := data.MakeVectors(n, d), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range d {
			xs.At(i)[j] = rng.NormFloat64()
		}
		y.Set(i, 0, 1+math.Sin(2*xs.At(i)[0])+0.2*rng.NormFloat64())
	}
	return xs, y
}

func rbf(sigma ...float64) tune.Space[[]float64] { return tune.Of(vec.RBF{Widths: sigma}) }

// how says how to search for kernel ridge regression.
type how struct {
	Criterion krr.Criterion // "": the default
	Splits    []tune.Split
	Score     tune.Score
	Strategy  tune.Strategy
	Trials    int
	Seed      uint64
	Lambda    tune.Range
	Fit       krr.PathOptions
	Features  tune.Featuring[[]float64]
}

func ridgeSearch(ctx context.Context, space tune.Space[[]float64], xs data.Vectors, y *mat.Dense, o how) (*tune.Result[[]float64], error) {
	space.Lambda = &o.Lambda
	by := cmp.Or(o.Criterion, tune.CriterionFor(len(space.Parameters)))
	c, err := tune.Ridge[[]float64]{Y: y, Fit: o.Fit, Features: o.Features}.Criterion(by, o.Splits, o.Score)
	if err != nil {
		return nil, err
	}
	return tune.Search(ctx, space, xs, c, tune.Options{Strategy: o.Strategy, Trials: o.Trials, Seed: o.Seed, Compute: o.Fit.Compute})
}

// lambdaOf is the λ of a trial.
func lambdaOf(t tune.Trial) float64 { return t.Values[len(t.Values)-1] }

func mustTune(t testing.TB, space tune.Space[[]float64], xs data.Vectors, y *mat.Dense, o how) *tune.Result[[]float64] {
	t.Helper()
	r, err := ridgeSearch(t.Context(), space, xs, y, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// criterion computes a criterion from scratch.
func criterion(t testing.TB, c krr.Criterion, k kernel.Kernel[[]float64], xs data.Vectors, y *mat.Dense, lambda float64) float64 {
	t.Helper()
	a, err := gram.Dense(t.Context(), kernel.Bind(k, xs, xs), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := krr.PointAt(t.Context(), a, y, lambda*float64(xs.Len()), krr.PathOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c.Of(p)
}
