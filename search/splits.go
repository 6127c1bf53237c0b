package search

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// Splits say how rows are divided for cross-validation. The zero value is five folds, stratified
// by the labels of a target that has them; those of a method that is followed along its path are
// not.
type Splits struct {
	// Folds is the number of parts, 0: 5. With Group the parts never divide the rows
	// that have the same value in that column; with Forward rows are in the order of
	// time, and each part is tested by what was learned from the rows before it.
	Folds   int
	Group   string
	Forward bool
	// File gives the splits instead, see [ReadSplits].
	File string

	found []tune.Split
}

// number is that of the splits that were found.
func (s Splits) number() int { return len(s.found) }

// given reports whether anything is said of splits.
func (s Splits) given() bool { return s.Folds != 0 || s.Group != "" || s.Forward || s.File != "" }

// splits reads or draws the splits of the rows of a problem. A criterion in closed form has none,
// unless they are given, which it then refuses.
func (w *tuning) splits(p *task.Task) ([]tune.Split, error) {
	_, path := w.method.(learner.ClosedForm)
	if path && w.Criterion != tune.CV && !w.Splits.given() {
		return nil, nil
	}
	var err error
	w.Splits.found, err = w.Splits.of(p, w.groups, w.Options.Seed, !path)
	return w.Splits.found, err
}

// of reads or draws the splits of the rows of a problem, whose groups are given.
func (s Splits) of(p *task.Task, groups []string, seed uint64, stratified bool) ([]tune.Split, error) {
	n, folds := p.Points.Size(), cmp.Or(s.Folds, 5)
	given := 0
	for _, is := range []bool{s.Group != "", s.Forward, s.File != ""} {
		if is {
			given++
		}
	}
	switch {
	case given > 1 || s.File != "" && s.Folds != 0:
		return nil, errors.New("search: groups, splits in the order of time, and a file of splits exclude each other, and a file says how many there are")
	case s.File != "":
		return ReadSplits(s.File, n)
	case s.Forward:
		return tune.Forward(n, folds)
	case s.Group != "":
		return tune.GroupKFold(data.Pick(groups, p.Rows.Rows), folds, seed)
	}
	if _, classes, err := p.Classes(); err == nil && stratified {
		return tune.StratifiedKFold(classes, folds, seed)
	}
	return tune.KFold(n, folds, seed)
}

// ReadSplits reads a file of splits of n rows, see [tune.ReadSplits].
func ReadSplits(path string, n int) ([]tune.Split, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("splits: %w", err)
	}
	defer file.Close()
	// The test rows and the others of every split are numbers.
	in := data.NewBudget(compute.ReadingBudget(0)).Reader(file, path, 16)
	return tune.ReadSplits(in, path, n)
}

// groupsOf returns the value of a column in every row, as text.
func groupsOf(t data.Blocks, column string) ([]string, error) {
	if column == "" {
		return nil, nil
	}
	at, err := t.Schema().Find(column)
	if err != nil {
		return nil, fmt.Errorf("group: %w", err)
	}
	var out []string
	for b := range len(t.Starts()) - 1 {
		block, err := t.Block(b, []int{at})
		if err != nil {
			return nil, err
		}
		c := &block.Columns[at]
		for _, v := range c.Numbers {
			out = append(out, fmt.Sprint(v))
		}
		if c.Kind != data.Numeric {
			out = append(out, c.Strings...)
		}
	}
	return out, nil
}

// PerClassSplits draws splits of the rows of a table with the given number of training rows
// of every label of its target; the others are for testing. Rows that preparation drops
// are in none.
func PerClassSplits(t *data.Table, s prep.Spec, text string, each, draws int, seed uint64) ([]tune.Split, error) {
	in, err := prepared(t, s, text)
	if err != nil {
		return nil, err
	}
	p := &task.Task{Prep: in.Steps, Rows: in.Rows, Points: task.TypedPoints[[]float64]{Encoding: task.VectorEncoding, Set: in.Rows.X}.Any()}
	_, classes, err := p.Classes()
	if err != nil {
		return nil, err
	}
	splits, err := tune.PerClass(classes, each, draws, seed)
	return inTable(splits, in), err
}

// inTable turns splits of task.PreparedTable rows into splits of the rows of the table.
func inTable(splits []tune.Split, in task.PreparedTable) []tune.Split {
	for k, split := range splits {
		splits[k] = tune.Split{Train: data.Pick(in.Rows.Rows, split.Train), Test: data.Pick(in.Rows.Rows, split.Test)}
	}
	return splits
}

// SplitsOf returns splits of the rows of a table, stratified by the labels of a target that has
// them. Rows that preparation drops are in none.
func SplitsOf(t *data.Table, s prep.Spec, text string, as Splits, seed uint64) ([]tune.Split, error) {
	in, err := prepared(t, s, text)
	if err != nil {
		return nil, err
	}
	return splitsOf(t, in, as, seed)
}

// splitsOf is [SplitsOf] of rows that are prepared.
func splitsOf(t *data.Table, in task.PreparedTable, as Splits, seed uint64) ([]tune.Split, error) {
	groups, err := groupsOf(t, as.Group)
	if err != nil {
		return nil, err
	}
	p := &task.Task{Prep: in.Steps, Rows: in.Rows, Points: task.TypedPoints[[]float64]{Encoding: task.VectorEncoding, Set: in.Rows.X}.Any()}
	splits, err := as.of(p, groups, seed, true)
	if err != nil {
		return nil, err
	}
	return inTable(splits, in), nil
}
