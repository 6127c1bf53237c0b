package pipeline

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/moments"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/task"
)

// moved are rows that come to the sums of a model or go from them.
type moved struct {
	table  data.Blocks // where they come from
	rows   *prep.Prepared
	prints []int64 // of all rows after the change
	forget bool
}

// counts returns the numbers of rows that stay, come and go.
func (v *moved) counts(stay int) (int, int, int) {
	if v.forget {
		return stay, 0, len(v.rows.Rows)
	}
	return stay, len(v.rows.Rows), 0
}

// AddingBlocks is [Model.Adding] of a table of which a block at a time is in memory, for models
// that keep sums over their rows.
func (m *Model) AddingBlocks(ctx context.Context, b data.Blocks) (*Change, error) {
	rows, err := m.trainingBlocks(ctx, b)
	if err != nil {
		return nil, err
	}
	return m.adding(ctx, b, rows)
}

// adding returns the change by which rows come to the sums.
func (m *Model) adding(ctx context.Context, t data.Blocks, rows *prep.Prepared) (*Change, error) {
	come, err := fingerprints(ctx, rows, m.f.Kind() == task.OnRowIDs)
	if err != nil {
		return nil, err
	}
	v := &moved{table: t, rows: rows, prints: with(m.summed.prints, come)}
	return m.moving(v, m.golden.Table(), m.summed.sums.Rows, rows.Notes), nil
}

// trainingBlocks prepares the rows of a table that is read in passes.
func (m *Model) trainingBlocks(ctx context.Context, b data.Blocks) (*prep.Prepared, error) {
	if err := m.changeable(); err != nil {
		return nil, err
	}
	if m.summed == nil {
		return nil, errors.New("pipeline: the model keeps its training rows in memory, or their factor, and the rows of the table would join them: read it at once; models that keep sums over their rows (--updatable in explicit features) make passes")
	}
	rows, err := m.Prep.ApplyBlocks(ctx, b, true)
	if err != nil {
		return nil, err
	}
	return rows, m.teaches(rows, b.Schema().Source)
}

// RemovingRows returns the change by which rows leave a model that keeps sums over its rows, and no
// row to be named: the rows are given again, with their targets and weights. They are
// recognised by fingerprints. Neither the sums nor anything that is computed from them has a trace
// of the rows afterwards; the landmarks stay, and a row that is one of them cannot leave.
func (m *Model) RemovingRows(t *data.Table) (*Change, error) {
	if err := m.changeable(); err != nil {
		return nil, err
	}
	if m.summed == nil {
		return nil, fmt.Errorf("pipeline: the model keeps its training rows: name those to forget, by numbers or ids; they are called %s", abridged(m.Trained))
	}
	rows, err := m.training(t)
	if err != nil {
		return nil, err
	}
	return m.removing(context.Background(), data.Whole(t), rows)
}

// RemovingBlocks is [Model.RemovingRows] of a table of which a block at a time is in memory.
func (m *Model) RemovingBlocks(ctx context.Context, b data.Blocks) (*Change, error) {
	rows, err := m.trainingBlocks(ctx, b)
	if err != nil {
		return nil, err
	}
	return m.removing(ctx, b, rows)
}

// removing returns the change by which rows leave the sums.
func (m *Model) removing(ctx context.Context, t data.Blocks, rows *prep.Prepared) (*Change, error) {
	named := m.f.Kind() == task.OnRowIDs
	if len(rows.Rows) >= m.summed.sums.Rows {
		return nil, fmt.Errorf("pipeline: %d rows are to be forgotten, and the model has learned from %d: nothing would be left to learn from; remove the model file", len(rows.Rows), m.summed.sums.Rows)
	}
	gone, err := fingerprints(ctx, rows, named)
	if err != nil {
		return nil, err
	}
	left, stranger := without(m.summed.prints, gone)
	if stranger >= 0 {
		row := rows.Rows[stranger]
		return nil, &data.Error{Source: t.Schema().Source, Row: row + 1, Line: task.LineOf(t, row), Reason: "is none of the rows that the model has learned from, or was taken out already",
			Fix: "give each row as it was learned from: features, targets and weights to the last digit, and as often as it was there"}
	}
	beside := "the parameters of the kernel"
	if form := m.f.Form(); form == task.FormDual {
		beside += ", and the landmarks,"
	}
	golden, err := m.goldenWithout(ctx, gone, named)
	if err != nil {
		return nil, err
	}
	return m.moving(&moved{table: t, rows: rows, prints: left, forget: true}, golden, len(left), append(rows.Notes, m.stays(beside))), nil
}

// moving returns the change of a model whose rows are not there.
func (m *Model) moving(v *moved, golden *task.SelfTestTable, stay int, notes []string) *Change {
	none := &prep.Prepared{Y: &mat.Dense{}}
	return &Change{of: m, Notes: notes, old: stay, moved: v,
		p: &task.Task{Source: m.Source, Prep: m.Prep, Rows: none, SelfTest: golden, LandmarkMap: m.Approximation, FeatureMap: m.FeatureMap}}
}

