package pipeline

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
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/krr"
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

// Change is a model with other rows, before its problem is solved.
type Change struct {
	// KeepRidge keeps R = Nλ of a ridge regression, and lets λ follow the number of rows. It
	// is needed where a kept factor is to be used. Otherwise λ stays, and R follows.
	KeepRidge bool
	// Notes say what may not be as expected.
	Notes []string

	of    *Model
	p     *task.Task // with the rows after the change
	gone  []int      // rows of the model that go
	old   int        // rows that stay
	noise []float64
	moved *moved // of a model that keeps sums of its rows; nil: it keeps the rows
}

// Adding returns the change by which the rows of a table come to the model. The table is
// prepared as the training table was, and must have its targets, and weights where it had
// some.
func (m *Model) Adding(t *data.Table) (*Change, error) {
	if err := m.changeable(); err != nil {
		return nil, err
	}
	rows, err := m.training(t)
	if err != nil {
		return nil, err
	}
	if m.summed != nil {
		return m.adding(context.Background(), data.Whole(t), rows)
	}
	c := &Change{of: m, Notes: rows.Notes, old: len(m.Trained)}
	if m.noise.column != "" {
		own, err := noiseOf(t, m.noise.column, rows.Rows)
		if err != nil {
			return nil, err
		}
		c.noise = slices.Concat(m.noise.train, own)
	}
	joined := &mat.Dense{}
	joined.Stack(m.Targets, rows.Y)
	names := m.newNames(rows)
	if known := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !slices.Contains(m.Trained, name) }); len(known) > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d of the new rows have the id of a row that is there already, such as %s: they are added beside it; forget the old ones first if they replace them", len(known), known[0]))
	}
	change, err := c.on(span(0, c.old), rows, joined, slices.Concat(m.Weights, rows.W), slices.Concat(m.Trained, names))
	if err != nil {
		return nil, task.PreparedTable{Table: t, Steps: m.Prep, Rows: rows}.Placed(err, m.Kernel(), m.f.Kind())
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
func (m *Model) weighted() bool { return m.Weights != nil || m.summed != nil && m.summed.weighted }

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
func (m *Model) Removing(names []string) (*Change, error) {
	if err := m.changeable(); err != nil {
		return nil, err
	}
	if m.summed != nil {
		return nil, errKept
	}
	unknown, gone := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		unknown[name], gone[name] = true, true
	}
	c := &Change{of: m}
	var keep []int
	for i, name := range m.Trained {
		if delete(unknown, name); gone[name] {
			c.gone = append(c.gone, i)
		} else {
			keep = append(keep, i)
		}
	}
	if len(unknown) > 0 {
		some := slices.Sorted(maps.Keys(unknown))
		return nil, fmt.Errorf("pipeline: %d of the rows to forget are no training rows of this model, such as %q; its rows are called %s", len(some), some[0], abridged(m.Trained))
	}
	if len(c.gone) == 0 {
		return nil, errors.New("pipeline: there are no rows to forget: name some")
	}
	if len(keep) == 0 {
		return nil, fmt.Errorf("pipeline: all %d rows are to be forgotten: nothing would be left to learn from; remove the model file", len(m.Trained))
	}
	c.old = len(keep)
	if m.noise.column != "" {
		c.noise = data.Pick(m.noise.train, keep)
	}
	var weights []float64
	if m.Weights != nil {
		weights = data.Pick(m.Weights, keep)
	}
	c.Notes = append(c.Notes, m.stays("the parameters of the kernel"))
	left := mat.NewDense(len(keep), m.Targets.RawMatrix().Cols, nil)
	for i, row := range keep {
		left.SetRow(i, m.Targets.RawRowView(row))
	}
	change, err := c.on(keep, nil, left, weights, data.Pick(m.Trained, keep))
	if err != nil {
		return nil, err
	}
	if m.golden.Names == nil {
		c.p.SelfTest = c.p.SelfTest.Without(gone) // of unknown rows: none stays
	}
	c.p.SelfTest = c.p.SelfTest.Without(gone)
	return change, nil
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
	again := "fit it again to the changed table"
	switch {
	case m.Compression != nil:
		return errCompressed
	case m.summed != nil:
		return nil
	case m.Approximation != nil:
		return fmt.Errorf("pipeline: the model keeps its landmarks alone, and no training rows: %s, with --updatable to keep sums by which rows come and go", again)
	case m.Targets == nil && m.f.Form() != task.FormDual:
		return fmt.Errorf("%w, which rows that come and go need; or %s, with --updatable to keep sums by which they do", task.ErrPrimal, again)
	case m.Targets == nil:
		return fmt.Errorf("pipeline: rows come to and go from models of krr and gp exactly, where they were fitted to a definite kernel by a version that keeps their targets, and this one is of %q: %s", m.Method, again)
	}
	return nil
}

