package methods

import (
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

// What two samples say of all rows is what a fit to them counts: kernel values, steps and support
// vectors within a factor of 2.
func TestWorkOfSearchesIsCounted(t *testing.T) {
	testkit.SkipUnderRace(t)
	cover := func(table *data.Table) prep.Spec { // lodgepole pine against the rest
		kinds := &table.Columns[len(table.Columns)-1]
		for i, v := range kinds.Numbers {
			kinds.Numbers[i] = 0
			if v == 2 {
				kinds.Numbers[i] = 1
			}
		}
		return prep.Spec{Targets: []string{kinds.Name}, Labels: true}
	}
	digits := func(table *data.Table) prep.Spec {
		return prep.Spec{Targets: []string{table.Columns[0].Name}, Labels: true, Raw: []string{"*"}}
	}
	for _, c := range []struct {
		file, kernel string
		spec         func(*data.Table) prep.Spec
		c            float64
		short        bool
	}{
		{"images/usps-zip.train.gz", "rbf(gamma=0.0078)", digits, 1, true},
		{"images/usps-zip.train.gz", "rbf(gamma=0.0078)", digits, 100, false},
		{"csv/covtype.20k.data.gz", "rbf(gamma=0.0185)", cover, 1, false},
	} {
		if testing.Short() && !c.short {
			continue
		}
		table, err := open.Read(t.Context(), testkit.Shared(t, c.file), open.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := task.New(t.Context(), table, c.spec(table), c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		m := SVC{Options: svm.Options{C: c.c}}
		n, _, _ := p.Dims()
		rows := triedRows(n)
		half, _, ok := tryProblems(t.Context(), p, m, rows/2)
		first, _, both := tryProblems(t.Context(), p, m, rows)
		if !ok || !both {
			t.Fatal("the samples are not tried")
		}
		l, err := m.Fit(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		got, want := first.Grown(half, n), svm.WorkOf(l.Report.(*svm.Report))
		for name, pair := range map[string][2]float64{"kernel values": {got.Values, want.Values}, "exact gradient": {got.Certified, want.Certified},
			"steps": {got.Steps, want.Steps}, "support vectors": {got.Support, want.Support}} {
			if ratio := pair[0] / pair[1]; !(ratio > 0.5 && ratio < 2) {
				t.Errorf("%s, C = %v: %s %.3g, counted were %.3g", c.file, c.c, name, pair[0], pair[1])
			}
		}
		matrix := first.MatrixBytes(half, n, false)
		t.Logf("%s, C = %v: a matrix of %.3g bytes, counted were %.3g", c.file, c.c, matrix, want.Matrix)
		if ratio := matrix / want.Matrix; !(ratio > 0.5 && ratio < 2) {
			t.Errorf("%s, C = %v: a matrix of %.3g bytes, counted were %.3g", c.file, c.c, matrix, want.Matrix)
		}
	}
}
