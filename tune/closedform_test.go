package tune_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
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

func TestGridIsEveryNodeAndItsNeighbourhood(t *testing.T) {
	xs, y := wave(t, 60, 2)
	for _, c := range []krr.Criterion{krr.LOO, krr.GCV, krr.Evidence} {
		r := mustTune(t, rbf(1), xs, y, how{Criterion: c, Trials: 5, Lambda: tune.Range{Lower: 1e-4, Upper: 1}})
		const lambdas = 9
		if r.Strategy != tune.Grid || len(r.Trials) != 5*lambdas {
			t.Fatalf("%s with %d trials", r.Strategy, len(r.Trials))
		}
		loss := make([][]float64, 5) // logarithms of errors, as they are for the evidence
		for i := range loss {
			for j := range lambdas {
				trial := r.Trials[i*lambdas+j]
				sigma, lambda := math.Exp2(float64(i-2)/2), math.Pow(10, -4+float64(j)/2)
				testkit.Close(t, "σ", trial.Values[0], sigma, 1e-14)
				testkit.Close(t, "λ", lambdaOf(trial), lambda, 1e-12)
				want := criterion(t, krr.Criterion(c), vec.RBF{Sigma: sigma}, xs, y, lambda)
				testkit.Close(t, string(c), trial.Score, want, 1e-8)
				if c != krr.Evidence {
					want = math.Log(want)
				}
				loss[i] = append(loss[i], want)
			}
		}
		// The stencil (1 4 1)/6 in both directions, the edge repeated.
		at := func(i, j int) float64 { return loss[min(max(i, 0), 4)][min(max(j, 0), lambdas-1)] }
		best, where := math.Inf(1), 0
		for i := range 5 {
			for j := range lambdas {
				sum := 0.0
				for di, wi := range []float64{1, 4, 1} {
					for dj, wj := range []float64{1, 4, 1} {
						sum += wi * wj / 36 * at(i+di-1, j+dj-1)
					}
				}
				if sum < best {
					best, where = sum, i*lambdas+j
				}
			}
		}
		if want := r.Trials[where]; !reflect.DeepEqual(r.Best, want) {
			t.Errorf("%s chose σ=%v λ=%v, want %+v", c, r.Best.Values, lambdaOf(r.Best), want)
		}
	}
}

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

func TestOnlyLambda(t *testing.T) {
	xs, y := wave(t, 60, 2)
	k := vec.RBF{Sigma: 1}
	space := tune.Space[[]float64]{Build: func([]float64) (kernel.Kernel[[]float64], error) { return k, nil }}
	r := mustTune(t, space, xs, y, how{})
	for _, factor := range []float64{0.5, 0.9, 1.1, 2} {
		if v := criterion(t, krr.LOO, k, xs, y, lambdaOf(r.Best)*factor); v < r.Best.Score {
			t.Errorf("λ=%g has %g, λ=%g has %g", lambdaOf(r.Best), r.Best.Score, lambdaOf(r.Best)*factor, v)
		}
	}
}

func TestCrossValidationEqualsRefits(t *testing.T) {
	xs, y := wave(t, 50, 2)
	splits, err := tune.KFold(50, 4, 3)
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]float64, 50)
	for i := range weights {
		weights[i] = float64(1 + i%3)
	}
	for _, score := range []tune.Score{tune.RMSE, tune.MAE, tune.R2} {
		r := mustTune(t, rbf(1), xs, y, how{Criterion: tune.CV, Splits: splits, Score: score, Trials: 3, Fit: krr.PathOptions{Weights: weights}})
		if r.Strategy != tune.Grid || r.Point != nil {
			t.Fatalf("method %s, point %v", r.Strategy, r.Point)
		}
		for at := 0; at < len(r.Trials); at += 17 {
			trial, want := r.Trials[at], 0.0
			for _, s := range splits {
				pick := func(rows []int) (w []float64) {
					for _, i := range rows {
						w = append(w, weights[i])
					}
					return w
				}
				of := func(rows []int) *mat.Dense {
					out := mat.NewDense(len(rows), 1, nil)
					for i, r := range rows {
						out.Set(i, 0, y.At(r, 0))
					}
					return out
				}
				f, _, err := krr.Fit(t.Context(), vec.RBF{Widths: trial.Values[:1]}, xs.Gather(s.Train), of(s.Train), krr.Options{Lambda: lambdaOf(trial), Weights: pick(s.Train)})
				if err != nil {
					t.Fatal(err)
				}
				got, err := f.Predict(t.Context(), xs.Gather(s.Test), compute.Options{})
				if err != nil {
					t.Fatal(err)
				}
				v, err := score.Of(krr.Measure(of(s.Test), got, pick(s.Test)))
				if err != nil {
					t.Fatal(err)
				}
				want += v / 4
			}
			// Coefficients at λ = 1e-10 have few digits, predictions more.
			testkit.Close(t, string(score), trial.Score, want, 1e-5)
		}
		better := 0
		for _, trial := range r.Trials {
			if d := trial.Score - r.Best.Score; (d > 0) == score.LargerIsBetter() && math.Abs(d) > 0.05 {
				better++
			}
		}
		if better > 0 {
			t.Errorf("%s: %d trials are clearly better than the choice %g", score, better, r.Best.Score)
		}
	}
}

