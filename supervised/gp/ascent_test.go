package gp

import "testing"

// A search that climbs slowly goes on, by gains that count together; one that does not climb ends
// after eight evaluations, whatever worse values it sees.
func TestGainsCountTogether(t *testing.T) {
	var g gain
	for i := range 50 {
		if g.see(-100 + 0.002*float64(i)); g.idle >= patience {
			t.Fatalf("ended after %d gains of 0.002", i)
		}
	}
	g.see(0)
	for i := range patience {
		if g.idle >= patience {
			t.Fatalf("ended after %d values that were no better", i)
		}
		g.see(-100 - float64(i%3))
	}
	if g.idle < patience {
		t.Errorf("%d idle evaluations after %d", g.idle, patience)
	}
}
