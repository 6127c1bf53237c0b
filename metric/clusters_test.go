package metric_test

import (
	"math"
	"slices"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/metric"
)

// The values of scikit-learn 1.9.1: adjusted_rand_score and normalized_mutual_info_score,
// with weights on repeated rows.
func TestAgreementOfPartitions(t *testing.T) {
	a, b := []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 2}, []int{1, 1, 0, 0, 0, 2, 2, 2, 2, 1}
	for _, c := range []struct {
		w         []float64
		rand, nmi float64
	}{
		{nil, 0.20454545454545456, 0.44270128334605},
		{[]float64{1, 2, 1, 3, 1, 1, 2, 1, 1, 2}, 0.33003300330033003, 0.4828734840654878},
	} {
		testkit.Close(t, "adjusted Rand index", metric.AdjustedRand(a, b, c.w), c.rand, 1e-14)
		testkit.Close(t, "normalised information", metric.NormalizedInformation(a, b, c.w), c.nmi, 1e-13)
		testkit.Close(t, "the other way round", metric.AdjustedRand(b, a, c.w), c.rand, 1e-14)
	}
	other := slices.Clone(a)
	for i := range other {
		other[i] = (other[i] + 1) % 3
	}
	testkit.Close(t, "other names", metric.AdjustedRand(a, other, nil), 1, 1e-14)
	testkit.Close(t, "other names", metric.NormalizedInformation(a, other, nil), 1, 1e-14)
	one := make([]int, 4)
	if v := metric.AdjustedRand(one, one, nil); !math.IsNaN(v) {
		t.Errorf("one part and one part: %v", v)
	}
	if v := metric.NormalizedInformation(nil, nil, nil); !math.IsNaN(v) {
		t.Errorf("no rows: %v", v)
	}
}
