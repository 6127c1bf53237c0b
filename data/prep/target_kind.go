package prep

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"example.org/mercer/data"
)

// fewValues is the number of different whole numbers up to which a target may be meant as labels.
const fewValues = 20

// TargetKind tells whether a table has labels to predict, or numbers, and why, in a few words on
// the column. Words are labels, and so are numbers of which there are two.
func (s Spec) TargetKind(t *data.Table) (labels bool, why string, err error) {
	roles, err := s.resolve(t)
	if err != nil {
		return false, "", err
	}
	for i, r := range roles {
		if r != target {
			continue
		}
		c := &t.Columns[i]
		name := "target " + data.Cut(c.Name)
		if c.Kind != data.Numeric {
			return true, name + " holds labels", nil
		}
		switch values := wholeValues(c); {
		case len(values) == 2:
			return true, fmt.Sprintf("%s has the two values %v and %v", name, values[0], values[1]), nil
		case len(values) > 2:
			why = fmt.Sprintf("%s holds numbers, of %d values: if these are classes, take svc", name, len(values))
		case why == "":
			why = name + " holds numbers"
		}
	}
	return false, why, nil
}

// wholeValues returns the different numbers of a column in order, if these are few and whole.
func wholeValues(c *data.Column) []float64 {
	seen := map[float64]bool{}
	for i, v := range c.Numbers {
		if c.IsMissing(i) {
			continue
		}
		if seen[v] = true; v != math.Trunc(v) || len(seen) > fewValues {
			return nil
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
