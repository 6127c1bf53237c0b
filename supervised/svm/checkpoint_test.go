package svm

import (
	"slices"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel/vec"
)

// A search that is cut into runs of few steps takes the steps of one that is not: what it knows
// is a function of the coefficients and the gradient.
func TestSearchInSteps(t *testing.T) {
	const n = 400
	xs, y := crowd(t, n, 2)
	search := func(most int) *binaryProblem {
		j, err := classifierJob(Dual{gram.On(vec.RBF{Sigma: 1}, xs)}, y, Options{C: 10})
		if err != nil {
			t.Fatal(err)
		}
		if err := j.diagonal(t.Context()); err != nil {
			t.Fatal(err)
		}
		k := &storedMatrix[float32]{}
		if err := k.extendBy(t.Context(), j.src, j.order, 0, 1, &arena[float32]{most: n * n}); err != nil {
			t.Fatal(err)
		}
		m := j.problems[0]
		s := newSMO(m, k, m.spans, j.diag)
		if most > 0 {
			s.most = most
		}
		if err := s.inSteps(t.Context(), compute.Options{}, 1e-5); err != nil {
			t.Fatal(err)
		}
		return m
	}
	whole := search(0)
	if whole.steps < 50 {
		t.Fatalf("only %d steps: nothing to cut", whole.steps)
	}
	for _, most := range []int{1, 7, whole.steps - 1, whole.steps} {
		m := search(most)
		if m.steps != whole.steps || !slices.Equal(m.beta, whole.beta) || !slices.Equal(m.g, whole.g) {
			t.Errorf("in runs of %d steps: %d steps to other coefficients than in one of %d", most, m.steps, whole.steps)
		}
	}
}
