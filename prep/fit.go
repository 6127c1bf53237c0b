package prep

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"mercer/data"
)

// Fit learns the preparation of a training table and applies it. The error joins
// everything that is wrong with the Spec, or with the columns.
//
// Numbers are standardised by (x − m)/s with m = Σwᵢxᵢ/Σwᵢ and s² = Σwᵢ(xᵢ−m)²/Σwᵢ,
// over the kept rows after missing cells are filled in; without weights that is what
// scikit-learn's StandardScaler does after its SimpleImputer. A column without spread
// is only centred. Cost: O(cells).
func Fit(t *data.Table, s Spec) (*Pipeline, *Prepared, error) {
	if err := checkTable(t); err != nil {
		return nil, nil, err
	}
	roles, err := s.resolve(t)
	if err != nil {
		return nil, nil, err
	}
	p := &Pipeline{missing: s.Missing, headed: t.Headed, sparse: t.Sparse, columns: make([]column, len(roles))}
	v := view{table: t, at: make([]int, len(roles))}
	raw, err := s.raw(t)
	if err != nil {
		return nil, nil, err
	}
	for j := range roles {
		p.columns[j] = column{Name: t.Columns[j].Name, Role: roles[j], Kind: s.kindOf(t.Columns[j].Kind, roles[j]), Raw: raw[j], Keep: s.Missing == Keep && roles[j] == feature}
		if roles[j] == target {
			p.columns[j].Form = s.Form
		}
		v.at[j] = j
	}
	if !s.NoFeatures && !slices.Contains(roles, feature) && !slices.Contains(roles, cell) {
		return nil, nil, &data.Error{Source: t.Source, Reason: "has no column left as a feature: " + p.unused(t), Fix: "kernels on vectors need a numeric or categorical column that is not dropped"}
	}
	rows, notes, err := p.keep(v, "say what a missing cell means: missing = drop (leave out such rows), mean (fill in training means) or indicator (means and a 0/1 feature that marks them); or complete the file")
	if err != nil {
		return nil, nil, err
	}
	if t.Rows() == 0 {
		return nil, nil, &data.Error{Source: t.Source, Reason: "has no rows"}
	}
	if len(rows) == 0 {
		return nil, nil, &data.Error{Source: t.Source, Reason: fmt.Sprintf("has no row left to learn from: all %d have missing cells", t.Rows()), Fix: "drop the columns with missing cells, or fill them in (missing = mean)"}
	}
	learned, err := p.learn(v, rows)
	if err != nil {
		return nil, nil, err
	}
	prepared, err := p.encode(v, rows)
	if err != nil {
		return nil, nil, err
	}
	prepared.Notes = slices.Concat(notes, learned, prepared.Notes)
	return p, prepared, nil
}

// kindOf says how the cells of a column are read. Free text that is a target is a
// set of labels like any other.
func (s Spec) kindOf(k data.Kind, r role) kind {
	switch {
	case r == weights:
		return numeric
	case r == cell:
		return text
	case r == target && (s.Labels || s.Form != One):
		return categorical
	case k == data.Numeric:
		return numeric
	case k == data.Categorical || r == target:
		return categorical
	}
	return text
}

// unused lists the columns that are no features, with the reason.
func (p *Pipeline) unused(t *data.Table) string {
	list := ""
	for j, c := range p.columns {
		if j > 0 {
			list += ", "
		}
		why := string(c.Role)
		if c.Role == aside {
			why = t.Columns[j].Kind.String()
		}
		list += fmt.Sprintf("#%d %s (%s)", j+1, c.Name, why)
	}
	return list
}

// learn fills in the numbers and levels of every column from the kept rows.
func (p *Pipeline) learn(v view, rows []int) (notes []string, err error) {
	ws, err := p.relativeWeights(v, rows)
	if err != nil {
		return nil, err
	}
	var problems []error
	for j := range p.columns {
		c := &p.columns[j]
		var err error
		note := ""
		switch {
		case c.Role == feature && c.Kind == numeric:
			note, err = c.learnNumbers(v.cells(j), rows, ws, p)
		case c.Role == feature:
			note, err = c.learnLevels(v.cells(j), rows, ws, p)
		case c.Form != One:
			note, err = c.learnAnswers(v.cells(j), rows)
		case c.Role == target && c.Kind == categorical:
			note, err = c.learnLabels(v.cells(j), rows, ws)
		case !p.hasFeatures():
		case c.Role == aside && c.Kind == text:
			note = fmt.Sprintf("column %s is text%s and not used: no kernel names it", c.Name, because(v.cells(j).column()))
		case c.Role == aside:
			note = fmt.Sprintf("column %s is categorical and left out, as asked", c.Name)
		}
		if err != nil {
			problems = append(problems, err)
		}
		if note != "" {
			notes = append(notes, note)
		}
	}
	return notes, errors.Join(problems...)
}

// because repeats why the reader took a column for what it is.
func because(c *data.Column) string {
	if c.Why == "" {
		return ""
	}
	return " (" + c.Why + ")"
}

