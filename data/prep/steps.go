package prep

import (
	"errors"
	"fmt"
	"slices"

	"example.org/mercer/data"
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

// WithSteps returns the pipeline with other steps, such as another program has learned: those
// given, one for each column that becomes features, by its name. The other columns of features are
// dropped; targets, weights and ids stay. Either all steps fill in missing cells or none does. The
// inverse of [Pipeline.Steps].
func (p *Pipeline) WithSteps(steps []Step) (*Pipeline, error) {
	out := &Pipeline{missing: Refuse, headed: p.headed, sparse: p.sparse}
	of := map[string]Step{}
	var filled, bare []string
	for _, s := range steps {
		if _, twice := of[s.Name]; twice {
			return nil, fmt.Errorf("prep: column %s has two steps", data.Quote(s.Name))
		}
		of[s.Name] = s
		if s.Fills {
			filled = append(filled, s.Name)
		} else {
			bare = append(bare, s.Name)
		}
	}
	switch {
	case filled != nil && bare != nil:
		return nil, fmt.Errorf("prep: missing cells of %s are filled in, and those of %s are not: fill in all, or none", listShort(filled), listShort(bare))
	case filled != nil:
		out.missing = Mean
	}
	for _, c := range p.columns {
		step, ok := of[c.Name]
		switch {
		case ok && c.Role != feature:
			return nil, fmt.Errorf("prep: column %s is a %s, and has a step of features", data.Quote(c.Name), c.Role)
		case ok:
			c = step.column(c.Unit)
		case c.Role == feature:
			c = column{Name: c.Name, Role: dropped, Kind: c.Kind, Unit: c.Unit}
		}
		delete(of, c.Name)
		out.columns = append(out.columns, c)
	}
	for name := range of {
		return nil, fmt.Errorf("prep: there is no column %s", data.Quote(name))
	}
	return out, stored{out.missing, out.headed, out.sparse, out.columns}.check()
}

// column returns the column of a step.
func (s Step) column(unit data.Unit) column {
	c := column{Name: s.Name, Role: feature, Kind: numeric, Unit: unit, Fill: s.Fill, Center: s.Center, Scale: s.Scale, Raw: s.Center == 0 && s.Scale == 1,
		Levels: s.Levels, Ranks: s.Ranks, FillLevel: s.FillLevel, Indicator: s.Indicator}
	if s.Categorical {
		c.Kind, c.Raw, c.Center, c.Scale, c.Fill, c.Unit = categorical, false, 0, 0, 0, ""
	}
	return c
}

// WithLabels returns the pipeline with other labels of its target, sorted, of which there is one
// alone.
func (p *Pipeline) WithLabels(labels []string) (*Pipeline, error) {
	out := *p
	out.columns = slices.Clone(p.columns)
	var at []int
	for i, c := range p.columns {
		if c.Role == target {
			at = append(at, i)
		}
	}
	if len(at) != 1 {
		return nil, fmt.Errorf("prep: labels are those of one target, and there are %d: name it", len(at))
	}
	c := &out.columns[at[0]]
	if c.Form != One {
		return nil, fmt.Errorf("prep: target %s has answers of the form %q, and no single labels", data.Quote(c.Name), c.Form)
	}
	*c = column{Name: c.Name, Role: target, Kind: categorical, Levels: slices.Sorted(slices.Values(labels))}
	return &out, c.check()
}
