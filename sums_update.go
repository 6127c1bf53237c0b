package mercer

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/moments"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/task"
)

// sumsUpdate are rows that come to the sums of a model or go from them.
type sumsUpdate struct {
	table        data.Blocks // where they come from
	rows         *prep.Prepared
	fingerprints []int64 // of all rows after the change
	forget       bool
	of           *learner.Sums
}

// counts returns the numbers of rows that stay, come and go.
func (v *sumsUpdate) counts(stay int) (int, int, int) {
	if v.forget {
		return stay, 0, len(v.rows.Rows)
	}
	return stay, len(v.rows.Rows), 0
}

// AddingBlocks is [Model.Adding] of a table of which a block at a time is in memory, for models
// that keep sums over their rows.
func (m *Model) AddingBlocks(ctx context.Context, b data.Blocks) (*Update, error) {
	rows, err := m.trainingBlocks(ctx, b)
	if err != nil {
		return nil, err
	}
	return m.adding(ctx, b, rows)
}

// adding returns the change by which rows come to the sums.
func (m *Model) adding(ctx context.Context, t data.Blocks, rows *prep.Prepared) (*Update, error) {
	sums, _ := learner.StateOf[*learner.Sums](m.Fitted)
	come, err := m.fingerprints(ctx, t, rows)
	if err != nil {
		return nil, err
	}
	v := &sumsUpdate{table: t, rows: rows, fingerprints: learner.AddFingerprints(sums.Prints, come), of: sums}
	return m.moving(v, sums.Rows, rows.Notes), nil
}

// fingerprints returns those of rows of a table, made where they are.
func (m *Model) fingerprints(ctx context.Context, t data.Blocks, rows *prep.Prepared) ([]int64, error) {
	xs, err := m.featuresOf(t, rows)
	if err != nil {
		return nil, err
	}
	return learner.Fingerprints(ctx, rows, xs, m.Function.Kind() == task.OnRowIDs, compute.Options{})
}

