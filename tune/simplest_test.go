package tune

import "testing"

// Ties, and with Simplest all within one standard error, go to the simpler model: the values of the
// method decide first, then those of the kernel; trials that failed or saw fewer rows do not count.
func TestTiesGoToTheSimplerModel(t *testing.T) {
	space := Space[float64]{Free: Free{
		Parameters: []Parameter{{Name: "sigma", Simpler: Above}, {Name: "degree"}},
		Axes:       []Axis{Powers("C", 2, 0, 3, 1).SimplerAt(Below)},
	}}
	trials := []Trial{ // sigma, degree, C
		{Values: []float64{1, 1, 4}, Score: 0.90, Error: 0.02, Share: 1},
		{Values: []float64{2, 1, 4}, Score: 0.90, Error: 0.02, Share: 1},
		{Values: []float64{2, 2, 4}, Score: 0.90 + 1e-15, Error: 0.02, Share: 1},
		{Values: []float64{1, 1, 2}, Score: 0.885, Error: 0.02, Share: 1},
		{Values: []float64{1, 1, 1}, Score: 0.87, Error: 0.02, Share: 1},
		{Values: []float64{9, 1, 1}, Score: 0.95, Error: 0.02, Share: 0.3},
		{Values: []float64{9, 1, 1}, Failed: "why", Share: 1},
	}
	for _, c := range []struct {
		simplest bool
		best     int
		among    int
		margin   float64
	}{{false, 2, 3, 0}, {true, 3, 4, 0.02}} {
		s := &search[float64]{space: space, trials: trials, best: 2, scale: Scale{Larger: true}, o: Options{Simplest: c.simplest}}
		tie := s.simplest()
		if tie == nil || s.best != c.best || tie.Among != c.among || tie.Margin != c.margin {
			t.Errorf("simplest %v: trial %d, want %d; %+v", c.simplest, s.best, c.best, tie)
		}
		s.best = 0 // of those that tie any may come first
		if s.simplest(); !c.simplest && s.best != 1 {
			t.Errorf("from the first of the ties: trial %d", s.best)
		}
	}
	alone := &search[float64]{space: space, trials: trials[4:5], scale: Scale{Larger: true}, o: Options{Simplest: true}}
	if tie := alone.simplest(); tie != nil {
		t.Errorf("one trial ties with nobody: %+v", tie)
	}
}
