package mercer_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/loss"
	"example.org/mercer/outcome/calibrate"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

// coins is a table of two overlapping classes, p(tails) = 1/(1 + e^(−3(x−½))).
func coins(rows int, seed uint64) *data.Table {
	r := rand.New(rand.NewPCG(seed, 9))
	t := &data.Table{Source: "coins", Headed: true, Columns: []data.Column{{Name: "x"}, {Name: "weight"}, {Name: "side", Kind: data.Categorical}}}
	for i := range rows {
		x, side := 2*r.NormFloat64(), "heads"
		if r.Float64() < 1/(1+math.Exp(-3*(x-0.5))) {
			side = "tails"
		}
		t.Columns[0].Numbers, t.Columns[1].Numbers = append(t.Columns[0].Numbers, x), append(t.Columns[1].Numbers, float64(1+i%2))
		t.Columns[2].Strings = append(t.Columns[2].Strings, side)
	}
	return t
}

var coinSpec = prep.Spec{Targets: []string{"side"}, Weights: "weight"}

// TestProbabilitiesAgreeWithLabels: of every rule and map the label has the largest
// probability, before and after a file; the function is that of the method alone; and
// the log loss on new rows is below that of equal probabilities.
func TestProbabilitiesAgreeWithLabels(t *testing.T) {
	t.Parallel()
	weighted := prep.Spec{Targets: []string{"kind"}, Weights: "weight", Raw: []string{"*"}}
	for name, c := range map[string]struct {
		method      learner.Learner
		train, test *data.Table
		spec        prep.Spec
	}{
		"svc, two":   {methods.SVC{Options: svm.Options{C: 1}}, coins(160, 1), coins(400, 2), coinSpec},
		"svc, votes": {methods.SVC{Options: svm.Options{C: 3}}, petals(140), petals(70), weighted},
		"svc, rest":  {methods.SVC{Options: svm.Options{C: 3, Scheme: svm.OneVsRest}}, petals(140), petals(70), weighted},
		"krr, two":   {methods.KRR{Options: krr.Options{Lambda: 1e-2, LOO: true}}, coins(160, 1), coins(400, 2), coinSpec},
		"krr, three": {methods.KRR{Options: krr.Options{Lambda: 1e-2, LOO: true}}, petals(140), petals(70), weighted},
		"krr, folds": {methods.KRR{Options: krr.Options{Lambda: 1e-2}}, petals(140), petals(70), weighted},
	} {
		_, plain := learnPetals(t, c.train, c.spec, petalKernel, c.method)
		want := predict(t, plain, c.test).Values
		for _, kind := range calibrate.Methods {
			_, m := learnPetals(t, c.train, c.spec, petalKernel, learner.Calibrated{Learner: c.method, Probabilities: kind, Seed: 1})
			var before *mat.Dense
			for _, m := range []*mercer.Model{m, reload(t, m)} {
				p, err := m.Test(background, c.test, compute.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if !mat.Equal(p.Values, want) {
					t.Errorf("%s, %s: the function is not that of the method alone", name, kind)
				}
				q := p.Probabilities()
				if before != nil && !mat.Equal(q, before) {
					t.Errorf("%s, %s: a file changes the probabilities", name, kind)
				}
				before = q
				n, classes := q.Dims()
				for i := range n {
					row := q.RawRowView(i)
					if label := p.Class(i, 0); row[label] != slices.Max(row) {
						t.Fatalf("%s, %s: row %d has the label %d and the probabilities %v", name, kind, i, label, row)
					}
				}
				scores, err := p.Scores()
				if err != nil {
					t.Fatal(err)
				}
				if s := scores[0]; s.LogLoss == nil || !(*s.LogLoss < 0.9*math.Log(float64(classes))) || s.Brier == nil || s.CalibrationError == nil {
					t.Errorf("%s, %s: log loss %v, Brier %v, calibration error %v", name, kind, s.LogLoss, s.Brier, s.CalibrationError)
				}
				curves, err := p.Curves()
				if err != nil || curves[0].Bins == nil {
					t.Errorf("%s, %s: no reliability to draw (%v)", name, kind, err)
				}
			}
		}
	}
}

// TestHeldOutMapIsFittedToLeaveOneOut: the map of kernel ridge regression is that of its
// leave-one-out values.
func TestHeldOutMapIsFittedToLeaveOneOut(t *testing.T) {
	o := krr.Options{Lambda: 1e-2, LOO: true}
	p, m := learnPetals(t, coins(90, 3), coinSpec, petalKernel, learner.Calibrated{Learner: methods.KRR{Options: o}, Probabilities: calibrate.Platt})
	f, class := mat.NewDense(90, 1, nil), make([]int, 90)
	f.Sub(p.Rows.Y, m.LeaveOneOut())
	for i := range class {
		class[i] = p.Prep.Targets()[0].Class(p.Rows.Y.RawRowView(i))
	}
	want, err := calibrate.Fit(calibrate.Platt, f, calibrate.Two(), class, p.Rows.W)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Decision.Calibration; !slices.Equal(got.Sided, want.Sided) {
		t.Errorf("slopes %v, want %v", got.Sided, want.Sided)
	}
}

// TestBoundsCover: intervals from out-of-fold scores cover new rows of the same table.
// The coverage is that of a beta law with n = 210 scores, and of 600 new rows: 5 standard
// deviations, to which 0.02 is added for folds that learn from fewer rows than the model.
func TestBoundsCover(t *testing.T) {
	t.Parallel()
	const level, n, fresh = 0.9, 210, 600
	bound := 5*math.Sqrt(level*(1-level)*(1./n+1./fresh)) + 0.02
	train, test := sines(n), sines(n+fresh)
	for i := range test.Columns {
		test.Columns[i].Numbers = test.Columns[i].Numbers[n:]
	}
	for name, method := range map[string]learner.Learner{
		"svr":       methods.SVR{Options: svm.Options{C: 3}},
		"erm":       methods.ERM{Options: erm.Options{Lambda: 1e-3}, Loss: loss.Absolute{}},
		"quantiles": methods.Quantiles{Options: erm.Options{Lambda: 1e-3}, Taus: []float64{0.1, 0.5, 0.9}},
		"krr":       methods.KRR{Options: krr.Options{Lambda: 1e-3, LOO: true}},
	} {
		_, m := learnPetals(t, train, sineSpec, petalKernel, learner.Calibrated{Learner: method, Conformal: true, Seed: 1})
		var first []float64
		for _, m := range []*mercer.Model{m, reload(t, m)} {
			p := predict(t, m, test)
			lo, hi, err := m.Bounds(p, level)
			if err != nil {
				t.Fatal(err)
			}
			if first != nil && !slices.Equal(lo, first) {
				t.Errorf("%s: a file changes the bounds", name)
			}
			first = lo
			covered := 0.0
			for i, y := range test.Columns[1].Numbers {
				if lo[i] <= y && y <= hi[i] {
					covered++
				}
			}
			if share := covered / fresh; math.Abs(share-level) > bound {
				t.Errorf("%s: a share of %v is covered, want %v ± %v", name, share, level, bound)
			}
			if _, err := m.Sets(p, level, false); err == nil {
				t.Errorf("%s: numbers have label sets", name)
			}
		}
	}
}

// TestSetsCover: label sets cover new rows, hold the label, and by class cover each.
func TestSetsCover(t *testing.T) {
	t.Parallel()
	const level, n, fresh = 0.9, 210, 1050
	table, test := petals(n), petals(n+fresh)
	for i := range 3 {
		test.Columns[i].Numbers = test.Columns[i].Numbers[n:]
	}
	test.Columns[3].Strings = test.Columns[3].Strings[n:]
	for name, method := range map[string]learner.Calibrated{
		"svc": {Learner: methods.SVC{Options: svm.Options{C: 3}}, Probabilities: calibrate.Platt, Conformal: true, Seed: 1},
		"klr": {Learner: methods.KLR{Options: klr.Options{Lambda: 1e-2}}, Conformal: true, Seed: 1},
	} {
		_, m := learnPetals(t, table, petalSpec, petalKernel, method)
		m = reload(t, m)
		p := predict(t, m, test)
		for _, perClass := range []bool{false, true} {
			sets, err := m.Sets(p, level, perClass)
			if err != nil {
				t.Fatal(err)
			}
			hit, count, size := map[string]float64{}, map[string]float64{}, 0
			for i, set := range sets {
				truth := test.Columns[3].Strings[i]
				count[truth]++
				size += len(set)
				if slices.Contains(set, truth) {
					hit[truth]++
				}
				if !slices.Contains(set, p.Label(i, 0)) {
					t.Fatalf("%s: the set %v lacks the label %s", name, set, p.Label(i, 0))
				}
			}
			if size <= fresh {
				t.Errorf("%s: %d labels in %d sets: this test shows nothing", name, size, fresh)
			}
			share := (hit["inner"] + hit["middle"] + hit["outer"]) / fresh
			if bound := 5*math.Sqrt(level*(1-level)*(1./n+1./fresh)) + 0.02; !perClass && math.Abs(share-level) > bound {
				t.Errorf("%s: a share of %v is covered, want %v ± %v", name, share, level, bound)
			}
			for label, c := range count {
				if bound := 5*math.Sqrt(level*(1-level)*(float64(fresh)/n/c+1/c)) + 0.02; perClass && hit[label]/c < level-bound {
					t.Errorf("%s: of %s a share of %v is covered, want at least %v − %v", name, label, hit[label]/c, level, bound)
				}
			}
		}
		if _, _, err := m.Bounds(p, level); err == nil {
			t.Errorf("%s: labels have intervals", name)
		}
	}
}

// TestCalibratedRefusals: what cannot be had is refused with its reason.
func TestCalibratedRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		method learner.Calibrated
		table  *data.Table
		spec   prep.Spec
		want   string
	}{
		"its own":   {learner.Calibrated{Learner: methods.KLR{Options: klr.Options{Lambda: 1e-2}}, Probabilities: calibrate.Platt}, coins(40, 1), coinSpec, "of its own"},
		"unknown":   {learner.Calibrated{Learner: methods.SVC{}, Probabilities: "beta"}, coins(40, 1), coinSpec, "not known"},
		"no labels": {learner.Calibrated{Learner: methods.SVR{}, Probabilities: calibrate.Platt}, sines(40), sineSpec, "numbers"},
		"no map":    {learner.Calibrated{Learner: methods.SVC{}, Conformal: true}, coins(40, 1), coinSpec, "need probabilities"},
	} {
		p, err := task.New(background, c.table, c.spec, petalKernel)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := mercer.Fit(background, p, c.method, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", name, err, c.want)
		}
	}
	_, m := learnPetals(t, coins(40, 1), coinSpec, petalKernel, methods.SVC{})
	if _, err := m.Sets(predict(t, m, coins(3, 2)), 0.9, false); err == nil || !strings.Contains(err.Error(), "--conformal") {
		t.Errorf("a model without scores: %v", err)
	}
}

