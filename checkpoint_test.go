package mercer_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/checkpoint/checkpointtest"
	"example.org/mercer/learner"
	"example.org/mercer/learner/clustering"
	"example.org/mercer/learner/methods"
	"example.org/mercer/loss"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/structured"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/gmm"
	"example.org/mercer/unsupervised/kmeans"
	"example.org/mercer/unsupervised/kpca"
	"example.org/mercer/unsupervised/pca"
)

// interrupted is a fit whose steps are kept in a file.
type interrupted struct {
	problem *task.Task
	method  learner.Learner
	path    string
}

// run fits with a number of workers and is killed after so many steps. It returns the file of the
// model, the steps taken, and how many of them were known.
func (i interrupted) run(t *testing.T, workers, after int, resume bool) (file []byte, steps, known int, err error) {
	t.Helper()
	steps, known, err = checkpointtest.Run(t, i.path, after, resume, func(s *checkpointtest.Steps) error {
		m, err := mercer.Fit(background, i.problem, i.with(workers, s), 1)
		if err == nil {
			file = saved(t, m)
		}
		return err
	})
	return file, steps, known, err
}

func (i interrupted) with(workers int, c compute.Checkpoint) learner.Learner {
	how := i.method.ComputeOptions()
	how.Workers, how.Checkpoint = workers, c
	return i.method.WithCompute(how)
}

