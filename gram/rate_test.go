package gram

import (
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
)

func TestPairRate(t *testing.T) {
	xs := randomPoints(t, 90, 200, 4)
	for name, p := range map[string]data.Vectors{"many points": xs, "one point": xs.Gather([]int{0})} {
		rate, err := compute.PairRate(t.Context(), bind(gaussian{}, xs, p), compute.Options{})
		if err != nil || !(rate > 1e3 && rate < 1e13) {
			t.Errorf("%s: %v pairs per second, error %v", name, rate, err)
		}
	}
	if rate, err := compute.PairRate(t.Context(), bind(gaussian{}, xs, data.Vectors{}), compute.Options{}); err != nil || rate != 0 {
		t.Errorf("no pairs: %v per second, error %v", rate, err)
	}
}