func TestRowsOfWeightZeroAreNotSeen(t *testing.T) {
	xs, y := wave(t, 40, 2)
	weights := make([]float64, 40)
	var keep []int
	for i := range weights {
		if i%4 != 0 {
			weights[i] = 1
			keep = append(keep, i)
		}
	}
	less := mat.NewDense(len(keep), 1, nil)
	for i, r := range keep {
		less.Set(i, 0, y.At(r, 0))
	}
	got := mustTune(t, rbf(1), xs, y, how{Fit: krr.PathOptions{Weights: weights}})
	want := mustTune(t, rbf(1), xs.Gather(keep), less, how{})
	if got.Best.Score != want.Best.Score || lambdaOf(got.Best) != lambdaOf(want.Best) || got.Point.Ridge != want.Point.Ridge {
		t.Errorf("λ=%g with %g, want λ=%g with %g", lambdaOf(got.Best), got.Best.Score, lambdaOf(want.Best), want.Best.Score)
	}
}

func TestSameBitsForAnyNumberOfWorkers(t *testing.T) {
	xs, y := wave(t, 150, 2)
	for _, o := range []how{{Strategy: tune.Gradient, Trials: 2}, {Strategy: tune.Grid, Trials: 3}, {Strategy: tune.Random, Trials: 4, Seed: 9}} {
		var first string
		for _, workers := range []int{1, 3} {
			o.Fit.Compute.Workers = workers
			r := mustTune(t, rbf(1, 1), xs, y, o)
			r.Seconds = 0
			text, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if first == "" {
				first = string(text)
			} else if first != string(text) {
				t.Errorf("%s: %d workers give another result", o.Strategy, workers)
			}
		}
	}
}

func TestRandomStaysInBoundsAndKeepsTheStart(t *testing.T) {
	xs, y := wave(t, 30, 1)
	space := rbf(1)
	space.Parameters[0].Lower, space.Parameters[0].Upper = 0.5, 3
	r := mustTune(t, space, xs, y, how{Strategy: tune.Random, Trials: 20, Seed: 4})
	if len(r.Trials) != 20 || r.Trials[0].Values[0] != 1 {
		t.Fatalf("%d trials, the first %v", len(r.Trials), r.Trials[0])
	}
	for _, trial := range r.Trials {
		if v := trial.Values[0]; v < 0.5 || v > 3 {
			t.Errorf("σ = %g is out of bounds", v)
		}
		if trial.Score < r.Best.Score {
			t.Errorf("trial %+v is better than the result %g", trial, r.Best.Score)
		}
	}
	other := mustTune(t, space, xs, y, how{Strategy: tune.Random, Trials: 20, Seed: 5})
	if other.Trials[1].Values[0] == r.Trials[1].Values[0] {
		t.Error("seeds 4 and 5 draw the same")
	}
}

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

// More rows than a start is screened on; progress counts every trial; the edge of the
// range of λ is told.
func TestLargeSearchReportsProgressAndEdges(t *testing.T) {
	xs, y := wave(t, 560, 2)
	last, whole, calls := int64(-1), int64(0), 0
	o := how{Strategy: tune.Gradient, Criterion: krr.Evidence, Lambda: tune.Range{Lower: 0.1, Upper: 1}}
	o.Fit.Compute.Progress = func(stage string, done, total int64) {
		if stage != "tune" {
			return // what goes on within a trial
		}
		if done <= last || last < 0 && done != 0 || total < done {
			t.Errorf("%s: %d of %d after %d", stage, done, total, last)
		}
		last, calls, whole = done, calls+1, total
	}
	r := mustTune(t, rbf(0.3, 0.3), xs, y, o)
	if calls > len(r.Trials)+2 || calls < len(r.Trials)/2 || last != whole {
		t.Errorf("%d reports for %d trials, the last of %d in %d", calls, len(r.Trials), last, whole)
	}
	if !strings.Contains(strings.Join(r.Warnings, "; "), "edge of its range") {
		t.Errorf("λ = %g: warnings %q", lambdaOf(r.Best), r.Warnings)
	}
	if r.Best.Values[0] > 2 || r.Best.Values[1] < 2*r.Best.Values[0] {
		t.Errorf("widths %v for a wave along column 0", r.Best.Values)
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

func TestAccuracyIsMaximised(t *testing.T) {
	xs, y := wave(t, 60, 1)
	for i := range 60 {
		y.Set(i, 0, math.Copysign(1, xs.At(i)[0]))
	}
	splits, err := tune.KFold(60, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := mustTune(t, rbf(1), xs, y, how{Criterion: tune.CV, Score: tune.Accuracy, Splits: splits, Trials: 5})
	if r.Best.Score < 0.9 {
		t.Errorf("a threshold is learned with accuracy %g", r.Best.Score)
	}
	y.Set(0, 0, 0.5)
	_, err = ridgeSearch(t.Context(), rbf(1), xs, y, how{Criterion: tune.CV, Score: tune.Accuracy, Splits: splits})
	if err == nil || !strings.Contains(err.Error(), "targets of +1 and −1 only") {
		t.Errorf("accuracy of numbers: %v", err)
	}
}
