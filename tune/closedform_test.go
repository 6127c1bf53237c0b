package tune_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/tune"
)

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