// TestCalibratedAnyWorkers: the same bits for any number of workers.
func TestCalibratedAnyWorkers(t *testing.T) {
	var want *calibrate.Map
	for _, workers := range []int{1, 2, 3, 8} {
		_, m := learnPetals(t, petals(140), petalSpec, petalKernel, learner.Calibrated{
			Learner: methods.SVC{Options: svm.Options{C: 3, Compute: compute.Options{Workers: workers}}}, Probabilities: calibrate.Platt, Seed: 1})
		got := m.Decision.Calibration
		if want != nil && !slices.Equal(got.Sided, want.Sided) {
			t.Errorf("%d workers: %v, with one %v", workers, got.Sided, want.Sided)
		}
		want = got
	}
}

// TestDamagedMaps: a file whose map or scores do not fit is refused, with the reason.
func TestDamagedMaps(t *testing.T) {
	_, m := learnPetals(t, petals(140), petalSpec, petalKernel, learner.Calibrated{Learner: methods.SVC{Options: svm.Options{C: 3}}, Probabilities: calibrate.Platt, Conformal: true})
	path := t.TempDir() + "/model"
	if err := m.Save(background, path); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, with, want string }{
		{`"below":`, `"below":-`, "finite numbers"},
		{`"method":"platt"`, `"method":"gauss"`, "not known"},
	} {
		tensors, metadata := mercer.Unpack(t, path)
		text := metadata["model"]
		if !strings.Contains(text, c.old) {
			t.Fatalf("the card has no %s", c.old)
		}
		metadata["model"] = strings.Replace(text, c.old, c.with, 1)
		if _, err := mercer.Decode("damaged", mercer.Pack(t, tensors, metadata), task.Files{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", c.with, err, c.want)
		}
	}
	tensors, metadata := mercer.Unpack(t, path)
	tensors["scores"] = tensors["coef"]
	if _, err := mercer.Decode("damaged", mercer.Pack(t, tensors, metadata), task.Files{}); err == nil || !strings.Contains(err.Error(), "conformal scores") {
		t.Errorf("foreign scores: %v", err)
	}
}

// TestWeightlessClass: a label all of whose rows have weight 0 is no part of the machines,
// and has probability 0.
func TestWeightlessClass(t *testing.T) {
	table := petals(140)
	for i, kind := range table.Columns[3].Strings {
		if kind == "outer" {
			table.Columns[2].Numbers[i] = 0
		}
	}
	s := prep.Spec{Targets: []string{"kind"}, Weights: "weight", Raw: []string{"*"}}
	for _, kind := range calibrate.Methods {
		_, m := learnPetals(t, table, s, petalKernel, learner.Calibrated{Learner: methods.SVC{Options: svm.Options{C: 3}}, Probabilities: kind})
		p := predict(t, reload(t, m), petals(30))
		for i := range 30 {
			q := p.Probabilities().RawRowView(i)
			if q[2] != 0 || math.Abs(q[0]+q[1]-1) > 1e-12 || q[p.Class(i, 0)] != slices.Max(q) {
				t.Fatalf("%s: row %d has the label %s and the probabilities %v", kind, i, p.Label(i, 0), q)
			}
		}
	}
}
