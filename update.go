package mercer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/task"
)

// Rows come to a model and go from it by solving its own problem for the rows that it then
// has: the same kernel and the same preparation, whose means, levels and medians stay those
// of the first fit.

// History counts the rows of a model that was changed.
type History struct {
	First int `json:"first"` // rows of the fit
	// Added and Forgotten are all since.
	Added     int `json:"added,omitempty"`
	Forgotten int `json:"forgotten,omitempty"`
}

// errKept is the refusal to name rows of a model that keeps their sums alone.
var errKept = errors.New("mercer: the model keeps sums over its rows, and no row: give the rows that are to be forgotten, with their targets and weights (mercer forget MODEL ROWS)")

// Update is a model with other rows, before its problem is solved.
type Update struct {
	learner.RowUpdate
	// Notes say what may not be as expected.
	Notes []string

	of    *Model
	old   int         // rows that stay
	moved *sumsUpdate // of a model that keeps sums of its rows; nil: it keeps the rows
}

// Adding returns the change by which the rows of a table come to the model. The table is
// prepared as the training table was, and must have its targets, and weights where it had
// some.
func (m *Model) Adding(t *data.Table) (*Update, error) {
	if err := m.changeable(); err != nil {
		return nil, err
	}
	rows, err := m.training(t)
	if err != nil {
		return nil, err
	}
	if _, sums := learner.StateOf[*learner.Sums](m.Fitted); sums {
		return m.adding(context.Background(), t, rows)
	}
	c := &Update{of: m, Notes: rows.Notes, old: len(m.Trained), RowUpdate: learner.RowUpdate{Stay: data.Range(0, len(m.Trained)), Come: rows, Table: t}}
	joined := &mat.Dense{}
	joined.Stack(m.observed(), rows.Y)
	names := m.newNames(rows)
	if known := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !slices.Contains(m.Trained, name) }); len(known) > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d of the new rows have the id of a row that is there already, such as %s: they are added beside it; forget the old ones first if they replace them", len(known), known[0]))
	}
	change, err := c.on(rows, joined, slices.Concat(m.Weights, rows.W), slices.Concat(m.Trained, names))
	if err != nil {
		return nil, task.PreparedTable{Table: t, Steps: m.Prep, Rows: rows}.Placed(err, m.Kernel(), m.Function.Kind())
	}
	return change, nil
}

// training prepares rows of a table to learn from, which must have their targets, and weights
// where the training rows had some.
func (m *Model) training(t *data.Table) (*prep.Prepared, error) {
	rows, err := m.Prep.Apply(t)
	if err != nil {
		return nil, err
	}
	return rows, m.teaches(rows, t.Source)
}

// teaches returns why prepared rows of a source are not such as can be learned from.
func (m *Model) teaches(rows *prep.Prepared, source string) error {
	switch {
	case len(rows.Rows) == 0:
		return &data.Error{Source: source, Reason: "has no rows that were learned from or could be", Fix: strings.Join(rows.Notes, "; ")}
	case rows.Y == nil:
		return &data.Error{Source: source, Reason: "does not have the targets, which rows to learn from must have", Fix: "they are " + strings.Join(m.Prep.Outputs(), ", ")}
	case m.weighted() != (rows.W != nil):
		return &data.Error{Source: source, Reason: "lacks the column of weights, which the training rows have", Fix: "add it"}
	}
	return nil
}

// weighted reports whether the training rows have weights.
func (m *Model) weighted() bool {
	sums, ok := learner.StateOf[*learner.Sums](m.Fitted)
	return m.Weights != nil || ok && sums.RowWeights
}

// observed are the targets of the training rows; nil: they were not kept.
func (m *Model) observed() *mat.Dense {
	if u, ok := learner.StateOf[learner.RowUpdater](m.Fitted); ok {
		return u.Observed()
	}
	return nil
}

// newNames returns the ids of new rows, or goes on counting.
func (m *Model) newNames(rows *prep.Prepared) []string {
	if rows.IDs != nil {
		return rows.IDs
	}
	highest := 0
	for _, name := range m.Trained {
		var n int
		if _, err := fmt.Sscanf(name, "%d", &n); err == nil {
			highest = max(highest, n)
		}
	}
	names := make([]string, len(rows.Rows))
	for i := range names {
		names[i] = fmt.Sprint(highest + 1 + i)
	}
	return names
}

// Removing returns the change by which the training rows of some names, ids or numbers, leave the
// model. Every row of a name leaves, and nothing that was computed from one of them alone, or
// together with others, stays in the model but the preparation and the choice of the kernel's
// parameters.
func (m *Model) Removing(names []string) (*Update, error) {
	if err := m.changeable(); err != nil {
		return nil, err
	}
	if _, sums := learner.StateOf[*learner.Sums](m.Fitted); sums {
		return nil, errKept
	}
	unknown, gone := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		unknown[name], gone[name] = true, true
	}
	c := &Update{of: m}
	for i, name := range m.Trained {
		if delete(unknown, name); gone[name] {
			c.Gone = append(c.Gone, i)
		} else {
			c.Stay = append(c.Stay, i)
		}
	}
	if len(unknown) > 0 {
		some := slices.Sorted(maps.Keys(unknown))
		return nil, fmt.Errorf("mercer: %d of the rows to forget are no training rows of this model, such as %q; its rows are called %s", len(some), some[0], abridged(m.Trained))
	}
	if len(c.Gone) == 0 {
		return nil, errors.New("mercer: there are no rows to forget: name some")
	}
	if len(c.Stay) == 0 {
		return nil, fmt.Errorf("mercer: all %d rows are to be forgotten: nothing would be left to learn from; remove the model file", len(m.Trained))
	}
	c.old = len(c.Stay)
	var weights []float64
	if m.Weights != nil {
		weights = data.Pick(m.Weights, c.Stay)
	}
	c.Notes = append(c.Notes, m.stays("the parameters of the kernel"))
	observed := m.observed()
	left := mat.NewDense(len(c.Stay), observed.RawMatrix().Cols, nil)
	for i, row := range c.Stay {
		left.SetRow(i, observed.RawRowView(row))
	}
	if _, err := c.on(nil, left, weights, data.Pick(m.Trained, c.Stay)); err != nil {
		return nil, err
	}
	c.Task.Prep = m.Prep.Forget(c.Task.Points.Numbers(), left)
	return c, nil
}

