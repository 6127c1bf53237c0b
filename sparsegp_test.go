package mercer_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/sparsegp"
	"example.org/mercer/task"
)

// intervals are both ends.
func intervals(t *testing.T, m *mercer.Model, table *data.Table) []float64 {
	t.Helper()
	lo, hi, err := m.Intervals(background, predict(t, m, table), 0.9, "", compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return append(lo.RawMatrix().Data, hi.RawMatrix().Data...)
}

// TestProcessOnAllRowsIsExact: with every row a landmark the model predicts as the exact one,
// intervals included, and so does its file, with the noise of the rows and their weights.
func TestProcessOnAllRowsIsExact(t *testing.T) {
	table, fresh := houses(60, 7), houses(20, 8)
	noise := data.Column{Name: "variance", Numbers: make([]float64, 60)}
	for i := range noise.Numbers {
		noise.Numbers[i] = float64(i%3) / 10
	}
	table.Columns = append(table.Columns, noise)
	own := spec
	own.Drop = append(slices.Clone(spec.Drop), "variance")
	p, err := task.New(background, table, own, "40*rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	for _, approximation := range []sparsegp.Approximation{sparsegp.Variational, sparsegp.FITC, sparsegp.DTC} {
		for _, mean := range []gp.Mean{gp.Zero, gp.Constant} {
			method := methods.GP{Options: gp.Options{Noise: 0.5, Mean: mean}, NoiseColumn: "variance", Sparse: approximation}
			exact, low := approximated(t, p, method, nystrom.Options{Rank: 60, Seed: 1})
			for name, m := range map[string]*mercer.Model{"fitted": low, "from the file": reload(t, low)} {
				name = fmt.Sprint(approximation, " ", mean, " ", name)
				// The jitter, 1e-10 of a variance of 40, beside a noise of 0.5.
				testkit.CloseSlice(t, name, predict(t, m, fresh).Values.RawMatrix().Data, predict(t, exact, fresh).Values.RawMatrix().Data, 1e-5)
				testkit.CloseSlice(t, name+": intervals", intervals(t, m, fresh), intervals(t, exact, fresh), 1e-5)
				if _, err := m.Verify(background, compute.Options{}); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			testkit.CloseSlice(t, "intervals from the file", intervals(t, reload(t, low), fresh), intervals(t, low, fresh), 0)
			r := low.Report.(*sparsegp.Report)
			testkit.Close(t, "evidence", r.LogEvidence[0], exact.Report.(*gp.Report).LogEvidence, 1e-5)
		}
	}
}

// TestProcessOnLandmarks: after a search the model is near the exact one, covers new rows as often
// as it says, and its approximation is that of the kernel that was found.
func TestProcessOnLandmarks(t *testing.T) {
	t.Parallel()
	table, fresh := houses(200, 7), houses(300, 8)
	p, err := task.New(background, table, spec, "rbf(sigma=median)")
	if err != nil {
		t.Fatal(err)
	}
	method := methods.GP{Options: gp.Options{Noise: 1}, Optimize: true}
	exact, low := approximated(t, p, method, nystrom.Options{Rank: 40, Seed: 1})
	r, want := low.Report.(*sparsegp.Report), exact.Report.(*gp.Report)
	if r.LogEvidence[0] > want.LogEvidence || r.LogEvidence[0] < want.LogEvidence-5 || r.Tuned == nil || !strings.Contains(low.Kernel(), "*rbf") {
		t.Errorf("bound %v, largest exact evidence %v, kernel %s", r.LogEvidence, want.LogEvidence, low.Kernel())
	}
	if a := low.Approximation; a.TraceError != r.TraceLeft || a.Landmarks != 40 || !(a.Block > 0) {
		t.Errorf("approximation %+v, and %v of the trace is left", a, r.TraceLeft)
	}
	price, _ := fresh.Column("price")
	ends, covered := intervals(t, low, fresh), 0
	for i, y := range price.Numbers {
		if ends[i] <= y && y <= ends[300+i] {
			covered++
		}
	}
	if slack := 4 * math.Sqrt(300*0.9*0.1*(1+300.0/200)); math.Abs(float64(covered)-270) > slack {
		t.Errorf("%d of 300 rows are covered at 0.9: more than %.0f from 270", covered, slack)
	}
	if _, err := low.Removing([]string{low.Trained[0]}); err == nil || !strings.Contains(err.Error(), "landmarks") {
		t.Errorf("a row was forgotten: %v", err)
	}
}

// TestProcessMeanOnLandmarks is ridge regression on the same landmarks at the ridge σ², but for
// FITC, whose noise is another for each row: what a search by the error of rows left out relies on.
func TestProcessMeanOnLandmarks(t *testing.T) {
	p, err := task.New(background, houses(120, 7), spec, "40*rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	o := nystrom.Options{Rank: 20, Seed: 1}
	fresh := houses(20, 8)
	_, ridge := approximated(t, p, methods.KRR{Options: krr.Options{Ridge: 0.5}}, o)
	want := predict(t, ridge, fresh).Values.RawMatrix().Data
	for _, approximation := range sparsegp.Approximations {
		_, low := approximated(t, p, methods.GP{Options: gp.Options{Noise: 0.5}, Sparse: approximation}, o)
		got := predict(t, low, fresh).Values.RawMatrix().Data
		if approximation == sparsegp.FITC {
			if math.Abs(got[0]-want[0]) < 1e-3 {
				t.Errorf("fitc is ridge regression: %v and %v", got, want)
			}
			continue
		}
		// The jitter, 1e-10, times the condition of K_mm, and targets of about 100.
		testkit.CloseSlice(t, string(approximation), got, want, 1e-5)
	}
	wanted := search.Search{Splits: search.Splits{Folds: 3}, Approximation: task.Approximation{Landmarks: &o}, Ranges: search.Ranges{Grid: map[string][]float64{"noise": {0.5}}}}
	if _, _, _, err := search.Tune(background, houses(60, 7), spec, "rbf(sigma=2)", methods.GP{Sparse: sparsegp.FITC}, wanted); err == nil || !strings.Contains(err.Error(), "--optimize") {
		t.Errorf("fitc was searched by the error of rows left out: %v", err)
	}
}

// TestProcessOnLandmarksOfWords: points of any kind.
func TestProcessOnLandmarksOfWords(t *testing.T) {
	p, err := task.New(background, reads(40), prep.Spec{Targets: []string{"y"}, Drop: []string{"kind"}}, "rbf(sigma=2)[age] + 0.1*spectrum(k=2)[dna]")
	if err != nil {
		t.Fatal(err)
	}
	exact, low := approximated(t, p, methods.GP{Options: gp.Options{Noise: 0.1}, Optimize: true, Fixed: []string{"noise"}}, nystrom.Options{Rank: 30, Seed: 1})
	if r, want := low.Report.(*sparsegp.Report), exact.Report.(*gp.Report); r.LogEvidence[0] > want.LogEvidence+1e-6 || r.Noise != 0.1 {
		t.Errorf("bound %v, evidence %v, noise %v", r.LogEvidence[0], want.LogEvidence, r.Noise)
	}
	testkit.CloseSlice(t, "from the file", intervals(t, reload(t, low), reads(40)), intervals(t, low, reads(40)), 0)
}

// TestProcessRoutes: landmarks are offered to a process, and cost less.
func TestProcessRoutes(t *testing.T) {
	p, err := task.New(background, houses(1200, 3), prep.Spec{Targets: []string{"price"}, Drop: []string{"id"}}, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	for _, optimize := range []bool{false, true} {
		method := methods.GP{Options: gp.Options{Noise: 1}, Optimize: optimize}
		exact, err := learner.Plan(background, p, method)
		if err != nil {
			t.Fatal(err)
		}
		routes, err := learner.Routes(background, p, method, nystrom.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(routes) != 1 || routes[0].Hint != "--landmarks 250" || !(routes[0].Error > 0) || routes[0].Memory > exact.Memory && routes[0].Seconds > exact.Seconds {
			t.Errorf("routes %+v beside %d bytes and %v s", routes, exact.Memory, exact.Seconds)
		}
	}
}