// on makes the problem of the rows after the change.
func (c *Change) on(keep []int, more *prep.Prepared, y *mat.Dense, weights []float64, names []string) (*Change, error) {
	points, err := c.of.f.Regrown(keep, more)
	if err != nil {
		return nil, err
	}
	if len(weights) == 0 {
		weights = nil
	}
	c.p = &task.Task{Source: c.of.Source, Prep: c.of.Prep, Points: points, SelfTest: c.of.golden.Table(),
		Rows: &prep.Prepared{Y: y, W: weights, IDs: names, Rows: span(0, len(names))}}
	return c, nil
}

// Rows returns the numbers of rows that stay, come and go.
func (c *Change) Rows() (stay, come, gone int) {
	if c.moved != nil {
		return c.moved.counts(c.old)
	}
	return c.old, len(c.p.Rows.Rows) - c.old, len(c.gone)
}

// BySums reports whether the sums of the model serve, for which no other row is needed.
func (c *Change) BySums() bool { return c.moved != nil }

// ByFactor reports whether the factor of the model serves: n² flops for each row instead of
// n³/3 multiplications for all.
func (c *Change) ByFactor() bool {
	_, process := c.of.Report.(*gp.Report)
	return c.of.factor != nil && (process || c.KeepRidge)
}

// method returns the method with the options of the first fit.
func (c *Change) method(o compute.Options) Method {
	m := c.of
	switch r := m.Report.(type) {
	case *gp.Report:
		again := GP{Options: againBy(r, c.noise, c.p.Rows.W, o), NoiseColumn: m.noise.column, Updatable: m.factor != nil}
		if again.VarianceCache = r.CacheOptions(); again.VarianceCache.Rank > len(c.p.Rows.Rows) {
			again.VarianceCache.Rank = len(c.p.Rows.Rows)
		}
		return again
	case *krr.Report:
		again := KRR{Options: krr.Options{Lambda: r.Lambda, NoIntercept: m.NoIntercept, Solver: r.Solver, Tolerance: r.Tolerance, LOO: m.LOO != nil, Compute: o}, Updatable: m.factor != nil || m.summed != nil}
		if again.Compute.Precision = compute.Double; r.Precision == compute.Single.String() {
			again.Compute.Precision = compute.Single
		}
		if c.KeepRidge {
			again.Lambda, again.Ridge = 0, r.Ridge
		}
		return again
	case *falkon.Report:
		again := Falkon{Options: falkon.Options{Lambda: r.Lambda, NoIntercept: m.NoIntercept, Stop: falkon.Stop{Tolerance: r.Tolerance}, Compute: o}, Updatable: true}
		if c.KeepRidge {
			again.Lambda, again.Ridge = 0, r.Ridge
		}
		return again
	}
	panic(fmt.Sprintf("pipeline: a model with targets and a %T", m.Report))
}

// Plan predicts memory and time of the change where it is a new fit, and the memory where the sums
// of the model serve.
func (c *Change) Plan(ctx context.Context, o compute.Options) (compute.Plan, error) {
	if c.moved != nil {
		return c.moved.plan(c.of), nil
	}
	return c.method(o).plan(ctx, c.p)
}

// Solve returns the changed model, and what it lacks of the old one because it would be
// stale: calibrated probabilities and conformal scores are from rows left out of the first fit.
func (c *Change) Solve(ctx context.Context, o compute.Options) (*Model, []string, error) {
	method := c.method(o)
	l, err := c.learn(ctx, method)
	if err != nil {
		return nil, nil, err
	}
	m, err := newModel(ctx, c.p, method, l, c.of.Seed)
	if err != nil {
		return nil, nil, err
	}
	stay, come, gone := c.Rows()
	m.History = &History{First: stay + gone}
	if c.of.History != nil {
		*m.History = *c.of.History
	}
	m.History.Added, m.History.Forgotten = m.History.Added+come, m.History.Forgotten+gone
	var lacks []string
	if c.of.Conformal != nil {
		lacks = append(lacks, "conformal scores")
	}
	if c.of.Decision.Calibration != nil {
		lacks = append(lacks, "calibrated probabilities")
	}
	return m, lacks, nil
}

