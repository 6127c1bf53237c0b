package mercer

import (
	"cmp"
	"fmt"
	"strings"

	"example.org/mercer/learner"
	"example.org/mercer/task"
)

// Contents says what the file of a model holds of its training rows, for those to whom the file
// is given.
type Contents struct {
	// Points is the number of points that the function stands on, of Rows training rows, and
	// Columns those of their columns that are there. Landmarks says that the points stand for the
	// rows.
	Points    int      `json:"points"`
	Rows      int      `json:"rows,omitempty"`
	Columns   []string `json:"columns,omitempty"`
	Landmarks bool     `json:"landmarks,omitempty"`
	// Names is the number of training rows whose names are there: ids of the column IDs, or row
	// numbers.
	Names int    `json:"names"`
	IDs   string `json:"ids,omitempty"`
	// RowValues names what else is there of single rows, such as targets.
	RowValues []string `json:"row_values,omitempty"`
	// Levels are the columns whose levels or labels are there.
	Levels []string `json:"levels,omitempty"`
	// SelfTest is the number of rows by which the model tests itself; Raw says that they are rows
	// of the training table, as versions before kept them, and Shuffled that they are made up of
	// single cells of training rows.
	SelfTest int  `json:"self_test"`
	Raw      bool `json:"raw_self_test,omitempty"`
	Shuffled bool `json:"shuffled_self_test,omitempty"`
}

// Contents looks what the file of the model holds.
func (m *Model) Contents() Contents {
	c := Contents{Names: len(m.Trained), Levels: m.Prep.Levels(), SelfTest: len(m.selfTest.Values)}
	c.Raw = c.SelfTest > 0 && !m.selfTest.Invented
	c.Shuffled = c.SelfTest > 0 && m.selfTest.Shuffled
	if r, ok := m.Report.(interface{ TrainingRows() int }); ok {
		c.Rows = r.TrainingRows()
	}
	if m.Function.StandsOnRows() {
		c.Points, c.Landmarks = m.Function.Size(), m.Approximation != nil
		c.Columns = m.Prep.Inputs()
		if m.Function.Kind() == task.OnRowIDs {
			c.Columns = nil
		}
	}
	if c.Names > 0 {
		c.IDs = m.Prep.ID()
	}
	if m.Weights != nil {
		c.RowValues = append(c.RowValues, fmt.Sprintf("weights of %d rows", len(m.Weights)))
	}
	for _, s := range m.States {
		if holder, ok := s.(learner.RowHolder); ok {
			c.RowValues = append(c.RowValues, holder.RowValues()...)
		}
	}
	return c
}

// Lines lays the contents out: a name, and what is there.
func (c Contents) Lines() [][]string {
	points := "none"
	if c.Points > 0 {
		what := "training rows"
		if c.Landmarks {
			what = "landmarks"
		}
		points = fmt.Sprintf("%d %s, %d columns", c.Points, what, len(c.Columns))
		if c.Rows > c.Points {
			points = fmt.Sprintf("%d %s for %d training rows, %d columns", c.Points, what, c.Rows, len(c.Columns))
		}
	}
	names := "none"
	switch {
	case c.IDs != "":
		names = fmt.Sprintf("ids of %d points, from column %s", c.Names, c.IDs)
	case c.Names > 0:
		names = fmt.Sprintf("numbers of %d rows", c.Names)
	}
	levels := "none"
	if len(c.Levels) > 0 {
		levels = "of " + abridged(c.Levels)
	}
	test := "none"
	switch {
	case c.Raw:
		test = fmt.Sprintf("%d rows of the training table, all columns", c.SelfTest)
	case c.Shuffled:
		test = fmt.Sprintf("%d rows that are made up, shuffled from single cells of training rows", c.SelfTest)
	case c.SelfTest > 0:
		test = fmt.Sprintf("%d rows that are made up", c.SelfTest)
	}
	return [][]string{{"holds points", points}, {"holds names", names}, {"holds of rows", cmp.Or(strings.Join(c.RowValues, ", "), "nothing else")},
		{"holds levels", levels}, {"holds self-test", test}}
}
