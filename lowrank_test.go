package mercer_test

import (
	"math"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/learner/clustering"
	"example.org/mercer/learner/methods"
	"example.org/mercer/loss"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/kmeans"
	"example.org/mercer/unsupervised/kpca"
)

// approximated returns the model of a method with and without landmarks.
func approximated(t *testing.T, p *task.Task, m learner.Learner, o nystrom.Options) (exact, low *mercer.Model) {
	t.Helper()
	q, err := p.LowRank(background, o)
	if err != nil {
		t.Fatal(err)
	}
	if exact, err = mercer.Fit(background, p, m, 1); err != nil {
		t.Fatal(err)
	}
	if low, err = mercer.Fit(background, q, m, 1); err != nil {
		t.Fatal(err)
	}
	return exact, low
}

// TestLandmarksOfAllRowsAreExact: with every row a landmark each method finds what it
// finds without, and its model file, of an expansion on the landmarks, says the same.
func TestLandmarksOfAllRowsAreExact(t *testing.T) {
	petals, houses := petals(60), houses(60, 5)
	classes := prep.Spec{Targets: []string{"kind"}, Weights: "weight", Raw: []string{"*"}}
	tight := 1e-10
	for _, c := range []struct {
		method learner.Learner
		spec   prep.Spec
		// tolerance of outputs: of the condition of K_CC, 1e6, and of iterations that end
		// at their own.
		tolerance float64
	}{
		{methods.KRR{Options: krr.Options{Lambda: 1e-3, LOO: true}}, spec, 1e-8},
		{methods.ERM{Options: erm.Options{Lambda: 1e-2}, Loss: loss.Huber{Scale: 1}}, spec, 1e-6},
		{methods.SVR{Options: svm.Options{C: 1, Epsilon: 0.1, Tolerance: tight}}, spec, 1e-6},
		{methods.KLR{Options: klr.Options{Lambda: 1e-2}}, classes, 1e-6},
		{methods.KFDA{Options: kfda.Options{Lambda: 1e-2}}, classes, 1e-6},
		{methods.Barycentre{}, classes, 1e-6},
		{methods.SVC{Options: svm.Options{C: 1, Tolerance: tight}}, classes, 1e-6},
		{methods.KPCA{Options: kpca.Options{Components: 3}}, untargetedSpec, 1e-6},
		{clustering.KernelKMeans{Clusters: kmeans.Range{Least: 3, Most: 3}, Options: kmeans.Options{Seed: 1}}, untargetedSpec, 1e-6},
	} {
		table, text := petals, "rbf(sigma=0.5)"
		if c.spec.ID != "" {
			table = houses
		}
		p, err := task.New(background, table, c.spec, text)
		if err != nil {
			t.Fatal(err)
		}
		exact, low := approximated(t, p, c.method, nystrom.Options{Rank: 60, Seed: 1})
		for _, m := range []*mercer.Model{low, reload(t, low)} {
			want, got := predict(t, exact, table).Values, predict(t, m, table).Values
			_, outputs := want.Dims()
			for j := range outputs { // components have signs of their own
				sign := 1.0
				if got.At(0, j)*want.At(0, j) < 0 && c.method.Name() == "kpca" {
					sign = -1
				}
				for i := range table.Rows() {
					testkit.Close(t, c.method.Name(), sign*got.At(i, j), want.At(i, j), c.tolerance)
				}
			}
			if a := m.Approximation; a == nil || a.Rows != 60 || a.TraceError > 1e-12 || a.Block > 1e-6 || a.Landmarks != len(m.Trained) {
				t.Errorf("%s: approximation %+v of a model with %d training rows", c.method.Name(), a, len(m.Trained))
			}
			if v, err := m.Verify(background, compute.Options{}); err != nil || v.Rows == 0 {
				t.Errorf("%s: verification %v", c.method.Name(), err)
			}
		}
		if exact.Approximation != nil {
			t.Errorf("%s: an exact model says that it approximates", c.method.Name())
		}
	}
}

