package mercer

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/rkhs/dependence"
)

const (
	gridPoints  = 21  // of a column of numbers; fewer where it has fewer
	rankingRows = 100 // by which columns are chosen
)

// Dependence follows predictions along columns, on average over the rows that are explained; see
// [dependence.Along]. Columns are those of ExplainOptions.Columns, or as many as Top says: those
// along which the mean of the outputs changes most. The codes of a category, and the mark of
// missing cells, go with their column.
//
// 21 predictions of every row for each column, and for the choice of 100 rows. Errors: a column
// that the model does not have, and a model on anything but columns.
func (m *Model) Dependence(ctx context.Context, p *outcome.Prediction, e ExplainOptions, o compute.Options) ([]dependence.Curve, error) {
	of, err := m.onColumns(p, e, "which are no columns of numbers and categories to follow")
	if err != nil {
		return nil, err
	}
	d := follower{m: m, rows: of.points, outputs: of.outputs, names: p.Outputs, how: o}
	if d.f, err = bound(of.Predictor); err != nil {
		return nil, err
	}
	return d.follow(ctx, e)
}

// bound is f with its points bound to the kernel, once for many predictions.
func bound(f model.Predictor[[]float64]) (model.Predictor[[]float64], error) {
	if e, ok := f.(*model.Expansion[[]float64]); ok {
		return e.Bind()
	}
	return f, nil
}

// follower follows a function along its columns.
type follower struct {
	m       *Model
	f       model.Predictor[[]float64]
	rows    data.Set[[]float64]
	outputs []int
	names   []string // of all outputs
	columns []string
	// features are those of every column.
	features [][]int
	how      compute.Options
}

// follow returns the curves of the columns that are asked for.
func (d *follower) follow(ctx context.Context, e ExplainOptions) ([]dependence.Curve, error) {
	_, groups := d.m.Prep.Features()
	for j, player := range players(d.m.Prep) {
		if player == len(d.columns) {
			d.columns, d.features = append(d.columns, groups[j]), append(d.features, nil)
		}
		d.features[player] = append(d.features[player], j)
	}
	chosen, err := d.chosen(ctx, e)
	if err != nil {
		return nil, err
	}
	told := d.how.Meter("curves along columns", int64(len(chosen)))
	defer told.End(ctx)
	var out []dependence.Curve
	for _, c := range chosen {
		curves, err := d.along(ctx, c)
		if err != nil {
			return nil, err
		}
		out = append(out, curves...)
		told.Add(1)
	}
	return out, nil
}

// chosen returns the numbers of the columns to follow.
func (d *follower) chosen(ctx context.Context, e ExplainOptions) ([]int, error) {
	var out []int
	for _, name := range e.Columns {
		at := slices.Index(d.columns, name)
		if at < 0 {
			return nil, fmt.Errorf("mercer: the model has no column %q to follow; it has %q", name, d.columns)
		}
		out = append(out, at)
	}
	all := data.Range(0, len(d.columns))
	switch {
	case len(out) > 0:
		return out, nil
	case e.Top == 0:
		return all, nil
	}
	return d.ranked(ctx, all, e.Top)
}

// ranked returns the columns along which the mean changes most.
func (d *follower) ranked(ctx context.Context, all []int, top int) ([]int, error) {
	// Rows with even steps between them choose.
	few := data.Even(d.rows.Len(), rankingRows)
	some, changes := data.Subset(d.rows, few), make([]float64, len(all))
	told := d.how.Meter("choice of columns", int64(len(all)))
	defer told.End(ctx)
	for _, c := range all {
		curves, err := d.points(ctx, c, some, d.grid(c, some))
		if err != nil {
			return nil, err
		}
		for _, j := range d.outputs {
			changes[c] += dependence.Deviation(curves[j])
		}
		told.Add(1)
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(changes[b], changes[a]) })
	return all[:min(top, len(all))], nil
}

// grid returns what the features of a column have in turn.
func (d *follower) grid(column int, over data.Set[[]float64]) [][]float64 {
	_, number := d.m.Prep.Original(d.features[column][0], 0)
	return dependence.Grid(over, d.features[column], number, gridPoints)
}

// points returns those of all outputs along a column, over some rows; none without a grid.
func (d *follower) points(ctx context.Context, column int, over data.Set[[]float64], grid [][]float64) ([][]dependence.Point, error) {
	if len(grid) == 0 {
		return make([][]dependence.Point, d.f.Outputs()), nil
	}
	return dependence.Along(ctx, d.f, over, d.features[column], grid, d.how)
}

// along returns the curves of the outputs along one column.
func (d *follower) along(ctx context.Context, column int) ([]dependence.Curve, error) {
	features := d.features[column]
	_, number := d.m.Prep.Original(features[0], 0)
	var own []float64
	var known []int // rows whose cell is not missing
	for i := range d.rows.Len() {
		w := d.m.Prep.Written(d.rows.At(i))[column]
		if w.Number == w.Number {
			own = append(own, w.Number)
		}
		if w.Cell != "" || !number {
			known = append(known, i)
		}
	}
	grid := d.grid(column, data.Subset(d.rows, known))
	if len(grid) == 0 {
		return nil, fmt.Errorf("mercer: column %q is missing in all rows, and cannot be followed", d.columns[column])
	}
	points, err := d.points(ctx, column, d.rows, grid)
	if err != nil {
		return nil, err
	}
	var out []dependence.Curve
	for _, j := range d.outputs {
		c := dependence.Curve{Column: d.columns[column], Output: d.names[j], Category: !number, Rows: d.rows.Len(),
			Deviation: dependence.Deviation(points[j]), Points: points[j], Own: own}
		for g := range c.Points {
			x := slices.Clone(d.rows.At(0))
			for k, f := range features {
				x[f] = grid[g][k]
			}
			w := d.m.Prep.Written(x)[column]
			if c.Points[g].Cell = w.Cell; number {
				c.Points[g].Number = &w.Number
			}
		}
		out = append(out, c)
	}
	return out, nil
}
