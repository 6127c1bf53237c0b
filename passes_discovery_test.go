package mercer_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/clustering"
	"example.org/mercer/learner/methods"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/gmm"
	"example.org/mercer/unsupervised/kmeans"
	"example.org/mercer/unsupervised/pca"
)

// untargetedLong is how the long table is prepared for methods without a target.
var untargetedLong = prep.Spec{NoTarget: true, Drop: []string{"label"}, Missing: prep.Mean}

// discovered fits a method to rows in memory and in passes.
func discovered(t *testing.T, whole *data.Table, blocks data.Blocks, kernel string, memory, filed learner.Learner) (in, out *mercer.Model, p *task.Task) {
	t.Helper()
	inMemory, err := task.New(t.Context(), whole, untargetedLong, kernel)
	if err != nil {
		t.Fatal(err)
	}
	if in, err = mercer.Fit(t.Context(), inMemory, memory, 1); err != nil {
		t.Fatal(err)
	}
	if p, err = task.New(t.Context(), blocks, untargetedLong, kernel); err != nil {
		t.Fatal(err)
	}
	if out, err = mercer.Fit(t.Context(), p, filed, 1); err != nil {
		t.Fatal(err)
	}
	return in, out, p
}

// Components of rows that are read in passes are those of rows in memory, byte for byte, and so are
// the scores, which come in runs.
func TestComponentsInPasses(t *testing.T) {
	t.Parallel()
	_, whole, blocks := longTable(t)
	for _, workers := range []int{1, 2, 3, 8} {
		method := methods.PCA{Options: pca.Options{Components: 3, Compute: compute.Options{Workers: workers}}}
		in, out, p := discovered(t, whole, blocks, "linear", methods.PCA{Options: pca.Options{Components: 3}}, method)
		if !bytes.Equal(saved(t, in), saved(t, out)) {
			t.Fatalf("%d workers: the models differ", workers)
		}
		want, err := in.Predict(t.Context(), whole, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		row := 0
		err = out.OnEach(t.Context(), p, compute.Options{}, func(run *outcome.Prediction) error {
			n, _ := run.Values.Dims()
			for i := range n {
				if !slices.Equal(run.Values.RawRowView(i), want.Values.RawRowView(row)) {
					t.Fatalf("the scores of row %d differ", row)
				}
				row++
			}
			return nil
		})
		if err != nil || row != whole.Rows() {
			t.Errorf("%d scores of %d rows; %v", row, whole.Rows(), err)
		}
		if workers > 1 {
			continue
		}
		plan, err := learner.Plan(t.Context(), p, method)
		if err != nil || plan.Stages[0].Stage != "blocks" || plan.Stages[0].Keeps < p.Rows.Streamed.Bytes() || math.IsNaN(plan.Seconds) {
			t.Errorf("the plan is %v; %v", plan, err)
		}
		counted := slices.ContainsFunc(plan.Notes, func(s string) bool { return strings.HasPrefix(s, "the time counts the reading") })
		if reads := p.Rows.Streamed.PassSeconds() > 0; reads != counted || reads != (plan.Stages[0].Seconds > 0) || plan.Passes < 4 {
			t.Errorf("a pass takes %v s, and %d passes are planned: %v", p.Rows.Streamed.PassSeconds(), plan.Passes, plan)
		}
	}
}

// Clusters of rows that are read in passes are those of rows in memory, byte for byte.
func TestClustersInPasses(t *testing.T) {
	t.Parallel()
	_, whole, blocks := longTable(t)
	for _, c := range []struct{ memory, filed learner.Learner }{
		{clustering.KMeans{Options: kmeans.Options{Restarts: 3}, Clusters: three},
			clustering.KMeans{Options: kmeans.Options{Restarts: 3, Compute: compute.Options{Workers: 3}}, Clusters: three}},
		{clustering.GMM{Options: gmm.Options{Restarts: 2, MaxIterations: 5}, Choices: gmm.Choices{Least: 2, Most: 2, Shapes: []gmm.Shape{gmm.Diagonal, gmm.Tied}}},
			clustering.GMM{Options: gmm.Options{Restarts: 2, MaxIterations: 5, Compute: compute.Options{Workers: 2}}, Choices: gmm.Choices{Least: 2, Most: 2, Shapes: []gmm.Shape{gmm.Diagonal, gmm.Tied}}}},
	} {
		in, out, _ := discovered(t, whole, blocks, "linear", c.memory, c.filed)
		if !bytes.Equal(saved(t, in), saved(t, out)) {
			t.Errorf("%s: the models differ", c.memory.Name())
		}
	}
}

// The number of clusters that is chosen in passes, by the silhouettes of rows that are drawn, is
// that in memory by the same rows, byte for byte.
func TestNumbersOfClustersInPasses(t *testing.T) {
	t.Parallel()
	_, whole, blocks := longTable(t)
	o := kmeans.Options{Restarts: 1, MaxIterations: 3, Seed: 4}
	upTo := kmeans.Range{Least: 2, Most: 4}
	here := clustering.KMeans{Options: o, Clusters: upTo, SilhouetteRows: 4096}
	in, out, _ := discovered(t, whole, blocks, "linear", here, clustering.KMeans{Options: o, Clusters: upTo})
	if r := out.Report.(*kmeans.Report); r.SilhouetteRows != 4096 || len(r.Candidates) != 3 || !bytes.Equal(saved(t, in), saved(t, out)) {
		t.Errorf("k-means: by %d rows, %+v; the models are equal: %v", r.SilhouetteRows, r.Candidates, bytes.Equal(saved(t, in), saved(t, out)))
	}
	var want []byte
	p, err := task.New(t.Context(), whole, untargetedLong, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	q, err := task.New(t.Context(), blocks, untargetedLong, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	for i, problem := range []*task.Task{p, q, q} {
		o.Compute = compute.Options{Workers: 1 + i, MaxMemory: []int64{0, 0, 1 << 20}[i]}
		mapped, err := problem.WithFeatures(t.Context(), randomfeatures.Options{Dim: 8}, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := mercer.Fit(t.Context(), mapped, clustering.KernelKMeans{Options: o, Clusters: upTo, SilhouetteRows: 300}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = saved(t, m)
		}
		if !bytes.Equal(saved(t, m), want) {
			t.Errorf("kernel k-means, %+v: the model differs", o.Compute)
		}
	}
}
