package mercer

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/rkhs"
	"example.org/mercer/task"
)

// Samples are the rows of two tables with a kernel on all of them.
type Samples struct {
	*task.Task
	M int // the first M rows are those of the first table
}

// NewSamples prepares the rows of two tables together, as s says, and puts the kernel of an
// expression on them. Means, deviations, levels and the words of the expression (median) are those
// of the pooled rows: they do not change when rows change tables, so that a permutation test is
// exact. The columns of both must be the same, see [data.Stack].
func NewSamples(ctx context.Context, a, b *data.Table, s prep.Spec, text string) (*Samples, error) {
	pooled, err := data.Stack(a, b)
	if err != nil {
		return nil, err
	}
	p, err := task.New(ctx, pooled, s, text)
	if err != nil {
		for _, t := range []*data.Table{a, b} { // which knows the lines of its file
			if _, _, alone := prep.Fit(t, s); alone != nil {
				return nil, alone
			}
		}
		return nil, err
	}
	first := slices.IndexFunc(p.Rows.Rows, func(at int) bool { return at >= a.Rows() })
	if first < 0 {
		first = len(p.Rows.Rows)
	}
	return &Samples{Task: p, M: first}, nil
}

// Reduced returns the samples with a low-rank kernel, whose landmarks are chosen from all rows as
// if they were one sample: which sample a row is of has no part in it, so that a permutation test
// keeps its level, and an approximation that is poor costs power alone.
func (s *Samples) Reduced(ctx context.Context, r task.Approximation, how compute.Options) (*Samples, error) {
	if err := r.WithoutTargets(); err != nil {
		return nil, err
	}
	p, err := s.Task.Reduced(ctx, r, how)
	if err != nil {
		return nil, err
	}
	return &Samples{Task: p, M: s.M}, nil
}

// Compare tests whether the two samples come from one distribution; see [rkhs.SolveMMD].
func (s *Samples) Compare(ctx context.Context, o rkhs.MMDOptions) (*rkhs.TwoSample, error) {
	k, err := s.Points.Operator(ctx, o.Compute)
	if err != nil {
		return nil, err
	}
	return rkhs.SolveMMD(ctx, k, s.M, o)
}

// Witness returns f = μ_X − μ_Y, the function that tells the samples apart best, at the
// samples' own rows where t is nil, and otherwise at the rows of t, prepared as they are.
func (s *Samples) Witness(ctx context.Context, t *data.Table, o compute.Options) ([]float64, error) {
	n := s.Points.Size()
	coef := mat.NewDense(n, 1, rkhs.WitnessCoef(s.M, n-s.M))
	values := new(mat.Dense)
	if t == nil {
		k, err := s.Points.Operator(ctx, o)
		if err != nil {
			return nil, err
		}
		if err := k.Mul(ctx, values, coef); err != nil {
			return nil, err
		}
		return values.RawMatrix().Data, nil
	}
	rows, err := s.Prep.ApplyInputs(t)
	if err != nil {
		return nil, err
	}
	f, _ := s.Points.Expand(coef, nil)
	switch {
	case s.LandmarkMap != nil:
		f, err = s.Points.Collapse(ctx, f)
	case s.FeatureMap != nil:
		f, err = s.Points.WeighFeatures(ctx, f)
	}
	if err != nil {
		return nil, err
	}
	if values, err = f.Predict(ctx, rows, o); err != nil {
		return nil, err
	}
	return values.RawMatrix().Data, nil
}

// Landscape is a function over the one or two features that rows have: the witness of two
// samples, or the distance to a set.
type Landscape struct {
	Features []string
	Axes     [][]float64 // a grid over each feature, in the units of the tables
	Values   []float64   // at the points of the grid, the first feature fastest
	Points   [][]float64 // the rows, a list for each feature
}

