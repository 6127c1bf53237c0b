package prep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// stored is the JSON form of a pipeline.
type stored struct {
	Missing Missing  `json:"missing"`
	Headed  bool     `json:"headed"`
	Sparse  bool     `json:"sparse,omitempty"`
	Columns []column `json:"columns"`
}

// MarshalJSON writes every step. Numbers are in the shortest form that reads back to
// the same float64.
func (p *Pipeline) MarshalJSON() ([]byte, error) {
	return json.Marshal(stored{p.missing, p.headed, p.sparse, p.columns})
}

// UnmarshalJSON reads what MarshalJSON wrote. Anything else is an error that names
// the column, and leaves p as it was.
func (p *Pipeline) UnmarshalJSON(text []byte) error {
	var s stored
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return fmt.Errorf("prep: the stored preparation cannot be read: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("prep: the stored preparation is followed by something else")
	}
	if err := s.check(); err != nil {
		return err
	}
	*p = Pipeline{missing: s.Missing, headed: s.Headed, sparse: s.Sparse, columns: s.Columns}
	return nil
}

// check returns everything that Fit could not have made.
func (s stored) check() error {
	var problems []error
	roles, names := map[role]int{}, map[string]bool{}
	for j, c := range s.Columns {
		if names[c.Name] {
			problems = append(problems, fmt.Errorf("prep: stored column #%d has the name %q of another", j+1, c.Name))
		}
		names[c.Name] = true
		roles[c.Role]++
		if err := c.check(); err != nil {
			problems = append(problems, fmt.Errorf("prep: stored column #%d (%s): %w", j+1, c.Name, err))
		}
	}
	if roles[feature]+roles[cell]+roles[id] == 0 || roles[weights] > 1 || roles[id] > 1 {
		problems = append(problems, fmt.Errorf("prep: the stored preparation has %d features, %d weights and %d ids: it needs a feature or ids, and at most one weight and one id", roles[feature], roles[weights], roles[id]))
	}
	return errors.Join(problems...)
}

func (c *column) check() error {
	if !slices.Contains([]role{feature, cell, target, weights, id, dropped, ignored}, c.Role) {
		return fmt.Errorf("unknown role %q", c.Role)
	}
	if !slices.Contains([]kind{numeric, categorical, text}, c.Kind) {
		return fmt.Errorf("unknown kind %q", c.Kind)
	}
	for _, x := range []float64{c.Fill, c.Center, c.Scale} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%v is not a finite number", x)
		}
	}
	if !slices.IsSorted(c.Levels) || len(slices.Compact(slices.Clone(c.Levels))) != len(c.Levels) {
		return fmt.Errorf("its levels are not sorted and different")
	}
	if err := c.Unit.Check(); err != nil {
		return err
	}
	for _, p := range c.Parts {
		if !slices.Contains(parts, p) {
			return fmt.Errorf("a date has no part %q", p)
		}
	}
	switch {
	case c.Unit != "" && c.Kind != numeric, len(c.Parts) > 0 && (!c.Unit.IsDate() || c.Role != feature):
		return fmt.Errorf("%s cannot be %v of the parts %q", c.Kind, c.Unit, c.Parts)
	case (c.Role == feature || c.Role == target) && c.Kind == text:
		return fmt.Errorf("text cannot be a %s", c.Role)
	case c.Role == cell && c.Kind != text:
		return fmt.Errorf("a cell that is compared as text cannot be %s", c.Kind)
	case c.Role == weights && c.Kind != numeric:
		return fmt.Errorf("weights cannot be %s", c.Kind)
	case c.Raw && c.Role == feature && c.Kind == numeric && (c.Center != 0 || c.Scale != 1):
		return fmt.Errorf("a raw column is not moved by %v or divided by %v", c.Center, c.Scale)
	case c.Role == feature && c.Kind == numeric && !(c.Scale > 0):
		return fmt.Errorf("scale %v is not positive", c.Scale)
	case c.Role == feature && c.Kind == categorical && (c.FillLevel < 0 || c.FillLevel >= len(c.Levels)):
		return fmt.Errorf("level %d of %d does not exist", c.FillLevel, len(c.Levels))
	case c.Role == target && c.Kind == categorical && len(c.Levels) < 2:
		return fmt.Errorf("a class needs two labels, not %d", len(c.Levels))
	case c.Transform != nil && (c.Role != target || c.Kind != numeric):
		return fmt.Errorf("a %s %s is learned by no function", c.Kind, c.Role)
	case c.Transform != nil && c.Transform.Check() != nil:
		return c.Transform.Check()
	case c.Form != One && (c.Role != target || c.Kind != categorical || !slices.Contains(Forms, c.Form)):
		return fmt.Errorf("the form %q is none of a %s %s", c.Form, c.Kind, c.Role)
	case (c.Form == Sequence) != (c.Length > 0):
		return fmt.Errorf("a target of the form %q does not have the length %d", c.Form, c.Length)
	case c.Ranks != nil && (c.Role != feature || c.Kind != categorical || !isOrder(c.Ranks, len(c.Levels))):
		return fmt.Errorf("%v is no order of %d levels of a %s %s", c.Ranks, len(c.Levels), c.Kind, c.Role)
	case c.Kind != categorical && (c.Kind != numeric || c.Role != feature) && c.Levels != nil:
		return fmt.Errorf("%s cannot have levels", c.Kind)
	}
	return nil
}