// relativeWeights returns the row weights divided by the power of two above the
// largest, or nil without a weights column. Sums of them cannot overflow, and the
// division rounds nothing, so that weights which tie still tie.
func (p *Pipeline) relativeWeights(v view, rows []int) ([]float64, error) {
	ws, err := p.rowWeights(v, rows)
	if err != nil || ws == nil {
		return nil, err
	}
	largest := slices.Max(ws)
	if largest == 0 {
		return nil, &data.Error{Source: v.table.Source, Reason: fmt.Sprintf("has %d weights that are all 0", len(ws)), Fix: "at least one row must count"}
	}
	_, exponent := math.Frexp(largest)
	relative := make([]float64, len(ws))
	for i, w := range ws {
		relative[i] = math.Ldexp(w, -exponent)
	}
	return relative, nil
}

// learnNumbers learns the mean and the spread of a numeric feature.
func (c *column) learnNumbers(from cells, rows []int, ws []float64, p *Pipeline) (note string, err error) {
	xs, present := make([]float64, 0, len(rows)), make([]float64, 0, len(rows))
	var all, known accumulator
	for i, row := range rows {
		w := weightAt(ws, i)
		all.add(w)
		if from.missing(row) {
			c.Indicator = p.missing == Indicator
			continue
		}
		x, err := from.number(row)
		if err != nil {
			return "", err
		}
		known.add(w)
		xs, present = append(xs, x), append(present, w)
	}
	if known.value() == 0 {
		return "", from.failColumn("has no value in any row that counts", "drop the column")
	}
	c.Fill, c.Center, c.Scale = weightedMean(xs, present), 0, 1
	spread := deviation(xs, present, c.Fill)
	if !c.Keep { // a filled-in cell adds nothing to Σ(x−m)² but counts as a row
		spread *= math.Sqrt(known.value() / all.value())
	}
	if math.IsInf(c.Fill, 0) || math.IsNaN(c.Fill) || math.IsInf(spread, 0) || math.IsNaN(spread) {
		return "", from.failColumn("holds numbers too large to average (about 1e308)", "change its unit")
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
	if counts(xs, rows) {
		return fmt.Sprintf("column %s counts the rows (%g, %g, …): drop it, or make it the id, if it says nothing about the target", c.Name, xs[0], xs[1]), nil
	}
	return "", nil
}

// counts reports whether the values are the row numbers, from whatever start: the
// mark of an index that some program wrote beside the data.
func counts(xs []float64, rows []int) bool {
	if len(xs) < 3 || len(xs) != len(rows) {
		return false
	}
	for i, x := range xs {
		if x-xs[0] != float64(rows[i]-rows[0]) {
			return false
		}
	}
	return true
}

// manyLevels is where one-hot coding deserves a note.
const manyLevels = 100

// learnLevels learns the levels of a categorical feature and the most frequent one.
func (c *column) learnLevels(from cells, rows []int, ws []float64, p *Pipeline) (note string, err error) {
	totals := map[string]float64{}
	for i, row := range rows {
		if from.missing(row) {
			c.Indicator = p.missing == Indicator
			continue
		}
		totals[from.level(row)] += weightAt(ws, i)
	}
	if len(totals) == 0 {
		return "", from.failColumn("has no value in any row", "drop the column")
	}
	c.Levels = sortedKeys(totals)
	for i, level := range c.Levels {
		if totals[level] > totals[c.Levels[c.FillLevel]] {
			c.FillLevel = i
		}
	}
	if len(c.Levels) > manyLevels {
		return fmt.Sprintf("column %s has %d levels and makes as many features: drop it if it is a name or an id", c.Name, len(c.Levels)), nil
	}
	return "", nil
}

// learnLabels learns the labels of a target that is not numeric. At least two need rows
// that count.
func (c *column) learnLabels(from cells, rows []int, ws []float64) (note string, err error) {
	seen := map[string]float64{}
	for i, row := range rows {
		seen[from.level(row)] += weightAt(ws, i)
	}
	c.Levels = sortedKeys(seen)
	var weightless []string // labels without weight
	for _, label := range c.Levels {
		if seen[label] == 0 {
			weightless = append(weightless, label)
		}
	}
	switch {
	case len(c.Levels) == 1:
		return "", from.failColumn(fmt.Sprintf("is a target with the one label %q", c.Levels[0]), "there is nothing to tell apart: choose another target")
	case len(c.Levels) > manyLevels || len(c.Levels) == len(rows) && len(rows) > 2:
		return "", from.failColumn(fmt.Sprintf("is a target with %d labels in %s", len(c.Levels), count(len(rows), "row")), notNumber(from, rows))
	case len(weightless) == len(c.Levels)-1:
		return "", from.failColumn(fmt.Sprintf("is a target of which one label alone has rows with a weight above 0: all rows of %q have weight 0", weightless), "there is nothing to tell apart: give rows of two labels a weight")
	}
	note = fmt.Sprintf("target %s is a class: %d labels, %q to %q", c.Name, len(c.Levels), c.Levels[0], c.Levels[len(c.Levels)-1])
	if weightless != nil {
		note += fmt.Sprintf("; all rows of %q have weight 0, and nothing can be learned of them", weightless)
	}
	return note, nil
}

// notNumber points at the cell for which a column of numbers was read as text.
func notNumber(from cells, rows []int) string {
	for _, row := range rows {
		if _, err := strconv.ParseFloat(from.level(row), 64); err != nil {
			return fmt.Sprintf("if it should hold numbers, correct %s: %s", from.where(row), data.Quote(from.level(row)))
		}
	}
	return ""
}

func sortedKeys(m map[string]float64) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
