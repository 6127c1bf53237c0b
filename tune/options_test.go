package tune_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/tune"
)

// TestRoundsAreWhatIsTried: the kernels and values of λ that a plan counts are those of the search.
func TestRoundsAreWhatIsTried(t *testing.T) {
	xs, y := data.MakeVectors(40, 2), mat.NewDense(40, 1, nil)
	for i := range 40 {
		x := xs.At(i)
		x[0], x[1] = float64(i%7), float64(i%11)
		y.Set(i, 0, x[0]-0.3*x[1]*x[1])
	}
	space := tune.Of(vec.RBF{Sigma: 2})
	for _, o := range []how{{}, {Strategy: tune.Grid, Trials: 4}, {Strategy: tune.Random, Trials: 5}, {Strategy: tune.Grid, Lambda: tune.Range{Lower: 1e-3, Upper: 1}}} {
		r := mustTune(t, space, xs, y, o)
		var kernels []float64
		for _, trial := range r.Trials {
			kernels = append(kernels, trial.Values[0])
		}
		slices.Sort(kernels)
		kernels = slices.Compact(kernels)
		strategy, rounds := tune.Options{Strategy: o.Strategy, Trials: o.Trials}.Rounds(tune.Free{Parameters: space.Parameters, Lambda: &o.Lambda}, true, 40)
		if e := rounds[0]; len(rounds) != 1 || strategy != r.Strategy || e.Kernels != len(kernels) || r.Strategy == tune.Grid && e.Kernels*e.Sets != len(r.Trials) {
			t.Errorf("%+v: %s %+v is expected; %d kernels and %d trials by %s were tried", o, strategy, e, len(kernels), len(r.Trials), r.Strategy)
		}
	}
}

// TestRounds: what halving leaves, and the sizes of a grid.
func TestRounds(t *testing.T) {
	free := []tune.Parameter{tune.NewParameter("sigma", 1, true)}
	own := []tune.Axis{tune.Powers("C", 2, -2, 10, 2)}
	for _, c := range []struct {
		o    tune.Options
		want []tune.Round
	}{
		{tune.Options{}, []tune.Round{{Kernels: 7, Sets: 7, Share: 1}}},
		{tune.Options{Trials: 3}, []tune.Round{{Kernels: 3, Sets: 7, Share: 1}}},
		{tune.Options{Strategy: tune.Random, Trials: 9}, []tune.Round{{Kernels: 9, Sets: 1, Share: 1}}},
		{tune.Options{Strategy: tune.Halving, Trials: 27}, []tune.Round{{27, 1, 1. / 9}, {9, 1, 1. / 3}, {3, 1, 1}}},
	} {
		_, got := c.o.Rounds(tune.Free{Parameters: free, Axes: own}, false, 300)
		if len(got) != len(c.want) {
			t.Fatalf("%+v: %+v, want %+v", c.o, got, c.want)
		}
		for i, r := range got {
			if w := c.want[i]; r.Kernels != w.Kernels || r.Sets != w.Sets || r.Share-w.Share > 1e-15 || w.Share-r.Share > 1e-15 {
				t.Errorf("%+v: %+v, want %+v", c.o, got, c.want)
			}
		}
	}
}
