package mercer_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/model"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

// TestGapOfAFunctionOnLandmarks computes the primal objective of functions on landmarks by its
// definition, ½‖f‖² + C Σ max(0, 1 − y(f(x) + b)) with the norm of the kernel itself: it exceeds
// the dual objective of the coefficients by the gap that the report has, and the optimum by less.
func TestGapOfAFunctionOnLandmarks(t *testing.T) {
	const n, c = 200, 2.
	rng := testkit.Rand(t, 71)
	xs, y := data.MakeVectors(n, 2), make([]int, n)
	for i := range n {
		y[i] = i % 2
		xs.At(i)[0], xs.At(i)[1] = rng.NormFloat64()+float64(y[i]), rng.NormFloat64()
	}
	k, o := vec.RBF{Sigma: 0.7}, svm.Options{C: c, Tolerance: 1e-6}
	_, exact, err := svm.Fit(background, k, xs, y, o)
	if err != nil {
		t.Fatal(err)
	}
	optimum := -exact.Problems[0].Objective // of the primal: no less than this
	for _, rank := range []int{5, 20, 80} {
		low, err := nystrom.New(background, k, data.Subset(xs, rng.Perm(n)[:rank]), compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f, r, err := svm.Fit(background, low, xs, y, o)
		if err != nil {
			t.Fatal(err)
		}
		_, judged, err := svm.FitFrom(background, k, xs, y, svm.Start{Rows: r.Support, Coef: f.Coef, EvaluateOnly: true}, o)
		if err != nil {
			t.Fatal(err)
		}
		r.Suboptimality(judged, true)
		on, err := nystrom.Collapse(background, f)
		if err != nil {
			t.Fatal(err)
		}
		primal := primalObjective(t, on.(*model.Expansion[[]float64]), k, xs, y, c)
		m := r.Problems[0]
		testkit.Close(t, "gap of the function", m.ModelGap, primal+judged.Problems[0].Objective, 1e-6*primal)
		if above := primal - optimum; above > m.ModelGap || above < -1e-6*optimum {
			t.Errorf("%d landmarks: %g above the optimum %g, and the gap is %g", rank, above, optimum, m.ModelGap)
		}
	}
}

// primalObjective is that of a classifier, pair by pair.
func primalObjective(t *testing.T, f *model.Expansion[[]float64], k vec.RBF, xs data.Vectors, y []int, c float64) float64 {
	t.Helper()
	sum := 0.0
	for i := range f.Points.Len() {
		for j := range f.Points.Len() {
			sum += 0.5 * f.Coef.At(i, 0) * f.Coef.At(j, 0) * k.Eval(f.Points.At(i), f.Points.At(j))
		}
	}
	values, err := f.Predict(background, xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, class := range y {
		sum += c * math.Max(0, 1-float64(2*class-1)*values.At(i, 0))
	}
	return sum
}

// TestPolishedIsExact: what is polished from landmarks or features predicts what the exact fit
// does, and its file says nothing of them.
func TestPolishedIsExact(t *testing.T) {
	petals, houses := petals(80), houses(80, 7)
	for _, c := range []struct {
		plain, polished learner.Learner
		spec            prep.Spec
	}{
		{methods.SVC{Options: svm.Options{C: 3, Tolerance: 1e-7}}, methods.SVC{Options: svm.Options{C: 3, Tolerance: 1e-7}, Refinement: methods.Refinement{Refine: true}},
			prep.Spec{Targets: []string{"kind"}, Weights: "weight", Raw: []string{"*"}}},
		{methods.SVR{Options: svm.Options{C: 3, Tolerance: 1e-7}}, methods.SVR{Options: svm.Options{C: 3, Tolerance: 1e-7}, Refinement: methods.Refinement{Refine: true}}, spec},
	} {
		table := petals
		if c.spec.ID != "" {
			table = houses
		}
		p, err := task.New(background, table, c.spec, "rbf(sigma=1)")
		if err != nil {
			t.Fatal(err)
		}
		exact, err := mercer.Fit(background, p, c.plain, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := mercer.Fit(background, p, c.polished, 1); err == nil {
			t.Errorf("%s: an exact fit is polished", c.plain.Name())
		}
		landmarks, err := p.LowRank(background, nystrom.Options{Rank: 6, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		mapped, err := p.WithFeatures(background, randomfeatures.Options{Dim: 20, Seed: 1}, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []*task.Task{landmarks, mapped} {
			m, err := mercer.Fit(background, q, c.polished, 1)
			if err != nil {
				t.Fatal(err)
			}
			m = reload(t, m)
			if m.Approximation != nil || m.FeatureMap != nil {
				t.Errorf("%s: a polished model says that it approximates", c.plain.Name())
			}
			if r := m.Report.(*svm.Report); !(r.Problems[0].StartGap > r.Problems[0].Gap) {
				t.Errorf("%s: polished from a gap of %g to %g", c.plain.Name(), r.Problems[0].StartGap, r.Problems[0].Gap)
			}
			if !mat.EqualApprox(predict(t, m, table).Values, predict(t, exact, table).Values, 1e-5) {
				t.Errorf("%s: other values than those of the exact fit", c.plain.Name())
			}
		}
	}
}