// TestLandmarks: a model on a few landmarks is one over these rows and near the exact
// one; it can be explained, and what it cannot say it refuses.
func TestLandmarks(t *testing.T) {
	table := houses(300, 6)
	p, err := task.New(background, table, spec, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	for _, scheme := range nystrom.Schemes {
		exact, low := approximated(t, p, methods.KRR{Options: krr.Options{Lambda: 1e-4, LOO: true}}, nystrom.Options{Scheme: scheme, Rank: 60, Seed: 2})
		if form, size := low.Form(); form != "dual" || size != low.Approximation.Landmarks || size > 60 {
			t.Errorf("%s: form %s of %d, want an expansion on at most 60 landmarks", scheme, form, size)
		}
		if low.LeaveOneOut() != nil || low.Weights != nil {
			t.Errorf("%s: the model keeps residuals of training rows", scheme)
		}
		want, got := predict(t, exact, table), predict(t, low, table)
		worst := 0.0
		for i := range table.Rows() {
			worst = max(worst, math.Abs(want.Values.At(i, 0)-got.Values.At(i, 0)))
		}
		// The noise of the targets is 1, their spread 50.
		if worst == 0 || worst > 1 {
			t.Errorf("%s: predictions differ by up to %v", scheme, worst)
		}
		parts, err := low.Explain(background, got, mercer.ExplainOptions{Top: 3, Rows: []int{1}}, compute.Options{})
		if err != nil || len(parts) == 0 || len(parts[0].Parts) != 3 {
			t.Errorf("%s: explanation %+v, %v", scheme, parts, err)
		}
		if name := low.Trained[0]; (scheme == nystrom.KMeans) != (name == "centre 1") || scheme != nystrom.KMeans && !strings.HasPrefix(name, "h") {
			t.Errorf("%s: the first landmark is called %q", scheme, name)
		}
		if _, _, err := low.Intervals(background, got, 0.9, krr.JackknifePlus, compute.Options{}); err == nil || !strings.Contains(err.Error(), "landmarks") {
			t.Errorf("%s: intervals by removed rows: error %v", scheme, err)
		}
	}
}

// TestLandmarksOfWords: any kernel on any points can be approximated.
func TestLandmarksOfWords(t *testing.T) {
	p, err := task.New(background, reads(40), prep.Spec{Targets: []string{"y"}, Drop: []string{"kind"}}, "rbf(sigma=2)[age] + 0.1*spectrum(k=2)[dna]")
	if err != nil {
		t.Fatal(err)
	}
	exact, low := approximated(t, p, methods.KRR{Options: krr.Options{Lambda: 1e-2}}, nystrom.Options{Tolerance: 1e-9})
	want, got := predict(t, exact, reads(40)).Values, predict(t, reload(t, low), reads(40)).Values
	testkit.CloseSlice(t, "values", got.RawMatrix().Data, want.RawMatrix().Data, 1e-5)
	if low.Approximation.Landmarks >= 40 {
		t.Errorf("%d landmarks for points of which some are equal", low.Approximation.Landmarks)
	}
	if _, err := p.LowRank(background, nystrom.Options{Scheme: nystrom.KMeans, Rank: 5}); err == nil || !strings.Contains(err.Error(), "means of vectors") {
		t.Errorf("k-means of records: error %v", err)
	}
}

func TestLandmarksAreRefused(t *testing.T) {
	table := houses(40, 7)
	p, err := task.New(background, table, spec, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	low, err := p.LowRank(background, nystrom.Options{Rank: 10})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mercer.Fit(background, low, methods.GP{Options: gp.Options{Noise: 1, Solver: gp.CG}}, 1); err == nil || !strings.Contains(err.Error(), "landmarks") {
		t.Errorf("gp: error %v", err)
	}
	if _, err := p.PlannedLowRank(background, nystrom.Options{Tolerance: 0.1}); err == nil || !strings.Contains(err.Error(), "plan with a number") {
		t.Errorf("a plan to a tolerance: error %v", err)
	}
	rough, err := p.PlannedLowRank(background, nystrom.Options{Rank: 10})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := learner.Plan(background, rough, methods.KRR{Options: krr.Options{Lambda: 1e-3}})
	if err != nil || plan.Stages[0].Stage != "landmarks" || len(plan.Notes) == 0 || !strings.Contains(plan.Notes[0], "approximation") {
		t.Errorf("plan %+v, %v", plan, err)
	}
	p.Indefinite = gram.Clip
	if _, err := p.LowRank(background, nystrom.Options{Rank: 10}); err == nil || !strings.Contains(err.Error(), "positive definite") {
		t.Errorf("a treated matrix: error %v", err)
	}
}

// TestLandmarksArePlannedByTheirFlops counts those of ridge regression on n rows and m
// landmarks: moments nm², L⁻¹ on both sides of them 2m³, their factor m³/3, and 4nm for each
// refinement that the fit reports. With leave-one-out residuals every row is mapped.
func TestLandmarksArePlannedByTheirFlops(t *testing.T) {
	p, err := task.New(background, houses(300, 6), spec, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	const n, m = 300, 60
	o := nystrom.Options{Scheme: nystrom.Uniform, Rank: m, Seed: 2}
	low, err := p.LowRank(background, o)
	if err != nil {
		t.Fatal(err)
	}
	rough, err := p.PlannedLowRank(background, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, loo := range []bool{false, true} {
		method := methods.KRR{Options: krr.Options{Lambda: 1e-2, LOO: loo}}
		fitted, err := mercer.Fit(background, low, method, 1)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := learner.Plan(background, rough, method)
		if err != nil {
			t.Fatal(err)
		}
		planned := 0.0
		for _, s := range plan.Stages {
			planned += s.Flops
		}
		counted := n*m*m + m*m*m/3.0
		if steps := fitted.Report.(*krr.Report).Iterations; loo {
			counted += 3 * n * m * m
		} else {
			if steps == 0 {
				t.Fatal("the moments were not exact enough")
			}
			counted += 2*m*m*m + 4*n*m*float64(steps)
		}
		if r := planned / counted; !(r > 2./3 && r < 3./2) {
			t.Errorf("leave-one-out %v: %.3g flops are planned, and %.3g were counted, in %+v", loo, planned, counted, plan.Stages)
		}
	}
}
