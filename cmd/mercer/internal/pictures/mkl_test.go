package pictures

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/supervised/mkl"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// everyThird divides rows: two thirds to learn from, one to test on.
func everyThird(t *data.Table) (train, test *data.Table) {
	var a, b []int
	for i := range t.Rows() {
		if i%3 == 2 {
			b = append(b, i)
		} else {
			a = append(a, i)
		}
	}
	return t.Gather(a), t.Gather(b)
}

// Breast cancer (WDBC): ten measurements of cells, each as its mean, its standard error
// and its worst. What the terms of a sum weigh, and what support vector machines tell
// with each of them alone, with their plain sum and with the weighted ones.
func TestWeightedTermsOfCancer(t *testing.T) {
	t.Parallel()
	columns := []string{"id", "kind"}
	for _, group := range []string{"mean", "se", "worst"} {
		for j := range 10 {
			columns = append(columns, fmt.Sprintf("%s%d", group, j+1))
		}
	}
	train, test := everyThird(shared(t, "csv/wdbc.data", columns...))
	s := prep.Spec{Targets: []string{"kind"}, ID: "id"}
	terms := []string{"rbf(sigma=median)[mean*]", "rbf(sigma=median)[se*]", "rbf(sigma=median)[worst*]", "linear()"}
	names := []string{"means", "errors", "worst", "linear"}
	shares := figure.Bars{Title: "share of each term", YLabel: "share", Names: names}
	kernels := slices.Clone(terms)
	names = append(slices.Clone(names), "sum")
	kernels = append(kernels, strings.Join(terms, " + "))
	for _, method := range []mkl.Method{mkl.Align, mkl.AlignF, mkl.EasyMKL} {
		p, err := task.New(t.Context(), train, s, kernels[4])
		if err != nil {
			t.Fatal(err)
		}
		text, r, err := search.Weigh(t.Context(), p, mkl.Options{Method: method})
		if err != nil {
			t.Fatal(err)
		}
		shares.Series = append(shares.Series, figure.Series{Name: string(method), Values: r.Shares})
		names, kernels = append(names, string(method)), append(kernels, text)
		t.Logf("%s: shares %.3f, alignment %.4f of %.4f", method, r.Shares, r.Alignment, r.Alignments)
	}
	errors := figure.Bars{Title: "wrong of 189 held-out rows", YLabel: "rows", Names: names, Series: []figure.Series{{Name: "svc, C by cross-validation"}}}
	wanted := search.Search{Options: tune.Options{Seed: 1}}
	if testing.Short() {
		wanted.Splits.Folds, wanted.Ranges.Grid = 3, map[string][]float64{"C": {0.1, 1, 10, 100}}
	}
	for i, kernel := range kernels {
		p, best, _, err := search.Tune(t.Context(), train, s, kernel, methods.SVC{}, wanted)
		if err != nil {
			t.Fatal(err)
		}
		m, err := mercer.Fit(t.Context(), p, best, 1)
		if err != nil {
			t.Fatal(err)
		}
		said, err := m.Test(t.Context(), test, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		scores, err := said.Scores()
		if err != nil {
			t.Fatal(err)
		}
		errors.Series[0].Values = append(errors.Series[0].Values, float64(scores[0].Errors))
		t.Logf("%-14s C = %-6v %d wrong, AUC %.4f", names[i], best.(methods.SVC).C, scores[0].Errors, *scores[0].AUC)
	}
	wrong := errors.Series[0].Values
	if weighted := slices.Min(wrong[5:]); weighted > wrong[4]+2 || weighted > slices.Min(wrong[:4])+2 {
		t.Errorf("the weighted sums make %v errors, their terms and their sum %v", wrong[5:], wrong[:5])
	}
	keep(t, "mkl-cancer.png", figure.BarPanels{shares, errors})
}
