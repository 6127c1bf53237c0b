package learner

import (
	"math"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

// Powers of the rows that two samples have are found again, within their bounds.
func TestMachineWorkGrowsWithItsPowers(t *testing.T) {
	at := func(n, support, values, steps float64) machineWork {
		return machineWork{rows: n, support: math.Pow(n, support), values: math.Pow(n, values), certified: math.Pow(n, 2*support) / 2, steps: math.Pow(n, steps), matrix: math.Pow(n, values)}
	}
	const n = 64000
	for _, c := range []struct{ support, values, steps, wantSupport, wantValues, wantSteps float64 }{
		{0.8, 1.6, 1.2, 0.8, 1.6, 1.2},
		{1, 2, 1, 1, 2, 1},
		{1.3, 2.5, 2, 1, 2, 1.25}, // no larger share, and not many more steps
	} {
		got := at(8000, c.support, c.values, c.steps).grown(at(4000, c.support, c.values, c.steps), n)
		want := func(power, grown float64) float64 { return math.Pow(8000, power) * math.Pow(8, grown) }
		testkit.CloseSlice(t, "growth", []float64{got.support, got.values, got.certified, got.steps},
			[]float64{want(c.support, c.wantSupport), want(c.values, c.wantValues), want(2*c.support, 2*c.wantSupport) / 2, want(c.steps, c.wantSteps)}, 1e-9)
	}
	few := machineWork{rows: 600, values: 180000, matrix: 8 * 600 * 600, steps: 900, support: 60}
	if same := few.grown(machineWork{}, 600); same != few {
		t.Errorf("on all rows %+v, want what was counted: %+v", same, few)
	}
	all := few.grown(machineWork{}, 6000)
	if all.matrix != 4*6000*6000 || all.certified != 600*600/2 {
		t.Errorf("in single precision: %+v", all)
	}
}

// What two samples say of all rows is what a fit to them counts: kernel values, steps and support
// vectors within a factor of 2.
func TestMachineWorkIsCounted(t *testing.T) {
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
		got, want := first.grown(half, n), workOf(l.Report.(*svm.Report))
		for name, pair := range map[string][2]float64{"kernel values": {got.values, want.values}, "exact gradient": {got.certified, want.certified},
			"steps": {got.steps, want.steps}, "support vectors": {got.support, want.support}} {
			if ratio := pair[0] / pair[1]; !(ratio > 0.5 && ratio < 2) {
				t.Errorf("%s, C = %v: %s %.3g, counted were %.3g", c.file, c.c, name, pair[0], pair[1])
			}
		}
		matrix := first.largestMatrix(half, n, false)
		t.Logf("%s, C = %v: a matrix of %.3g bytes, counted were %.3g", c.file, c.c, matrix, want.matrix)
		if ratio := matrix / want.matrix; !(ratio > 0.5 && ratio < 2) {
			t.Errorf("%s, C = %v: a matrix of %.3g bytes, counted were %.3g", c.file, c.c, matrix, want.matrix)
		}
	}
}
