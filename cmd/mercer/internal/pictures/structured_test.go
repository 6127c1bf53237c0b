package pictures

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/outcome"
	"example.org/mercer/search"
	"example.org/mercer/supervised/structured"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// wine makes answers of a table of numbers: of the last five of thirteen measurements of
// wines, which are above their mean, and their order of size in units of their spread.
func wineAnswers(t *testing.T) *data.Table {
	t.Helper()
	measured := []string{"alcohol", "malic", "ash", "alcalinity", "magnesium", "phenols", "flavanoids", "nonflavanoid",
		"proanthocyanins", "color", "hue", "diluted", "proline", "kind"}
	table := shared(t, "csv/wine.csv", measured...)
	last := table.Columns[8:13]
	z := mat.NewDense(table.Rows(), 5, nil)
	for j, c := range last {
		mean, spread := stat.PopMeanStdDev(c.Numbers, nil)
		for i, v := range c.Numbers {
			z.Set(i, j, (v-mean)/spread)
		}
	}
	above, order := data.Column{Name: "above", Kind: data.Categorical}, data.Column{Name: "order", Kind: data.Categorical}
	for i := range table.Rows() {
		var set, ranks []string
		items := []int{0, 1, 2, 3, 4}
		for _, j := range items {
			if z.At(i, j) > 0 {
				set = append(set, last[j].Name)
			}
		}
		slices.SortStableFunc(items, func(a, b int) int { return cmp.Compare(z.At(i, b), z.At(i, a)) })
		for _, j := range items {
			ranks = append(ranks, last[j].Name)
		}
		above.Strings = append(above.Strings, cmp.Or(strings.Join(set, "|"), "{}"))
		order.Strings = append(order.Strings, strings.Join(ranks, ">"))
	}
	table.Columns = append(table.Columns[:8:8], above, order)
	return table
}

// Sets and rankings of wines: which part of them a model gets wrong on rows that it has not
// seen, beside the best answer that does not look at a row.
func TestAnswersOfWine(t *testing.T) {
	t.Parallel()
	train, test := everyThird(wineAnswers(t))
	spec := func(target string, form prep.Form, other string) prep.Spec {
		return prep.Spec{Targets: []string{target}, Form: form, Drop: []string{other}}
	}
	tuned := func(s prep.Spec, a outcome.StructuredOutput) *outcome.Prediction {
		p, best, _, err := search.Tune(t.Context(), train, s, "rbf(sigma=?)", methods.Structured{Output: a}, search.Search{Options: tune.Options{Seed: 1}})
		if err != nil {
			t.Fatal(err)
		}
		return testOf(t, p, best, test)
	}
	blind := func(s prep.Spec, a outcome.StructuredOutput) *outcome.Prediction {
		p, err := task.New(t.Context(), train, s, "1")
		if err != nil {
			t.Fatal(err)
		}
		return testOf(t, p, methods.Structured{Output: a, Options: structured.Options{Lambda: 1}}, test)
	}
	sets := figure.Bars{Title: "above their mean: wrong labels", YLabel: "share of 59 held-out rows"}
	for _, c := range []struct {
		name string
		said *outcome.Prediction
	}{
		{"no features", blind(spec("above", prep.Set, "order"), outcome.StructuredOutput{})},
		{"loss hamming", tuned(spec("above", prep.Set, "order"), outcome.StructuredOutput{})},
		{"loss f1", tuned(spec("above", prep.Set, "order"), outcome.StructuredOutput{Loss: "f1"})},
	} {
		items := c.said.Targets[0].Items
		sets.Names = items
		wrong := make([]float64, len(items))
		n := c.said.Rows.Y.RawMatrix().Rows
		for i := range n {
			got := cellSet(c.said.Label(i, 0))
			for l, item := range items {
				if got[item] != (c.said.Rows.Y.At(i, l) == 1) {
					wrong[l] += 1 / float64(n)
				}
			}
		}
		sets.Series = append(sets.Series, figure.Series{Name: c.name, Values: wrong})
		scores := answerScoresOf(t, c.said)
		testkit.Close(t, "Hamming", *scores.Hamming, stat.Mean(wrong, nil), 1e-12)
		t.Logf("%s: Hamming %.3f, F1 %.3f, all right %.3f", c.name, *scores.Hamming, *scores.F1, scores.Same)
	}
	ranks := figure.Bars{Title: "their order: agreement", YLabel: "mean over 59 held-out rows", Names: []string{"Kendall's τ", "Spearman's ρ"}}
	for _, c := range []struct {
		name string
		said *outcome.Prediction
	}{
		{"no features", blind(spec("order", prep.Ranking, "above"), outcome.StructuredOutput{Loss: "kendall"})},
		{"loss spearman", tuned(spec("order", prep.Ranking, "above"), outcome.StructuredOutput{})},
		{"loss footrule", tuned(spec("order", prep.Ranking, "above"), outcome.StructuredOutput{Loss: "footrule"})},
		{"loss kendall", tuned(spec("order", prep.Ranking, "above"), outcome.StructuredOutput{Loss: "kendall"})},
	} {
		s := answerScoresOf(t, c.said)
		ranks.Series = append(ranks.Series, figure.Series{Name: c.name, Values: []float64{*s.Kendall, *s.Spearman}})
		t.Logf("%s: τ %.3f, ρ %.3f, all right %.3f", c.name, *s.Kendall, *s.Spearman, s.Same)
	}
	for _, s := range sets.Series[1:] {
		if stat.Mean(s.Values, nil) > 0.7*stat.Mean(sets.Series[0].Values, nil) {
			t.Errorf("%s: %v wrong, without features %v", s.Name, s.Values, sets.Series[0].Values)
		}
	}
	for _, s := range ranks.Series[1:] {
		if s.Values[0] < ranks.Series[0].Values[0]+0.3 || math.IsNaN(s.Values[1]) {
			t.Errorf("%s: %v, without features %v", s.Name, s.Values, ranks.Series[0].Values)
		}
	}
	keep(t, "structured-wine.png", figure.BarPanels{sets, ranks})
}

// testOf fits a method and predicts a table with its targets.
func testOf(t *testing.T, p *task.Task, m learner.Learner, test *data.Table) *outcome.Prediction {
	t.Helper()
	f, err := mercer.Fit(t.Context(), p, m, 1)
	if err != nil {
		t.Fatal(err)
	}
	said, err := f.Test(t.Context(), test, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return said
}

func answerScoresOf(t *testing.T, p *outcome.Prediction) *outcome.StructuredScores {
	t.Helper()
	all, err := p.Scores()
	if err != nil {
		t.Fatal(err)
	}
	return all[0].StructuredScores
}

// cellSet returns the names in a cell.
func cellSet(cell string) map[string]bool {
	set := map[string]bool{}
	if cell != "{}" {
		for name := range strings.SplitSeq(cell, "|") {
			set[name] = true
		}
	}
	return set
}
