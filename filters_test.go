package mercer_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/approx/filters"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/checkpoint/checkpointtest"
	"example.org/mercer/learner"
	"example.org/mercer/learner/clustering"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/sckn"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
	"example.org/mercer/tune"
	"example.org/mercer/unsupervised/kmeans"
	"example.org/mercer/unsupervised/kpca"
)

// bars is a table of images of 6×6 pixels with an upright or a level bar in noise.
func bars(rows int) *data.Table {
	r := rand.New(rand.NewPCG(8, 1))
	columns := make([]data.Column, 37)
	columns[36] = data.Column{Name: "bar", Kind: data.Categorical}
	for j := range 36 {
		columns[j] = data.Column{Name: fmt.Sprintf("p%d", j+1), Kind: data.Numeric, Numbers: make([]float64, rows)}
	}
	for i := range rows {
		at, upright := 1+r.IntN(4), i%2 == 0
		for j := range 36 {
			bright := j/6 == at
			if upright {
				bright = j%6 == at
			}
			if columns[j].Numbers[i] = 0.2 * r.Float64(); bright {
				columns[j].Numbers[i]++
			}
		}
		columns[36].Strings = append(columns[36].Strings, map[bool]string{true: "upright", false: "level"}[upright])
	}
	return &data.Table{Source: "bars", Headed: true, Columns: columns}
}

var (
	barsSpec   = prep.Spec{Targets: []string{"bar"}}
	unlabelled = prep.Spec{NoTarget: true, Drop: []string{"bar"}}
)

