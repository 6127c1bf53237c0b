package mercer_test

import (
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
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