// goldenWithout returns the golden rows that are none of those with some fingerprints.
func (m *Model) goldenWithout(ctx context.Context, gone []int64, named bool) (*task.SelfTestTable, error) {
	t := m.golden.Table()
	if t.Rows() == 0 {
		return t, nil
	}
	rows, err := m.Prep.Apply(t.Table)
	if err != nil || rows.Y == nil {
		return nil, errors.Join(errors.New("pipeline: the golden rows of the model cannot be compared with those to be forgotten"), err)
	}
	out := make(map[int64]bool, len(gone))
	for _, print := range gone {
		out[print] = true
	}
	prints, err := fingerprints(ctx, rows, named)
	if err != nil {
		return nil, err
	}
	var keep []int
	for i, print := range prints {
		if !out[print] {
			keep = append(keep, rows.Rows[i])
		}
	}
	left := &task.SelfTestTable{Table: t.Gather(keep)}
	if t.Names != nil {
		left.Names = data.Pick(t.Names, keep)
	}
	return left, nil
}

// learn moves the rows and solves.
func (v *moved) learn(ctx context.Context, of *Model, method summing) (*learned, error) {
	watching, read := task.Watched(ctx, v.rows)
	points, sums, err := v.sum(watching, of, method.compute())
	if err := read(err); err != nil {
		return nil, err
	}
	if v.forget {
		sums, err = of.summed.sums.Minus(sums)
	} else {
		sums, err = of.summed.sums.Plus(sums)
	}
	if err != nil {
		return nil, err
	}
	l, err := (&summed{sums: sums, prints: v.prints, weighted: of.summed.weighted}).learned(ctx, method, points)
	if err != nil {
		return nil, err
	}
	l.decision, l.noIntercept = of.Decision, of.NoIntercept
	l.decision.Calibration = nil
	if l.names = of.Trained; of.f.Form() == task.FormPrimal {
		l.names = []string{}
	}
	return l, nil
}

// sum returns the rows as points, and their sums.
func (v *moved) sum(ctx context.Context, of *Model, o compute.Options) (task.Points, *moments.Sums, error) {
	points, err := of.f.Remapped(ctx, v.rows, o)
	if err != nil {
		return task.Points{}, nil, task.PreparedTable{Table: v.table.Schema(), Blocks: v.table, Steps: of.Prep, Rows: v.rows}.Placed(err, of.Kernel(), of.f.Kind())
	}
	if v.forget {
		if err := v.landmarkless(ctx, of, points, o); err != nil {
			return task.Points{}, nil, err
		}
	}
	sums, err := sumsOf(ctx, points, v.rows, of.summed.sums, o)
	var beyond *moments.TooLarge
	if errors.As(err, &beyond) {
		row := v.rows.Rows[beyond.Row]
		err = &data.Error{Source: v.table.Schema().Source, Row: row + 1, Line: task.LineOf(v.table, row), Reason: "cannot join the sums of the model", Err: err}
	}
	return points, sums, err
}

// landmarkless refuses to forget a row that is a landmark: its numbers would stay in the model.
func (v *moved) landmarkless(ctx context.Context, of *Model, points task.Points, o compute.Options) error {
	at, landmark, err := firstOnLandmark(ctx, points, o)
	if err != nil || at < 0 {
		return err
	}
	name := ""
	if landmark < len(of.Trained) {
		name = " (" + of.Trained[landmark] + ")"
	}
	row := v.rows.Rows[at]
	return &data.Error{Source: v.table.Schema().Source, Row: row + 1, Line: task.LineOf(v.table, row),
		Reason: fmt.Sprintf("is landmark %d%s of the model, which would keep its numbers", landmark+1, name),
		Fix:    "fit again to the table without it, so that other landmarks are chosen: mercer fit " + of.Method + " TABLE --updatable"}
}

// plan predicts the memory of the change. Its time is mostly that of a new factor, and to measure
// the machine would take longer than a few rows do.
func (v *moved) plan(of *Model) compute.Plan {
	s := of.summed.sums
	others := 2 * moments.Bytes(s.Features, s.Targets) // before and after
	stages := append([]compute.Cost{{Stage: "sums of the model", Memory: others, Keeps: others}}, moments.Cost(len(v.rows.Rows), s.Features, s.Targets, compute.Machine{})...)
	plan := compute.NewPlan("sums", compute.Machine{}, stages...)
	if f := v.rows.Streamed; f != nil {
		return task.InBlocks(plan, f)
	}
	return plan
}

// keptSums is the plan of sums over rows, without the features.
func keptSums(rows, features, targets int, m compute.Machine) compute.Plan {
	plan := compute.NewPlan("sums", m, moments.Cost(rows, features, targets, m)...)
	plan.Hint = "--updatable"
	plan.Notes = append(plan.Notes, fmt.Sprintf("the model file holds sums over the rows, %s, and 8 bytes for each row", compute.FormatBytes(moments.Bytes(features, targets))))
	return plan
}