// trainingBlocks prepares the rows of a table that is read in passes.
func (m *Model) trainingBlocks(ctx context.Context, b data.Blocks) (*prep.Prepared, error) {
	if err := m.changeable(); err != nil {
		return nil, err
	}
	if _, sums := learner.StateOf[*learner.Sums](m.Fitted); !sums {
		return nil, errors.New("mercer: the model keeps its training rows in memory, or their factor, and the rows of the table would join them: read it at once; models that keep sums over their rows (--updatable in explicit features) make passes")
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
func (m *Model) RemovingRows(t *data.Table) (*Update, error) {
	if err := m.changeable(); err != nil {
		return nil, err
	}
	if _, sums := learner.StateOf[*learner.Sums](m.Fitted); !sums {
		return nil, fmt.Errorf("mercer: the model keeps its training rows: name those to forget, by numbers or ids; they are called %s", abridged(m.Trained))
	}
	rows, err := m.training(t)
	if err != nil {
		return nil, err
	}
	return m.removing(context.Background(), t, rows)
}

// RemovingBlocks is [Model.RemovingRows] of a table of which a block at a time is in memory.
func (m *Model) RemovingBlocks(ctx context.Context, b data.Blocks) (*Update, error) {
	rows, err := m.trainingBlocks(ctx, b)
	if err != nil {
		return nil, err
	}
	return m.removing(ctx, b, rows)
}

// removing returns the change by which rows leave the sums.
func (m *Model) removing(ctx context.Context, t data.Blocks, rows *prep.Prepared) (*Update, error) {
	sums, _ := learner.StateOf[*learner.Sums](m.Fitted)
	if len(rows.Rows) >= sums.Rows {
		return nil, fmt.Errorf("mercer: %d rows are to be forgotten, and the model has learned from %d: nothing would be left to learn from; remove the model file", len(rows.Rows), sums.Rows)
	}
	gone, err := m.fingerprints(ctx, t, rows)
	if err != nil {
		return nil, err
	}
	left, stranger := learner.RemoveFingerprints(sums.Prints, gone)
	if stranger >= 0 {
		row := rows.Rows[stranger]
		return nil, &data.Error{Source: t.Schema().Source, Row: row + 1, Line: task.LineOf(t, row), Reason: "is none of the rows that the model has learned from, or was taken out already",
			Fix: "give each row as it was learned from: features, targets and weights to the last digit, and as often as it was there"}
	}
	beside := "the parameters of the kernel"
	if form := m.Function.Form(); form == task.FormDual {
		beside += ", and the landmarks,"
	}
	return m.moving(&sumsUpdate{table: t, rows: rows, fingerprints: left, forget: true, of: sums}, len(left), append(rows.Notes, m.stays(beside))), nil
}

// moving returns the change of a model whose rows are not there.
func (m *Model) moving(v *sumsUpdate, stay int, notes []string) *Update {
	none := &prep.Prepared{Y: &mat.Dense{}}
	return &Update{of: m, Notes: notes, old: stay, moved: v,
		RowUpdate: learner.RowUpdate{Task: &task.Task{Source: m.Source, Prep: m.Prep, Rows: none, LandmarkMap: m.Approximation, FeatureMap: m.FeatureMap}}}
}

// learn solves for the sums with the rows, or without them.
func (v *sumsUpdate) learn(ctx context.Context, of *Model, keepRidge bool, o compute.Options) (*learner.Fitted, error) {
	watching, read := task.CancelOnReadError(ctx, v.rows)
	l, err := v.sum(watching, of, keepRidge, o)
	if err := read(err); err != nil {
		return nil, err
	}
	if l.Names = of.Trained; of.Function.Form() == task.FormPrimal {
		l.Names = []string{}
	}
	return l, nil
}

// sum maps the rows to the features of the model, and adds their sums or takes them off.
func (v *sumsUpdate) sum(ctx context.Context, of *Model, keepRidge bool, o compute.Options) (*learner.Fitted, error) {
	in := task.PreparedTable{Table: v.table.Schema(), Blocks: v.table, Steps: of.Prep, Rows: v.rows}
	points, err := of.Function.Remapped(ctx, v.rows, o)
	if err != nil {
		return nil, in.Placed(err, of.Kernel(), of.Function.Kind())
	}
	if points, err = in.Elsewhere(points); err != nil {
		return nil, err
	}
	if v.forget {
		if err := v.landmarkless(ctx, of, points, o); err != nil {
			return nil, err
		}
	}
	l, err := v.of.With(ctx, of.Fitted, learner.SumsUpdate{Points: points, Rows: v.rows, Forget: v.forget, Prints: v.fingerprints, KeepRidge: keepRidge}, o)
	var beyond *moments.TooLarge
	if errors.As(err, &beyond) {
		row := v.rows.Rows[beyond.Row]
		err = &data.Error{Source: v.table.Schema().Source, Row: row + 1, Line: task.LineOf(v.table, row), Reason: "cannot join the sums of the model", Err: err}
	}
	return l, err
}

// landmarkless refuses to forget a row that is a landmark: its numbers would stay in the model.
func (v *sumsUpdate) landmarkless(ctx context.Context, of *Model, points task.Points, o compute.Options) error {
	at, landmark, err := learner.FirstOnLandmark(ctx, points, o)
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
func (v *sumsUpdate) plan() compute.Plan {
	s := v.of
	others := 2 * moments.Bytes(s.Features, s.Targets) // before and after
	stages := append([]compute.Cost{{Stage: "sums of the model", Memory: others, Keeps: others}}, moments.Cost(len(v.rows.Rows), s.Features, s.Targets, compute.Machine{})...)
	plan := compute.NewPlan("sums", compute.Machine{}, stages...)
	if f := v.rows.Streamed; f != nil {
		return task.WithBlocks(plan, f)
	}
	return plan
}
