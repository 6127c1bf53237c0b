package prep

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.org/mercer/data"
)

// columnFit computes what a column learns from the kept rows, in one or more passes over them:
// calls of observe, then one of more; after the last pass finish.
type columnFit interface {
	// observe takes the rows of a block and their relative weights, nil for ones.
	observe(from cells, rows []int, ws []float64) error
	// more ends a pass, and reports whether another one is needed.
	more() bool
	// finish stores what was found in the column. from has its name.
	finish(from cells) (note string, err error)
}

// fitOf returns the fit of a column, nil for one that learns nothing.
func (p *Pipeline) fitOf(j int) columnFit {
	switch c := &p.columns[j]; {
	case c.Role == feature && c.Kind == numeric:
		return &numberFit{column: c, marks: p.missing == Indicator, levels: p.levels, values: map[string]float64{}}
	case c.Role == feature:
		return &levelFit{column: c, marks: p.missing == Indicator, ordered: p.orders[j].Levels}
	case c.Form != One:
		return &structuredFit{column: c}
	case c.Role == target && c.Kind == categorical:
		return &labelFit{column: c}
	}
	return nil
}

// fitColumns fills in the numbers and levels of every column from the kept rows.
func (p *Pipeline) fitColumns(s *source) (notes []string, err error) {
	ws, err := p.relativeWeights(s)
	if err != nil {
		return nil, err
	}
	fits, problems := make([]columnFit, len(p.columns)), make([]error, len(p.columns))
	open := 0
	for j := range fits {
		if fits[j] = p.fitOf(j); fits[j] != nil {
			open++
		}
	}
	ended := make([]bool, len(fits))
	reads := func(j int) bool { return fits[j] != nil && !ended[j] && problems[j] == nil }
	for open > 0 {
		err := s.eachKept(reads, func(v view, rows []int, first int) error {
			weights := ws
			if ws != nil {
				weights = ws[first : first+len(rows)]
			}
			for j := range fits {
				if reads(j) {
					problems[j] = fits[j].observe(v.cells(j), rows, weights)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		open = 0
		for j := range fits {
			if reads(j) {
				if ended[j] = !fits[j].more(); !ended[j] {
					open++
				}
			}
		}
	}
	return p.finishColumns(s, fits, problems)
}

// finishColumns stores what every column has learned: numbers after the rest, when the names of
// all features are known.
func (p *Pipeline) finishColumns(s *source, fits []columnFit, problems []error) (notes []string, err error) {
	said := make([]string, len(fits))
	finish := func(numbers bool) {
		for j := range fits {
			if _, number := fits[j].(*numberFit); number != numbers || problems[j] != nil {
				continue
			}
			if fits[j] == nil {
				said[j] = p.ignoredNote(s, j)
			} else {
				said[j], problems[j] = fits[j].finish(s.schema(j))
			}
		}
	}
	finish(false)
	if errors.Join(problems...) == nil {
		notes = p.leaveAsWritten(s)
	}
	finish(true)
	notes = append(notes, p.unitNotes()...)
	notes = append(slices.DeleteFunc(said, func(note string) bool { return note == "" }), notes...)
	return notes, errors.Join(problems...)
}

// leaveAsWritten makes the columns raw whose numbers a kernel compares as they are.
func (p *Pipeline) leaveAsWritten(s *source) (notes []string) {
	if s.asWritten == nil {
		return nil
	}
	var from []*column // of every feature
	for j := range p.columns {
		if c := &p.columns[j]; c.Role == feature {
			from = append(from, slices.Repeat([]*column{c}, c.width())...)
		}
	}
	for _, some := range s.asWritten(p.Features()) {
		var names []string
		for _, j := range some.Features {
			if c := from[j]; c.Kind == numeric && !c.Raw {
				c.Raw, names = true, append(names, c.Name)
			}
		}
		if len(names) > 0 {
			notes = append(notes, fmt.Sprintf("%s not standardised: %s (%s)", count(len(names), "column"), some.Reason, listShort(names)))
		}
	}
	return notes
}

// ignoredNote is the note on a column that is left aside.
func (p *Pipeline) ignoredNote(s *source, j int) string {
	c := &p.columns[j]
	switch {
	case !p.hasFeatures() || c.Role != ignored:
		return ""
	case c.Kind == text:
		return fmt.Sprintf("column %s is text%s and not used: no kernel names it", c.Name, because(s.schema(j).column()))
	}
	return fmt.Sprintf("column %s is categorical and left out, as asked", c.Name)
}

// numberFit learns the mean and the spread of a numeric feature.
type numberFit struct {
	*column
	marks      bool // missing cells get a feature
	pass       int
	all, known accumulator // weights of all rows, and of those with a value
	moments    moments
	extreme    float64 // the largest absolute value
	// values are the different ones, of which no more are kept than may be levels and one.
	levels   int
	values   map[string]float64
	counting rowNumbers
	dates    dateParts
}

func (l *numberFit) observe(from cells, rows []int, ws []float64) error {
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
			if l.Unit.IsDate() {
				l.dates.add(x)
			} else if len(l.values) <= l.levels && l.levels > 0 {
				l.values[plainNumber(x)]++
			}
		case 1:
			l.moments.addDifference(x, w)
		case 2:
			l.moments.addSquare(x, w)
		}
	}
	return nil
}

func (l *numberFit) more() bool {
	l.pass++
	switch l.pass {
	case 1:
		if l.known.value() == 0 {
			return false
		}
		l.Fill = l.moments.mean()
		return true
	case 2:
		return !l.moments.constant()
	}
	return false
}

func (l *numberFit) finish(from cells) (note string, err error) {
	c := l.column
	if l.known.value() == 0 {
		return "", from.failColumn("has no value in any row that counts", "drop the column")
	}
	c.Center, c.Scale, c.Parts = 0, 1, l.dates.found()
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
	// Two values are as far apart as a number and a 0/1 feature tell.
	if values := len(l.values); values > 2 && values <= l.levels && !c.Keep {
		c.Levels = sortedKeys(l.values)
	}
	if c.Constant {
		return fmt.Sprintf("column %s is constant (%g) and tells nothing", c.Name, c.Fill), nil
	}
	if n := &l.counting; n.holds() {
		return fmt.Sprintf("column %s counts the rows (%g, %g, …): drop it, or make it the id, if it says nothing about the target", c.Name, n.first, n.second), nil
	}
	return "", nil
}

// rowNumbers finds out whether values are the row numbers, from whatever start: the mark of an
// index that some program wrote beside the data.
type rowNumbers struct {
	n             int
	first, second float64
	row           int // of the first
	gap, differs  bool
}

func (c *rowNumbers) add(x float64, row int) {
	switch c.n {
	case 0:
		c.first, c.row = x, row
	case 1:
		c.second = x
	}
	c.n++
	c.differs = c.differs || x-c.first != float64(row-c.row)
}

func (c *rowNumbers) holds() bool { return c.n >= 3 && !c.gap && !c.differs }

// levelFit learns the levels of a categorical feature and the most frequent one.
type levelFit struct {
	*column
	marks   bool
	ordered []string // its levels from the lowest on; nil: they have no order
	totals  map[string]float64
}

func (l *levelFit) observe(from cells, rows []int, ws []float64) error {
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

func (l *levelFit) more() bool { return false }

// manyLevels is where one-hot coding deserves a note.
const manyLevels = 100

func (l *levelFit) finish(from cells) (note string, err error) {
	if len(l.totals) == 0 {
		return "", from.failColumn("has no value in any row", "drop the column")
	}
	l.Levels = sortedKeys(l.totals)
	if l.ordered != nil {
		if err := l.order(l.ordered, l.Levels, from); err != nil {
			return "", err
		}
	}
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

// labelFit learns the labels of a target that is not numeric. At least two need rows
// that count.
type labelFit struct {
	*column
	rows      int
	seen      map[string]float64
	firstText string // where the first cell is that is no number, and what it holds
}

func (l *labelFit) observe(from cells, rows []int, ws []float64) error {
	if l.seen == nil {
		l.seen = map[string]float64{}
	}
	l.rows += len(rows)
	for i, row := range rows {
		if from.missing(row) { // only where rows may lack their targets
			continue
		}
		level := from.level(row)
		if _, known := l.seen[level]; !known && l.firstText == "" {
			if _, err := strconv.ParseFloat(level, 64); err != nil {
				l.firstText = fmt.Sprintf("%s: %s", from.where(row), data.Quote(level))
			}
		}
		l.seen[level] += weightAt(ws, i)
	}
	return nil
}

// fewLabels may have one row each on the average.
const fewLabels = 20

func (l *labelFit) more() bool { return false }

func (l *labelFit) finish(from cells) (note string, err error) {
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
	case len(c.Levels) > manyLevels || len(c.Levels) == l.rows && l.rows > 2 || len(c.Levels) > fewLabels && 2*len(c.Levels) > l.rows:
		fix := fmt.Sprintf("labels are at most %d, and most have several rows: numbers are predicted by a regression, such as svr or krr", manyLevels)
		if l.firstText != "" { // for which a column of numbers was read as text
			fix = "if it should hold numbers, correct " + l.firstText
			if strings.Contains(l.firstText, ",") {
				fix += "; a decimal comma is read with --decimal"
			}
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