// learn solves by the factor where it serves, and else anew.
func (c *Change) learn(ctx context.Context, method Method) (*learned, error) {
	if c.moved != nil {
		return c.moved.learn(ctx, c.of, method.(summing))
	}
	switch o := method.(type) {
	case KRR:
		if !c.ByFactor() {
			return o.fit(ctx, c.p)
		}
		f := &krr.Factored{Y: c.of.Targets, Weights: c.of.Weights, NoIntercept: o.NoIntercept, Ridge: o.Ridge}
		k, err := c.follow(ctx, &f.L, o.Compute, f.Remove, func(cross *mat.Dense, block *mat.SymDense, y *mat.Dense, w []float64) error {
			return f.Append(ctx, cross, block, y, w)
		})
		if err != nil {
			return nil, err
		}
		return o.solved(ctx, c.p, k, f)
	case GP:
		if !c.ByFactor() {
			return o.refit(ctx, c.p)
		}
		f := &gp.Updatable{Y: mat.Col(nil, 0, c.of.Targets), Options: gp.Options{Noise: o.Noise, RowNoise: c.of.noise.train, Mean: o.Mean, Weights: c.of.Weights}}
		k, err := c.follow(ctx, &f.L, o.Compute, f.Remove, func(cross *mat.Dense, block *mat.SymDense, y *mat.Dense, w []float64) error {
			var noise []float64
			if c.noise != nil {
				noise = c.noise[c.old:]
			}
			return f.Append(ctx, cross, block, mat.Col(nil, 0, y), noise, w)
		})
		if err != nil {
			return nil, err
		}
		s, report, err := f.Solve(ctx, k, o.Compute)
		if err != nil {
			return nil, err
		}
		l := o.learned(c.p, c.p.Points.Whole(s.Coef, []float64{s.Mean}), report)
		l.factor = f.L
		return l, nil
	}
	panic(fmt.Sprintf("pipeline: a change of a %T", method))
}

// follow copies the factor of the model, for it may be a view of a file, takes from it the rows
// that go and borders it by those that come. It returns the Gram matrix after the change.
func (c *Change) follow(ctx context.Context, l **linalg.UpdatableFactor, o compute.Options, remove func(context.Context, []int) error,
	add func(cross *mat.Dense, block *mat.SymDense, y *mat.Dense, w []float64) error) (gram.Operator, error) {
	var err error
	if *l, err = linalg.NewUpdatableFactor(c.of.factor.Dim(), slices.Clone(c.of.factor.Rows())); err != nil {
		return nil, err
	}
	pairs := c.p.Pairs()
	k := gram.Of(pairs, o)
	if len(c.gone) > 0 {
		return k, remove(ctx, c.gone)
	}
	n, outputs := c.p.Rows.Y.Dims()
	old, more := span(0, c.old), span(c.old, n)
	var cross mat.Dense
	if err := gram.Rect(ctx, &cross, gram.RowsOf(pairs).Bind(more, old), o); err != nil {
		return nil, err
	}
	block, err := gram.Dense(ctx, gram.RowsOf(pairs).Bind(more, more), o)
	if err != nil {
		return nil, err
	}
	var w []float64
	if c.p.Rows.W != nil {
		w = c.p.Rows.W[c.old:]
	}
	return k, add(&cross, block, c.p.Rows.Y.Slice(c.old, n, 0, outputs).(*mat.Dense), w)
}

// decodeTargets reads the targets of the training rows, and the factor.
func (m *Model) decodeTargets(file *model.File, n, outputs int) (err error) {
	if !file.Has(tensorTargets) {
		return nil
	}
	switch m.Report.(type) {
	case *krr.Report, *gp.Report:
	default:
		return fmt.Errorf("the model has targets of its training rows, and is of method %q", m.Method)
	}
	if m.Targets, err = file.Matrix(tensorTargets, n, outputs); err != nil || !file.Has(tensorFactor) {
		return err
	}
	rows, err := file.Floats(tensorFactor, n*(n+1)/2)
	if err != nil {
		return err
	}
	if m.factor, err = linalg.NewUpdatableFactor(n, rows); err != nil {
		return fmt.Errorf("tensor %q: %w", tensorFactor, err)
	}
	return nil
}
