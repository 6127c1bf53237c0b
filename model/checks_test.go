package model_test

import (
	"math"
	"strings"
	"testing"

	"example.org/mercer/model"
)

// Every problem is found, under the name of the package; what is well is let through.
func TestChecks(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for name, c := range map[string]struct {
		check func(c *model.Checks)
		want  []string // none: all is well
	}{
		"good":             {func(c *model.Checks) { c.Classes(3, []int{0, 1, 0}, []float64{1, 2, 0}); c.Penalty(1, 0, "") }, nil},
		"no weights":       {func(c *model.Checks) { c.Weights(3, nil) }, nil},
		"number":           {func(c *model.Checks) { c.Weights(3, []float64{1}) }, []string{"p: 1 weights for 3 rows: one is needed for each"}},
		"sign":             {func(c *model.Checks) { c.Weights(2, []float64{1, -1}) }, []string{"p: weight 1 = -1 is not a finite number ≥ 0"}},
		"infinite":         {func(c *model.Checks) { c.Weights(2, []float64{inf, 1}) }, []string{"p: weight 0 = +Inf"}},
		"nan":              {func(c *model.Checks) { c.Weights(2, []float64{nan, 1}) }, []string{"p: weight 0 = NaN"}},
		"zero":             {func(c *model.Checks) { c.Weights(2, []float64{0, 0}) }, []string{"p: all weights are zero"}},
		"rows":             {func(c *model.Checks) { c.Rows(0, 1) }, []string{"p: there are no rows to learn from", "p: 1 targets for 0 rows"}},
		"penalties":        {func(c *model.Checks) { c.Penalty(-1, nan, "") }, []string{"p: lambda = -1", "p: ridge = NaN", "two ways"}},
		"no penalty":       {func(c *model.Checks) { c.Penalty(0, 0, "it runs away") }, []string{"p: lambda is 0: it runs away; give a λ > 0"}},
		"labels":           {func(c *model.Checks) { c.Classes(3, []int{0}, nil) }, []string{"p: 1 targets for 3 rows"}},
		"negative":         {func(c *model.Checks) { c.Classes(2, []int{0, -1}, nil) }, []string{"p: the class of row 1 is -1"}},
		"large":            {func(c *model.Checks) { c.Classes(2, []int{0, 1 << 60}, nil) }, []string{"p: the class of row 1 is 1152921504606846976"}},
		"one":              {func(c *model.Checks) { c.Classes(2, []int{0, 0}, nil) }, []string{"p: all rows are of class 0"}},
		"gap":              {func(c *model.Checks) { c.Classes(4, []int{0, 2, 0, 2}, nil) }, []string{"p: class 1 has no rows"}},
		"weightless class": {func(c *model.Checks) { c.Classes(4, []int{0, 1, 0, 1}, []float64{1, 0, 1, 0}) }, []string{"p: the 2 rows of class 1 all have weight zero"}},
	} {
		checks := model.NewChecks("p")
		c.check(checks)
		err := checks.Err()
		if (err != nil) != (c.want != nil) {
			t.Errorf("%s: error %v", name, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %q, want %q", name, err, want)
			}
		}
		if c.want != nil && strings.Count(err.Error(), "p: ") != len(c.want) {
			t.Errorf("%s: %q has more than %d problems", name, err, len(c.want))
		}
	}
}
