package prep

import (
	"fmt"
	"strconv"
	"strings"

	"example.org/mercer/data"
)

// labelFit learns the labels of a target that is not numeric. At least two need rows
// that count.
type labelFit struct {
	Rows int
	Seen map[string]float64
	Word int // the row of the table with the first cell that is no number; -1: there is none
}

func (l *labelFit) begin() columnFit { return &labelFit{Seen: map[string]float64{}, Word: -1} }

func (l *labelFit) observe(from cells, rows []int, ws []float64) error {
	l.Rows += len(rows)
	for i, row := range rows {
		if from.missing(row) { // only where rows may lack their targets
			continue
		}
		level := from.level(row)
		if _, known := l.Seen[level]; !known && l.Word < 0 {
			if _, err := strconv.ParseFloat(level, 64); err != nil {
				l.Word = from.of.Before + row
			}
		}
		l.Seen[level] += weightAt(ws, i)
	}
	return nil
}

func (l *labelFit) more() bool { return false }

func (l *labelFit) scale(by int) { scaleAll(l.Seen, by) }

func (l *labelFit) merge(next columnFit) {
	n := next.(*labelFit)
	if l.Seen == nil || l.Word < 0 {
		l.Word = n.Word
	}
	l.Rows += n.Rows
	l.Seen = addAll(l.Seen, n.Seen)
}

// fewLabels may have one row each on the average.
const fewLabels = 20

func (l *labelFit) finish(p *Pipeline, s *source, j int) (note string, err error) {
	c, from := &p.columns[j], s.schema(j)
	c.Levels = sortedKeys(l.Seen)
	var weightless []string // labels without weight
	for _, label := range c.Levels {
		if l.Seen[label] == 0 {
			weightless = append(weightless, label)
		}
	}
	switch {
	case len(c.Levels) == 1:
		return "", from.failColumn(fmt.Sprintf("is a target with the one label %q", c.Levels[0]), "there is nothing to tell apart: choose another target")
	case len(c.Levels) > manyLevels || len(c.Levels) == l.Rows && l.Rows > 2 || len(c.Levels) > fewLabels && 2*len(c.Levels) > l.Rows:
		fix := fmt.Sprintf("labels are at most %d, and most have several rows: numbers are predicted by a regression, such as svr or krr", manyLevels)
		if l.Word >= 0 { // for which a column of numbers was read as text
			fix = l.correct(s, j)
		}
		return "", from.failColumn(fmt.Sprintf("is a target with %d labels in %s", len(c.Levels), count(l.Rows, "row")), fix)
	case len(weightless) == len(c.Levels)-1:
		return "", from.failColumn(fmt.Sprintf("is a target of which one label alone has rows with a weight above 0: all rows of %q have weight 0", weightless), "there is nothing to tell apart: give rows of two labels a weight")
	}
	note = fmt.Sprintf("target %s is a class: %d labels, %q to %q", c.Name, len(c.Levels), c.Levels[0], c.Levels[len(c.Levels)-1])
	if weightless != nil {
		note += fmt.Sprintf("; all rows of %q have weight 0, and nothing can be learned of them", weightless)
	}
	return note, nil
}

// correct says which cell is to be corrected if the labels should be numbers.
func (l *labelFit) correct(s *source, j int) string {
	word, row, err := s.cell(j, l.Word)
	if err != nil {
		return err.Error()
	}
	fix := fmt.Sprintf("if it should hold numbers, correct %s: %s", word.where(row), data.Quote(word.level(row)))
	if strings.Contains(word.level(row), ",") {
		fix += "; a decimal comma is read with --decimal"
	}
	return fix
}
