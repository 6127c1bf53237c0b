package prep

import (
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/data/prep/transform"
)

// column is what the pipeline remembers of one column of the training table: its
// role and the steps that turn its cells into features or outputs.
type column struct {
	Name string `json:"name"`
	Role role   `json:"role"`
	Kind kind   `json:"kind"`
	// Unit is what numbers are written with; Parts are those of dates that have features.
	Unit  data.Unit `json:"unit,omitempty"`
	Parts []part    `json:"parts,omitempty"`
	// Fill replaces a missing number: the mean of the training column.
	Fill float64 `json:"fill,omitempty"`
	// Raw says that numbers are used as they are: Center 0, Scale 1.
	Raw bool `json:"raw,omitempty"`
	// A number x becomes (x − Center)/Scale. Scale is positive.
	Center float64 `json:"center,omitempty"`
	Scale  float64 `json:"scale,omitempty"`
	// Constant says that the training column has no spread to divide by.
	Constant bool `json:"constant,omitempty"`
	// Transform is the function by which a target of numbers is learned; nil: none.
	Transform *transform.Map `json:"transform,omitempty"`
	// Form says that a target's cells hold several of the Levels, a sequence Length of them.
	Form   Form `json:"form,omitempty"`
	Length int  `json:"length,omitempty"`
	// Levels are the sorted values of a category or the labels of a target, and of a number that
	// has a feature for each.
	Levels []string `json:"levels,omitempty"`
	// Ranks are the places of the levels in their order, from 0 for the lowest; nil: they have
	// none.
	Ranks []int `json:"ranks,omitempty"`
	// FillLevel is the level that replaces a missing one: the most frequent.
	FillLevel int `json:"fillLevel,omitempty"`
	// Keep says that missing cells stay missing.
	Keep bool `json:"keep,omitempty"`
	// Indicator says that the column has a 0/1 feature for missing cells.
	Indicator bool `json:"indicator,omitempty"`
}

// kind is how the cells of a column are read.
type kind string

const (
	numeric     kind = "numeric"
	categorical kind = "categorical"
	text        kind = "text"
)

// target returns a target column as others see it.
func (c *column) target() Target {
	if c.Form != One {
		return Target{Name: c.Name, Form: c.Form, Items: c.Levels, Length: c.Length}
	}
	return Target{Name: c.Name, Labels: c.Levels, Transform: c.Transform}
}

// firstLevel is the place of the feature of the first level: behind those of a number.
func (c *column) firstLevel() int {
	if c.Kind == numeric {
		return 1 + 2*len(c.Parts)
	}
	return 0
}

// width returns the number of features of a feature column.
func (c *column) width() int {
	w := c.firstLevel() + len(c.Levels)
	if c.Indicator {
		w++
	}
	return w
}

// features returns the names of the features of a feature column.
func (c *column) features() []string {
	var names []string
	switch {
	case c.Unit.IsDate():
		names = append(names, c.Name+":elapsed")
		for _, p := range c.Parts {
			names = append(names, c.Name+":"+string(p)+" sin", c.Name+":"+string(p)+" cos")
		}
	case c.Kind == numeric:
		names = append(names, c.Name)
	}
	sign := "="
	if c.Ranks != nil {
		sign = ">="
	}
	for l := range c.Levels {
		names = append(names, c.Name+sign+c.named(l))
	}
	if c.Indicator {
		names = append(names, c.Name+"?missing")
	}
	return names
}

// named returns the name of a level.
func (c *column) named(level int) string {
	if isForgotten(c.Levels[level]) {
		return fmt.Sprintf("(forgotten %d)", level+1)
	}
	return c.Levels[level]
}