// Each method finds with filters, and keeps in its file, a function of the features; with a
// filter for each patch it is that of the exact kernel. ε = 1e-6 and single precision move kernel
// values by some 1e-3 of themselves at most (see package filters), predictions by λ⁻¹ times that.
func TestFilters(t *testing.T) {
	table := bars(60)
	for _, c := range []struct {
		method learner.Learner
		spec   prep.Spec
		kernel string
	}{
		{methods.KRR{Options: krr.Options{Lambda: 1e-2}}, barsSpec, "ckn(shape=[6, 6, 1], patch=3, pool=3, sigma=0.6)"},
		{methods.SVC{Options: svm.Options{C: 1}}, barsSpec, "ckn(shape=[6, 6, 1], patch=3, pool=3, sigma=0.6, normalize=yes)"},
		{methods.KLR{Options: klr.Options{Lambda: 1e-3}}, barsSpec, "ckn(shape=[6, 6, 1], input=whitened, patch=3, pool=3, sigma=0.6)"},
		{methods.KFDA{Options: kfda.Options{Lambda: 1e-2}}, barsSpec, "ckn(shape=[6, 6, 1], input=gradient, reduce=2, patch=2, pool=3, sigma=0.6)"},
		{methods.KPCA{Options: kpca.Options{Components: 2}}, unlabelled, "ckn(shape=[6, 6, 1], patch=[3, 2], pool=[2, 3], sigma=0.6)"},
		{clustering.KernelKMeans{Clusters: kmeans.Range{Least: 2, Most: 2}, Options: kmeans.Options{Seed: 1}}, unlabelled, "ckn(shape=[6, 6, 1], input=centred, patch=3, pool=3, sigma=0.6)"},
	} {
		p, err := task.New(background, table, c.spec, c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		counts := []int{12, 10}[:1+strings.Count(c.kernel, "patch=[")]
		q, err := p.WithFilters(background, filters.Options{Filters: counts, Seed: 1}, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := mercer.Fit(background, q, c.method, 1)
		if err != nil {
			t.Fatalf("%s: %v", c.method.Name(), err)
		}
		again := reload(t, m)
		if want, got := predict(t, m, table).Values, predict(t, again, table).Values; !slices.Equal(want.RawMatrix().Data, got.RawMatrix().Data) {
			t.Errorf("%s: the file predicts otherwise", c.method.Name())
		}
		if v, err := again.Verify(background, compute.Options{}); err != nil || v.Rows == 0 {
			t.Errorf("%s: verification %v", c.method.Name(), err)
		}
		if form, size := again.Form(); form != "primal" || size != again.FeatureMap.Features || !slices.Equal(again.FeatureMap.Filters, counts) || again.Kernel() != p.Kernel() || again.FeatureMap.Block == 0 {
			t.Errorf("%s: form %s of %d, map %+v, kernel %s", c.method.Name(), form, size, again.FeatureMap, again.Kernel())
		}
		if c.spec.Targets != nil {
			wrong := 0
			predicted := predict(t, again, table)
			for i := range 60 {
				if predicted.Label(i, 0) != table.Columns[36].Strings[i] {
					wrong++
				}
			}
			if wrong > 1 {
				t.Errorf("%s: %d of 60 bars are mistaken", c.method.Name(), wrong)
			}
		}
	}
}

// Rows that are read in passes learn the same filters, and the same model, as rows in memory.
func TestFiltersInPasses(t *testing.T) {
	table, text := bars(60), "ckn(shape=[6, 6, 1], patch=3, pool=3, sigma=0.6)"
	var file strings.Builder
	for j, c := range table.Columns {
		file.WriteString(c.Name + map[bool]string{true: "\n", false: ","}[j == 36])
	}
	for i := range 60 {
		for _, c := range table.Columns[:36] {
			fmt.Fprintf(&file, "%v,", c.Numbers[i])
		}
		file.WriteString(table.Columns[36].Strings[i] + "\n")
	}
	path := filepath.Join(t.TempDir(), "bars.csv")
	if err := os.WriteFile(path, []byte(file.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	whole, err := open.Read(t.Context(), path, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := task.New(t.Context(), whole, unlabelled, text)
	if err != nil {
		t.Fatal(err)
	}
	blocks, _, err := open.Compile(t.Context(), path, "", open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { blocks.Close() })
	out, err := task.New(t.Context(), blocks, unlabelled, text)
	if err != nil {
		t.Fatal(err)
	}
	var files [][]byte
	for _, p := range []*task.Task{in, out} {
		q, err := p.Reduced(t.Context(), task.Approximation{Filters: &filters.Options{Filters: []int{12}}}, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := mercer.Fit(t.Context(), q, methods.KPCA{Options: kpca.Options{Components: 2}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, saved(t, m))
	}
	if !slices.Equal(files[0], files[1]) {
		t.Error("rows in passes make another model than rows in memory")
	}
}

// The targets move the filters before the method, and the file has them and how they came about.
func TestTargetsMoveFilters(t *testing.T) {
	table := bars(120)
	by := task.Approximation{Filters: &filters.Options{Filters: []int{4}, Seed: 1}, Training: &sckn.Options{Epochs: 3}}
	reduced := func(spec prep.Spec) *task.Task {
		p, err := task.New(background, table, spec, "ckn(shape=[6, 6, 1], patch=3, pool=3, sigma=0.6)")
		if err != nil {
			t.Fatal(err)
		}
		if p, err = p.Reduced(background, by, compute.Options{}); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, method := range []learner.Learner{methods.KRR{Options: krr.Options{Lambda: 1e-2}}, methods.SVC{Options: svm.Options{C: 1}}} {
		m, err := mercer.Fit(background, reduced(barsSpec), method, 1)
		if err != nil {
			t.Fatal(err)
		}
		again := reload(t, m)
		if want, got := predict(t, m, table).Values, predict(t, again, table).Values; !slices.Equal(want.RawMatrix().Data, got.RawMatrix().Data) {
			t.Errorf("%s: the file predicts otherwise", method.Name())
		}
		r := again.FeatureMap.Trained
		if r == nil || r.Rows != 108 || r.Judged != 12 || len(r.Errors) < 2 || r.Errors[r.Best] > r.Errors[0] || m.Report.Ran().Stages[2].Name != "filters by targets" {
			t.Errorf("%s: report %+v", method.Name(), r)
		}
		if warned := strings.Join(m.Report.Ran().Warnings, ", "); !strings.Contains(warned, "leave-one-out errors of the fit are too good") {
			t.Errorf("%s: warnings %q", method.Name(), warned)
		}
	}
	_, err := mercer.Fit(background, reduced(unlabelled), methods.KPCA{Options: kpca.Options{Components: 2}}, 1)
	if err == nil || !strings.Contains(err.Error(), "no target to learn filters by") {
		t.Errorf("without a target: %v", err)
	}
	fit := interrupted{reduced(barsSpec), methods.KRR{Options: krr.Options{Lambda: 1e-2}}, filepath.Join(t.TempDir(), "c")}
	whole, _, _, err := fit.run(t, 1, checkpointtest.Never, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err = fit.run(t, 1, 2, false); !errors.Is(err, checkpointtest.ErrKilled) {
		t.Fatal(err)
	}
	again, _, known, err := fit.run(t, 3, checkpointtest.Never, true)
	if err != nil || known != 2 || !slices.Equal(again, whole) {
		t.Errorf("killed after two epochs, of which it knows %d, it ends elsewhere: %v", known, err)
	}
	plan, err := learner.Plan(background, reduced(barsSpec), methods.KRR{Options: krr.Options{Lambda: 1}})
	if err != nil || !slices.ContainsFunc(plan.Stages, func(c compute.Cost) bool { return c.Stage == "filters by targets" && c.Flops > 0 }) {
		t.Errorf("plan %+v, %v", plan.Stages, err)
	}
}

// The σ of a ckn(…) is one of angles: a search begins at its usual value, whatever the pixels are.
func TestWidthsOfAnglesAreSearched(t *testing.T) {
	o := search.Search{Approximation: task.Approximation{Filters: &filters.Options{Filters: []int{6}, Seed: 1}}, Options: tune.Options{Trials: 3, Seed: 1}}
	p, _, tuned, err := search.Tune(background, bars(60), barsSpec, "ckn(shape=[6, 6, 1], patch=3, pool=3, sigma=?)", methods.KRR{Options: krr.Options{Lambda: 1e-2}}, o)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(p.Kernel(), "sigma=") || tuned.Best.Values[0] < 0.05 || tuned.Best.Values[0] > 10 {
		t.Errorf("kernel %s, values %v", p.Kernel(), tuned.Best.Values)
	}
}

func TestFiltersErrors(t *testing.T) {
	table, o := bars(20), filters.Options{Filters: []int{4}}
	p, err := task.New(background, table, barsSpec, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.WithFilters(background, o, compute.Options{}); err == nil || !strings.Contains(err.Error(), "landmarks approximate any kernel") {
		t.Error(err)
	}
	if p, err = task.New(background, table, barsSpec, "ckn(shape=[6, 6, 1], input=whitened, patch=3, pool=3)"); err != nil {
		t.Fatal(err)
	}
	if _, err := mercer.Fit(background, p, methods.KRR{Options: krr.Options{Lambda: 1}}, 1); err == nil || !strings.Contains(err.Error(), "--filters") {
		t.Error(err)
	}
	both := task.Approximation{Filters: &o, Features: &randomfeatures.Options{Dim: 3}}
	if _, err := p.Reduced(background, both, compute.Options{}); err == nil || !strings.Contains(err.Error(), "choose one") {
		t.Error(err)
	}
	q, err := p.PlannedFilters(background, task.Approximation{Filters: &o}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := learner.Plan(background, q, methods.KRR{Options: krr.Options{Lambda: 1}})
	if err != nil || plan.Stages[0].Stage != "" && plan.Stages[0].Stage != "filters" || len(plan.Stages) < 3 {
		t.Errorf("plan %+v, %v", plan.Stages, err)
	}
	_, err = task.New(background, table, barsSpec, "ckn(shape=[5, 5, 1])")
	if err == nil || !strings.Contains(err.Error(), "shape=[6, 6, 1]") {
		t.Error(errors.Unwrap(err), err)
	}
}
