package mercer_test

import (
	"errors"
	"strings"
	"testing"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/mahalanobis"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// A search over a table that is read in passes finds what it finds in memory: the same trials, and
// scores up to the tolerances of solvers, and the rounding of features times the condition of the
// matrix of landmarks.
func TestSearchInPasses(t *testing.T) {
	t.Parallel()
	_, whole, blocks := longTable(t)
	landmarks := task.Approximation{Landmarks: &nystrom.Options{Scheme: nystrom.Uniform, Rank: 25, Seed: 3}}
	random := task.Approximation{Features: &randomfeatures.Options{Dim: 30, Seed: 3}}
	for name, c := range map[string]struct {
		method  learner.Learner
		o       search.Search
		epsilon float64
	}{
		"krr, left out":   {methods.KRR{}, search.Search{Approximation: landmarks, Criterion: krr.LOO}, 1e-8},
		"krr, parts":      {methods.KRR{}, search.Search{Approximation: random, Criterion: tune.CV, Splits: search.Splits{Folds: 3}}, 1e-8},
		"falkon":          {falkonOn(30), search.Search{Splits: search.Splits{Folds: 2}}, 1e-4},
		"gp on landmarks": {methods.GP{Options: gp.Options{}}, search.Search{Approximation: landmarks, Splits: search.Splits{Folds: 2}, Ranges: search.Ranges{Grid: map[string][]float64{"noise": {0.1, 0.5}}}}, 1e-6},
	} {
		c.o.Options = tune.Options{Strategy: tune.Grid, Trials: 3, Seed: 1}
		_, _, want, err := search.Tune(t.Context(), whole, longNumbers, "rbf(sigma=?)", c.method, c.o)
		if err != nil {
			t.Fatal(name, err)
		}
		p, best, got, err := search.Tune(t.Context(), blocks, longNumbers, "rbf(sigma=?)", c.method, c.o)
		if err != nil {
			t.Fatal(name, err)
		}
		if !p.Streamed() || got.Kernel != want.Kernel || len(got.Trials) != len(want.Trials) {
			t.Fatalf("%s: %s after %d trials, and %s after %d in memory", name, got.Kernel, len(got.Trials), want.Kernel, len(want.Trials))
		}
		for i, trial := range got.Trials {
			testkit.CloseSlice(t, name+": values", trial.Values, want.Trials[i].Values, 1e-5)
			testkit.Close(t, name+": score", trial.Score, want.Trials[i].Score, c.epsilon)
		}
		if _, err := learner.Fit(t.Context(), p, best); err != nil {
			t.Errorf("%s: what was found is not fitted: %v", name, err)
		}
	}
}

// What needs rows in memory is refused with the reason.
func TestSearchInPassesRefuses(t *testing.T) {
	t.Parallel()
	_, _, blocks := longTable(t)
	landmarks := task.Approximation{Landmarks: &nystrom.Options{Rank: 5}}
	for want, c := range map[string]struct {
		method learner.Learner
		kernel string
		o      search.Search
	}{
		"has the Gram matrix of all rows": {methods.KRR{}, "rbf(sigma=?)", search.Search{}},
		"rfm needs all rows":              {methods.RFM{}, "rbf(sigma=?)", search.Search{}},
		"tries families":                  {methods.KRR{}, search.Auto, search.Search{}},
		"with a metric":                   {methods.KRR{}, "rbf(sigma=?)", search.Search{Approximation: landmarks, Metric: search.Metric{Shape: mahalanobis.Diagonal}}},
		"a network is learned":            {methods.KRR{}, "deep(of=rbf(sigma=?), widths=[4, 2])", search.Search{Approximation: landmarks}},
	} {
		_, _, _, err := search.Tune(t.Context(), blocks, longNumbers, c.kernel, c.method, c.o)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "in passes") {
			t.Errorf("%v, which should say %q", err, want)
		}
	}
}

// A path of λ over a table that is read in passes is that of the table in memory.
func TestPathsInPasses(t *testing.T) {
	t.Parallel()
	_, whole, blocks := longTable(t)
	in, err := task.New(t.Context(), whole, longNumbers, "poly(degree=2, offset=1)")
	if err != nil {
		t.Fatal(err)
	}
	out, err := task.New(t.Context(), blocks, longNumbers, "poly(degree=2, offset=1)")
	if err != nil {
		t.Fatal(err)
	}
	lambdas := []float64{1, 1e-3}
	want, err := search.NewLambdaPath(t.Context(), in, lambdas, krr.LOO, false, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := search.NewLambdaPath(t.Context(), out, lambdas, krr.LOO, false, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range got.Points {
		for j, v := range p.LOO.RMSE {
			if v != want.Points[i].LOO.RMSE[j] || p.Evidence != want.Points[i].Evidence {
				t.Errorf("λ = %g: %v and %v, not %v and %v", p.Lambda, v, p.Evidence, want.Points[i].LOO.RMSE[j], want.Points[i].Evidence)
			}
		}
	}
	m := falkonOn(20)
	m.Holdout = 0.25
	wanted, err := search.NewLandmarkPath(t.Context(), in, m, lambdas, "")
	if err != nil {
		t.Fatal(err)
	}
	found, err := search.NewLandmarkPath(t.Context(), out, m, lambdas, "")
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range found.Points {
		testkit.Close(t, "training score", p.Train, wanted.Points[i].Train, 1e-4)
		testkit.Close(t, "score of rows left out", p.HeldOut, wanted.Points[i].HeldOut, 1e-4)
	}
}

// unreadable is a table in many small blocks, which cannot be read any more once it is gone.
type unreadable struct {
	data.Blocks
	whole *data.Table
	gone  *bool
}

const smallBlock = 100

func (u unreadable) Starts() []int {
	var starts []int
	for row := 0; row < u.whole.Rows(); row += smallBlock {
		starts = append(starts, row)
	}
	return append(starts, u.whole.Rows())
}

func (u unreadable) Block(b int, _ []int) (*data.Table, error) {
	if *u.gone {
		return nil, errGone
	}
	from := b * smallBlock
	t := u.whole.Gather(data.Range(from, min(from+smallBlock, u.whole.Rows())))
	t.Before = from
	return t, nil
}

var errGone = errors.New("the disk is gone")

// A search or a path ends with the error of rows that cannot be read.
func TestSearchEndsWithErrorsOfReading(t *testing.T) {
	t.Parallel()
	_, whole, blocks := longTable(t)
	gone := false
	table := unreadable{blocks, whole, &gone}
	falkon := falkonOn(10)
	falkon.Holdout = 0.2
	for name, work := range map[string]func(p *task.Task) error{
		"path krr": func(p *task.Task) error {
			_, err := search.NewLambdaPath(t.Context(), p, []float64{1}, krr.LOO, false, compute.Options{})
			return err
		},
		"path falkon": func(p *task.Task) error {
			_, err := search.NewLandmarkPath(t.Context(), p, falkon, []float64{1e-3}, "")
			return err
		},
	} {
		gone = false
		p, err := task.New(t.Context(), table, longNumbers, "poly(degree=2, offset=1)")
		if err != nil {
			t.Fatal(err)
		}
		gone = true
		if err := work(p); !errors.Is(err, errGone) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// longNumbers are the numbers of the long table.
var longNumbers = prep.Spec{Targets: []string{"y"}, Drop: []string{"label"}, Missing: prep.Mean}
