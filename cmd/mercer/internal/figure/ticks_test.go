package figure

import (
	"slices"
	"testing"
)

// Labels have no zeros at their end that all of them have.
func TestTicksAreShort(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      []string
	}{
		{0, 600, []string{"0", "300", "600"}},
		{-1, 1, []string{"-1", "0", "1"}},
		{0, 0.01, []string{"0.000", "0.005", "0.010"}},
	} {
		var labels []string
		for _, tick := range (ticks{}).Ticks(c.low, c.high) {
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
		}
		if !slices.Equal(labels, c.want) {
			t.Errorf("from %g to %g: %q, want %q", c.low, c.high, labels, c.want)
		}
	}
}
