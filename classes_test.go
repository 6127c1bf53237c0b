package mercer_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/metric"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

// petals is a table of three classes in the plane, in rings of unequal size.
func petals(rows int) *data.Table {
	r := rand.New(rand.NewPCG(12, 1))
	t := &data.Table{Source: "petals", Headed: true, Columns: []data.Column{{Name: "x"}, {Name: "y"}, {Name: "weight"}, {Name: "kind", Kind: data.Categorical}}}
	for i := range rows {
		c := (i % 7) / 3 // 3:3:1
		angle, radius := 2*math.Pi*r.Float64(), 1.2*float64(c)+0.5*r.NormFloat64()
		t.Columns[0].Numbers = append(t.Columns[0].Numbers, radius*math.Cos(angle))
		t.Columns[1].Numbers = append(t.Columns[1].Numbers, radius*math.Sin(angle))
		t.Columns[2].Numbers = append(t.Columns[2].Numbers, float64(1+i%2))
		t.Columns[3].Strings = append(t.Columns[3].Strings, []string{"inner", "middle", "outer"}[c])
	}
	return t
}

var petalSpec = prep.Spec{Targets: []string{"kind"}, Drop: []string{"weight"}, Raw: []string{"*"}}

const petalKernel = "rbf(sigma=1)"

// learnPetals fits a method, and gives back the problem too.
func learnPetals(t *testing.T, table *data.Table, s prep.Spec, kernel string, method learner.Learner) (*task.Task, *mercer.Model) {
	t.Helper()
	p, err := task.New(background, table, s, kernel)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mercer.Fit(background, p, method, 1)
	if err != nil {
		t.Fatal(err)
	}
	return p, m
}