// A fit that was killed goes on from its checkpoint to the bits of one that was not, with any
// number of workers: solvers and storage beside those of the suite of methods.
func TestFitsGoOnFromACheckpoint(t *testing.T) {
	t.Parallel()
	single, factors := compute.Options{Precision: compute.Single}, compute.Options{KeepFactors: true}
	small := nystrom.Options{Rank: 20, Scheme: nystrom.Leverage}
	kind := prep.Spec{Targets: []string{"kind"}, ID: "id"}
	prices, flats, flowers := houses(90, 3), houses(90, 4), petals(60)
	const wide = "rbf(sigma=2)"
	cases := map[string]struct {
		table  *data.Table
		spec   prep.Spec
		kernel string
		method learner.Learner
	}{
		"krr":                  {prices, spec, wide, methods.KRR{Options: krr.Options{Lambda: 1e-6, Solver: krr.CG}}},
		"krr, single":          {prices, spec, wide, methods.KRR{Options: krr.Options{Lambda: 1e-6, Solver: krr.CG, Compute: single}}},
		"falkon, single":       {prices, spec, wide, methods.Falkon{Options: falkon.Options{Lambda: 1e-6, Compute: single}, Landmarks: small}},
		"falkon, logistic":     {flats, kind, wide, methods.Falkon{Options: falkon.Options{Lambda: 1e-6, Loss: loss.Logistic{}}, Landmarks: nystrom.Options{Rank: 20, Tolerance: 1e-9}}},
		"falkon, descent":      {prices, spec, wide, methods.Falkon{Options: falkon.Options{Lambda: 1e-6}, Landmarks: small, Descent: falkon.LandmarkOptions{Steps: 6}}},
		"falkon, huber, some":  {prices, spec, wide, methods.Falkon{Options: falkon.Options{Lambda: 1e-6, Loss: loss.Huber{Scale: 5}, Compute: single}, Landmarks: small}},
		"gp":                   {prices, spec, wide, methods.GP{Options: gp.Options{Noise: 1}, Optimize: true, Restarts: 1, Seed: 1}},
		"gp, cg":               {prices, spec, wide, methods.GP{Options: gp.Options{Noise: 1, Solver: gp.CG}, Optimize: true}},
		"gpc":                  {houses(40, 4), kind, wide, methods.GPC{Optimize: true}},
		"klr, primal":          {flats, kind, "linear", methods.KLR{Options: klr.Options{Lambda: 1e-3}}},
		"krr, packed":          {petals(900), petalSpec, petalKernel, methods.KRR{Options: krr.Options{Lambda: 1e-3, Solver: krr.Packed, Compute: factors}}},
		"krr, whole":           {petals(600), petalSpec, petalKernel, methods.KRR{Options: krr.Options{Lambda: 1e-3, Solver: krr.Cholesky, Compute: factors}}},
		"krr, packed, single":  {petals(600), petalSpec, petalKernel, methods.KRR{Options: krr.Options{Lambda: 1e-3, Solver: krr.Packed, Compute: compute.Options{KeepFactors: true, Precision: compute.Single}}}},
		"krr, eigen":           {flowers, petalSpec, petalKernel, methods.KRR{Options: krr.Options{Lambda: 1e-3, Solver: krr.Eigen, Compute: factors}}},
		"krr, path":            {flowers, petalSpec, petalKernel, methods.KRR{Options: krr.Options{Compute: factors}, LambdaBy: krr.LOO}},
		"gp, factor":           {houses(300, 3), spec, wide, methods.GP{Options: gp.Options{Noise: 1, Compute: factors}}},
		"kfda":                 {petals(600), petalSpec, petalKernel, methods.KFDA{Options: kfda.Options{Lambda: 1e-3, Compute: factors}}},
		"structured":           {meadows(300), meadowSpec("kinds", prep.Set, ""), petalKernel, methods.Structured{Options: structured.Options{Lambda: 1e-3, Compute: factors}}},
		"pca, wide":            {broad(50, 60), prep.Spec{NoTarget: true}, "linear", methods.PCA{Options: pca.Options{Components: 2, Compute: factors}}},
		"kpca, exact":          {petals(100), untargetedSpec, petalKernel, methods.KPCA{Options: kpca.Options{Components: 3, Solver: kpca.Exact, Compute: factors}}},
		"kfda, features":       {flowers, petalSpec, "linear", methods.KFDA{Options: kfda.Options{Lambda: 1e-3}}},
		"barycentre, features": {flowers, petalSpec, "linear", methods.Barycentre{}},
		"erm, tukey":           {prices, spec, "linear", methods.ERM{Options: erm.Options{Lambda: 1e-3}, Loss: loss.Tukey{}}},
		"structured, features": {meadows(300), meadowSpec("kinds", prep.Set, "weight"), "linear", methods.Structured{Options: structured.Options{Lambda: 1e-3}, Output: outcome.StructuredOutput{Loss: "f1"}}},
		"svc":                  {flowers, petalSpec, petalKernel, methods.SVC{Options: svm.Options{C: 1e3, Tolerance: 1e-7}}},
		"svc, pairs":           {petals(2100), petalSpec, petalKernel, methods.SVC{}},
		"svc, sample":          {petals(2100), petalSpec, petalKernel, methods.SVC{Options: svm.Options{Scheme: svm.OneVsRest}}},
		"svc, cache":           {petals(2100), petalSpec, petalKernel, methods.SVC{Options: svm.Options{Compute: compute.Options{MaxMemory: 32 << 20}}}},
		"svc, small cache":     {petals(2100), petalSpec, petalKernel, methods.SVC{Options: svm.Options{Compute: compute.Options{MaxMemory: 8 << 20}}}},
		"svc, descent":         {petals(2100), petalSpec, "linear", methods.SVC{}},
		"spectral":             {petals(400), untargetedSpec, petalKernel, clustering.Spectral{Clusters: three}},
		"kpca":                 {petals(400), untargetedSpec, petalKernel, methods.KPCA{Options: kpca.Options{Components: 3, Solver: kpca.Lanczos}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := task.New(background, c.table, c.spec, c.kernel)
			if err != nil {
				t.Fatal(err)
			}
			fit := interrupted{p, c.method, filepath.Join(t.TempDir(), "c")}
			whole, steps, _, err := fit.run(t, 1, checkpointtest.Never, false)
			if err != nil {
				t.Fatal(err)
			}
			if steps == 0 {
				t.Fatal("no steps: nothing to interrupt")
			}
			m, err := mercer.Fit(background, p, fit.with(2, nil), 1)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(whole, saved(t, m)) {
				t.Error("a fit with a checkpoint differs from one without")
			}
			for i, after := range killed(1, max(1, steps/2), steps) {
				if _, _, _, err := fit.run(t, 1, after, false); after < steps != errors.Is(err, checkpointtest.ErrKilled) {
					t.Fatalf("killed after step %d of %d: %v", after, steps, err)
				}
				file, _, known, err := fit.run(t, []int{2, 3, 8}[i], checkpointtest.Never, true)
				if err != nil {
					t.Fatal(err)
				}
				// Steps within a fold or a start that is there are not asked for, and one that is
				// not finished is not known.
				if known > after || known < after && !nested(c.method) || known == 0 && after > 1 {
					t.Errorf("killed after step %d of %d it reads %d", after, steps, known)
				}
				if !bytes.Equal(file, whole) {
					t.Errorf("killed after step %d of %d it ends elsewhere", after, steps)
				}
			}
		})
	}
}

