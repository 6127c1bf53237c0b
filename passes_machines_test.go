package mercer_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

// machines are support vector machines with a kernel of few features.
var machines = []struct {
	name   string
	spec   prep.Spec
	kernel string
	method learner.Learner
}{
	{"svc", prep.Spec{Targets: []string{"label"}, Drop: []string{"y"}, Missing: prep.Mean}, "poly(degree=2, offset=1)", methods.SVC{Options: svm.Options{C: 2, Tolerance: 1e-6}, Balanced: true}},
	{"svc of classes", prep.Spec{Targets: []string{"kind"}, Drop: []string{"label"}, Missing: prep.Mean}, "linear", methods.SVC{Options: svm.Options{C: 0.1, Tolerance: 1e-6}}},
	{"svr", prep.Spec{Targets: []string{"y"}, Drop: []string{"label", "kind"}, Missing: prep.Mean}, "poly(degree=2, offset=1)", methods.SVR{Options: svm.Options{C: 0.1, Tolerance: 1e-6}}},
	{"one-class", prep.Spec{NoTarget: true, Drop: []string{"label", "y"}, Missing: prep.Mean}, "poly(degree=2, offset=1)", methods.OneClass{Options: svm.Options{Nu: 0.1, Tolerance: 1e-6}}},
}

// Machines with a kernel of few features, which in memory are searched one coefficient after the
// other, are searched in these features where the rows stay in their file: to the same optimum, and
// to the same bits however the features are made. Their model has weights of the features, and says
// the same when it is read.
func TestMachinesOfFewFeaturesInPasses(t *testing.T) {
	t.Parallel()
	_, whole, blocks := longTable(t)
	for _, c := range machines {
		t.Run(c.name, func(t *testing.T) {
			in, err := task.New(t.Context(), whole, c.spec, c.kernel)
			if err != nil {
				t.Fatal(err)
			}
			memory, err := mercer.Fit(t.Context(), in, c.method, 1)
			if err != nil {
				t.Fatal(err)
			}
			var first *mercer.Model
			for _, b := range []data.Blocks{blocks, apart{blocks}} {
				out, err := task.New(t.Context(), b, c.spec, c.kernel)
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range []compute.Options{{}, {Workers: 3, MaxMemory: 1 << 17}} { // too little to hold the features
					m, err := mercer.Fit(t.Context(), out, c.method.WithCompute(o), 1)
					if err != nil {
						t.Fatal(err)
					}
					if first == nil {
						first = m
						sameOptimum(t, whole, in, memory, m)
					}
					if !bytes.Equal(saved(t, m), saved(t, first)) {
						t.Errorf("%+v: the model differs", o)
					}
				}
			}
			if form, size := first.Form(); form != task.FormPrimal || size != in.FeatureCount() || first.Trained != nil {
				t.Errorf("%d coefficients in %s form, on %d rows", size, form, len(first.Trained))
			}
			if form, _ := memory.Form(); form != task.FormDual || len(memory.Trained) == 0 {
				t.Errorf("in memory the form is %s, on %d rows", form, len(memory.Trained))
			}
		})
	}
}