// reload writes a model to a file and reads it.
func reload(t *testing.T, m *mercer.Model) *mercer.Model {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model")
	if err := m.Save(background, path); err != nil {
		t.Fatal(err)
	}
	again, err := mercer.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// TestClassifiers: what Fit makes of a table is what the method package makes
// of its points, before and after a file.
func TestClassifiers(t *testing.T) {
	table := petals(140)
	for name, c := range map[string]struct {
		method  learner.Learner
		outputs []string
	}{
		"votes":    {methods.SVC{Options: svm.Options{C: 3}}, []string{"kind=inner/middle", "kind=inner/outer", "kind=middle/outer"}},
		"rest":     {methods.SVC{Options: svm.Options{C: 3, Scheme: svm.OneVsRest}}, []string{"kind=inner", "kind=middle", "kind=outer"}},
		"logistic": {methods.KLR{Options: klr.Options{Lambda: 1e-2}}, []string{"kind=inner", "kind=middle", "kind=outer"}},
		"fisher":   {methods.KFDA{Options: kfda.Options{Lambda: 1e-2}}, []string{"kind.LD1", "kind.LD2"}},
		"one axis": {methods.KFDA{Options: kfda.Options{Lambda: 1e-2, Directions: 1}}, []string{"kind.LD1"}},
		"means":    {methods.Barycentre{}, []string{"kind=inner", "kind=middle", "kind=outer"}},
	} {
		p, m := learnPetals(t, table, petalSpec, petalKernel, c.method)
		if got := strings.Join(m.Decision.Outputs, " "); got != strings.Join(c.outputs, " ") {
			t.Errorf("%s: outputs %s", name, got)
		}
		classes := make([]int, p.Rows.X.Len())
		for i := range classes {
			classes[i] = p.Prep.Targets()[0].Class(p.Rows.Y.RawRowView(i))
		}
		want := direct(t, c.method, p, classes)
		for _, m := range []*mercer.Model{m, reload(t, m)} {
			test, err := m.Test(background, table, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			predicted, wrong := make([]int, len(classes)), 0
			for i := range classes {
				predicted[i] = test.Class(i, 0)
				if predicted[i] != want[i] {
					t.Fatalf("%s: row %d is predicted as class %d, by the method as %d", name, i, predicted[i], want[i])
				}
				if predicted[i] != classes[i] {
					wrong++
				}
			}
			scores, err := test.Scores()
			if err != nil {
				t.Fatal(err)
			}
			s := scores[0]
			if s.Errors != wrong || s.NumberScores != nil {
				t.Errorf("%s: scores %+v, %d errors counted", name, s, wrong)
			}
			testkit.Close(t, name+": balanced accuracy", s.Balanced, metric.Balanced(metric.Confusion(classes, predicted, 3, nil)), 1e-15)
			if (s.AUC == nil) != (name == "votes") || (s.LogLoss != nil) != (name == "logistic" || name == "fisher" || name == "one axis") {
				t.Errorf("%s: AUC %v, log loss %v", name, s.AUC, s.LogLoss)
			}
			if q := test.Probabilities(); q != nil {
				for i, c := range predicted {
					row := q.RawRowView(i)
					testkit.Close(t, "sum of probabilities", row[0]+row[1]+row[2], 1, 1e-14)
					if row[c] < max(row[0], row[1], row[2]) {
						t.Errorf("row %d is predicted as class %d with probabilities %v", i, c, row)
					}
				}
			}
		}
	}
}

// direct fits and predicts by the method package itself.
func direct(t *testing.T, method learner.Learner, p *task.Task, classes []int) []int {
	t.Helper()
	k, xs := vec.RBF{Sigma: 1}, p.Rows.X
	switch o := method.(type) {
	case methods.SVC:
		f, r, err := svm.Fit(background, k, xs, classes, o.Options)
		if err != nil {
			t.Fatal(err)
		}
		values, err := f.Predict(background, xs, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Decision.Classes(values)
	case methods.KLR:
		f, _, err := klr.Fit(background, k, xs, classes, o.Options)
		if err != nil {
			t.Fatal(err)
		}
		values, err := f.Predict(background, xs, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return klr.Classes(values)
	case methods.KFDA:
		f, r, err := kfda.Fit(background, k, xs, classes, o.Options)
		if err != nil {
			t.Fatal(err)
		}
		values, err := f.Predict(background, xs, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Decision.Classes(values)
	case methods.Barycentre:
		f, _, err := kfda.FitBarycentres(background, k, xs, classes, o.BarycentreOptions)
		if err != nil {
			t.Fatal(err)
		}
		values, err := f.Predict(background, xs, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		nearest := make([]int, len(classes))
		for i := range nearest {
			nearest[i] = p.Prep.Targets()[0].Class(values.RawRowView(i))
		}
		return nearest
	}
	t.Fatalf("no direct way for %T", method)
	return nil
}

// TestClassWeights: weights of rows, of classes and of a balance are all weights.
func TestClassWeights(t *testing.T) {
	table := petals(70)
	weighted := petalSpec
	weighted.Drop, weighted.Weights = nil, "weight"
	bias := func(s prep.Spec, o methods.SVC) []float64 {
		o.Tolerance = 1e-8
		_, m := learnPetals(t, table, s, petalKernel, o)
		return m.Bias()
	}
	plain := bias(petalSpec, methods.SVC{})
	for name, other := range map[string][]float64{
		"rows":     bias(weighted, methods.SVC{}),
		"balanced": bias(petalSpec, methods.SVC{Balanced: true}),
		"classes":  bias(petalSpec, methods.SVC{Classes: map[string]float64{"outer": 5}}),
	} {
		if mat.EqualApprox(mat.NewVecDense(3, plain), mat.NewVecDense(3, other), 1e-3) {
			t.Errorf("weights of %s change nothing: %v", name, other)
		}
	}
	// 70 rows of which 30, 30 and 10: balanced is 70/(3·30) and 70/(3·10).
	same := map[string]float64{"inner": 7. / 9, "middle": 7. / 9, "outer": 7. / 3}
	testkit.CloseSlice(t, "balance by hand", bias(petalSpec, methods.SVC{Classes: same}), bias(petalSpec, methods.SVC{Balanced: true}), 1e-6)
	p, err := task.New(background, table, petalSpec, petalKernel)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mercer.Fit(background, p, methods.SVC{Classes: map[string]float64{"core": 2}}, 1); err == nil || !strings.Contains(err.Error(), "core") {
		t.Errorf("the weight of a label that is not there: %v", err)
	}
}

// TestWrongTargets: methods for classes refuse numbers, those for numbers refuse labels.
func TestWrongTargets(t *testing.T) {
	numbers := prep.Spec{Targets: []string{"weight"}, Drop: []string{"kind"}}
	for name, c := range map[string]struct {
		spec   prep.Spec
		method learner.Learner
		want   string
	}{
		"classes of numbers": {numbers, methods.SVC{}, "weight holds numbers"},
		"numbers of classes": {petalSpec, methods.SVR{}, "kind holds labels"},
		"logistic":           {numbers, methods.KLR{Options: klr.Options{Lambda: 1}}, "weight holds numbers"},
		"two targets":        {prep.Spec{Targets: []string{"kind", "weight"}, Labels: true}, methods.SVC{}, "one target"},
		"no target":          {prep.Spec{NoTarget: true, Drop: []string{"kind"}}, methods.SVC{}, "no target"},
	} {
		p, err := task.New(background, petals(40), c.spec, petalKernel)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := mercer.Fit(background, p, c.method, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestOneClass: about a share ν of the training rows ends up outside; far away all do.
func TestOneClass(t *testing.T) {
	spec := prep.Spec{NoTarget: true, Drop: []string{"kind", "weight"}, Raw: []string{"*"}}
	table := petals(200)
	_, m := learnPetals(t, table, spec, petalKernel, methods.OneClass{Options: svm.Options{Nu: 0.1}})
	p := predict(t, reload(t, m), table)
	outside := 0
	for i := range 200 {
		if p.Values.At(i, 0) < 0 {
			outside++
		}
	}
	// At most ν n rows are outside, but for those within the tolerance of the bound.
	if outside > 20+4 || outside < 10 {
		t.Errorf("%d of 200 rows are outside, ν = 0.1", outside)
	}
	for i := range table.Columns[0].Numbers {
		table.Columns[0].Numbers[i] += 50
	}
	far := predict(t, m, table)
	for i := range 200 {
		if far.Values.At(i, 0) >= 0 {
			t.Fatalf("row %d, far away, is a member (%v)", i, far.Values.At(i, 0))
		}
	}
}

// TestIndefinite: a kernel that is none. Least squares refuses it or treats it, and what
// was learned with the treated matrix is predicted by the original kernel.
func TestIndefinite(t *testing.T) {
	table, kernel := petals(60), "tanh(scale=2, offset=-1)"
	for _, treatment := range []gram.Treatment{gram.Clip, gram.Flip, gram.Shift} {
		p, err := task.New(background, table, petalSpec, kernel)
		if err != nil {
			t.Fatal(err)
		}
		p.Indefinite = treatment
		for _, method := range []learner.Learner{methods.KRR{}, methods.SVC{}, methods.KLR{Options: klr.Options{Lambda: 0.1}}, methods.KFDA{Options: kfda.Options{Lambda: 0.1}}} {
			if o, ok := method.(methods.KRR); ok {
				o.Lambda = 0.1
				method = o
			}
			m, err := mercer.Fit(background, p, method, 1)
			if err != nil {
				t.Fatalf("%s, %s: %v", method.Name(), treatment, err)
			}
			if w := strings.Join(m.Report.Ran().Warnings, " "); !strings.Contains(w, string(treatment)) {
				t.Errorf("%s, %s: warnings %q", method.Name(), treatment, w)
			}
			predict(t, reload(t, m), table)
		}
		p.Indefinite = gram.Refuse
		if _, err := mercer.Fit(background, p, methods.SVC{}, 1); err == nil || !strings.Contains(err.Error(), "negative") {
			t.Errorf("refused: %v", err)
		}
	}
}

// TestPlansOfSamples: a plan of a method that is tried counts its stages and memory.
func TestPlansOfSamples(t *testing.T) {
	p, err := task.New(background, petals(1500), petalSpec, petalKernel)
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []learner.Learner{methods.SVC{}, methods.KLR{Options: klr.Options{Lambda: 0.1}}} {
		plan, err := learner.Plan(background, p, method)
		if err != nil {
			t.Fatal(err)
		}
		if !(plan.Seconds > 0) || plan.Memory < 8*1500*1500 || len(plan.Notes) == 0 {
			t.Errorf("%s: %+v", method.Name(), plan)
		}
	}
}

// TestPlanOfRowsAnew: a plan counts the matrix where a search stores it, and only there.
func TestPlanOfRowsAnew(t *testing.T) {
	const n = 2100
	table := &data.Table{Source: "answers", Headed: true, Columns: make([]data.Column, 24)}
	for c := range table.Columns {
		column := &table.Columns[c]
		if column.Name = fmt.Sprint("q", c); c == 0 {
			column.Kind = data.Categorical
		}
		for i := range n {
			if c == 0 {
				column.Strings = append(column.Strings, []string{"no", "yes"}[i/7%2])
			} else {
				column.Numbers = append(column.Numbers, float64((i*c/5+i)%5/4))
			}
		}
	}
	p, err := task.New(background, table, prep.Spec{Targets: []string{"q0"}, Raw: []string{"*"}}, petalKernel)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := learner.Plan(background, p, methods.SVC{})
	if err != nil {
		t.Fatal(err)
	}
	for _, stage := range plan.Stages {
		if stores := svm.StoresMatrix(n, p.Pairs()); stage.Stage == "search" && stores != (stage.Keeps >= 4*n*n) {
			t.Errorf("%d bytes for %d rows whose matrix is stored: %v; %v", stage.Keeps, n, stores, plan.Notes)
		}
	}
}
