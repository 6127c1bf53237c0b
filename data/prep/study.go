package prep

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"example.org/mercer/data"
)

// study is what a column learns from the kept rows, which come by in blocks, once or several
// times.
type study interface {
	// look is shown the rows of a block and their relative weights, nil for ones.
	look(from cells, rows []int, ws []float64) error
	// again ends a pass, and reports whether another one is wanted.
	again() bool
	// learn stores what was found in the column. from has its name.
	learn(from cells) (note string, err error)
}

// studyOf returns the study of a column, nil for one that learns nothing.
func (p *Pipeline) studyOf(j int) study {
	switch c := &p.columns[j]; {
	case c.Role == feature && c.Kind == numeric:
		return &numberStudy{column: c, marks: p.missing == Indicator}
	case c.Role == feature:
		return &levelStudy{column: c, marks: p.missing == Indicator}
	case c.Form != One:
		return &answerStudy{column: c}
	case c.Role == target && c.Kind == categorical:
		return &labelStudy{column: c}
	}
	return nil
}

// learn fills in the numbers and levels of every column from the kept rows.
func (p *Pipeline) learn(s *stock) (notes []string, err error) {
	ws, err := p.relativeWeights(s)
	if err != nil {
		return nil, err
	}
	studies, problems := make([]study, len(p.columns)), make([]error, len(p.columns))
	open := 0
	for j := range studies {
		if studies[j] = p.studyOf(j); studies[j] != nil {
			open++
		}
	}
	resting := make([]bool, len(studies))
	wants := func(j int) bool { return studies[j] != nil && !resting[j] && problems[j] == nil }
	for open > 0 {
		err := s.eachKept(wants, func(v view, rows []int, first int) error {
			weights := ws
			if ws != nil {
				weights = ws[first : first+len(rows)]
			}
			for j := range studies {
				if wants(j) {
					problems[j] = studies[j].look(v.cells(j), rows, weights)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		open = 0
		for j := range studies {
			if wants(j) {
				if resting[j] = !studies[j].again(); !resting[j] {
					open++
				}
			}
		}
	}
	for j := range studies {
		note := ""
		switch {
		case problems[j] != nil:
		case studies[j] != nil:
			note, problems[j] = studies[j].learn(s.schema(j))
		default:
			note = p.unlearned(s, j)
		}
		if note != "" {
			notes = append(notes, note)
		}
	}
	return notes, errors.Join(problems...)
}

// unlearned is the note on a column that is left aside.
func (p *Pipeline) unlearned(s *stock, j int) string {
	c := &p.columns[j]
	switch {
	case !p.hasFeatures() || c.Role != aside:
		return ""
	case c.Kind == text:
		return fmt.Sprintf("column %s is text%s and not used: no kernel names it", c.Name, because(s.schema(j).column()))
	}
	return fmt.Sprintf("column %s is categorical and left out, as asked", c.Name)
}

// numberStudy learns the mean and the spread of a numeric feature.
type numberStudy struct {
	*column
	marks      bool // missing cells get a feature
	pass       int
	all, known accumulator // weights of all rows, and of those with a value
	moments    moments
	extreme    float64 // the largest absolute value
	counting   counting
}

func (l *numberStudy) look(from cells, rows []int, ws []float64) error {
	for i, row := range rows {
		w := weightAt(ws, i)
		if l.pass == 0 {
			l.all.add(w)
		}
		if from.missing(row) {
			l.Indicator, l.counting.gap = l.marks, true
			continue
		}
		x, err := from.number(row)
		if err != nil {
			return err
		}
		switch l.pass {
		case 0:
			l.known.add(w)
			l.extreme = max(l.extreme, math.Abs(x))
			l.moments.add(x, w)
			l.counting.add(x, from.of.Before+row)
		case 1:
			l.moments.reach(x, w)
		case 2:
			l.moments.square(x, w)
		}
	}
	return nil
}

func (l *numberStudy) again() bool {
	l.pass++
	switch l.pass {
	case 1:
		if l.known.value() == 0 {
			return false
		}
		l.Fill = l.moments.mean()
		return true
	case 2:
		return !l.moments.even()
	}
	return false
}

func (l *numberStudy) learn(from cells) (note string, err error) {
	c := l.column
	if l.known.value() == 0 {
		return "", from.failColumn("has no value in any row that counts", "drop the column")
	}
	c.Center, c.Scale = 0, 1
	spread := l.moments.deviation()
	if !c.Keep { // a filled-in cell adds nothing to Σ(x−m)² but counts as a row
		spread *= math.Sqrt(l.known.value() / l.all.value())
	}
	if math.IsInf(c.Fill, 0) || math.IsNaN(c.Fill) || math.IsInf(spread, 0) || math.IsNaN(spread) {
		return "", from.failColumn("holds numbers too large to average (about 1e308)", "change its unit")
	}
	if c.Raw && l.extreme > squarable {
		return "", from.failColumn(fmt.Sprintf("holds numbers too large to be squared (%g)", l.extreme), "change its unit, or let it be standardised")
	}
	// What differs by a few roundings is a constant that was computed, and dividing
	// by such a spread would make a feature of noise.
	c.Constant = spread <= 8*0x1p-52*math.Abs(c.Fill)
	if !c.Raw {
		c.Center = c.Fill
		if !c.Constant {
			c.Scale = spread
		}
	}
	if c.Constant {
		return fmt.Sprintf("column %s is constant (%g) and tells nothing", c.Name, c.Fill), nil
	}
	if n := &l.counting; n.holds() {
		return fmt.Sprintf("column %s counts the rows (%g, %g, …): drop it, or make it the id, if it says nothing about the target", c.Name, n.first, n.second), nil
	}
	return "", nil
}

// counting finds out whether values are the row numbers, from whatever start: the mark of an
// index that some program wrote beside the data.
type counting struct {
	n             int
	first, second float64
	row           int // of the first
	gap, differs  bool
}

func (c *counting) add(x float64, row int) {
	switch c.n {
	case 0:
		c.first, c.row = x, row
	case 1:
		c.second = x
	}
	c.n++
	c.differs = c.differs || x-c.first != float64(row-c.row)
}

func (c *counting) holds() bool { return c.n >= 3 && !c.gap && !c.differs }

// levelStudy learns the levels of a categorical feature and the most frequent one.
type levelStudy struct {
	*column
	marks  bool
	totals map[string]float64
}

func (l *levelStudy) look(from cells, rows []int, ws []float64) error {
	if l.totals == nil {
		l.totals = map[string]float64{}
	}
	for i, row := range rows {
		if from.missing(row) {
			l.Indicator = l.marks
			continue
		}
		l.totals[from.level(row)] += weightAt(ws, i)
	}
	return nil
}

func (l *levelStudy) again() bool { return false }

// manyLevels is where one-hot coding deserves a note.
const manyLevels = 100

func (l *levelStudy) learn(from cells) (note string, err error) {
	if len(l.totals) == 0 {
		return "", from.failColumn("has no value in any row", "drop the column")
	}
	l.Levels = sortedKeys(l.totals)
	for i, level := range l.Levels {
		if l.totals[level] > l.totals[l.Levels[l.FillLevel]] {
			l.FillLevel = i
		}
	}
	if len(l.Levels) > manyLevels {
		return fmt.Sprintf("column %s has %d levels and makes as many features: drop it if it is a name or an id", l.Name, len(l.Levels)), nil
	}
	return "", nil
}

// labelStudy learns the labels of a target that is not numeric. At least two need rows
// that count.
type labelStudy struct {
	*column
	rows int
	seen map[string]float64
	slip string // where the first cell is that is no number, and what it holds
}

func (l *labelStudy) look(from cells, rows []int, ws []float64) error {
	if l.seen == nil {
		l.seen = map[string]float64{}
	}
	l.rows += len(rows)
	for i, row := range rows {
		level := from.level(row)
		if _, known := l.seen[level]; !known && l.slip == "" {
			if _, err := strconv.ParseFloat(level, 64); err != nil {
				l.slip = fmt.Sprintf("%s: %s", from.where(row), data.Quote(level))
			}
		}
		l.seen[level] += weightAt(ws, i)
	}
	return nil
}

func (l *labelStudy) again() bool { return false }

func (l *labelStudy) learn(from cells) (note string, err error) {
	c := l.column
	c.Levels = sortedKeys(l.seen)
	var weightless []string // labels without weight
	for _, label := range c.Levels {
		if l.seen[label] == 0 {
			weightless = append(weightless, label)
		}
	}
	switch {
	case len(c.Levels) == 1:
		return "", from.failColumn(fmt.Sprintf("is a target with the one label %q", c.Levels[0]), "there is nothing to tell apart: choose another target")
	case len(c.Levels) > manyLevels || len(c.Levels) == l.rows && l.rows > 2:
		fix := fmt.Sprintf("labels are at most %d, and some have several rows: use a method for numbers, or choose another target", manyLevels)
		if l.slip != "" { // for which a column of numbers was read as text
			fix = "if it should hold numbers, correct " + l.slip
		}
		return "", from.failColumn(fmt.Sprintf("is a target with %d labels in %s", len(c.Levels), count(l.rows, "row")), fix)
	case len(weightless) == len(c.Levels)-1:
		return "", from.failColumn(fmt.Sprintf("is a target of which one label alone has rows with a weight above 0: all rows of %q have weight 0", weightless), "there is nothing to tell apart: give rows of two labels a weight")
	}
	note = fmt.Sprintf("target %s is a class: %d labels, %q to %q", c.Name, len(c.Levels), c.Levels[0], c.Levels[len(c.Levels)-1])
	if weightless != nil {
		note += fmt.Sprintf("; all rows of %q have weight 0, and nothing can be learned of them", weightless)
	}
	return note, nil
}
