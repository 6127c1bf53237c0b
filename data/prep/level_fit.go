package prep

import (
	"fmt"
	"math"
)

// levelFit learns the levels of a categorical feature and the most frequent one.
type levelFit struct {
	Gap    bool // a cell is missing
	Totals map[string]float64
}

func (l *levelFit) begin() columnFit { return &levelFit{Totals: map[string]float64{}} }

func (l *levelFit) observe(from cells, rows []int, ws []float64) error {
	for i, row := range rows {
		if from.missing(row) {
			l.Gap = true
			continue
		}
		l.Totals[from.level(row)] += weightAt(ws, i)
	}
	return nil
}

func (l *levelFit) more() bool { return false }

func (l *levelFit) scale(by int) { scaleAll(l.Totals, by) }

func (l *levelFit) merge(next columnFit) {
	n := next.(*levelFit)
	l.Gap = l.Gap || n.Gap
	l.Totals = addAll(l.Totals, n.Totals)
}

// scaleAll multiplies the weights of levels by 2^by.
func scaleAll(totals map[string]float64, by int) {
	for level, total := range totals {
		totals[level] = math.Ldexp(total, by)
	}
}

// addAll adds the weights of levels to others.
func addAll(totals, more map[string]float64) map[string]float64 {
	if totals == nil {
		return more
	}
	for level, total := range more {
		totals[level] += total
	}
	return totals
}

// manyLevels is where one-hot coding deserves a note.
const manyLevels = 100

func (l *levelFit) finish(p *Pipeline, s *source, j int) (note string, err error) {
	c, from := &p.columns[j], s.schema(j)
	if len(l.Totals) == 0 {
		return "", from.failColumn("has no value in any row", "drop the column")
	}
	c.Levels, c.Indicator = sortedKeys(l.Totals), l.Gap && p.missing == Indicator
	if ordered := p.orders[j].Levels; ordered != nil {
		if err := c.order(ordered, c.Levels, from); err != nil {
			return "", err
		}
	}
	for i, level := range c.Levels {
		if l.Totals[level] > l.Totals[c.Levels[c.FillLevel]] {
			c.FillLevel = i
		}
	}
	if len(c.Levels) > manyLevels {
		return fmt.Sprintf("column %s has %d levels and makes as many features: drop it if it is a name or an id", c.Name, len(c.Levels)), nil
	}
	return "", nil
}
