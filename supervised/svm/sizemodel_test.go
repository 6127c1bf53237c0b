package svm

import (
	"math"
	"testing"

	"example.org/mercer/internal/testkit"
)

// The working sets of a forecast are those of the costs by which a search chooses.
func TestPartsAreThoseOfTheirCosts(t *testing.T) {
	constant := func(support, free float64) func(int) (float64, float64) {
		return func(n int) (float64, float64) { return support * float64(n), free * float64(n) }
	}
	const n = 32000
	for _, c := range []struct {
		name string
		p    workingSetModel
		want float64
	}{
		{"few rows are searched as a whole", workingSetModel{2048, 1, constant(0.1, 0.1)}, 2048},
		{"a sample of support vectors is in vain", workingSetModel{n, 1, constant(0.5, 0.01)}, n},
		{"most rows are between their bounds", workingSetModel{n, 1, constant(0.44, 0.8)}, n},
		{"half of the rows are", workingSetModel{n, 1, constant(0.44, 0.5)}, 16000 + 1000},
		{"problems each take rows along", workingSetModel{n, 100, constant(0.1, 0.1)}, n},
	} {
		testkit.Close(t, c.name, c.p.maxRows(), c.want, 1e-12)
	}
	s := workingSetModel{n, 1, constant(0.3, 0.05)}.maxRows()
	if first := float64(sampleRows(n)); first != 4000 || s <= first || s >= n/4 {
		t.Fatalf("a part of %v rows after a sample of %v", s, first)
	}
	size := int(math.Round(s))
	next := 1600 + 1520 // 5 % of the other rows join
	of := search[float32]{j: &job{order: make([]int, n)}, in: &arena[float32]{touched: 4000 * 4000}, k: &storedMatrix[float32]{blocks: []block[float32]{{to: 4000}}}, stores: true}
	if of.renews(next, size-2) || !of.renews(next, size+2) {
		t.Errorf("a part of 4000 rows is extended to %d or replaced by %d rows, where that should cost the same: %d and %d", size, next, of.extension(size), of.renewal(next))
	}
}
