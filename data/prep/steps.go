package prep

import (
	"errors"
	"fmt"
	"slices"
)

// Step is what becomes of one column of inputs, for programs that prepare rows by themselves. A
// number x becomes (x − Center)/Scale; behind it stands a 0/1 feature for each of the Levels, and
// then one that marks missing cells, where there are such.
type Step struct {
	Name        string
	Categorical bool // a level, of which only the 0/1 features stand
	Center      float64
	Scale       float64
	Levels      []string // of a number, as text
	Ranks       []int    // of the levels, where they have an order: the features of all below are 1, too
	// Fills says that a missing cell is filled in, by Fill or the level FillLevel.
	Fills     bool
	Fill      float64
	FillLevel int
	Indicator bool
}

// Steps returns what becomes of the columns of inputs, in the order of the features, or an error
// that says which of them is prepared in another way: dates, text that is compared as it is, and
// cells that stay missing.
func (p *Pipeline) Steps() ([]Step, error) {
	var steps []Step
	var problems []error
	for _, c := range p.columns {
		switch {
		case c.Role == cell:
			problems = append(problems, fmt.Errorf("column %s is text that kernels compare as it is", c.Name))
		case c.Role != feature:
		case c.Unit.IsDate():
			problems = append(problems, fmt.Errorf("column %s is read as a date", c.Name))
		case c.Keep:
			problems = append(problems, fmt.Errorf("column %s may have missing cells, which are left to the kernel", c.Name))
		default:
			steps = append(steps, Step{Name: c.Name, Categorical: c.Kind == categorical, Center: c.Center, Scale: c.Scale, Levels: slices.Clone(c.Levels), Ranks: slices.Clone(c.Ranks),
				Fills: p.missing == Mean || p.missing == Indicator, Fill: c.Fill, FillLevel: c.FillLevel, Indicator: c.Indicator})
		}
	}
	if len(steps) == 0 && len(problems) == 0 {
		problems = append(problems, errors.New("no column becomes a feature"))
	}
	return steps, errors.Join(problems...)
}