// Landscape returns the witness on a grid of side points for each feature, or nil where
// the samples have not one or two numeric features.
func (s *Samples) Landscape(ctx context.Context, side int, o compute.Options) (*Landscape, error) {
	l, grid, err := landscapeOver(s.Task, side)
	if l == nil || err != nil {
		return nil, err
	}
	l.Values, err = s.Witness(ctx, grid, o)
	return l, err
}

// landscapeOver returns a landscape without values over the rows of a problem and a tenth around
// them, and its grid as a table; nil where there are not one or two numeric features.
func landscapeOver(p *task.Task, side int) (*Landscape, *data.Table, error) {
	names, groups := p.Prep.Features()
	if len(names) == 0 || len(names) > 2 || !slices.Equal(names, groups) || p.Points.Kind() != task.OnVectors {
		return nil, nil, nil
	}
	l := &Landscape{Features: names}
	for _, name := range names {
		axis, err := axisOf(p.Raw, name, side)
		if axis == nil || err != nil {
			return nil, nil, err
		}
		column, _ := p.Raw.Column(name)
		l.Axes, l.Points = append(l.Axes, axis), append(l.Points, data.Pick(column.Numbers, p.Rows.Rows))
	}
	numbers := map[string][]float64{names[0]: l.Axes[0]}
	if len(names) == 2 {
		clear(numbers)
		for _, y := range l.Axes[1] {
			for _, x := range l.Axes[0] {
				numbers[names[0]], numbers[names[1]] = append(numbers[names[0]], x), append(numbers[names[1]], y)
			}
		}
	}
	return l, data.GridTable(p.Raw, numbers), nil
}

// SplitBy returns the rows of a table with one level of a column and those with another,
// without that column. Without levels the column must have two, in the order of the file.
func SplitBy(t *data.Table, ref string, levels []string) (a, b *data.Table, names []string, err error) {
	at, err := t.Find(ref)
	if err != nil {
		return nil, nil, nil, err
	}
	cells, missing := levelsOf(&t.Columns[at])
	found := map[string][]int{}
	var order []string
	for i, level := range cells {
		if missing != nil && missing[i] {
			continue
		}
		if found[level] == nil {
			order = append(order, level)
		}
		found[level] = append(found[level], i)
	}
	fail := func(reason, fix string) error {
		return &data.Error{Source: t.Source, Column: at + 1, Name: t.Columns[at].Name, Reason: reason, Fix: fix}
	}
	if len(levels) == 0 {
		if levels = order; len(levels) != 2 {
			return nil, nil, nil, fail(fmt.Sprintf("has %d levels (%s)", len(order), some(order)), "two samples are compared: name two levels")
		}
	}
	if len(levels) != 2 || levels[0] == levels[1] {
		return nil, nil, nil, fail(fmt.Sprintf("is split by %q", levels), "two different levels are compared")
	}
	rest := *t
	rest.Columns = slices.Delete(slices.Clone(t.Columns), at, at+1)
	if rest.Target == t.Columns[at].Name {
		rest.Target = ""
	}
	for _, level := range levels {
		if found[level] == nil {
			return nil, nil, nil, fail(fmt.Sprintf("has no level %q", level), "its levels are "+some(order))
		}
	}
	return rest.Gather(found[levels[0]]), rest.Gather(found[levels[1]]), levels, nil
}

// levelsOf returns the cells of a column as text.
func levelsOf(c *data.Column) (cells []string, missing []bool) {
	if c.Kind != data.Numeric || c.Unit != "" {
		return c.Strings, c.Missing
	}
	cells = make([]string, len(c.Numbers))
	for i, x := range c.Numbers {
		cells[i] = strconv.FormatFloat(x, 'g', -1, 64)
	}
	return cells, c.Missing
}

// some lists the first few levels.
func some(levels []string) string {
	const most = 10
	if len(levels) > most {
		return strings.Join(levels[:most], ", ") + ", …"
	}
	return strings.Join(levels, ", ")
}
