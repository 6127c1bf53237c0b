package compress

import (
	"example.org/mercer/compute"
	"example.org/mercer/model"
)

// Options say when enough points are kept. Points or Tolerance is required.
type Options struct {
	// Points is the largest number of points; 0: as many as Tolerance asks for.
	Points int
	// Tolerance ends the choice when ‖f − g‖ ≤ Tolerance·‖f‖ for every output,
	// 0 ≤ Tolerance < 1.
	Tolerance float64
	// Compute says how to compute: workers, memory limit, progress.
	Compute compute.Options
}

// validate reports every problem of the options.
func (o *Options) validate() error {
	c := model.NewChecks("compress")
	if o.Points < 0 {
		c.Add("points = %d: give a number above 0", o.Points)
	}
	if !(o.Tolerance >= 0 && o.Tolerance < 1) {
		c.Add("tolerance = %v is not in [0, 1)", o.Tolerance)
	}
	if o.Points == 0 && o.Tolerance == 0 {
		c.Add("neither a number of points nor a tolerance is given: say how many to keep, or how far the function may move")
	}
	return c.Err()
}

// Report says what was kept and certifies what was lost.
type Report struct {
	N      int `json:"n"`      // points before
	Points int `json:"points"` // points that are kept
	// Distance is ‖f − g‖/‖f‖ for each output, computed from scratch at the end.
	Distance []float64 `json:"distance"`
	// Difference is the largest |f(x) − g(x)| among the points of f, for each output, and Bound
	// holds for every x with k(x, x) no larger than theirs: ‖f − g‖·max √k(x, x).
	Difference []float64 `json:"change"`
	Bound      []float64 `json:"bound"`

	model.Run
}
