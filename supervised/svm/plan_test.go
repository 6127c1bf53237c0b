package svm

import (
	"math"
	"testing"

	"example.org/mercer/internal/testkit"
)

// Powers of the rows that two samples have are found again, within their bounds.
func TestWorkGrowsWithItsPowers(t *testing.T) {
	at := func(n, support, values, steps float64) Work {
		return Work{Rows: n, Support: math.Pow(n, support), Values: math.Pow(n, values), Certified: math.Pow(n, 2*support) / 2, Steps: math.Pow(n, steps), Matrix: math.Pow(n, values)}
	}
	const n = 64000
	for _, c := range []struct{ support, values, steps, wantSupport, wantValues, wantSteps float64 }{
		{0.8, 1.6, 1.2, 0.8, 1.6, 1.2},
		{1, 2, 1, 1, 2, 1},
		{1.3, 2.5, 2, 1, 2, 1.25}, // no larger share, and not many more steps
	} {
		got := at(8000, c.support, c.values, c.steps).Grown(at(4000, c.support, c.values, c.steps), n)
		want := func(power, grown float64) float64 { return math.Pow(8000, power) * math.Pow(8, grown) }
		testkit.CloseSlice(t, "growth", []float64{got.Support, got.Values, got.Certified, got.Steps},
			[]float64{want(c.support, c.wantSupport), want(c.values, c.wantValues), want(2*c.support, 2*c.wantSupport) / 2, want(c.steps, c.wantSteps)}, 1e-9)
	}
	few := Work{Rows: 600, Values: 180000, Matrix: 8 * 600 * 600, Steps: 900, Support: 60}
	if same := few.Grown(Work{}, 600); same != few {
		t.Errorf("on all rows %+v, want what was counted: %+v", same, few)
	}
	all := few.Grown(Work{}, 6000)
	if all.Matrix != 4*6000*6000 || all.Certified != 600*600/2 {
		t.Errorf("in single precision: %+v", all)
	}
}
