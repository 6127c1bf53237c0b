package tune_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/space"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/tune"
)

var errNoFeatures = errors.New("no features")

// explicit gives the features that a kernel has: in them a search is the one of the Gram matrix.
func explicit(ctx context.Context, k kernel.Kernel[[]float64], xs data.Set[[]float64], _ []float64) (tune.Features, error) {
	f, ok := design.Of(k, xs)
	if !ok {
		return nil, errNoFeatures
	}
	op, err := gram.FeatureOperatorOf(ctx, f.Rows, f.Dim, f.Fill, compute.Options{})
	if err != nil {
		return nil, err
	}
	return tune.Held{Phi: op.Phi()}, nil
}

// made are the same features, made in every pass.
func made(_ context.Context, k kernel.Kernel[[]float64], xs data.Set[[]float64], _ []float64) (tune.Features, error) {
	if _, ok := design.Of(k, xs); !ok {
		return nil, errNoFeatures
	}
	return tune.Made[[]float64]{Kernel: k.(kernel.Mapped[[]float64]), Points: xs}, nil
}

func TestSearchInFeaturesIsThatOfTheGramMatrix(t *testing.T) {
	xs, y := wave(t, 60, 2)
	splits := must(tune.KFold(60, 4, 1))(t)
	weights := make([]float64, 60)
	for i := range weights {
		weights[i] = float64(i % 3) // a third of the rows is left aside
	}
	for _, o := range []how{
		{Criterion: krr.LOO, Strategy: tune.Grid, Trials: 3},
		{Criterion: krr.LOO, Strategy: tune.Grid, Trials: 3, Fit: krr.PathOptions{Weights: weights}},
		{Criterion: krr.GCV, Strategy: tune.Grid, Trials: 3, Fit: krr.PathOptions{NoIntercept: true}},
		{Criterion: krr.Evidence, Strategy: tune.Random, Trials: 4},
		{Criterion: tune.CV, Strategy: tune.Grid, Splits: splits, Trials: 3},
	} {
		o.Lambda = tune.Range{Lower: 1e-4, Upper: 1}
		space := tune.Of(vec.Poly{Degree: 2, Scale: 1, Offset: 1})
		want := mustTune(t, space, xs, y, o)
		o.Features = explicit
		got := mustTune(t, space, xs, y, o)
		o.Features = made
		if again := mustTune(t, space, xs, y, o); !reflect.DeepEqual(again.Trials, got.Trials) {
			t.Errorf("%s: trials %v in features that are made, and %v in those that are held", o.Criterion, again.Trials, got.Trials)
		}
		if len(got.Trials) != len(want.Trials) || got.Strategy != want.Strategy {
			t.Fatalf("%s: %d trials by %s, want %d by %s", o.Criterion, len(got.Trials), got.Strategy, len(want.Trials), want.Strategy)
		}
		for i, trial := range got.Trials {
			testkit.CloseSlice(t, "values", trial.Values, want.Trials[i].Values, 1e-12)
			testkit.Close(t, "λ", lambdaOf(trial), lambdaOf(want.Trials[i]), 1e-6)
			testkit.Close(t, string(o.Criterion), trial.Score, want.Trials[i].Score, 1e-6)
		}
		testkit.Close(t, "λ", lambdaOf(got.Best), lambdaOf(want.Best), 1e-6)
		if got.Kernel.String() != want.Kernel.String() || (got.Point == nil) != (o.Criterion == tune.CV) {
			t.Errorf("%s: the best is %s, want %s; point %v", o.Criterion, got.Kernel.String(), want.Kernel.String(), got.Point)
		}
		if got.Point != nil {
			testkit.CloseSlice(t, "LOO of the best", got.Point.LOO.RMSE, want.Point.LOO.RMSE, 1e-6)
		}
	}
}

func TestSearchInFeaturesRefuses(t *testing.T) {
	xs, y := wave(t, 20, 2)
	space := rbf(1)
	if _, err := ridgeSearch(t.Context(), space, xs, y, how{Strategy: tune.Gradient, Features: explicit}); err == nil || !strings.Contains(err.Error(), "by jumps") {
		t.Errorf("a gradient: error %v", err)
	}
	// A kernel without features is a trial that failed, like any that cannot be learned with.
	if _, err := ridgeSearch(t.Context(), space, xs, y, how{Features: explicit}); err == nil || !strings.Contains(err.Error(), errNoFeatures.Error()) {
		t.Errorf("no features: error %v", err)
	}
}

// The least criterion along a path is where a fine grid finds it; GCV of one constant feature
// that is 1 falls as λ grows, to the end of the range.
func TestLambdaAlongAPath(t *testing.T) {
	xs, y := wave(t, 80, 1)
	f, _ := design.Of(vec.Poly{Degree: 4, Scale: 1, Offset: 1}, xs)
	path := must(krr.NewPath(t.Context(), must(space.NewPrimal(t.Context(), f, compute.Options{}))(t), y, krr.PathOptions{}))(t)
	over := tune.RangeFor(1)
	for _, c := range krr.Criteria {
		lambda, score, err := tune.Lambda(t.Context(), path, c, over)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Close(t, "score", score, c.Of(must(path.At(t.Context(), lambda))(t)), 1e-12)
		for at := 1e-9; at < 90; at *= 1.2 {
			if v := c.Of(must(path.At(t.Context(), at))(t)); v < score-1e-6*max(score, -score) {
				t.Errorf("%s is %v at λ = %v, and %v at the best λ = %v", c, v, at, score, lambda)
			}
		}
		if _, edge := over.Edge(lambda); edge {
			t.Errorf("%s: λ = %v", c, lambda)
		}
	}
	noise := mat.NewDense(80, 1, nil)
	for i := range 80 {
		noise.Set(i, 0, float64(i%2))
	}
	lambda, _, err := tune.Lambda(t.Context(), must(krr.NewPath(t.Context(), must(space.NewPrimal(t.Context(), f, compute.Options{}))(t), noise, krr.PathOptions{}))(t), krr.LOO, over)
	if end, edge := over.Edge(lambda); err != nil || !edge || end != over.Upper {
		t.Errorf("nothing to learn: λ = %v, %v", lambda, err)
	}
	if _, _, err := tune.Lambda(t.Context(), path, "mse", over); err == nil {
		t.Error("an unknown criterion was taken")
	}
}

// must returns a value that comes with an error, and fails where there is one.
func must[V any](v V, err error) func(t testing.TB) V {
	return func(t testing.TB) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
