package mercer_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/supervised/dkl"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
	"example.org/mercer/tune"
	"example.org/mercer/unsupervised/kpca"
)

const deepWaves = "deep(of=rbf(sigma=median), widths=[4, 2], activation=tanh)"

// deepTask is the table of waves with a kernel, whose network is learned in a few steps.
func deepTask(t *testing.T, table *data.Table, kernel string) *task.Task {
	t.Helper()
	p, err := task.New(background, table, waveSpec, kernel)
	if err != nil {
		t.Fatal(err)
	}
	p.Network = dkl.Options{Steps: 60}
	return p
}

// Any supervised method learns the network first; the kernel of the model has its weights, and its
// file predicts the same.
func TestNetworksAreLearnedBefore(t *testing.T) {
	table, fresh := waves(t, 150), waves(t, 300)
	for name, m := range map[string]learner.Learner{
		"krr": methods.KRR{LambdaBy: krr.LOO},
		"svr": methods.SVR{Options: svm.Options{C: 100, Epsilon: 0.01}},
		"gp":  methods.GP{Options: gp.Options{Noise: 1e-4}},
	} {
		model, err := mercer.Fit(background, deepTask(t, table, deepWaves), m, 1)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r := model.Network
		if r == nil || !(r.Errors[r.Best] < r.Errors[0]/10) || !strings.Contains(model.Kernel(), "weights=[") || model.Report.Ran().Stages[0].Name != "network" {
			t.Fatalf("%s: kernel %s, network %+v", name, model.Kernel(), r)
		}
		path := filepath.Join(t.TempDir(), "deep.mercer")
		if err := model.Save(background, path); err != nil {
			t.Fatal(err)
		}
		again, err := mercer.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		want, got := predict(t, model, fresh).Values, predict(t, again, fresh).Values
		errors := 0.0
		for i := range 300 {
			if want.At(i, 0) != got.At(i, 0) {
				t.Fatalf("%s: row %d is %v, and %v from the file", name, i, want.At(i, 0), got.At(i, 0))
			}
			errors += math.Pow(want.At(i, 0)-fresh.Columns[4].Numbers[i], 2) / 300
		}
		if !(errors < 4*r.Errors[r.Best]) {
			t.Errorf("%s: mean squared error %v of new rows, %v of those that judged", name, errors, r.Errors[r.Best])
		}
	}
}

// A descent of falkon moves the network itself, from where the seed has drawn it.
func TestFalkonMovesNetworks(t *testing.T) {
	table := waves(t, 150)
	method := falkonOn(12)
	method.Lambda, method.Descent = 1e-6, falkon.LandmarkOptions{Steps: 60}
	m, err := mercer.Fit(background, deepTask(t, table, deepWaves), method, 1)
	if err != nil {
		t.Fatal(err)
	}
	d := m.Report.(*falkon.Report).Optimized
	if m.Network != nil || d == nil || !(d.Judged[d.Best] < d.Judged[0]/10) || !strings.Contains(m.Kernel(), "weights=[") {
		t.Errorf("kernel %s, descent %+v", m.Kernel(), d)
	}
}

// A search learns the network once, and then searches what is free before and after it.
func TestSearchLearnsNetworks(t *testing.T) {
	table := waves(t, 120)
	for name, c := range map[string]struct {
		m       learner.Learner
		options tune.Options
	}{
		"krr": {methods.KRR{}, tune.Options{}},
		"svr": {methods.SVR{Options: svm.Options{Epsilon: 0.01}}, tune.Options{Strategy: tune.Random, Trials: 6}},
	} {
		wanted := search.Search{Options: c.options, Network: dkl.Options{Steps: 60}}
		p, _, tuned, err := search.Tune(background, table, waveSpec, "deep(of=rbf(sigma=?), widths=[4, 2], activation=tanh)", c.m, wanted)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r := tuned.Network; r == nil || p.LacksNetwork() || !(r.Errors[r.Best] < r.Errors[0]/10) {
			t.Errorf("%s: network %+v of %s", name, tuned.Network, p.Kernel())
		}
		if !strings.Contains(strings.Join(tuned.Warnings, "\n"), "better than that of new rows") {
			t.Errorf("%s: warnings %q", name, tuned.Warnings)
		}
	}
}

func TestNetworksThatCannotBeLearned(t *testing.T) {
	table := waves(t, 60)
	bare := prep.Spec{Drop: []string{"y"}, NoTarget: true}
	for want, c := range map[string]struct {
		kernel string
		spec   prep.Spec
		m      learner.Learner
	}{
		"where deep(…) is the whole kernel":    {"linear + " + deepWaves, waveSpec, methods.KRR{Options: krr.Options{Lambda: 1}}},
		"without a target there is nothing":    {deepWaves, bare, methods.KPCA{Options: kpca.Options{Components: 2}}},
		"lambda = -1 must be a number above 0": {deepWaves, waveSpec, methods.SVR{}},
		"a network is learned from gradients":  {"deep(of=cosine, widths=[3])", waveSpec, methods.KRR{Options: krr.Options{Lambda: 1}}},
	} {
		p, err := task.New(background, table, c.spec, c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(want, "lambda") {
			p.Network.Lambda = -1
		}
		if _, err := mercer.Fit(background, p, c.m, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", c.kernel, err, want)
		}
	}
}

// Landmarks and features stand for a kernel that is known.
func TestNetworksHaveNoLandmarks(t *testing.T) {
	p := deepTask(t, waves(t, 60), deepWaves)
	_, onLandmarks := p.LowRank(background, nystrom.Options{Rank: 10})
	_, inFeatures := p.WithFeatures(background, randomfeatures.Options{Dim: 10}, compute.Options{})
	for _, err := range []error{onLandmarks, inFeatures} {
		if err == nil || !strings.Contains(err.Error(), "landmarks and features stand for one kernel") {
			t.Errorf("error %v", err)
		}
	}
}

// Labels are learned by their codes.
func TestNetworksOfLabels(t *testing.T) {
	table := waves(t, 150)
	words := data.Column{Name: "kind", Kind: data.Categorical, Strings: make([]string, 150)}
	for i, y := range table.Columns[4].Numbers {
		words.Strings[i] = map[bool]string{true: "up", false: "down"}[y > 0]
	}
	table.Columns[4] = words
	p, err := task.New(background, table, prep.Spec{Targets: []string{"kind"}}, deepWaves)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mercer.Fit(background, p, methods.SVC{Options: svm.Options{C: 10}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if r := m.Network; r == nil || !(r.Errors[r.Best] < r.Errors[0]/2) {
		t.Errorf("network %+v", m.Network)
	}
}