// stays says what a model has of rows that are forgotten.
func (m *Model) stays(beside string) string {
	return fmt.Sprintf("the preparation (%s) and %s stay as they were found, from all rows of the first fit; fit again to have them from the others alone", m.Prep, beside)
}

// abridged lists the first few names.
func abridged(names []string) string {
	if len(names) > 4 {
		return strings.Join(names[:4], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// changeable returns why rows cannot come and go.
func (m *Model) changeable() error {
	_, sums := learner.StateOf[*learner.Sums](m.Fitted)
	again := "fit it again to the changed table"
	switch {
	case m.Compression != nil:
		return errCompressed
	case sums:
		return nil
	case m.Approximation != nil:
		return fmt.Errorf("mercer: the model keeps its landmarks alone, and no training rows: %s, with --updatable to keep sums by which rows come and go", again)
	case m.observed() == nil && !m.Function.StandsOnRows():
		return fmt.Errorf("%w, which rows that come and go need; or %s, with --updatable to keep sums by which they do", task.ErrPrimal, again)
	case m.observed() == nil:
		return fmt.Errorf("mercer: rows come to and go from models of krr and gp exactly, where they were fitted to a definite kernel by a version that keeps their targets, and this one is of %q: %s", m.Method, again)
	}
	return nil
}

// on makes the problem of the rows after the change.
func (c *Update) on(more *prep.Prepared, y *mat.Dense, weights []float64, names []string) (*Update, error) {
	points, err := c.of.Function.Regrown(c.Stay, more)
	if err != nil {
		return nil, err
	}
	if len(weights) == 0 {
		weights = nil
	}
	c.Task = &task.Task{Source: c.of.Source, Prep: c.of.Prep, Points: points,
		Rows: &prep.Prepared{Y: y, W: weights, IDs: names, Rows: data.Range(0, len(names))}}
	return c, nil
}

// Rows returns the numbers of rows that stay, come and go.
func (c *Update) Rows() (stay, come, gone int) {
	if c.moved != nil {
		return c.moved.counts(c.old)
	}
	return c.old, len(c.Task.Rows.Rows) - c.old, len(c.Gone)
}

// BySums reports whether the sums of the model serve, for which no other row is needed.
func (c *Update) BySums() bool { return c.moved != nil }

// ByFactor reports whether the factor of the model serves: n² flops for each row instead of
// n³/3 multiplications for all.
func (c *Update) ByFactor() bool {
	u, ok := learner.StateOf[learner.RowUpdater](c.of.Fitted)
	return ok && c.moved == nil && u.ByFactor(&c.RowUpdate)
}

// Plan predicts memory and time of the change where it is a new fit, and the memory where the sums
// of the model serve.
func (c *Update) Plan(ctx context.Context, o compute.Options) (compute.Plan, error) {
	if c.moved != nil {
		return c.moved.plan(), nil
	}
	u, _ := learner.StateOf[learner.RowUpdater](c.of.Fitted)
	return u.PlanUpdate(ctx, c.of.Fitted, &c.RowUpdate, o)
}

// Solve returns the changed model, and what it lacks of the old one because it would be
// stale: calibrated probabilities and conformal scores are from rows left out of the first fit.
func (c *Update) Solve(ctx context.Context, o compute.Options) (*Model, []string, error) {
	l, err := c.learn(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	l.KeepWeights(c.Task.Rows.W)
	m := newModel(c.Task, c.of.Method, l, c.of.Seed)
	if err := m.keepSelfTest(ctx, c.of.selfTest, o); err != nil {
		return nil, nil, err
	}
	stay, come, gone := c.Rows()
	m.History = &History{First: stay + gone}
	if c.of.History != nil {
		*m.History = *c.of.History
	}
	m.History.Added, m.History.Forgotten = m.History.Added+come, m.History.Forgotten+gone
	var lacks []string
	if c.of.Conformal() != nil {
		lacks = append(lacks, "conformal scores")
	}
	if c.of.Decision.Calibration != nil {
		lacks = append(lacks, "calibrated probabilities")
	}
	return m, lacks, nil
}

// learn solves for the rows after the change.
func (c *Update) learn(ctx context.Context, o compute.Options) (*learner.Fitted, error) {
	if c.moved != nil {
		return c.moved.learn(ctx, c.of, c.KeepRidge, o)
	}
	u, _ := learner.StateOf[learner.RowUpdater](c.of.Fitted)
	return u.Update(ctx, c.of.Fitted, &c.RowUpdate, o)
}

// Updatable returns how rows come and go; nil: by a new fit, or not at all.
func (m *Model) Updatable() *learner.Updatable {
	if u, ok := learner.StateOf[interface{ Updatable() *learner.Updatable }](m.Fitted); ok {
		return u.Updatable()
	}
	return nil
}
