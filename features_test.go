package mercer_test

import (
	"errors"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
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

// mapped returns the models of a method on the kernel and on features for it.
func mapped(t *testing.T, p *task.Task, m learner.Learner, o randomfeatures.Options) (exact, onFeatures *mercer.Model) {
	t.Helper()
	q, err := p.WithFeatures(background, o, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if exact, err = mercer.Fit(background, p, m, 1); err != nil {
		t.Fatal(err)
	}
	if onFeatures, err = mercer.Fit(background, q, m, 1); err != nil {
		t.Fatalf("%s on features: %v", m.Name(), err)
	}
	return exact, onFeatures
}

// TestFeaturesThatAreExact: with the whole map of a polynomial each method finds what it finds
// with the kernel, and its model file, of weights of the features, says the same.
func TestFeaturesThatAreExact(t *testing.T) {
	petals, houses := petals(60), houses(60, 5)
	classes := prep.Spec{Targets: []string{"kind"}, Weights: "weight"}
	for _, c := range []struct {
		method learner.Learner
		spec   prep.Spec
	}{
		{methods.KRR{Options: krr.Options{Lambda: 1e-3, LOO: true}}, spec},
		{methods.ERM{Options: erm.Options{Lambda: 1e-2}, Loss: loss.Huber{Scale: 1}}, spec},
		{methods.SVR{Options: svm.Options{C: 1, Epsilon: 0.1, Tolerance: 1e-10}}, spec},
		{methods.KLR{Options: klr.Options{Lambda: 1e-2}}, classes},
		{methods.KFDA{Options: kfda.Options{Lambda: 1e-2}}, classes},
		{methods.Barycentre{}, classes},
		{methods.SVC{Options: svm.Options{C: 1, Tolerance: 1e-10}}, classes},
		{methods.KPCA{Options: kpca.Options{Components: 2}}, untargetedSpec},
		{clustering.KernelKMeans{Clusters: kmeans.Range{Least: 3, Most: 3}, Options: kmeans.Options{Seed: 1}}, untargetedSpec},
	} {
		table := petals
		if c.spec.ID != "" {
			table = houses
		}
		p, err := task.New(background, table, c.spec, "normalize(of=poly(degree=2, offset=1)) + 0.5")
		if err != nil {
			t.Fatal(err)
		}
		exact, onFeatures := mapped(t, p, c.method, randomfeatures.Options{Dim: 300})
		for _, m := range []*mercer.Model{onFeatures, reload(t, onFeatures)} {
			want, got := predict(t, exact, table).Values, predict(t, m, table).Values
			_, outputs := want.Dims()
			for j := range outputs { // components have signs of their own
				sign := 1.0
				if got.At(0, j)*want.At(0, j) < 0 && c.method.Name() == "kpca" {
					sign = -1
				}
				for i := range table.Rows() {
					testkit.Close(t, c.method.Name(), sign*got.At(i, j), want.At(i, j), 1e-6)
				}
			}
			if form, size := m.Form(); form != "primal" || size != m.FeatureMap.Features || m.FeatureMap.Max > 1e-12 || m.Kernel() != exact.Kernel() {
				t.Errorf("%s: form %s of %d, map %+v, kernel %s", c.method.Name(), form, size, m.FeatureMap, m.Kernel())
			}
			if v, err := m.Verify(background, compute.Options{}); err != nil || v.Rows == 0 {
				t.Errorf("%s: verification %v", c.method.Name(), err)
			}
		}
		if exact.FeatureMap != nil {
			t.Errorf("%s: an exact model says that it approximates", c.method.Name())
		}
	}
}

// TestRandomFeatures: predictions come near those of the kernel as the error that is measured
// falls; one file holds the map by its seed.
func TestRandomFeatures(t *testing.T) {
	table, last := houses(300, 6), 10.0
	p, err := task.New(background, table, spec, "rbf(sigma=1.5)")
	if err != nil {
		t.Fatal(err)
	}
	for _, dim := range []int{60, 4000} {
		exact, m := mapped(t, p, methods.KRR{Options: krr.Options{Lambda: 1e-2}}, randomfeatures.Options{Dim: dim, Seed: 3})
		want, got := predict(t, exact, table).Values, predict(t, reload(t, m), table).Values
		off := 0.0
		for i := range table.Rows() {
			off = max(off, got.At(i, 0)-want.At(i, 0), want.At(i, 0)-got.At(i, 0))
		}
		f := m.FeatureMap
		if !(off < 30) || !(off < last) || !(f.RMS < 2*f.Expected) || !(f.RMS > f.Expected/4) || f.Features != dim {
			t.Errorf("%d features: predictions differ by %.3g (before %.3g), map %+v", dim, off, last, f)
		}
		last = off / 3
	}
}

// TestFeaturesOfWords: records of numbers and sequences have features of both.
func TestFeaturesOfWords(t *testing.T) {
	p, err := task.New(background, reads(40), prep.Spec{Targets: []string{"y"}, Drop: []string{"kind"}}, "rbf(sigma=2)[age] + 0.1*spectrum(k=2)[dna]")
	if err != nil {
		t.Fatal(err)
	}
	exact, m := mapped(t, p, methods.KRR{Options: krr.Options{Lambda: 1e-1}}, randomfeatures.Options{Dim: 3000})
	want, got := predict(t, exact, reads(40)).Values, predict(t, reload(t, m), reads(40)).Values
	testkit.CloseSlice(t, "values", got.RawMatrix().Data, want.RawMatrix().Data, 0.1)
}

// TestFeaturesAreRefused where they cannot stand for the kernel, or training rows are asked for.
func TestFeaturesAreRefused(t *testing.T) {
	p, err := task.New(background, houses(30, 7), spec, "rbf(sigma=1.5)")
	if err != nil {
		t.Fatal(err)
	}
	o := randomfeatures.Options{Dim: 10}
	q, err := p.WithFeatures(background, o, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mercer.Fit(background, q, methods.GP{Options: gp.Options{Noise: 1}}, 1); err == nil || !strings.Contains(err.Error(), "features") {
		t.Errorf("a Gaussian process: error %v", err)
	}
	rough, err := p.PlannedFeatures(background, o, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := learner.Plan(background, rough, methods.KRR{Options: krr.Options{Lambda: 1}})
	if err != nil || plan.Stages[0].Stage != "features" || len(plan.Notes) == 0 || !strings.Contains(plan.Notes[0], "approximation") {
		t.Errorf("plan %+v, error %v", plan, err)
	}
	low, err := p.LowRank(background, nystrom.Options{Rank: 10})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := low.WithFeatures(background, o, compute.Options{}); err == nil || !strings.Contains(err.Error(), "choose one") {
		t.Errorf("on landmarks: error %v", err)
	}
	p.Indefinite = gram.Clip
	if _, err := p.WithFeatures(background, o, compute.Options{}); err == nil || !strings.Contains(err.Error(), "treatment") {
		t.Errorf("a treated matrix: error %v", err)
	}
	if p, err = task.New(background, houses(30, 7), spec, "tanh(scale=1, offset=-1)"); err != nil {
		t.Fatal(err)
	}
	if _, err := p.WithFeatures(background, o, compute.Options{}); !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "landmarks") {
		t.Errorf("tanh: error %v", err)
	}
}
