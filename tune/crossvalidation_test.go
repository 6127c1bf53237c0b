package tune_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/space"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/tune"
)

// ridge learns by kernel ridge regression; its parameter is λ. It counts what it did,
// and can be told to fail.
type ridge struct {
	y       *mat.Dense
	learned *int
	stop    int // learn so many times, then return errStop
}

var errStop = errors.New("stopped")

func (r ridge) Solve(ctx context.Context, k gram.Operator, rows []int, values [][]float64) ([]*tune.Function, []error, error) {
	y := mat.NewDense(len(rows), 1, nil)
	for i, row := range rows {
		y.Set(i, 0, r.y.At(row, 0))
	}
	functions, failed := make([]*tune.Function, len(values)), make([]error, len(values))
	for i, v := range values {
		if r.learned != nil {
			if *r.learned++; r.stop > 0 && *r.learned > r.stop {
				return nil, nil, errStop
			}
		}
		in, err := space.DualOf(ctx, k, space.Options{})
		if err != nil {
			return nil, nil, err
		}
		s, _, err := krr.Solve(ctx, in, y, krr.Options{Lambda: v[0]})
		if err != nil {
			failed[i] = err
			continue
		}
		functions[i] = &tune.Function{Coef: s.Coef, Bias: s.Bias}
	}
	return functions, failed, nil
}

// waves is y = sin(3x) + noise, with a space of Gaussian kernels.
func waves(n int) (xs data.Set[[]float64], y *mat.Dense, space tune.Space[[]float64]) {
	r := rand.New(rand.NewPCG(4, 2))
	points, y := data.MakeVectors(n, 1), mat.NewDense(n, 1, nil)
	for i := range n {
		points.At(i)[0] = 4 * r.Float64()
		y.Set(i, 0, math.Sin(3*points.At(i)[0])+0.1*r.NormFloat64())
	}
	return points, y, tune.Of(vec.RBF{Sigma: 1})
}

// meanSquare judges by the mean squared error.
func meanSquare(y *mat.Dense) tune.Judge {
	return tune.Judge{Name: "mse", Of: func(test []int, f *mat.Dense, _ any) (float64, error) {
		sum := 0.0
		for i, row := range test {
			d := f.At(i, 0) - y.At(row, 0)
			sum += d * d / float64(len(test))
		}
		return sum, nil
	}}
}

var lambdas = tune.Powers("lambda", 10, -6, 0, 2)

func splitsFor(t *testing.T, n int) []tune.Split {
	t.Helper()
	splits, err := tune.KFold(n, 3, 7)
	if err != nil {
		t.Fatal(err)
	}
	return splits
}

// cross says how to search by cross-validation.
type cross struct {
	Splits []tune.Split
	Judge  tune.Judge
	tune.Options
}

func crossSearch[T any](ctx context.Context, space tune.Space[T], axes []tune.Axis, s tune.Solver, xs data.Set[T], o cross) (*tune.Result[T], error) {
	space.Axes = axes
	return tune.Search(ctx, space, xs, tune.CrossValidation[T]{Solver: tune.OnGram[T](s, o.Compute), Splits: o.Splits, Judge: o.Judge}, o.Options)
}

