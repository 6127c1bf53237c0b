package figure

import (
	"math"
	"slices"
	"testing"
)

// Labels have no zeros at their end that all of them have.
func TestTicksAreShort(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      []string
	}{
		{0, 600, []string{"0", "200", "400", "600"}},
		{-1, 1, []string{"-1.0", "-0.5", "0.0", "0.5", "1.0"}},
		{0, 8, []string{"0", "2", "4", "6", "8"}},
		{0, 0.01, []string{"0.0000", "0.0025", "0.0050", "0.0075", "0.0100"}},
		{-3.2, 17, []string{"0", "5", "10", "15"}},
		{0, 3e7, []string{"0", "1e7", "2e7", "3e7"}},
		{0, 3e-9, []string{"0", "1e-9", "2e-9", "3e-9"}},
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

// TestFourTicks counts the labels of axes of many lengths and places.
func TestFourTicks(t *testing.T) {
	for k := range 4000 {
		low := float64(k%61-30) * math.Pow10(k%7-3)
		high := low + (1+float64(k%97)/11)*math.Pow10(k%11-5)
		if math.Abs(low) > 1e5*(high-low) {
			continue
		}
		seen := map[string]bool{}
		labels := 0
		for _, tick := range (ticks{}).Ticks(low, high) {
			if tick.Label != "" {
				labels++
				seen[tick.Label] = true
			}
		}
		if labels < 4 || labels > 8 || len(seen) != labels {
			t.Fatalf("from %g to %g: %d labels, %d of them different", low, high, labels, len(seen))
		}
	}
}

// TestFourPowers counts the labels of logarithmic axes.
func TestFourPowers(t *testing.T) {
	for k := range 2000 {
		low := (1 + float64(k%89)/10) * math.Pow10(k%9-6)
		high := low * math.Pow(10, 0.1+float64(k%67)/6)
		labels := 0
		for _, tick := range (decades{}).Ticks(low, high) {
			if tick.Label != "" {
				labels++
			}
		}
		if labels < 4 || labels > 12 {
			t.Fatalf("from %g to %g: %d labels", low, high, labels)
		}
	}
}
