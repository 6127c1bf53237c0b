package mercer_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/clustering"
	"example.org/mercer/learner/methods"
	"example.org/mercer/loss"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/sparsegp"
	"example.org/mercer/supervised/structured"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/kmeans"
	"example.org/mercer/unsupervised/kpca"
)

// Components and clusters in explicit features of rows that are read in passes are those of rows in
// memory, byte for byte: by every way to choose landmarks and by random features, where the
// features are held and where they are mapped in every pass, for any number of workers.
func TestFeaturesInPasses(t *testing.T) {
	t.Parallel()
	_, whole, blocks := longTable(t)
	const text = "rbf(sigma=2)"
	in, err := task.New(t.Context(), whole, untargetedLong, text)
	if err != nil {
		t.Fatal(err)
	}
	out, err := task.New(t.Context(), blocks, untargetedLong, text)
	if err != nil {
		t.Fatal(err)
	}
	n, _, _ := in.Dims()
	const rank = 30
	reductions := []task.Approximation{{Features: &randomfeatures.Options{Dim: 40, Seed: 3}}}
	for _, scheme := range nystrom.Schemes {
		reductions = append(reductions, task.Approximation{Landmarks: &nystrom.Options{Scheme: scheme, Rank: rank, Seed: 3}})
	}
	components := func(o compute.Options) learner.Learner {
		return methods.KPCA{Options: kpca.Options{Components: 3, Compute: o}}
	}
	means := func(o compute.Options) learner.Learner {
		return clustering.KernelKMeans{Options: kmeans.Options{Restarts: 2, MaxIterations: 3, Compute: o}, Clusters: three}
	}
	cuts := func(o compute.Options) learner.Learner {
		return clustering.Spectral{Options: kmeans.Options{Restarts: 2, MaxIterations: 3, Compute: o}, Clusters: kmeans.Range{Least: 2, Most: 4}}
	}
	fit := func(p *task.Task, m learner.Learner) []byte {
		t.Helper()
		found, err := mercer.Fit(t.Context(), p, m, 1)
		if err != nil {
			t.Fatal(err)
		}
		return saved(t, found)
	}
	held := int64(2 * 8 * 40 * n)
	for i, r := range reductions {
		here := r
		if r.Landmarks != nil {
			o := *r.Landmarks // what passes do by default for schemes that hold columns
			if o.Scheme == nystrom.Pivoted || o.Scheme == nystrom.Greedy {
				o.Among = 4 * rank
			}
			here.Landmarks = &o
		}
		p, err := in.Reduced(t.Context(), here, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		q, err := out.Reduced(t.Context(), r, compute.Options{Workers: 1 + i%3})
		if err != nil {
			t.Fatal(err)
		}
		methods := []func(compute.Options) learner.Learner{components, means}
		if i < 2 { // where the features come from is the same to all
			methods = append(methods, cuts)
		}
		for _, method := range methods {
			want := fit(p, method(compute.Options{}))
			runs := []compute.Options{{Workers: 2, MaxMemory: 1 << 20}, {Workers: 3, MaxMemory: held}}
			switch {
			case testing.Short() && i > 0:
				runs = runs[:1]
			case i == 0:
				runs = append(runs, compute.Options{Workers: 1}, compute.Options{Workers: 8, MaxMemory: 1 << 20})
			}
			for _, o := range runs {
				name := fmt.Sprintf("%s, %s, %d workers, %d bytes", r, method(o).Name(), o.Workers, o.MaxMemory)
				if !bytes.Equal(fit(q, method(o)), want) {
					t.Errorf("%s: the model differs", name)
				}
				if i > 0 || o.Workers != 3 {
					continue
				}
				if plan, err := learner.Plan(t.Context(), q, method(o)); err != nil || plan.Memory < o.MaxMemory/2 {
					t.Errorf("%s: the plan is %v; %v", name, plan, err)
				}
			}
			if !bytes.Equal(fit(p, method(compute.Options{MaxMemory: 1 << 20, Workers: 2})), want) {
				t.Errorf("%s, %s: in memory, mapped in every pass, the model differs", r, method(compute.Options{}).Name())
			}
		}
	}
}

// Functions that are learned in explicit features of rows that are read in passes are those of rows
// in memory, byte for byte: on landmarks, of random features, and of the kernel itself.
func TestFitInFeaturesInPasses(t *testing.T) {
	t.Parallel()
	_, whole, blocks := longTable(t)
	number := prep.Spec{Targets: []string{"y"}, Drop: []string{"label"}, Missing: prep.Mean}
	label := prep.Spec{Targets: []string{"label"}, Drop: []string{"y"}, Missing: prep.Mean}
	sets := label
	sets.Form = prep.Set
	const rbf = "rbf(sigma=2)"
	low := task.Approximation{Landmarks: &nystrom.Options{Scheme: nystrom.Uniform, Rank: 20, Seed: 3}}
	random := task.Approximation{Features: &randomfeatures.Options{Dim: 24, Seed: 3}}
	runs := []compute.Options{{Workers: 3}, {Workers: 2, MaxMemory: 1 << 22}} // too little to hold the features
	if testing.Short() {
		runs = runs[1:]
	}
	for i, c := range []struct {
		spec   prep.Spec
		kernel string
		r      task.Approximation
		method learner.Learner
	}{
		{number, rbf, low, methods.KRR{Options: krr.Options{Lambda: 1e-3}}},
		{number, rbf, low, methods.KRR{Options: krr.Options{Lambda: 1e-3, LOO: true}}},
		{number, rbf, low, methods.KRR{Options: krr.Options{Lambda: 1e-14}}}, // no moments of kernel values
		{number, rbf, random, methods.KRR{LambdaBy: krr.LOO}},
		{number, rbf, random, methods.KRR{Options: krr.Options{Lambda: 1e-3}, Updatable: true}},
		{number, "linear", task.Approximation{}, methods.KRR{Options: krr.Options{Lambda: 1e-3, LOO: true}}},
		{number, rbf, low, methods.GP{Options: gp.Options{Noise: 1e-2}}},
		{number, rbf, low, methods.GP{Options: gp.Options{Noise: 1e-2}, Sparse: sparsegp.FITC, Optimize: true, Fixed: []string{"sigma", "noise"}}},
		{label, rbf, low, methods.KLR{Options: klr.Options{Lambda: 1e-3}}},
		{label, rbf, low, methods.GPC{Scale: 4}},
		{label, rbf, random, methods.GPC{}},
		{label, rbf, low, methods.KFDA{Options: kfda.Options{Lambda: 1e-3}}},
		{label, "linear", task.Approximation{}, methods.KFDA{Options: kfda.Options{Lambda: 1e-3}, EqualPriors: true}},
		{label, rbf, random, methods.Barycentre{}},
		{sets, rbf, low, methods.Structured{Options: structured.Options{Lambda: 1e-3, LOO: true}, Output: outcome.StructuredOutput{Loss: "f1"}}},
		{label, rbf, low, methods.SVC{Options: svm.Options{C: 10}, Balanced: true}},
		{label, rbf, random, methods.SVC{Options: svm.Options{Type: svm.NuSVC, Nu: 0.3}}},
		{number, rbf, low, methods.SVR{Options: svm.Options{C: 1}}},
		{number, rbf, random, methods.ERM{Options: erm.Options{Lambda: 1e-3}, Loss: loss.Huber{Scale: 1}}},
		{number, rbf, low, methods.Quantiles{Options: erm.Options{Lambda: 1e-3}, Taus: []float64{0.5}}},
	} {
		if testing.Short() && i%3 != 2 {
			continue // methodtest has every method in passes, in one block
		}
		in, err := task.New(t.Context(), whole, c.spec, c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		out, err := task.New(t.Context(), blocks, c.spec, c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		fit := func(p *task.Task, m learner.Learner) []byte {
			t.Helper()
			q, err := p.Reduced(t.Context(), c.r, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			found, err := mercer.Fit(t.Context(), q, m, 1)
			if err != nil {
				t.Fatalf("%s in %s: %v", m.Name(), c.r, err)
			}
			if q.Streamed() && m.ComputeOptions().Workers == 2 {
				if plan, err := learner.Plan(t.Context(), q, m); err != nil || !slices.ContainsFunc(plan.Stages, func(s compute.Cost) bool { return s.Stage == "blocks" }) {
					t.Errorf("%s in %s: the plan is %v; %v", m.Name(), c.r, plan, err)
				}
			}
			return saved(t, found)
		}
		want := fit(in, c.method)
		for _, o := range runs {
			if c.method.Name() == "krr" {
				o.MaxMemory = 0 // it plans before it fits, and refuses
			}
			if !bytes.Equal(fit(out, c.method.WithCompute(o)), want) {
				t.Errorf("%s in %s, %d workers: the model differs", c.method.Name(), c.r, o.Workers)
			}
		}
		away, err := task.New(t.Context(), apart{blocks}, c.spec, c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(fit(away, c.method), want) {
			t.Errorf("%s in %s, elsewhere: the model differs", c.method.Name(), c.r)
		}
	}
}

// The one-class machine, which has no target, in passes is that in memory.
func TestOneClassInPasses(t *testing.T) {
	_, whole, blocks := longTable(t)
	in, err := task.New(t.Context(), whole, untargetedLong, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	out, err := task.New(t.Context(), blocks, untargetedLong, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	var want []byte
	for _, p := range []*task.Task{in, out} {
		low, err := p.LowRank(t.Context(), nystrom.Options{Scheme: nystrom.Uniform, Rank: 20, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		m, err := mercer.Fit(t.Context(), low, methods.OneClass{Options: svm.Options{Nu: 0.1, Compute: compute.Options{Workers: 3}}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = saved(t, m)
		} else if !bytes.Equal(saved(t, m), want) {
			t.Error("the model differs")
		}
	}
}

// What has no passes says so.
func TestFeaturesInPassesRefuse(t *testing.T) {
	_, _, blocks := longTable(t)
	p, err := task.New(t.Context(), blocks, untargetedLong, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.LowRank(t.Context(), nystrom.Options{Tolerance: 1e-2}); err == nil || !strings.Contains(err.Error(), "among how many rows") {
		t.Errorf("landmarks to a tolerance: %v", err)
	}
	low, err := p.LowRank(t.Context(), nystrom.Options{Tolerance: 1e-1, Among: 200})
	if err != nil || low.LandmarkMap.Candidates != 200 || low.LandmarkMap.TraceError == 0 {
		t.Errorf("landmarks to a tolerance among 200 rows: %+v; %v", low, err)
	}
	for want, m := range map[string]learner.Learner{
		"landmarks or random features": methods.KPCA{Options: kpca.Options{Components: 2}},
		"has the Gram matrix":          clustering.KernelKMeans{Clusters: three},
		"spectral without landmarks":   clustering.Spectral{Clusters: three},
	} {
		if _, err := mercer.Fit(t.Context(), p, m, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", m.Name(), err, want)
		}
	}
	for want, m := range map[string]learner.Learner{
		"has the Gram matrix": methods.KPCA{Options: kpca.Options{Components: 2, Solver: kpca.Lanczos}},
	} {
		if _, err := mercer.Fit(t.Context(), low, m, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", m.Name(), err, want)
		}
	}
}
