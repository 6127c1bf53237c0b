package prep

import (
	"fmt"
	"math"

	"example.org/mercer/internal/compensated"
)

// numberFit learns the mean and the spread of a numeric feature.
type numberFit struct {
	MostLevels int // of a number that has a feature for each of its values
	Pass       int
	All, Known compensated.Sum // weights of all rows, and of those with a value
	Moments    pooled          // of each run
	Extreme    float64         // the largest absolute value
	// Values are the different ones, of which no more are kept than may be levels and one.
	Values   map[string]float64
	Counting rowNumbers
	Dates    dateParts
}

func (l *numberFit) begin() columnFit {
	return &numberFit{MostLevels: l.MostLevels, Moments: make(pooled, 1), Values: map[string]float64{}}
}

func (l *numberFit) observe(from cells, rows []int, ws []float64) error {
	run := &l.Moments[0]
	for i, row := range rows {
		w := weightAt(ws, i)
		if l.Pass == 0 {
			l.All.Add(w)
		}
		if from.missing(row) {
			l.Counting.Gap = true
			continue
		}
		x, err := from.number(row)
		if err != nil {
			return err
		}
		switch l.Pass {
		case 0:
			l.Known.Add(w)
			l.Extreme = max(l.Extreme, math.Abs(x))
			run.add(x, w)
			l.Counting.add(x, from.of.Before+row)
			if from.unit.IsDate() {
				l.Dates.add(x)
			} else if len(l.Values) <= l.MostLevels && l.MostLevels > 0 {
				l.Values[plainNumber(x)]++
			}
		case 1:
			run.addDifference(x, w)
		case 2:
			run.addSquare(x, w)
		}
	}
	return nil
}

func (l *numberFit) more() bool {
	l.Pass++
	switch l.Pass {
	case 1:
		if l.Known.Value() == 0 {
			return false
		}
		l.Moments[0].mean()
		return true
	case 2:
		return !l.Moments[0].constant()
	}
	return false
}

func (l *numberFit) scale(by int) {
	l.All.Scale(by)
	l.Known.Scale(by)
	for i := range l.Moments {
		l.Moments[i].scale(by)
	}
}

func (l *numberFit) merge(next columnFit) {
	n := next.(*numberFit)
	l.All.Merge(n.All, 1)
	l.Known.Merge(n.Known, 1)
	l.Moments = append(l.Moments, n.Moments...)
	l.Extreme = max(l.Extreme, n.Extreme)
	if l.Values == nil {
		l.Values = map[string]float64{}
	}
	for value, count := range n.Values {
		if len(l.Values) <= l.MostLevels {
			l.Values[value] += count
		}
	}
	l.Counting.merge(n.Counting)
	l.Dates.merge(n.Dates)
}

func (l *numberFit) finish(p *Pipeline, s *source, j int) (note string, err error) {
	c, from := &p.columns[j], s.schema(j)
	if l.Known.Value() == 0 {
		return "", from.failColumn("has no value in any row that counts", "drop the column")
	}
	c.Fill, c.Indicator = l.Moments.mean(), l.Counting.Gap && p.missing == Indicator
	c.Center, c.Scale, c.Parts = 0, 1, l.Dates.found()
	spread := l.Moments.deviation()
	if !c.Keep { // a filled-in cell adds nothing to Σ(x−m)² but counts as a row
		spread *= math.Sqrt(l.Known.Value() / l.All.Value())
	}
	if math.IsInf(c.Fill, 0) || math.IsNaN(c.Fill) || math.IsInf(spread, 0) || math.IsNaN(spread) {
		return "", from.failColumn("holds numbers too large to average (about 1e308)", "change its unit")
	}
	if c.Raw && l.Extreme > squarable {
		return "", from.failColumn(fmt.Sprintf("holds numbers too large to be squared (%g)", l.Extreme), "change its unit, or let it be standardised")
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
	if values := len(l.Values); values > 2 && values <= l.MostLevels && !c.Keep {
		c.Levels = sortedKeys(l.Values)
	}
	if c.Constant {
		return fmt.Sprintf("column %s is constant (%g) and tells nothing", c.Name, c.Fill), nil
	}
	if n := &l.Counting; n.holds() {
		return fmt.Sprintf("column %s counts the rows (%g, %g, …): drop it, or make it the id, if it says nothing about the target", c.Name, n.First, n.Second), nil
	}
	return "", nil
}
