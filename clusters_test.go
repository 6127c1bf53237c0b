package mercer_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/learner/clustering"
	"example.org/mercer/learner/methods"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/gmm"
	"example.org/mercer/unsupervised/kmeans"
	"example.org/mercer/unsupervised/pca"
)

// three is the range of three clusters.
var three = kmeans.Range{Least: 3, Most: 3}

// Principal components of the model are those of package pca, on new rows and far from the
// origin, too.
func TestComponentsOfVectors(t *testing.T) {
	table := petals(60)
	for i := range table.Columns[0].Numbers {
		table.Columns[0].Numbers[i] += 1e4
	}
	p, m := learnPetals(t, table, untargetedSpec, "linear", methods.PCA{})
	want, report, err := pca.Fit(background, p.Rows.X, pca.Options{Weights: p.Rows.W})
	if err != nil {
		t.Fatal(err)
	}
	got := predict(t, reload(t, m), table)
	scores, err := want.Transform(got.Rows.X)
	if err != nil {
		t.Fatal(err)
	}
	// ⟨v, x⟩ − ⟨v, μ⟩ rounds numbers of the size of ‖x‖.
	_, d := want.Components.Dims()
	bound := float64(4*d) * 0x1p-52 * 1e4
	for i, v := range got.Values.RawMatrix().Data {
		if math.Abs(v-scores.RawMatrix().Data[i]) > bound {
			t.Fatalf("score %d is %v, not %v", i, v, scores.RawMatrix().Data[i])
		}
	}
	if form, size := m.Form(); form != "primal" || size != d || len(got.Outputs) != report.Components {
		t.Errorf("form %s, %d; outputs %v", form, size, got.Outputs)
	}
	if _, err := m.Explain(background, got, mercer.ExplainOptions{}, compute.Options{}); err == nil || !strings.Contains(err.Error(), "no training rows") {
		t.Errorf("explained without training rows: %v", err)
	}
	other, err := task.New(background, table, untargetedSpec, petalKernel)
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []learner.Learner{methods.PCA{}, clustering.KMeans{Clusters: three}, clustering.GMM{}} {
		if _, err := mercer.Fit(background, other, method, 1); err == nil || !strings.Contains(err.Error(), "kernel linear") {
			t.Errorf("%s with a kernel: %v", method.Name(), err)
		}
	}
}

