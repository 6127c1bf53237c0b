package tune_test

import (
	"math"
	"strings"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/tune"
)

// At the end of a descent no step of 2 % in σ or of 5 % in λ may lower the error by
// more than the tolerance of the descent, 1e-4 of it, and then some.
func TestGradientEndsInAMinimum(t *testing.T) {
	xs, y := wave(t, 120, 2)
	for _, c := range []krr.Criterion{krr.LOO, krr.GCV, krr.Evidence} {
		r := mustTune(t, rbf(1, 1), xs, y, how{Criterion: c})
		if r.Strategy != tune.Gradient {
			t.Fatalf("automatic method is %s", r.Strategy)
		}
		value := func(s0, s1, l float64) float64 {
			v := criterion(t, krr.Criterion(c), vec.RBF{Widths: []float64{r.Best.Values[0] * s0, r.Best.Values[1] * s1}}, xs, y, lambdaOf(r.Best)*l)
			if c == krr.Evidence {
				return v / 120 // nats per row
			}
			return math.Log(v)
		}
		here := value(1, 1, 1)
		for _, step := range [][3]float64{{1.02, 1, 1}, {1 / 1.02, 1, 1}, {1, 1.02, 1}, {1, 1 / 1.02, 1}, {1, 1, 1.05}, {1, 1, 1 / 1.05}} {
			if there := value(step[0], step[1], step[2]); there < here-1e-3 {
				t.Errorf("%s: %s λ=%g has %g, a step %v away it is %g", c, r.Kernel, lambdaOf(r.Best), here, step, there)
			}
		}
		// Column 1 says nothing: its width must tell.
		if r.Best.Values[1] < 5*r.Best.Values[0] {
			t.Errorf("%s: widths %v", c, r.Best.Values)
		}
		if c == krr.LOO && (r.Point.LOO.RMSE[0] > 0.26 || math.Abs(r.Best.Score-r.Point.LOO.MSE()) > 1e-9) {
			t.Errorf("LOO RMSE %g with noise of 0.2, score %g", r.Point.LOO.RMSE[0], r.Best.Score)
		}
	}
}

// A free number that is not the kernel's own parameter: gamma = 1/(2σ²).
func TestGradientThroughAnotherUnit(t *testing.T) {
	xs, y := wave(t, 80, 1)
	space := tune.Space[[]float64]{
		Free: tune.Free{Parameters: []tune.Parameter{tune.NewParameter("gamma", 0.5, true)}},
		Build: func(v []float64) (kernel.Kernel[[]float64], error) {
			return vec.RBF{Sigma: math.Sqrt(0.5 / v[0])}, nil
		},
	}
	got := mustTune(t, space, xs, y, how{Strategy: tune.Gradient})
	want := mustTune(t, rbf(1), xs, y, how{Strategy: tune.Gradient})
	// Both stop within 1e-4 of the least error.
	testkit.Close(t, "error", got.Best.Score, want.Best.Score, 1e-3)
	if s := math.Sqrt(0.5 / got.Best.Values[0]); math.Abs(math.Log(s/want.Best.Values[0])) > 0.2 {
		t.Errorf("gamma gives σ = %g, sigma gives %g", s, want.Best.Values[0])
	}
}

func TestStartIsWhereTheDescentBegins(t *testing.T) {
	xs, y := wave(t, 60, 2)
	r := mustTune(t, rbf(0.7, 1.9), xs, y, how{Strategy: tune.Gradient, Lambda: tune.Range{Start: 0.03}})
	first := r.Trials[0]
	testkit.CloseSlice(t, "first trial", first.Values, []float64{0.7, 1.9, 0.03}, 1e-12)
	more := mustTune(t, rbf(0.7, 1.9), xs, y, how{Strategy: tune.Gradient, Trials: 3, Seed: 5, Lambda: tune.Range{Start: 0.03}})
	if len(more.Trials) <= len(r.Trials) || more.Best.Score > r.Best.Score {
		t.Errorf("3 starts: %d trials, score %g; one start: %d, %g", len(more.Trials), more.Best.Score, len(r.Trials), r.Best.Score)
	}
}

// shifted is rbf + offset, whose offset may be any number.
type shifted struct{ offset float64 }

func (k shifted) Eval(x, y []float64) float64 {
	return vec.RBF{}.Eval(x, y) + k.offset*k.offset
}
func (k shifted) String() string { return "shifted" }

func TestParametersThatMayBeNegative(t *testing.T) {
	xs, y := wave(t, 40, 1)
	p := tune.NewParameter("offset", -2, false)
	if p.Lower != -2002 || p.Upper != 1998 || p.Positive {
		t.Errorf("bounds %+v", p)
	}
	p.Lower, p.Upper = -3, 1
	space := tune.Space[[]float64]{Free: tune.Free{Parameters: []tune.Parameter{p}}, Build: func(v []float64) (kernel.Kernel[[]float64], error) { return shifted{v[0]}, nil }}
	r := mustTune(t, space, xs, y, how{Trials: 5, Fit: krr.PathOptions{NoIntercept: true}})
	var offsets []float64
	for _, trial := range r.Trials {
		if n := len(offsets); n == 0 || offsets[n-1] != trial.Values[0] {
			offsets = append(offsets, trial.Values[0])
		}
	}
	testkit.CloseSlice(t, "axis", offsets, []float64{-3, -2, -1, 0, 1}, 1e-15)
	if r.Best.Values[0] == 0 {
		t.Error("y has mean 1 and there is no intercept: an offset of 0 cannot be best")
	}
	_, err := ridgeSearch(t.Context(), space, xs, y, how{Strategy: tune.Gradient})
	if err == nil || !strings.Contains(err.Error(), "has no gradient") {
		t.Errorf("gradient of a kernel without: %v", err)
	}
}
