package tune_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/tune"
)

// narrow is the space of rbf(sigma=1) without kernels wider than 1.2.
func narrow() tune.Space[[]float64] {
	space := rbf(1)
	build := space.Build
	space.Build = func(v []float64) (kernel.Kernel[[]float64], error) {
		if v[0] > 1.2 {
			return nil, errors.New("too wide")
		}
		return build(v)
	}
	return space
}

// Values for which there is no kernel are trials that failed, not the end.
func TestFailedTrialsAreKept(t *testing.T) {
	xs, y := wave(t, 30, 1)
	space := narrow()
	for _, method := range []tune.Strategy{tune.Grid, tune.Random, tune.Gradient} {
		r := mustTune(t, space, xs, y, how{Strategy: method})
		failed := 0
		for _, trial := range r.Trials {
			if trial.Failed != "" {
				failed++
				if !strings.Contains(trial.Failed, "too wide") || trial.Values[0] <= 1.2 {
					t.Errorf("%s: %+v", method, trial)
				}
			}
		}
		if r.Best.Values[0] > 1.2 || failed == 0 && method != tune.Gradient {
			t.Errorf("%s: %v after %d failures", method, r.Best.Values, failed)
		}
	}
	space.Build = func(v []float64) (kernel.Kernel[[]float64], error) {
		if v[0] != 1 {
			return nil, errors.New("never")
		}
		return vec.Tanh{Scale: 1, Offset: -5}, nil
	}
	_, err := ridgeSearch(t.Context(), space, xs, y, how{Strategy: tune.Random, Lambda: tune.Range{Lower: 1e-12, Upper: 1e-10}})
	if err == nil || !strings.Contains(err.Error(), "none of 40 trials has a score") {
		t.Errorf("nothing works: %v", err)
	}
}

func TestRidgeRefuses(t *testing.T) {
	xs, y := wave(t, 20, 2)
	_, err := ridgeSearch(t.Context(), rbf(1), xs, mat.NewDense(3, 1, nil), how{
		Strategy: "hope", Trials: -1,
		Lambda: tune.Range{Lower: 2, Upper: 1}, Fit: krr.PathOptions{Weights: []float64{1}},
	})
	for _, want := range []string{`"hope"`, "-1 trials", "range of λ", "1 weights for 20 rows", "20 points need"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
	_, err = ridgeSearch(t.Context(), rbf(1), xs, y, how{Criterion: "magic", Score: "luck"})
	for _, want := range []string{`"magic"`, `"luck"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
	many := rbf(1)
	for range 3 {
		many.Parameters = append(many.Parameters, many.Parameters[0])
	}
	many.Build = func([]float64) (kernel.Kernel[[]float64], error) { return vec.RBF{}, nil }
	bounds := rbf(1)
	bounds.Parameters[0].Lower = 2
	for _, c := range []struct {
		space tune.Space[[]float64]
		o     how
		want  string
	}{
		{rbf(1), how{Criterion: tune.CV}, "needs splits"},
		{rbf(1), how{Splits: []tune.Split{{Train: []int{0}, Test: []int{1}}}}, "does not use them"},
		{rbf(1), how{Criterion: tune.CV, Splits: []tune.Split{{Train: []int{0}, Test: []int{77}}}}, "split 0 has row 77"},
		{rbf(1), how{Criterion: tune.CV, Splits: []tune.Split{{Train: []int{0}}}}, "it needs both"},
		{rbf(1), how{Criterion: tune.CV, Strategy: tune.Gradient, Splits: []tune.Split{{Train: []int{0}, Test: []int{1}}}}, "has no gradient"},
		{rbf(1), how{Lambda: tune.Range{Lower: 1, Upper: 2, Start: 3}}, "λ starts at 3"},
		{bounds, how{}, "parameter sigma starts at 1 between 2"},
		{rbf(1, 2, 3), how{}, "3"},
		{many, how{Strategy: tune.Grid, Trials: 40}, "more than 100000 kernels"},
	} {
		if _, err := ridgeSearch(t.Context(), c.space, xs, y, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v does not say %q", err, c.want)
		}
	}
	var refused *compute.TooLarge
	small := how{Fit: krr.PathOptions{Compute: compute.Options{MaxMemory: 6 * 8 * 20 * 20}}}
	if _, err := ridgeSearch(t.Context(), rbf(1), xs, y, small); err != nil {
		t.Errorf("enough memory for 6 squares: %v", err)
	}
	small.Fit.Compute.MaxMemory--
	if _, err := ridgeSearch(t.Context(), rbf(1), xs, y, small); !errors.As(err, &refused) {
		t.Errorf("too little memory for 6 squares: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, m := range []tune.Strategy{tune.Gradient, tune.Grid, tune.Random} {
		if _, err := ridgeSearch(ctx, rbf(1), xs, y, how{Strategy: m}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s after cancelling: %v", m, err)
		}
	}
}

// Targets that are explained exactly, points that are all the same, and two or three
// rows give a result that can be written as JSON, or an error; never a panic.
func TestDegenerateProblems(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10} {
		for _, kind := range []string{"zero", "constant", "same points", "plain"} {
			xs, y := data.MakeVectors(n, 2), mat.NewDense(n, 1, nil)
			for i := range n {
				xs.At(i)[0] = float64(i)
				y.Set(i, 0, float64(i*i%5))
				switch kind {
				case "zero":
					y.Set(i, 0, 0)
				case "constant":
					y.Set(i, 0, 3)
				case "same points":
					xs.At(i)[0] = 1
				}
			}
			for _, m := range []tune.Strategy{tune.Gradient, tune.Grid, tune.Random} {
				for _, c := range []krr.Criterion{krr.LOO, krr.GCV, krr.Evidence} {
					r, err := ridgeSearch(t.Context(), rbf(1, 1), xs, y, how{Strategy: m, Criterion: c, Trials: 3})
					if n == 1 {
						if err == nil || !strings.Contains(err.Error(), "at least two rows") {
							t.Errorf("one row: %v", err)
						}
						continue
					}
					if err != nil {
						t.Errorf("n=%d, %s, %s, %s: %v", n, kind, m, c, err)
					} else if _, err := json.Marshal(r); err != nil {
						t.Errorf("n=%d, %s, %s, %s: %v", n, kind, m, c, err)
					}
				}
			}
		}
	}
}