// The model says of the rows it was learned from what the method package says, before and
// after a file, and explains what it can.
func TestClusterModels(t *testing.T) {
	table := petals(90)
	for _, c := range []struct {
		kernel string
		method learner.Learner
		labels func(p *task.Task) []int
		form   string
	}{
		{"linear", clustering.KMeans{Clusters: three}, func(p *task.Task) []int {
			c, _, err := kmeans.FitVectors(background, p.Rows.X, 3, kmeans.Options{Weights: p.Rows.W})
			if err != nil {
				t.Fatal(err)
			}
			return c.Labels
		}, "primal"},
		{petalKernel, clustering.KernelKMeans{Clusters: three}, func(p *task.Task) []int {
			s, _, err := kmeans.Solve(background, gram.Of(p.Pairs(), compute.Options{}), 3, kmeans.Options{Weights: p.Rows.W})
			if err != nil {
				t.Fatal(err)
			}
			return s.Labels
		}, "dual"},
		{petalKernel, clustering.Spectral{Clusters: three}, func(p *task.Task) []int {
			s, _, err := kmeans.SolveCut(background, kmeans.Affinities{Gram: gram.Of(p.Pairs(), compute.Options{})}, three, kmeans.Options{Weights: p.Rows.W})
			if err != nil {
				t.Fatal(err)
			}
			return s.Labels
		}, "dual"},
	} {
		p, m := learnPetals(t, table, untargetedSpec, c.kernel, c.method)
		want := c.labels(p)
		on, err := m.On(background, p, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := predict(t, reload(t, m), table)
		if !slices.Equal(got.Clusters(), want) || !slices.Equal(on.Clusters(), want) {
			t.Errorf("%s: clusters %v and %v, want %v", c.method.Name(), got.Clusters(), on.Clusters(), want)
		}
		if got.Cluster(4) != want[4]+1 || got.Probabilities() != nil || got.LogDensity() != nil || got.Outputs[2] != "cluster 3" {
			t.Errorf("%s: row 5 in cluster %d, outputs %v", c.method.Name(), got.Cluster(4), got.Outputs)
		}
		if form, _ := m.Form(); form != c.form {
			t.Errorf("%s: form %s", c.method.Name(), form)
		}
		if _, err := m.Verify(background, compute.Options{}); err != nil {
			t.Error(err)
		}
		parts, err := m.Explain(background, got, mercer.ExplainOptions{Rows: []int{5}}, compute.Options{})
		if (err == nil) != (c.form == "dual") {
			t.Errorf("%s: explanations: %v", c.method.Name(), err)
		}
		for j, x := range parts {
			testkit.Close(t, "explained", x.Prediction, got.Values.At(4, j), 1e-12)
		}
	}
}

// A mixture gives assignments and log densities; a component of weight 0 is left out.
func TestMixtureModel(t *testing.T) {
	t.Parallel()
	table := petals(120)
	for _, shape := range gmm.Shapes {
		choices := gmm.Choices{Least: 3, Most: 3, Shapes: []gmm.Shape{shape}}
		p, m := learnPetals(t, table, untargetedSpec, "linear", clustering.GMM{Choices: choices})
		want, report, err := gmm.Fit(background, p.Rows.X, 3, shape, gmm.Options{Weights: p.Rows.W})
		if err != nil {
			t.Fatal(err)
		}
		q, logs, err := want.Posterior(background, p.Rows.X, 1)
		if err != nil {
			t.Fatal(err)
		}
		again := reload(t, m)
		got := predict(t, again, table)
		testkit.CloseSlice(t, "assignments", got.Probabilities().RawMatrix().Data, q.RawMatrix().Data, 1e-12)
		testkit.CloseSlice(t, "log densities", got.LogDensity(), logs, 1e-12)
		total := 0.0
		for i, v := range got.LogDensity() {
			total += p.Rows.W[i] * v
		}
		testkit.Close(t, "log-likelihood", total, report.LogLikelihood, 1e-12)
		if form, size := again.Form(); form != "mixture" || size != report.Parameters || again.Kernel() != "" {
			t.Errorf("%s: form %s of %d numbers, kernel %q", shape, form, size, again.Kernel())
		}
		if _, err := again.Explain(background, got, mercer.ExplainOptions{}, compute.Options{}); err == nil || !strings.Contains(err.Error(), "no training rows") {
			t.Errorf("explained: %v", err)
		}
	}
}

// A mixture whose covariance is none, or whose parts do not fit, is not loaded.
func TestBrokenMixtures(t *testing.T) {
	path := t.TempDir() + "/m.mercer"
	_, m := learnPetals(t, petals(60), untargetedSpec, "linear", clustering.GMM{Choices: gmm.Choices{Least: 2, Most: 2}})
	if err := m.Save(background, path); err != nil {
		t.Fatal(err)
	}
	for _, tensor := range []string{"mixture.covariances", "mixture.weights", "mixture.means", "mixture"} {
		tensors, metadata := mercer.Unpack(t, path)
		delete(tensors, tensor)
		if _, err := mercer.Decode("cut", mercer.Pack(t, tensors, metadata), task.Files{}); err == nil {
			t.Errorf("loaded without %s", tensor)
		}
	}
	tensors, metadata := mercer.Unpack(t, path)
	tensors["mixture.covariances"] = tensors["mixture.means"]
	if _, err := mercer.Decode("cut", mercer.Pack(t, tensors, metadata), task.Files{}); err == nil {
		t.Error("means were taken for covariances")
	}
	tensors, metadata = mercer.Unpack(t, path)
	metadata["model"] = strings.Replace(metadata["model"], `"form":"mixture"`, `"form":"primal"`, 1)
	if _, err := mercer.Decode("cut", mercer.Pack(t, tensors, metadata), task.Files{}); err == nil {
		t.Error("a mixture was taken for a primal function")
	}
}

// Fewer different rows than clusters: the empty ones are reported, and have no output.
func TestEmptyClustersHaveNoOutput(t *testing.T) {
	table := &data.Table{Source: "few", Headed: true, Columns: []data.Column{
		{Name: "x", Numbers: []float64{0, 0, 0, 1, 1, 1, 5, 5}}, {Name: "y", Numbers: []float64{1, 1, 1, 1, 1, 1, 0, 0}}}}
	s := prep.Spec{NoTarget: true, Raw: []string{"*"}}
	five := kmeans.Range{Least: 5, Most: 5}
	for kernel, method := range map[string]learner.Learner{"linear": clustering.KMeans{Clusters: five}, petalKernel: clustering.KernelKMeans{Clusters: five}} {
		_, m := learnPetals(t, table, s, kernel, method)
		got := predict(t, reload(t, m), table)
		labels := got.Clusters()
		if r := m.Report.(*kmeans.Report); len(got.Outputs) != 3 || r.Empty != 2 || len(r.Warnings) == 0 {
			t.Errorf("%s: outputs %v, %d empty, warnings %q", method.Name(), got.Outputs, r.Empty, r.Warnings)
		}
		if labels[0] == labels[3] || labels[0] != labels[2] || labels[6] != labels[7] {
			t.Errorf("%s: clusters %v", method.Name(), labels)
		}
	}
}

// A range is a choice: by silhouettes, by the eigengap, by BIC.
func TestChoiceOfClusters(t *testing.T) {
	t.Parallel()
	table := petals(90)
	upTo := kmeans.Range{Least: 2, Most: 5}
	for kernel, method := range map[string]learner.Learner{"linear": clustering.KMeans{Clusters: upTo}, petalKernel: clustering.KernelKMeans{Clusters: upTo}} {
		p, m := learnPetals(t, table, untargetedSpec, kernel, method)
		r := m.Report.(*kmeans.Report)
		labels := predict(t, m, table).Clusters()
		_, mean, err := mercer.Silhouettes(background, p, labels, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		best := slices.MaxFunc(r.Candidates, func(a, b kmeans.Candidate) int { return int(math.Copysign(1, a.Silhouette-b.Silhouette)) })
		if len(r.Candidates) != 4 || r.K != best.K || slices.Max(labels)+1 != r.K || r.Stages[0].Name != "choose k" {
			t.Errorf("%s: %d clusters of %+v", method.Name(), r.K, r.Candidates)
		}
		testkit.Close(t, "silhouette", mean, best.Silhouette, 1e-12)
	}
	_, m := learnPetals(t, table, untargetedSpec, petalKernel, clustering.Spectral{Clusters: upTo})
	if r := m.Report.(*kmeans.SpectralReport); r.K != kmeans.Eigengap(r.Eigenvalues, upTo) || len(m.Decision.Outputs) != r.K {
		t.Errorf("%d clusters, eigenvalues %v", r.K, r.Eigenvalues)
	}
	_, m = learnPetals(t, table, untargetedSpec, "linear", clustering.GMM{Choices: gmm.Choices{Least: 1, Most: 4, Shapes: gmm.Shapes}})
	if r := m.Report.(*gmm.Report); len(r.Candidates) != 16 || len(m.Decision.Outputs) != r.K {
		t.Errorf("%d components of %d candidates", r.K, len(r.Candidates))
	}
}

// One component is every row's; its assignment is 1.
func TestOneComponent(t *testing.T) {
	table := petals(40)
	_, m := learnPetals(t, table, untargetedSpec, "linear", clustering.GMM{Choices: gmm.Choices{Least: 1, Most: 1}})
	if q := predict(t, m, table).Probabilities(); !mat.Equal(q, mat.NewDense(40, 1, slices.Repeat([]float64{1}, 40))) {
		t.Errorf("assignments %v", mat.Formatted(q))
	}
}

// Every method without a target has a plan with its memory.
func TestPlansWithoutTargets(t *testing.T) {
	const n = 1500
	for _, c := range []struct {
		kernel string
		method learner.Learner
		least  int64
	}{
		{"linear", methods.PCA{}, 8 * 2 * n},
		{"linear", methods.PCA{Options: pca.Options{Components: 1, Solver: pca.Krylov}}, 8 * 2 * n},
		{"linear", clustering.KMeans{Clusters: three}, 8 * 2 * n},
		{"linear", clustering.KMeans{Clusters: kmeans.Range{Least: 2, Most: 4}}, 8 * 2 * n},
		{"linear", clustering.GMM{Choices: gmm.Choices{Least: 2, Most: 2}}, 8 * 256},
		{petalKernel, clustering.KernelKMeans{Clusters: three}, 8 * 4 * n}, // its matrix is never stored
		{petalKernel, clustering.Spectral{Clusters: three, Options: kmeans.Options{Compute: compute.Options{Precision: compute.Single}}}, 2 * n * n},
		{petalKernel, clustering.Spectral{Clusters: three}, 4 * n * n},
	} {
		p, err := task.New(background, petals(n), untargetedSpec, c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := learner.Plan(background, p, c.method)
		if err != nil {
			t.Fatal(err)
		}
		if got := plan.Memory - plan.Machine.Resident; !(plan.Seconds > 0) || got < c.least || got > 5*c.least/2+(64<<20) {
			t.Errorf("%s: %d bytes, %v s", c.method.Name(), got, plan.Seconds)
		}
	}
	p, err := task.New(background, petals(n), untargetedSpec, petalKernel)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := learner.Plan(background, p, clustering.Spectral{Clusters: three, Options: kmeans.Options{Compute: compute.Options{MaxMemory: 1 << 20}}})
	if err != nil || plan.Memory-plan.Machine.Resident > 4<<20 || !strings.Contains(strings.Join(plan.Notes, " "), "does not fit") {
		t.Errorf("streamed: %+v, %v", plan, err)
	}
}
