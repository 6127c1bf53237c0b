package task

import (
	"errors"
	"fmt"
	"slices"

	"example.org/mercer/data/prep"
	"gonum.org/v1/gonum/mat"
)

// Targets returns Y, or an error where the table was read without a target.
func (p *Task) Targets() (*mat.Dense, error) {
	if p.Rows.Y == nil {
		return nil, errors.New("task: the problem has no target; name one when the table is prepared")
	}
	return p.Rows.Y, nil
}

// Classes returns the only target of a problem, which must have labels, and the
// class of every row.
func (p *Task) Classes() (prep.Target, []int, error) {
	y, err := p.Targets()
	if err != nil {
		return prep.Target{}, nil, err
	}
	targets := p.Prep.Targets()
	if len(targets) != 1 {
		return prep.Target{}, nil, fmt.Errorf("task: classification needs one target, and there are %d: name one", len(targets))
	}
	t := targets[0]
	if t.Labels == nil {
		return t, nil, fmt.Errorf("task: target %s holds numbers, and this method tells classes apart: read it as labels (--type %s=categorical)", t.Name, t.Name)
	}
	n, _ := y.Dims()
	classes := make([]int, n)
	for i := range classes {
		classes[i] = t.Class(y.RawRowView(i))
	}
	return t, classes, nil
}

// Numbers returns the targets of a problem, all of which must be numeric.
func (p *Task) Numbers() (*mat.Dense, error) {
	y, err := p.Targets()
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(p.Prep.Targets(), func(t prep.Target) bool { return t.Form != prep.One }); i >= 0 {
		return nil, fmt.Errorf("task: target %s holds answers that have parts, and this method predicts numbers: use structured", p.Prep.Targets()[i].Name)
	}
	if i := slices.IndexFunc(p.Prep.Targets(), func(t prep.Target) bool { return t.Labels != nil }); i >= 0 {
		return nil, fmt.Errorf("task: target %s holds labels, and this method predicts numbers: use a method for classes", p.Prep.Targets()[i].Name)
	}
	return y, nil
}

// Number returns the only target of a problem, which must be numeric.
func (p *Task) Number() ([]float64, error) {
	y, err := p.Numbers()
	if err != nil {
		return nil, err
	}
	n, m := y.Dims()
	if m != 1 {
		return nil, fmt.Errorf("task: this method predicts one target, and there are %d: name one", m)
	}
	return mat.Col(make([]float64, n), 0, y), nil
}

// Untargeted refuses a problem with targets, for a method that learns without and whose
// outputs say nothing of them.
func (p *Task) Untargeted(method string) error {
	if targets := p.Prep.Targets(); len(targets) > 0 {
		return fmt.Errorf("task: method %q learns without a target, and the table was prepared with %s: leave the column out (--drop), and name no target", method, targets[0].Name)
	}
	return nil
}

// Output returns the only output of the targets: a number, or −1 and +1 for two labels.
func (p *Task) Output() ([]float64, error) {
	y, err := p.Targets()
	if err != nil {
		return nil, err
	}
	n, m := y.Dims()
	if targets := p.Prep.Targets(); m != 1 {
		if len(targets) == 1 {
			return nil, fmt.Errorf("task: target %s has %d labels, and a loss of one function tells two apart: use a method for classes", targets[0].Name, len(targets[0].Labels))
		}
		return nil, fmt.Errorf("task: this method predicts one target, and there are %d: name one", len(targets))
	}
	return mat.Col(make([]float64, n), 0, y), nil
}

// TargetVariance returns the variance of the first target over the rows, 0 where there
// is none.
func (p *Task) TargetVariance() float64 {
	if p.Rows.Y == nil {
		return 0
	}
	return Variance(mat.Col(nil, 0, p.Rows.Y))
}

// Variance returns that of numbers about their mean.
func Variance(y []float64) float64 {
	mean, sum := 0.0, 0.0
	for i, v := range y {
		d := v - mean
		mean += d / float64(i+1)
		sum += d * (v - mean)
	}
	return sum / float64(max(1, len(y)))
}

// Structured returns the only target, whose answers must have parts.
func (p *Task) Structured() (prep.Target, error) {
	if _, err := p.Targets(); err != nil {
		return prep.Target{}, err
	}
	targets := p.Prep.Targets()
	if len(targets) != 1 {
		return prep.Target{}, fmt.Errorf("task: structured output is of one target, and there are %d: name one", len(targets))
	}
	if targets[0].Form == prep.One {
		return prep.Target{}, fmt.Errorf("task: target %s has one label or number in a cell: say what a cell holds (--answer)", targets[0].Name)
	}
	return targets[0], nil
}
