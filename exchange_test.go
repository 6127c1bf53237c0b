package mercer_test

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/svm"
)

// numbered is the table of petals with numbers for labels, out of their order as text.
func numbered(rows int) *data.Table {
	t := petals(rows)
	kinds := t.Columns[3].Strings
	t.Columns[3] = data.Column{Name: "kind"}
	for _, k := range kinds {
		t.Columns[3].Numbers = append(t.Columns[3].Numbers, map[string]float64{"inner": 10, "middle": -3, "outer": 2}[k])
	}
	return t
}

// TestLIBSVMRoundTrip: what is written for LIBSVM and read again predicts the same
// labels, and the same values up to the sign that the order of two classes gives.
func TestLIBSVMRoundTrip(t *testing.T) {
	table := numbered(105)
	classes := prep.Spec{Targets: []string{"kind"}, Drop: []string{"weight"}, Raw: []string{"*"}, Labels: true}
	numbers := prep.Spec{Targets: []string{"weight"}, Drop: []string{"kind"}, Raw: []string{"*"}}
	members := prep.Spec{NoTarget: true, Drop: []string{"kind", "weight"}, Raw: []string{"*"}}
	for name, c := range map[string]struct {
		spec   prep.Spec
		method learner.Learner
	}{
		"c-svc":     {classes, methods.SVC{Options: svm.Options{C: 2}}},
		"svr":       {numbers, methods.SVR{Options: svm.Options{C: 2}}},
		"one class": {members, methods.OneClass{Options: svm.Options{Nu: 0.2}}},
	} {
		_, m := learnPetals(t, table, c.spec, petalKernel, c.method)
		var file bytes.Buffer
		if err := m.WriteLIBSVM(&file, false); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		back, err := mercer.Import(background, "petals.model", section(file.String()), table, c.spec, "", nil, compute.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, got := predict(t, m, table), predict(t, reload(t, back), table)
		for i := range 105 {
			if name == "c-svc" && got.Label(i, 0) != want.Label(i, 0) {
				t.Errorf("%s: row %d is %s, was %s", name, i, got.Label(i, 0), want.Label(i, 0))
			}
			for j := range want.Outputs {
				// The same sums in another order, of coefficients up to C.
				if d := math.Abs(math.Abs(got.Values.At(i, j)) - math.Abs(want.Values.At(i, j))); name != "c-svc" && d > 1e-12 {
					t.Errorf("%s: value %d of row %d is off by %g", name, j, i, d)
				}
			}
		}
	}
}

// TestLIBSVMRefuses says what LIBSVM cannot hold.
func TestLIBSVMRefuses(t *testing.T) {
	table := petals(60)
	for name, c := range map[string]struct {
		spec   prep.Spec
		kernel string
		method learner.Learner
		want   string
	}{
		"method":       {petalSpec, petalKernel, methods.KLR{Options: klr.Options{Lambda: 1}}, `method "klr"`},
		"names":        {petalSpec, petalKernel, methods.SVC{}, `the label "inner"`},
		"standardised": {prep.Spec{Targets: []string{"kind"}, Drop: []string{"weight"}}, petalKernel, methods.SVC{}, "--no-standardize"},
		"kernel":       {prep.Spec{Targets: []string{"weight"}, Drop: []string{"kind"}, Raw: []string{"*"}}, "laplace(sigma=1)", methods.SVR{}, "LIBSVM has no kernel"},
	} {
		_, m := learnPetals(t, table, c.spec, c.kernel, c.method)
		if err := m.WriteLIBSVM(&bytes.Buffer{}, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	text := "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nlabel 5 6\nnr_sv 1 0\nSV\n1 1:2 \n"
	spec := prep.Spec{Targets: []string{"kind"}, Drop: []string{"weight"}}
	if _, err := mercer.Import(background, "x.model", section(text), table, spec, "", nil, compute.Options{}); err == nil || !strings.Contains(err.Error(), "labels [5 6]") {
		t.Errorf("labels of another table: %v", err)
	}
	if _, err := mercer.Import(background, "x.model", section("svm_type magic\n"), table, spec, "", nil, compute.Options{}); err == nil || !strings.Contains(err.Error(), "x.model") {
		t.Errorf("no model: %v", err)
	}
}

// section is a text as a file.
func section(text string) *io.SectionReader {
	return io.NewSectionReader(strings.NewReader(text), 0, int64(len(text)))
}

// TestPrecomputed: a machine with any kernel and preparation goes to LIBSVM by the numbers of its
// rows, and comes back with the table and the kernel: the same labels, and the same values up to
// the sign that the order of two classes gives.
func TestPrecomputed(t *testing.T) {
	table := numbered(105)
	s := prep.Spec{Targets: []string{"kind"}, Drop: []string{"weight"}, Labels: true}
	const kernel = "matern(nu=1.5, sigma=1)"
	_, m := learnPetals(t, table, s, kernel, methods.SVC{Options: svm.Options{C: 2}})
	var file bytes.Buffer
	if err := m.WriteLIBSVM(&file, true); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(file.String(), "kernel_type precomputed") {
		t.Errorf("the file begins %.60q", file.String())
	}
	back, err := mercer.Import(background, "petals.model", section(file.String()), table, s, kernel, nil, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Predict(background, table, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := back.Predict(background, table, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range table.Rows() {
		if got.Label(i, 0) != want.Label(i, 0) {
			t.Errorf("row %d is %s, want %s", i, got.Label(i, 0), want.Label(i, 0))
		}
	}
	for _, c := range []struct{ kernel, want string }{{"", "the kernel"}, {"magic", "magic"}} {
		if _, err := mercer.Import(background, "petals.model", section(file.String()), table, s, c.kernel, nil, compute.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("with the kernel %q: %v", c.kernel, err)
		}
	}
	if _, err := mercer.Import(background, "petals.model", section(file.String()), numbered(40), s, kernel, nil, compute.Options{}); err == nil || !strings.Contains(err.Error(), "that the model was trained with") {
		t.Errorf("with another table: %v", err)
	}
	_, named := learnPetals(t, table, prep.Spec{Targets: []string{"kind"}, ID: "weight", Labels: true}, kernel, methods.SVC{Options: svm.Options{C: 2}})
	if err := named.WriteLIBSVM(&bytes.Buffer{}, true); err == nil || !strings.Contains(err.Error(), "numbers training rows from 1") {
		t.Errorf("with names of rows: %v", err)
	}
}
