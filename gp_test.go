package mercer_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

func process(t *testing.T, rows int, kernel string, o methods.GP) (*task.Task, *mercer.Model) {
	t.Helper()
	p, err := task.New(background, houses(rows, 7), spec, kernel)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mercer.Fit(background, p, o, 1)
	if err != nil {
		t.Fatal(err)
	}
	return p, m
}

// The posterior mean with a constant is kernel ridge regression at the ridge σ².
func TestProcessMeanIsRidgeRegression(t *testing.T) {
	p, m := process(t, 60, "rbf(sigma=median)", methods.GP{Options: gp.Options{Noise: 0.05}})
	ridge, err := mercer.Fit(background, p, methods.KRR{Options: krr.Options{Ridge: 0.05, Solver: krr.Cholesky}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	fresh := houses(20, 8)
	testkit.CloseSlice(t, "mean", predict(t, m, fresh).Values.RawMatrix().Data, predict(t, ridge, fresh).Values.RawMatrix().Data, 1e-9)
}

// Intervals after a search cover new rows about as often as they say, and those of the
// file, which keeps the weights of the rows, are the same.
func TestProcessIntervals(t *testing.T) {
	_, m := process(t, 120, "rbf(sigma=median)", methods.GP{Options: gp.Options{Noise: 1}, Optimize: true})
	r := m.Report.(*gp.Report)
	if r.Tuned == nil || !(r.LogEvidence > r.Tuned.Start) || !strings.Contains(m.Kernel(), "*rbf") {
		t.Errorf("kernel %s, report %+v", m.Kernel(), r)
	}
	testkit.Close(t, "evidence", r.LogEvidence, r.Tuned.LogEvidence, 1e-10)
	fresh := houses(300, 8)
	price, _ := fresh.Column("price")
	p := predict(t, m, fresh)
	lo, hi, err := m.Intervals(background, p, 0.9, "", compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	covered := 0
	for i, y := range price.Numbers {
		if lo.At(i, 0) <= y && y <= hi.At(i, 0) {
			covered++
		}
	}
	// As in TestIntervals, with the noise estimated from 120 rows.
	if slack := 4 * math.Sqrt(300*0.9*0.1*(1+300.0/120)); math.Abs(float64(covered)-270) > slack {
		t.Errorf("%d of 300 rows are covered at 0.9: more than %.0f from 270", covered, slack)
	}
	again := reload(t, m)
	low, high, err := again.Intervals(background, predict(t, again, fresh), 0.9, "", compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "lower ends from the file", low.RawMatrix().Data, lo.RawMatrix().Data, 0)
	testkit.CloseSlice(t, "upper ends from the file", high.RawMatrix().Data, hi.RawMatrix().Data, 0)
	if _, _, err := m.Intervals(background, p, 1.5, "", compute.Options{}); err == nil {
		t.Error("a level of 1.5 was accepted")
	}
}

// A process by products predicts, and reads itself again, as one by a factor does; its plan
// lists the other way.
func TestProcessByProducts(t *testing.T) {
	t.Parallel()
	const kernel = "40*rbf(sigma=2)"
	o := methods.GP{Options: gp.Options{Noise: 0.5}}
	_, exact := process(t, 150, kernel, o)
	o.Solver = gp.CG
	problem, m := process(t, 150, kernel, o)
	fresh := houses(40, 8)
	bounds := func(m *mercer.Model) []float64 {
		lo, hi, err := m.Intervals(background, predict(t, m, fresh), 0.9, "", compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return append(lo.RawMatrix().Data, hi.RawMatrix().Data...)
	}
	// Residuals of 1e-10 and noise of 0.5 beside a kernel of 40.
	testkit.CloseSlice(t, "intervals", bounds(m), bounds(exact), 1e-6)
	testkit.CloseSlice(t, "intervals from the file", bounds(reload(t, m)), bounds(m), 0)
	for _, solver := range []gp.Solver{gp.Cholesky, gp.CG} {
		o.Solver = solver
		plan, err := learner.Plan(background, problem, o)
		if err != nil {
			t.Fatal(err)
		}
		if len(plan.Alternatives) != 1 || plan.Hint != "--solver "+string(solver) || plan.Alternatives[0].Hint == plan.Hint {
			t.Errorf("plan for %q: %q, alternatives %+v", solver, plan.Hint, plan.Alternatives)
		}
	}
	o.Optimize = true
	search, err := learner.Plan(background, problem, o)
	if err != nil {
		t.Fatal(err)
	}
	if search.Stages[1].Stage != "search" {
		t.Errorf("stages %+v", search.Stages)
	}
}

// Intervals by a cache are those of the file, never narrower than exact ones, and wider by about
// what the report says of them; a model with other rows has a cache again.
func TestProcessVarianceCache(t *testing.T) {
	o := methods.GP{Options: gp.Options{Noise: 0.05, Solver: gp.CG}}
	_, exact := process(t, 150, "rbf(sigma=2)", o)
	o.VarianceCache = gp.CacheOptions{Rank: 20}
	_, m := process(t, 150, "rbf(sigma=2)", o)
	fresh := houses(80, 8)
	width := func(m *mercer.Model) []float64 {
		t.Helper()
		lo, hi, err := m.Intervals(background, predict(t, m, fresh), 0.9, "", compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		hi.Sub(hi, lo)
		return hi.RawMatrix().Data
	}
	narrow, wide := width(exact), width(m)
	r, worst := m.Report.(*gp.Report).Cache, 0.0
	for i, w := range wide {
		worst = max(worst, w/narrow[i]-1)
		if w < narrow[i]*(1-1e-9) {
			t.Errorf("row %d: width %g, exact %g", i, w, narrow[i])
		}
	}
	if r == nil || r.Rank != 20 || !(r.Widest > 0) || worst > 3*r.Widest {
		t.Errorf("intervals are up to %.3g wider, the report says %+v", worst, r)
	}
	testkit.CloseSlice(t, "widths from the file", width(reload(t, m)), wide, 0)
	c, err := m.Removing([]string{"h3"})
	less := changed(t, c, err)
	if r := less.Report.(*gp.Report).Cache; r == nil || r.Rank != 20 || r.Rows == 0 {
		t.Errorf("the cache without a row: %+v", r)
	}
	p, err := task.New(background, houses(60, 7), spec, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	o.Solver = gp.Cholesky
	if _, err := mercer.Fit(background, p, o, 1); err == nil || !strings.Contains(err.Error(), "variance cache") {
		t.Errorf("a cache of a factor: %v", err)
	}
}

func TestProcessRefuses(t *testing.T) {
	p, err := task.New(background, houses(20, 7), spec, "tanh(scale=3, offset=-2)")
	if err != nil {
		t.Fatal(err)
	}
	for _, treatment := range []gram.Treatment{gram.Clip, gram.Refuse} {
		p.Indefinite = treatment
		if _, err := mercer.Fit(background, p, methods.GP{Options: gp.Options{Noise: 1}}, 1); err == nil {
			t.Errorf("%s: an indefinite kernel was accepted", treatment)
		}
	}
}

func TestProcessPlan(t *testing.T) {
	p, _ := process(t, 60, "rbf(sigma=1)", methods.GP{Options: gp.Options{Noise: 1}})
	plain, err := learner.Plan(background, p, methods.GP{})
	if err != nil {
		t.Fatal(err)
	}
	search, err := learner.Plan(background, p, methods.GP{Optimize: true})
	if err != nil {
		t.Fatal(err)
	}
	if !(search.Seconds > plain.Seconds) || search.Rough == "" || plain.Rough != "" {
		t.Errorf("a search is planned with %v s and is rough because %q, a fit with %v s", search.Seconds, search.Rough, plain.Seconds)
	}
}

// Rows with variances of their own: those of the file are used again, a row of a new table
// has its own, and a row that is all noise does not move the mean.
func TestProcessNoiseColumn(t *testing.T) {
	table := houses(60, 7)
	noise := data.Column{Name: "variance", Numbers: make([]float64, 60)}
	for i := range noise.Numbers {
		noise.Numbers[i] = float64(i%3) / 10
	}
	table.Columns = append(table.Columns, noise)
	own := spec
	own.Drop = append(slices.Clone(spec.Drop), "variance")
	fit := func(table *data.Table) *mercer.Model {
		p, err := task.New(background, table, own, "rbf(sigma=1)")
		if err != nil {
			t.Fatal(err)
		}
		m, err := mercer.Fit(background, p, methods.GP{Options: gp.Options{Noise: 0.05}, NoiseColumn: "variance"}, 1)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := fit(table)
	again := reload(t, m)
	half := func(m *mercer.Model, fresh *data.Table) []float64 {
		lo, hi, err := m.Intervals(background, predict(t, m, fresh), 0.9, "", compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		hi.Sub(hi, lo)
		return hi.RawMatrix().Data
	}
	without := houses(10, 8)
	with := houses(10, 8)
	with.Columns = append(with.Columns, data.Column{Name: "variance", Numbers: slices.Repeat([]float64{0.3}, 10)})
	narrow, wide := half(m, without), half(again, with)
	testkit.CloseSlice(t, "from the file", half(again, without), narrow, 0)
	quantile := 2 * math.Sqrt2 * math.Erfinv(0.9)
	for i, w := range wide {
		testkit.Close(t, "variance", w*w/(quantile*quantile), narrow[i]*narrow[i]/(quantile*quantile)+0.3, 1e-12)
	}
	before := predict(t, m, without).Values.RawMatrix().Data
	price, _ := table.Column("price")
	noise.Numbers[7], price.Numbers[7] = 1e12, 1e3
	after := predict(t, fit(table), without).Values.RawMatrix().Data
	price.Numbers[7] = -1e3
	testkit.CloseSlice(t, "a row that is all noise", predict(t, fit(table), without).Values.RawMatrix().Data, after, 1e-6)
	if slices.Equal(before, after) {
		t.Error("the row had no say before")
	}
	noise.Numbers[7] = math.NaN()
	p, err := task.New(background, table, own, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mercer.Fit(background, p, methods.GP{NoiseColumn: "variance"}, 1); err == nil || !strings.Contains(err.Error(), "NaN") {
		t.Errorf("a missing variance: %v", err)
	}
}
