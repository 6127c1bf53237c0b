package mercer_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/rkhs"
	"example.org/mercer/search"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// reductions are one by landmarks and one by random features.
var reductions = map[string]task.Approximation{
	"landmarks": {Landmarks: &nystrom.Options{Rank: 15, Seed: 3}},
	"features":  {Features: &randomfeatures.Options{Dim: 30, Seed: 3}},
}

// lowRankKernel makes the kernel of a reduction by hand.
func lowRankKernel(t *testing.T, r task.Approximation, text string, xs data.Set[[]float64], weights []float64) kernel.Kernel[[]float64] {
	t.Helper()
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if r.Features != nil {
		low, err := randomfeatures.New(k, xs.At(0), *r.Features)
		if err != nil {
			t.Fatal(err)
		}
		return low
	}
	o := *r.Landmarks
	o.Weights = weights
	chosen, _, err := nystrom.Landmarks(background, k, xs, o)
	if err != nil {
		t.Fatal(err)
	}
	low, err := nystrom.New(background, k, chosen.Points, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return low
}

// TestTuneInFeaturesIsRefitting: the score of every trial is that of fits with the low-rank
// kernel, whose landmarks or frequencies are those of all rows, to each training part.
func TestTuneInFeaturesIsRefitting(t *testing.T) {
	numbers := prep.Spec{Targets: []string{"y"}, Drop: []string{"kind", "weight"}, Raw: []string{"*"}}
	for _, c := range []struct {
		spec   prep.Spec
		method learner.Learner
		// by hand: outputs on test rows of what was learned from training rows
		learn func(k kernel.Kernel[[]float64], xs, test data.Set[[]float64], y *mat.Dense, w []float64, lambda float64) *mat.Dense
	}{
		{petalSpec, methods.KLR{}, func(k kernel.Kernel[[]float64], xs, test data.Set[[]float64], y *mat.Dense, w []float64, lambda float64) *mat.Dense {
			n, _ := y.Dims()
			classes := make([]int, n)
			for i := range classes {
				classes[i] = largestOf(y.RawRowView(i))
			}
			f, _, err := klr.Fit(background, k, xs, classes, klr.Options{Lambda: lambda, Weights: w})
			return predicted(t, f, test, err)
		}},
		{numbers, methods.ERM{Loss: loss.Huber{Scale: 0.5}}, func(k kernel.Kernel[[]float64], xs, test data.Set[[]float64], y *mat.Dense, w []float64, lambda float64) *mat.Dense {
			f, _, err := erm.Fit(background, k, xs, mat.Col(nil, 0, y), loss.Huber{Scale: 0.5}, erm.Options{Lambda: lambda, Weights: w})
			return predicted(t, f, test, err)
		}},
	} {
		for name, r := range reductions {
			table := petals(90)
			wanted := search.Search{Splits: search.Splits{Folds: 3}, Approximation: r, Ranges: search.Ranges{Grid: map[string][]float64{"lambda": {1e-3, 1e-1}}}, Options: tune.Options{Trials: 2, Seed: 5}}
			p, _, tuned, err := search.Tune(background, table, c.spec, "rbf(sigma=?)", c.method, wanted)
			if err != nil {
				t.Fatal(err)
			}
			splits, labels := splitsOf(t, p, 3, 5)
			xs := p.Rows.Vectors()
			for _, trial := range tuned.Trials {
				k := lowRankKernel(t, r, vec.RBF{Sigma: trial.Values[0]}.String(), xs, p.Rows.W)
				score := 0.0
				for _, s := range splits {
					out := c.learn(k, data.Subset(xs, s.Train), data.Subset(xs, s.Test), rowsOf(p.Rows.Y, s.Train), some(p.Rows.W, s.Train), trial.Values[1])
					score += byHand(out, rowsOf(p.Rows.Y, s.Test), some(p.Rows.W, s.Test), labels) / 3
				}
				// Newton's method ends at a relative gradient of 1e-8 and less.
				testkit.Close(t, c.method.Name()+" by "+name, trial.Score, score, 1e-6)
			}
			if (p.LandmarkMap == nil) == (name == "landmarks") || (p.FeatureMap == nil) == (name == "features") || tuned.Approximation != p.LandmarkMap || tuned.FeatureMap != p.FeatureMap {
				t.Errorf("%s by %s: approximations %v and %v", c.method.Name(), name, tuned.Approximation, tuned.FeatureMap)
			}
		}
	}
}

// TestTuneOnAllRowsIsExact: with every row a landmark the scores of all methods are those
// without.
func TestTuneOnAllRowsIsExact(t *testing.T) {
	t.Parallel()
	numbers := prep.Spec{Targets: []string{"y"}, Drop: []string{"kind", "weight"}, Raw: []string{"*"}}
	for _, c := range []struct {
		method learner.Learner
		spec   prep.Spec
		score  string
	}{
		{methods.SVC{Options: svm.Options{Tolerance: 1e-9}}, petalSpec, "accuracy"},
		{methods.SVR{Options: svm.Options{Tolerance: 1e-9}}, numbers, "rmse"},
		{methods.GP{}, numbers, "rmse"},
		{methods.KLR{}, petalSpec, "log-loss"},
		{methods.KFDA{Options: kfda.Options{Lambda: 1e-2}}, petalSpec, "log-loss"},
		{methods.Barycentre{}, petalSpec, "balanced"},
		{methods.ERM{Loss: loss.Huber{Scale: 1}}, numbers, "mae"},
		{methods.Quantiles{Taus: []float64{0.3, 0.7}}, numbers, "pinball"},
	} {
		wanted := search.Search{Splits: search.Splits{Folds: 3}, Score: c.score, Options: tune.Options{Strategy: tune.Random, Trials: 3, Seed: 5}}
		_, _, want, err := search.Tune(background, petals(60), c.spec, "laplace(sigma=?)", c.method, wanted)
		if err != nil {
			t.Fatal(err)
		}
		wanted.Approximation.Landmarks = &nystrom.Options{Rank: 60, Seed: 1}
		_, _, got, err := search.Tune(background, petals(60), c.spec, "laplace(sigma=?)", c.method, wanted)
		if err != nil {
			t.Fatal(err)
		}
		for i, trial := range got.Trials {
			testkit.Close(t, c.method.Name(), trial.Score, want.Trials[i].Score, 1e-5)
		}
	}
}

// TestTuneKRROnAllRowsIsExact: the same for the criteria of kernel ridge regression.
func TestTuneKRROnAllRowsIsExact(t *testing.T) {
	for _, c := range tune.Criteria {
		wanted := search.Search{Criterion: c, Options: tune.Options{Strategy: tune.Grid, Trials: 3}, Ranges: search.Ranges{Lambda: tune.Range{Lower: 1e-4, Upper: 1}}}
		if c == tune.CV {
			wanted.Splits.Folds = 3
		}
		_, _, want, err := search.Tune(background, houses(60, 5), spec, "laplace(sigma=?)", methods.KRR{}, wanted)
		if err != nil {
			t.Fatal(err)
		}
		wanted.Approximation.Landmarks = &nystrom.Options{Rank: 60, Seed: 1}
		p, _, got, err := search.Tune(background, houses(60, 5), spec, "laplace(sigma=?)", methods.KRR{}, wanted)
		if err != nil {
			t.Fatal(err)
		}
		for i, trial := range got.Trials {
			testkit.Close(t, string(c), trial.Score, want.Trials[i].Score, 1e-6)
		}
		if got.Kernel != want.Kernel || got.Lambda() != want.Lambda() || got.Approximation == nil || got.Approximation != p.LandmarkMap {
			t.Errorf("%s: %s with λ = %v, want %s with %v; %v", c, got.Kernel, got.Lambda(), want.Kernel, want.Lambda(), got.Approximation)
		}
	}
}

// TestPathOnLandmarks: along the path is what fits to each λ find, and the λ that a fit chooses
// has the least criterion.
func TestPathOnLandmarks(t *testing.T) {
	p, err := task.New(background, houses(300, 6), spec, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range reductions {
		low, err := p.Reduced(background, r, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		lambdas := []float64{1e-5, 1e-3, 1e-1}
		path, err := search.NewLambdaPath(background, low, lambdas, krr.GCV, false, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if path.Features == 0 || path.Approximation != low.LandmarkMap || path.FeatureMap != low.FeatureMap || path.Criterion != krr.GCV {
			t.Errorf("%s: path %+v", name, path)
		}
		for i, point := range path.Points {
			m, err := mercer.Fit(background, low, methods.KRR{Options: krr.Options{Lambda: lambdas[i], LOO: true}}, 1)
			if err != nil {
				t.Fatal(err)
			}
			want := m.Report.(*krr.Report).Point
			testkit.CloseSlice(t, "LOO", point.LOO.RMSE, want.LOO.RMSE, 1e-8)
			testkit.Close(t, "GCV", point.GCV, want.GCV, 1e-8)
			testkit.Close(t, "evidence", point.Evidence, want.Evidence, 1e-8)
			if point.GCV < path.Points[path.Best].GCV {
				t.Errorf("%s: point %d is better than the best", name, i)
			}
		}
		for _, by := range krr.Criteria {
			m, err := mercer.Fit(background, low, methods.KRR{Options: krr.Options{LOO: true}, LambdaBy: by}, 1)
			if err != nil {
				t.Fatal(err)
			}
			r := m.Report.(*krr.Report)
			if r.LambdaBy != by || !slices.ContainsFunc(r.Stages, func(s model.Stage) bool { return s.Name == "path of λ" }) {
				t.Errorf("%s: λ by %q, stages %v", name, r.LambdaBy, r.Stages)
			}
			if r.Point == nil {
				t.Fatalf("%s: no leave-one-out errors", name)
			}
			near, err := search.NewLambdaPath(background, low, []float64{r.Lambda / 1.5, r.Lambda, r.Lambda * 1.5}, by, false, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if near.Best != 1 {
				t.Errorf("%s by %s: point %d around λ = %v is better", name, by, near.Best, r.Lambda)
			}
		}
	}
}

// TestChosenLambda: what adds to a fit adds to one that chooses λ, and plans count the path.
func TestChosenLambda(t *testing.T) {
	table := houses(80, 6)
	p, err := task.New(background, table, spec, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	method := methods.KRR{LambdaBy: krr.LOO}
	m, err := mercer.Fit(background, p, learner.Calibrated{Learner: method, Conformal: true, Seed: 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	chosen := m.Report.(*krr.Report)
	given := fit(t, table, spec, "rbf(sigma=2)", krr.Options{Lambda: chosen.Lambda})
	testkit.CloseSlice(t, "predictions", predict(t, m, table).Values.RawMatrix().Data, predict(t, given, table).Values.RawMatrix().Data, 1e-12)
	if m.Conformal() == nil || chosen.LambdaBy != krr.LOO {
		t.Errorf("conformal scores %v, λ by %q", m.Conformal(), chosen.LambdaBy)
	}
	if _, err := mercer.Fit(background, p, methods.KRR{Options: krr.Options{Lambda: 1}, LambdaBy: krr.LOO}, 1); err == nil || !strings.Contains(err.Error(), "also to be chosen") {
		t.Errorf("λ given and chosen: error %v", err)
	}
	if _, err := mercer.Fit(background, p, methods.KRR{LambdaBy: "aic"}, 1); err == nil || !strings.Contains(err.Error(), "aic") {
		t.Errorf("an unknown criterion: error %v", err)
	}
	rough, err := p.PlannedLowRank(background, nystrom.Options{Rank: 20})
	if err != nil {
		t.Fatal(err)
	}
	const n, d, outputs = 80, 20, 1
	for problem, flops := range map[*task.Task]float64{ // beside those of the λ, of which there are some 40
		rough: 3*n*d*d + 5*d*d*d,
		p:     5 * n * n * n,
	} {
		with, err := learner.Plan(background, problem, method)
		if err != nil {
			t.Fatal(err)
		}
		without, err := learner.Plan(background, problem, methods.KRR{Options: krr.Options{Lambda: 1}})
		if err != nil {
			t.Fatal(err)
		}
		side := float64(n * n)
		if problem == rough {
			side = n * d
		}
		least, most := flops/3, flops+4*side*(outputs+1)*60
		if more := with.Flops - without.Flops; !(more > least && more < most) {
			t.Errorf("%.3g flops more are planned, and there are from %.3g to %.3g", more, least, most)
		}
	}
}

func TestReductionsAreRefused(t *testing.T) {
	table := petals(60)
	wanted := search.Search{Splits: search.Splits{Folds: 3}, Approximation: reductions["landmarks"], Options: tune.Options{Trials: 1, Seed: 5}}
	tuning := func(m learner.Learner) error {
		_, _, _, err := search.Tune(background, table, petalSpec, "rbf(sigma=?)", m, wanted)
		return err
	}
	if err := tuning(methods.GPC{}); err == nil || !strings.Contains(err.Error(), "search klr, whose function is the mode") {
		t.Errorf("gpc: error %v", err)
	}
	if err := tuning(methods.Falkon{}); err == nil || !strings.Contains(err.Error(), "chooses landmarks itself") {
		t.Errorf("falkon: error %v", err)
	}
	wanted.Options.Compute.MaxMemory = 8 * 15 * 3 * 60
	var large *compute.TooLarge
	if err := tuning(methods.KLR{}); !errors.As(err, &large) || large.Need != 8*15*(3*60+5*15) {
		t.Errorf("15 features of 60 rows in %d bytes: error %v", wanted.Options.Compute.MaxMemory, err)
	}
	wanted.Options.Compute.MaxMemory = 0
	wanted.Approximation.Features = &randomfeatures.Options{Dim: 10}
	if err := tuning(methods.KLR{}); err == nil {
		t.Error("landmarks and features at once were taken")
	}
	wanted.Approximation.Features = nil
	if _, _, _, err := search.Tune(background, table, petalSpec, "tanh(scale=?, offset=-1)", methods.KLR{}, wanted); err == nil || !strings.Contains(err.Error(), "positive definite") {
		t.Errorf("tanh: error %v", err)
	}
	// The journal of a search with other landmarks is that of another search.
	wanted.Journal = filepath.Join(t.TempDir(), "trials")
	_, _, first, err := search.Tune(background, table, petalSpec, "rbf(sigma=?)", methods.KLR{}, wanted)
	if err != nil {
		t.Fatal(err)
	}
	_, _, again, err := search.Tune(background, table, petalSpec, "rbf(sigma=?)", methods.KLR{}, wanted)
	if err != nil || again.Resumed != len(first.Trials) || !reflect.DeepEqual(again.Trials, first.Trials) {
		t.Errorf("%v, resumed %d of %d trials", err, again.Resumed, len(first.Trials))
	}
	wanted.Approximation = reductions["features"]
	if err := tuning(methods.KLR{}); err == nil || !strings.Contains(err.Error(), "another search") {
		t.Errorf("the journal of landmarks, for features: error %v", err)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	wanted.Journal = ""
	if _, _, _, err := search.Tune(ctx, table, petalSpec, "rbf(sigma=?)", methods.KLR{}, wanted); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// largestOf returns the place of the largest number.
func largestOf(row []float64) int {
	best := 0
	for i, v := range row {
		if v > row[best] {
			best = i
		}
	}
	return best
}

// byHand is the weighted accuracy or the root mean squared error of outputs.
func byHand(out, y *mat.Dense, w []float64, labels bool) float64 {
	n, _ := y.Dims()
	sum, total := 0.0, 0.0
	for i := range n {
		weight := 1.0
		if w != nil {
			weight = w[i]
		}
		total += weight
		switch {
		case !labels:
			sum += weight * math.Pow(y.At(i, 0)-out.At(i, 0), 2)
		case largestOf(out.RawRowView(i)) == largestOf(y.RawRowView(i)):
			sum += weight
		}
	}
	if labels {
		return sum / total
	}
	return math.Sqrt(sum / total)
}

// splitsOf are those of a search, and whether the target has labels.
func splitsOf(t *testing.T, p *task.Task, folds int, seed uint64) ([]tune.Split, bool) {
	t.Helper()
	n, _ := p.Rows.Y.Dims()
	target := p.Prep.Targets()[0]
	if target.Labels == nil {
		s, err := tune.KFold(n, folds, seed)
		if err != nil {
			t.Fatal(err)
		}
		return s, false
	}
	classes := make([]int, n)
	for i := range classes {
		classes[i] = target.Class(p.Rows.Y.RawRowView(i))
	}
	s, err := tune.StratifiedKFold(classes, folds, seed)
	if err != nil {
		t.Fatal(err)
	}
	return s, true
}

func some(w []float64, rows []int) []float64 {
	if w == nil {
		return nil
	}
	var out []float64
	for _, i := range rows {
		out = append(out, w[i])
	}
	return out
}

func rowsOf(y *mat.Dense, rows []int) *mat.Dense {
	_, m := y.Dims()
	out := mat.NewDense(len(rows), m, nil)
	for i, r := range rows {
		out.SetRow(i, y.RawRowView(r))
	}
	return out
}

// predicted evaluates what was learned.
func predicted(t *testing.T, f interface {
	Predict(context.Context, data.Set[[]float64], compute.Options) (*mat.Dense, error)
}, xs data.Set[[]float64], err error) *mat.Dense {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	out, err := f.Predict(background, xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestTestsOnLandmarksOfAllRows: two samples and two descriptions in features that lose nothing
// are tested as they are in Gram matrices; few landmarks of the two descriptions are other rows.
func TestTestsOnLandmarksOfAllRows(t *testing.T) {
	table := houses(60, 2)
	free := prep.Spec{NoTarget: true, ID: "id"}
	first, rest := make([]int, 25), make([]int, 35)
	for i := range first {
		first[i] = i
	}
	for i := range rest {
		rest[i] = 25 + i
	}
	s, err := mercer.NewSamples(background, table.Gather(first), table.Gather(rest), free, "laplace(sigma=median)")
	if err != nil {
		t.Fatal(err)
	}
	all := task.Approximation{Landmarks: &nystrom.Options{Rank: 60, Seed: 1}}
	low, err := s.Reduced(background, all, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := rkhs.MMDOptions{Permutations: 40, Seed: 1}
	want, err := s.Compare(background, o)
	if err != nil {
		t.Fatal(err)
	}
	got, err := low.Compare(background, o)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "MMD²", got.MMD2, want.MMD2, 1e-9)
	testkit.Close(t, "p", got.P, want.P, 1e-12)
	mapped, err := s.Reduced(background, task.Approximation{Features: &randomfeatures.Options{Dim: 20, Seed: 1}}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ of, at *mercer.Samples }{{s, low}, {mapped, mapped}} { // features lose more: against themselves
		rows, err := c.of.Witness(background, nil, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		new, err := c.at.Witness(background, table, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, "witness", new, rows, 1e-9)
	}
	x, y := mercer.Side{Columns: []string{"size", "age"}, Kernel: "laplace(sigma=median)"}, mercer.Side{Columns: []string{"price"}, Kernel: "laplace(sigma=median)"}
	pair, err := mercer.NewPair(background, table, free, x, y)
	if err != nil {
		t.Fatal(err)
	}
	dependence, err := pair.Independence(background, rkhs.HSICOptions{Permutations: 40, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if pair, err = pair.Reduced(background, all, compute.Options{}); err != nil {
		t.Fatal(err)
	}
	again, err := pair.Independence(background, rkhs.HSICOptions{Permutations: 40, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "HSIC", again.HSIC, dependence.HSIC, 1e-9)
	testkit.Close(t, "p", again.P, dependence.P, 1e-12)
	if a := pair.Approximations; a[0] == nil || a[1] == nil || a[0].Seed == a[1].Seed {
		t.Errorf("approximations %v", a)
	}
}