// sameOptimum compares two functions. With a gap G, ½‖w − w*‖² ≤ G, so that functions differ by no
// more than d = √(2G) + √(2G') for each unit of ‖φ(x)‖. Rows between their bounds in both have the
// constants, each up to the violation: these differ by d times the longest ‖φ‖ and the violations.
func sameOptimum(t *testing.T, whole *data.Table, p *task.Task, memory, filed *mercer.Model) {
	t.Helper()
	phi, _, err := p.Design()
	if err != nil {
		t.Fatal(err)
	}
	features := mat.NewDense(phi.Rows, phi.Dim, nil)
	if err := phi.Fill(t.Context(), features, 0); err != nil {
		t.Fatal(err)
	}
	longest := 0.0
	for i := range phi.Rows {
		longest = max(longest, mat.Norm(features.RowView(i), 2))
	}
	got, want := valuesOf(t, filed, whole), valuesOf(t, memory, whole)
	if again := valuesOf(t, reload(t, filed), whole); !mat.Equal(again, got) {
		t.Error("the model says something else when it is read")
	}
	at, with := filed.Report.(*svm.Report), memory.Report.(*svm.Report)
	for j, m := range at.Problems {
		of := with.Problems[j]
		if !m.Converged || !of.Converged {
			t.Fatalf("problem %d did not converge: %+v, %+v", j, m, of)
		}
		if d := m.Objective - of.Objective; d > m.Gap || -d > of.Gap {
			t.Errorf("problem %d: objectives %v and %v, with gaps %g and %g", j, m.Objective, of.Objective, m.Gap, of.Gap)
		}
		each := math.Sqrt(2*m.Gap) + math.Sqrt(2*of.Gap)
		bound := 2*each*longest + m.Violation + of.Violation
		if bound > 0.05 {
			t.Errorf("problem %d: a bound of %g says nothing", j, bound)
		}
		says := mat.Col(nil, j, want)
		testkit.CloseSlice(t, fmt.Sprintf("values of problem %d", j), mat.Col(nil, j, got), says, bound/floats.Norm(says, math.Inf(1)))
	}
}

// valuesOf are the values of the rows of a table.
func valuesOf(t *testing.T, m *mercer.Model, table *data.Table) *mat.Dense {
	t.Helper()
	p, err := m.Predict(t.Context(), table, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p.Values
}

// A plan of a machine in the features of its kernel says how many passes it makes, where these are
// made in features that are not held, and where a driver makes them.
func TestMachinesOfFewFeaturesArePlanned(t *testing.T) {
	t.Parallel()
	_, _, blocks := longTable(t)
	for _, c := range machines {
		out, err := task.New(t.Context(), blocks, c.spec, c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		held, err := learner.Plan(t.Context(), out, c.method)
		if err != nil {
			t.Fatal(err)
		}
		made, err := learner.Plan(t.Context(), out, c.method.WithCompute(compute.Options{MaxMemory: 1 << 17}))
		if err != nil {
			t.Fatal(err)
		}
		keeps := func(p compute.Plan, name string) (bytes int64) {
			for _, s := range p.Stages {
				if s.Stage == name {
					bytes += s.Keeps
				}
			}
			return bytes
		}
		if all := 8 * int64(out.Points.Size()) * int64(out.FeatureCount()); keeps(held, "mapped rows") != all || keeps(made, "mapped rows") != 0 {
			t.Errorf("%s: the features of %d bytes take %d where they are held, and %d else", c.name, all, keeps(held, "mapped rows"), keeps(made, "mapped rows"))
		}
		note := fmt.Sprintf("in %d features, and is assumed to make", out.FeatureCount())
		for _, p := range []compute.Plan{held, made} {
			if keeps(p, "blocks") == 0 || !slices.ContainsFunc(p.Notes, func(s string) bool { return strings.Contains(s, note) }) {
				t.Errorf("%s: the plan is %v", c.name, p)
			}
		}
	}
}

// What has no few features says so.
func TestMachinesInPassesRefuse(t *testing.T) {
	_, _, blocks := longTable(t)
	for _, c := range []struct {
		kernel, want string
		m            methods.SVC
	}{
		{"rbf(sigma=2)", "or a kernel of fewer features than rows (linear, poly) has the Gram matrix of all rows", methods.SVC{}},
		{"poly(degree=12, offset=1)", "or a kernel of fewer features than rows (linear, poly) has the Gram matrix of all rows", methods.SVC{}},
		{"linear", "svc with --C inf is a hard margin", methods.SVC{Options: svm.Options{C: math.Inf(1)}}},
		{"linear", "this fit is exact", methods.SVC{Refinement: methods.Refinement{Refine: true}}},
	} {
		p, err := task.New(t.Context(), blocks, machines[0].spec, c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		_, fits := mercer.Fit(t.Context(), p, c.m, 1)
		_, plans := learner.Plan(t.Context(), p, c.m)
		for _, err := range []error{fits, plans} {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.kernel, err, c.want)
			}
		}
	}
}