// TestCrossIsRefitting: every trial is the mean over the splits of what fitting on the
// training points and predicting the test points gives, by another way.
func TestCrossIsRefitting(t *testing.T) {
	xs, y, space := waves(60)
	splits := splitsFor(t, 60)
	r, err := crossSearch(t.Context(), space, []tune.Axis{lambdas}, ridge{y: y}, xs, cross{Splits: splits, Judge: meanSquare(y), Options: tune.Options{Trials: 3}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Trials) != 3*len(lambdas.Values) {
		t.Fatalf("%d trials of 3 kernels and %d λ", len(r.Trials), len(lambdas.Values))
	}
	least := math.Inf(1)
	for _, trial := range r.Trials {
		k, err := space.Build(trial.Values[:1])
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, s := range splits {
			part := mat.NewDense(len(s.Train), 1, nil)
			for i, row := range s.Train {
				part.Set(i, 0, y.At(row, 0))
			}
			f, _, err := krr.Fit(t.Context(), k, data.Subset(xs, s.Train), part, krr.Options{Lambda: trial.Values[1]})
			if err != nil {
				t.Fatal(err)
			}
			out, err := f.Predict(t.Context(), data.Subset(xs, s.Test), compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			v, _ := meanSquare(y).Of(s.Test, out, nil)
			sum += v / float64(len(splits))
		}
		// Coefficients carry about condition·2⁻⁵² ≤ 10⁸·2·10⁻¹⁶ at the smallest λ.
		testkit.Close(t, "score", trial.Score, sum, 1e-7)
		least = min(least, trial.Score)
	}
	if r.Best.Score != least || r.Best.Failed != "" {
		t.Errorf("best %+v, the least score is %v", r.Best, least)
	}
}

// TestStrategiesFindTheValley: every strategy ends near what the grid finds, the same
// bits for any number of workers.
func TestStrategiesFindTheValley(t *testing.T) {
	xs, y, space := waves(150)
	o := cross{Splits: splitsFor(t, 150), Judge: meanSquare(y), Options: tune.Options{Seed: 3}}
	grid, err := crossSearch(t.Context(), space, []tune.Axis{lambdas}, ridge{y: y}, xs, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []tune.Strategy{tune.Random, tune.Halving, tune.Bayes} {
		o.Strategy, o.Trials = m, 30
		var first *tune.Result[[]float64]
		for _, workers := range []int{1, 2, 3} {
			o.Compute.Workers = workers
			r, err := crossSearch(t.Context(), space, []tune.Axis{lambdas}, ridge{y: y}, xs, o)
			if err != nil {
				t.Fatalf("%s: %v", m, err)
			}
			if first == nil {
				first = r
			} else if !reflect.DeepEqual(first.Trials, r.Trials) {
				t.Errorf("%s: other trials with %d workers", m, workers)
			}
		}
		if first.Best.Share != 1 || !(first.Best.Score <= 1.15*grid.Best.Score) {
			t.Errorf("%s found %+v, the grid %+v", m, first.Best, grid.Best)
		}
		if m != tune.Halving && len(first.Trials) != 30 {
			t.Errorf("%s: %d trials", m, len(first.Trials))
		}
	}
}

// TestBayesBeatsDrawing: seven trials that a Gaussian process chooses find more, on the
// average, than seven more that are drawn.
func TestBayesBeatsDrawing(t *testing.T) {
	xs, y, space := waves(100)
	mean := map[tune.Strategy]float64{}
	for seed := range uint64(6) {
		for _, m := range []tune.Strategy{tune.Random, tune.Bayes} {
			o := cross{Splits: splitsFor(t, 100), Judge: meanSquare(y), Options: tune.Options{Seed: seed, Strategy: m, Trials: 15}}
			r, err := crossSearch(t.Context(), space, []tune.Axis{lambdas}, ridge{y: y}, xs, o)
			if err != nil {
				t.Fatal(err)
			}
			mean[m] += r.Best.Score / 6
		}
	}
	if !(mean[tune.Bayes] < mean[tune.Random]) {
		t.Errorf("mean squared errors %v", mean)
	}
}

// TestHalvingStartsSmall: most candidates see few rows, the last ones all.
func TestHalvingStartsSmall(t *testing.T) {
	xs, y, space := waves(300)
	r, err := crossSearch(t.Context(), space, []tune.Axis{lambdas}, ridge{y: y}, xs,
		cross{Splits: splitsFor(t, 300), Judge: meanSquare(y), Options: tune.Options{Strategy: tune.Halving, Trials: 9}})
	if err != nil {
		t.Fatal(err)
	}
	var shares []float64
	for _, trial := range r.Trials {
		shares = append(shares, trial.Share)
	}
	want := slices.Concat(slices.Repeat([]float64{1. / 3}, 9), slices.Repeat([]float64{1}, 3))
	testkit.CloseSlice(t, "shares", shares, want, 1e-15)
}

// TestFailuresAreTold: λ = 0 on repeated points cannot be learned with; the others win.
func TestFailuresAreTold(t *testing.T) {
	_, y, space := waves(30)
	same := data.MakeVectors(30, 1)
	splits := splitsFor(t, 30)
	zero := tune.Axis{Name: "lambda", Values: []float64{0, 0.1}}
	r, err := crossSearch(t.Context(), space, []tune.Axis{zero}, ridge{y: y}, same, cross{Splits: splits, Judge: meanSquare(y), Options: tune.Options{Trials: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Trials[0].Failed == "" || !strings.Contains(r.Trials[0].Failed, "split 1") || r.Best.Values[1] != 0.1 {
		t.Errorf("trials %+v, best %+v", r.Trials, r.Best)
	}
	zero.Values = zero.Values[:1]
	if _, err := crossSearch(t.Context(), space, []tune.Axis{zero}, ridge{y: y}, same, cross{Splits: splits, Judge: meanSquare(y), Options: tune.Options{Trials: 1}}); err == nil || !strings.Contains(err.Error(), "none of 1 trials") {
		t.Errorf("nothing can be learned: %v", err)
	}
}

// TestJournalResumes: a search that is stopped in the middle, with the last line of its
// journal torn, goes on where it was and ends with the same trials.
func TestJournalResumes(t *testing.T) {
	xs, y, space := waves(60)
	o := cross{Splits: splitsFor(t, 60), Judge: meanSquare(y), Options: tune.Options{Trials: 5}}
	whole, err := crossSearch(t.Context(), space, []tune.Axis{lambdas}, ridge{y: y}, xs, o)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "trials")
	open := func() *tune.Journal {
		j, err := tune.OpenJournal(path, "this search")
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	o.Journal = open()
	count := 0
	if _, err := crossSearch(t.Context(), space, []tune.Axis{lambdas}, ridge{y: y, learned: &count, stop: 30}, xs, o); !errors.Is(err, errStop) {
		t.Fatalf("the search was not stopped: %v", err)
	}
	if err := o.Journal.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(`{"values":[0.5,1e-`); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	o.Journal = open()
	count = 0
	r, err := crossSearch(t.Context(), space, []tune.Axis{lambdas}, ridge{y: y, learned: &count}, xs, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Journal.Close(); err != nil {
		t.Fatal(err)
	}
	// 30 solutions are 2½ kernels of 3 splits and 4 λ: two are in the journal.
	if r.Resumed != 8 || count != 36 {
		t.Errorf("%d trials resumed and %d solutions made, want 8 and 36", r.Resumed, count)
	}
	if !reflect.DeepEqual(r.Trials, whole.Trials) {
		t.Errorf("trials %v, without a break %v", r.Trials, whole.Trials)
	}
	if _, err := tune.OpenJournal(path, "another search"); err == nil || !strings.Contains(err.Error(), "another search") {
		t.Errorf("the journal of another search: %v", err)
	}
	if err := os.WriteFile(path, []byte("a,b\n1,2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := tune.OpenJournal(path, "this search"); err == nil || !strings.Contains(err.Error(), "no journal") {
		t.Errorf("a table as a journal: %v", err)
	}
}

func TestCrossRefuses(t *testing.T) {
	xs, y, space := waves(20)
	good := cross{Splits: splitsFor(t, 20), Judge: meanSquare(y)}
	for name, c := range map[string]struct {
		change func(*cross)
		axis   tune.Axis
		want   string
	}{
		"no splits":   {func(o *cross) { o.Splits = nil }, lambdas, "needs splits"},
		"no judge":    {func(o *cross) { o.Judge = tune.Judge{} }, lambdas, "needs a score"},
		"descent":     {func(o *cross) { o.Strategy = tune.Gradient }, lambdas, "cannot be searched by"},
		"trials":      {func(o *cross) { o.Trials = -1 }, lambdas, "-1 trials"},
		"empty axis":  {func(*cross) {}, tune.Axis{Name: "C"}, "C needs values"},
		"log of zero": {func(*cross) {}, tune.Axis{Name: "C", Log: true, Values: []float64{0, 1}}, "0 cannot be a value of C"},
		"memory":      {func(o *cross) { o.Compute.MaxMemory = 1000 }, lambdas, "tuning by grid on 20 rows"},
	} {
		o := good
		c.change(&o)
		if _, err := crossSearch(t.Context(), space, []tune.Axis{c.axis}, ridge{y: y}, xs, o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := crossSearch(ctx, space, []tune.Axis{lambdas}, ridge{y: y}, xs, good); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