// broad returns a table of waves with many columns.
func broad(rows, columns int) *data.Table {
	t := &data.Table{Source: "broad", Headed: true}
	for j := range columns {
		c := data.Column{Name: fmt.Sprint("x", j)}
		for i := range rows {
			c.Numbers = append(c.Numbers, math.Sin(float64(1+i*(j+3)%17))+math.Cos(float64(i*j)))
		}
		t.Columns = append(t.Columns, c)
	}
	return t
}

// killed returns the steps after which a fit is killed: with -short one of them.
func killed(first, middle, last int) []int {
	if testing.Short() {
		return []int{middle}
	}
	return []int{first, middle, last}
}

// nested reports whether steps of a method are made of steps.
func nested(m learner.Learner) bool {
	switch m.(type) {
	case learner.Calibrated, clustering.KMeans, clustering.GMM, clustering.Spectral:
		return true
	}
	return false
}

// Starts of k-means and of mixtures that go through a file side by side, of rows or of features of
// them, and machines in features go on from a checkpoint to the bits of rows in memory.
func TestFitsInPassesGoOnFromACheckpoint(t *testing.T) {
	t.Parallel()
	_, whole, blocks := longTable(t)
	three := kmeans.Range{Least: 3, Most: 3}
	o := kmeans.Options{Restarts: 4, MaxIterations: 3}
	label := prep.Spec{Targets: []string{"label"}, Drop: []string{"y"}, Missing: prep.Mean}
	number := prep.Spec{Targets: []string{"y"}, Drop: []string{"label"}, Missing: prep.Mean}
	for _, c := range []struct {
		spec   prep.Spec
		kernel string
		r      task.Approximation
		method learner.Learner
	}{
		{untargetedLong, "linear", task.Approximation{}, clustering.KMeans{Options: o, Clusters: three}},
		{untargetedLong, "rbf(sigma=2)", task.Approximation{Features: &randomfeatures.Options{Dim: 10}}, clustering.KernelKMeans{Options: o, Clusters: three}},
		{untargetedLong, "rbf(sigma=2)", task.Approximation{Landmarks: &nystrom.Options{Scheme: nystrom.Uniform, Rank: 10}}, clustering.Spectral{Options: o, Clusters: three}},
		{untargetedLong, "linear", task.Approximation{}, clustering.GMM{Options: gmm.Options{Restarts: 3, MaxIterations: 4}, Choices: gmm.Choices{Least: 2, Most: 2, Shapes: []gmm.Shape{gmm.Spherical}}}},
		{label, "rbf(sigma=2)", task.Approximation{Features: &randomfeatures.Options{Dim: 10}}, methods.SVC{Options: svm.Options{C: 0.1}}},
		{number, "rbf(sigma=2)", task.Approximation{Features: &randomfeatures.Options{Dim: 10}}, methods.KRR{Options: krr.Options{Lambda: 1e-3}}},
	} {
		in, err := task.New(background, whole, c.spec, c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		out, err := task.New(background, blocks, c.spec, c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		var want []byte
		for i, p := range []*task.Task{in, out} {
			if p, err = p.Reduced(background, c.r, compute.Options{}); err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				m, err := mercer.Fit(background, p, c.method, 1)
				if err != nil {
					t.Fatal(err)
				}
				want = saved(t, m)
				continue
			}
			how := c.method.ComputeOptions()
			if _, planned := c.method.(methods.KRR); !planned { // it refuses what its plan does not fit in
				how.MaxMemory = 1 << 19 // features are not held, and some starts go together
			}
			fit := interrupted{p, c.method.WithCompute(how), filepath.Join(t.TempDir(), "c")}
			_, steps, _, err := fit.run(t, 1, checkpointtest.Never, false)
			if err != nil {
				t.Fatal(err)
			}
			for i, after := range killed(min(10, steps-1), steps/2, steps-1) {
				if _, _, _, err := fit.run(t, 2, after, false); !errors.Is(err, checkpointtest.ErrKilled) {
					t.Fatalf("killed after step %d of %d: %v", after, steps, err)
				}
				file, _, known, err := fit.run(t, []int{2, 3, 8}[i], checkpointtest.Never, true)
				if err != nil || known == 0 || !bytes.Equal(file, want) {
					t.Errorf("%s, killed after step %d of %d: %d are known, and the bits are the same: %v; %v", c.method.Name(), after, steps, known, bytes.Equal(file, want), err)
				}
			}
		}
	}
}

func TestACheckpointIsOfOneFit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	method := func(lambda float64) learner.Learner {
		return methods.KRR{Options: krr.Options{Lambda: lambda, Solver: krr.CG}}
	}
	problem := func(rows int) *task.Task {
		p, err := task.New(background, houses(rows, 3), spec, "rbf(sigma=2)")
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	resumed := learner.Keeping{Path: path, Resume: true, Every: 1}
	m, c, err := learner.OpenCheckpoint(problem(60), method(1e-6), learner.Keeping{Path: path, Every: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mercer.Fit(background, problem(60), m, 1); err != nil {
		t.Fatal(err)
	}
	if saved, err := c.Close(false); !saved || err != nil {
		t.Fatalf("saved %v, %v", saved, err)
	}
	for want, again := range map[string]func() error{
		"differs in the options": func() error { _, _, err := learner.OpenCheckpoint(problem(60), method(1e-5), resumed); return err },
		"differs in the rows":    func() error { _, _, err := learner.OpenCheckpoint(problem(61), method(1e-6), resumed); return err },
	} {
		if err := again(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	_, c, err = learner.OpenCheckpoint(problem(60), method(1e-6), resumed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Close(true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a finished fit left its checkpoint: %v", err)
	}
}

// A factor is kept where it is asked for, or where the plan says that the fit is long and the disk
// has room.
func TestFactorsAreKeptWhereTheFitIsLong(t *testing.T) {
	p, err := task.New(background, houses(60, 3), spec, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	exact := methods.KRR{Options: krr.Options{Lambda: 1e-3, Solver: krr.Cholesky}}
	const half = 4 * 60 * 61
	for name, c := range map[string]struct {
		keeping learner.Keeping
		bytes   int64
	}{
		"short":           {learner.Keeping{Plan: compute.Plan{Solver: "cholesky", Seconds: 60}}, 0},
		"short, asked":    {learner.Keeping{Plan: compute.Plan{Solver: "cholesky", Seconds: 60}, Factors: true}, half},
		"long":            {learner.Keeping{Plan: compute.Plan{Solver: "cholesky", Seconds: 600}}, half},
		"long, no factor": {learner.Keeping{Plan: compute.Plan{Solver: "primal", Seconds: 600}}, 0},
	} {
		c.keeping.Path, c.keeping.Every = filepath.Join(t.TempDir(), "c"), 1
		m, kept, err := learner.OpenCheckpoint(p, exact, c.keeping)
		if err != nil {
			t.Fatal(err)
		}
		if kept.FactorBytes != c.bytes || kept.Keeps() != (c.bytes > 0) || m.ComputeOptions().KeepFactors != (c.bytes > 0) || kept.Without != "" {
			t.Errorf("%s: %d bytes in the file, want %d; %q", name, kept.FactorBytes, c.bytes, kept.Without)
		}
		if _, err := kept.Close(true); err != nil {
			t.Error(err)
		}
	}
}

// The columns by which landmarks are chosen are kept where they are asked for, and where there are
// any.
func TestColumnsOfLandmarksAreKept(t *testing.T) {
	p, err := task.New(background, houses(60, 3), spec, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		landmarks nystrom.Options
		asked     bool
		bytes     int64
	}{
		"short":                    {nystrom.Options{Rank: 12}, false, 0},
		"asked":                    {nystrom.Options{Rank: 12, Scheme: nystrom.Greedy}, true, 8 * 60 * 12},
		"asked, few candidates":    {nystrom.Options{Rank: 12, Among: 20}, true, 8 * 20 * 12},
		"asked, to a tolerance":    {nystrom.Options{Tolerance: 1e-3}, true, 8 * 60 * 60},
		"to a tolerance":           {nystrom.Options{Tolerance: 1e-3}, false, 0},
		"asked, nothing to factor": {nystrom.Options{Rank: 12, Scheme: nystrom.Uniform}, true, 0},
	} {
		keeping := learner.Keeping{Path: filepath.Join(t.TempDir(), "c"), Every: 1, Factors: c.asked}
		how, kept, err := learner.OpenChoice(background, p, task.Approximation{Landmarks: &c.landmarks}, compute.Options{}, keeping)
		if err != nil {
			t.Fatal(err)
		}
		if kept.FactorBytes != c.bytes || how.KeepFactors != (c.bytes > 0) || !kept.Keeps() {
			t.Errorf("%s: %d bytes of columns in the file, want %d", name, kept.FactorBytes, c.bytes)
		}
		if _, err := kept.Close(true); err != nil {
			t.Error(err)
		}
	}
}

// Landmarks that were chosen, or half chosen, are not chosen again: a fit on them has the bits of
// one that was never stopped.
func TestChoiceOfLandmarksGoesOn(t *testing.T) {
	t.Parallel()
	p, err := task.New(background, petals(300), petalSpec, petalKernel)
	if err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []nystrom.Scheme{nystrom.Pivoted, nystrom.Greedy, nystrom.Leverage, nystrom.KMeans} {
		t.Run(string(scheme), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "landmarks")
			fit := func(workers, after int, resume bool) (file []byte, steps, known int, err error) {
				steps, known, err = checkpointtest.Run(t, path, after, resume, func(s *checkpointtest.Steps) error {
					r := task.Approximation{Landmarks: &nystrom.Options{Scheme: scheme, Rank: 12, Seed: 1}}
					low, err := p.Reduced(background, r, compute.Options{Workers: workers, Checkpoint: s, KeepFactors: true})
					if err != nil {
						return err
					}
					m, err := mercer.Fit(background, low, methods.KLR{Options: klr.Options{Lambda: 1e-3}}, 1)
					if err == nil {
						file = saved(t, m)
					}
					return err
				})
				return file, steps, known, err
			}
			want, steps, _, err := fit(1, checkpointtest.Never, false)
			if err != nil || steps == 0 {
				t.Fatalf("%d steps: %v", steps, err)
			}
			for _, after := range []int{steps, (steps + 1) / 2} {
				if _, _, _, err := fit(1, after, false); after < steps != errors.Is(err, checkpointtest.ErrKilled) {
					t.Fatal(err)
				}
				file, _, known, err := fit(3, checkpointtest.Never, true)
				if err != nil || known == 0 || !bytes.Equal(file, want) {
					t.Errorf("after %d of %d steps %d are known, and the bits are the same: %v; %v", after, steps, known, bytes.Equal(file, want), err)
				}
			}
		})
	}
}
