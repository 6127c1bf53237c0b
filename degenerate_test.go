package mercer_test

import (
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// TestBlankRows has a row without a word of nine symbols: it is named by the report of the fit and
// by the prediction, which is the constant, with and without normalisation.
func TestBlankRows(t *testing.T) {
	table := &data.Table{Source: "t.csv", Headed: true, Lines: []int{2, 3, 4, 5}, Columns: []data.Column{
		{Name: "dna", Kind: data.Text, Strings: []string{"ACGTACGTAC", "ACG", "TTTTTTTTTTTTGG", "ACGTACGTAA"}},
		{Name: "y", Kind: data.Numeric, Numbers: []float64{1, 2, 3, 1}},
	}}
	for _, text := range []string{"normalize(of=spectrum(k=9))", "spectrum(k=9)"} {
		p, err := task.New(t.Context(), table, prep.Spec{Targets: []string{"y"}}, text)
		if err != nil {
			t.Fatal(err)
		}
		m, err := mercer.Fit(t.Context(), p, methods.KRR{Options: krr.Options{Lambda: 0.1}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		const want = "1 of 4 rows, the first on line 3, have k(x, x) = 0"
		if got := strings.Join(m.Report.Ran().Warnings, "\n"); !strings.Contains(got, want) {
			t.Errorf("%s: the warnings of the fit are %q", text, got)
		}
		got, err := m.Predict(t.Context(), table, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(got.Rows.Notes, "\n"); !strings.Contains(notes, want) {
			t.Errorf("%s: the notes of the prediction are %q", text, notes)
		}
	}
}

// TestRowsThatAKernelCannotTellApart: a kernel that is the same between all rows is named by the
// report, whatever the points and the method; one that is not is not.
func TestRowsThatAKernelCannotTellApart(t *testing.T) {
	ring := `{"nodes":3,"edges":[[0,1],[1,2],[0,2]]}`
	numbers := data.Column{Name: "x", Kind: data.Numeric, Numbers: []float64{1, 2, 3, 4}}
	words := data.Column{Name: "s", Kind: data.Text, Strings: []string{"aa", "aa", "aa", "aa"}}
	graphs := data.Column{Name: "g", Kind: data.Text, Strings: []string{ring, ring, ring, ring}}
	y := data.Column{Name: "y", Kind: data.Numeric, Numbers: []float64{1, 2, 3, 1}}
	c := data.Column{Name: "y", Kind: data.Categorical, Strings: []string{"a", "b", "a", "b"}}
	for _, of := range []struct {
		column, target data.Column
		kernel         string
		method         learner.Learner
		alike          bool
	}{
		{numbers, y, "rbf(sigma=1e9)", methods.KRR{Options: krr.Options{Lambda: 0.1}}, true},
		{numbers, y, "rbf(sigma=1)", methods.KRR{Options: krr.Options{Lambda: 0.1}}, false},
		{words, y, "spectrum(k=1)", methods.KRR{Options: krr.Options{Lambda: 0.1}}, true},
		{graphs, c, "wl(h=2)", methods.SVC{}, true},
		{graphs, c, "normalize(of=walk(k=1))", methods.SVC{}, true},
	} {
		table := &data.Table{Source: "t.csv", Headed: true, Columns: []data.Column{of.column, of.target}}
		p, err := task.New(t.Context(), table, prep.Spec{Targets: []string{"y"}}, of.kernel)
		if err != nil {
			t.Fatal(err)
		}
		m, err := mercer.Fit(t.Context(), p, of.method, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(m.Report.Ran().Warnings, "\n"); strings.Contains(got, "it sees no difference between them") != of.alike {
			t.Errorf("%s: the warnings of the fit are %q", of.kernel, got)
		}
	}
}
