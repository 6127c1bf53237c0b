package record_test

import (
	"math"
	"strings"
	"testing"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/explanation"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/record"
)

// Explanations go through sums, factors, normalisation and columns: each term of a sum has its
// part of g, with the column it looks at, by its own rule.
func TestTermsOfSums(t *testing.T) {
	xs := table()
	for text, want := range map[string][]struct {
		term, column string
		rule         explanation.Rule
	}{
		"0.5*rbf(sigma=2)[age] + spectrum(k=2)[dna]": {
			{"0.5*rbf(sigma=2)[age]", "", explanation.Whole}, {"spectrum(k=2)[dna]", "dna", explanation.ByFeatures}},
		"normalize(of=spectrum(k=2)[dna] + 2*spectrum(k=1)[protein] + linear[income])": {
			{"normalize(of=spectrum(k=2)[dna])", "dna", explanation.ByFeatures}, {"normalize(of=2*spectrum(k=1)[protein])", "protein", explanation.ByFeatures}, {"normalize(of=linear()[income])", "", explanation.ByFeatures}},
		"spectrum(k=2)[dna]*spectrum(k=1)[protein]": {{"spectrum(k=2)[dna]*spectrum(k=1)[protein]", "", explanation.Whole}},
		"3*(align[protein] + min)^1 + normalize(of=align[protein])": {
			{"3*(align(beta=0.5, open=11, extend=1, alphabet=protein)[protein] + min())^1", "", explanation.Whole},
			{"normalize(of=align(beta=0.5, open=11, extend=1, alphabet=protein)[protein])", "protein", explanation.ByOcclusion}},
	} {
		if strings.Contains(text, "min") {
			for i := range 3 { // min is defined for numbers that are not negative
				for j := range xs.Numbers.At(i) {
					xs.Numbers.At(i)[j] = math.Abs(xs.Numbers.At(i)[j])
				}
			}
		}
		k := parse(t, text)
		points := []record.Record{xs.At(0), xs.At(1), xs.At(2)}
		kerneltest.Run(t, k, points, kerneltest.Options[record.Record]{Bound: 1e-12})
		g, err := kernel.Explain(t.Context(), k, xs, []float64{1, -2, 0.5})
		if err != nil {
			t.Fatal(err)
		}
		splits, err := g.Split(t.Context(), points[1])
		if err != nil {
			t.Fatal(err)
		}
		if len(splits) != len(want) {
			t.Errorf("%s: %d terms, want %d", text, len(splits), len(want))
			continue
		}
		for i, s := range splits {
			if s.Term != want[i].term || s.Column != want[i].column || s.Rule != want[i].rule {
				t.Errorf("%s: term %d is %s of column %q by %s, want %v", text, i, s.Term, s.Column, s.Rule, want[i])
			}
			if s.Rule == explanation.Whole && s.Why == "" {
				t.Errorf("%s: %s does not say why it is not split", text, s.Term)
			}
		}
	}
}
