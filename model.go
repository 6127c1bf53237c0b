package mercer

import (
	"cmp"
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
	"example.org/mercer/learner"
	"example.org/mercer/learner/distance"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/rkhs/compress"
	"example.org/mercer/task"
)

// Model is a fitted function with everything that is needed to apply it to a table:
// the steps of preparation, the kernel, the coefficients, and a few made up rows with
// their predictions, by which it tests itself. One file holds it, see [Model.Save] and [Load].
type Model struct {
	*learner.Fitted
	Method string // how it was made, such as "krr"
	Source string // what the training table was called
	Seed   uint64 // of everything random in its making
	// Version is that of the program that made it.
	Version string
	Prep    *prep.Pipeline // from table to rows
	// Trained names the training rows that the function stands on: their ids, or
	// numbers in the table from 1.
	Trained []string
	// History counts the changes; nil: there were none.
	History *History
	// Compression says what the function lost when it was put on fewer rows; nil: nothing.
	Compression *compress.Report
	// Approximation is that of the kernel in the fit; nil: it was exact.
	Approximation *task.LandmarkMap
	// FeatureMap is that by which the kernel was replaced in the fit, and in the model; nil: by
	// none.
	FeatureMap *task.FeatureMap
	// Exact is the command that would fit without an approximation, where a command made one.
	Exact string
	// Command is the line that made the model, where a command made it.
	Command string

	selfTest *task.SelfTest
}

// Fit solves the problem by a method. A kernel deep(…) whose network has no weights is learned
// first. The rows of the self-test are predicted with the model itself before it is returned.
func Fit(ctx context.Context, p *task.Task, method learner.Learner, seed uint64) (*Model, error) {
	p, l, err := distance.Fit(ctx, p, method)
	if err != nil {
		return nil, err
	}
	m := newModel(p, method.Name(), l, seed)
	if p.NoSelfTest {
		m.selfTest = &task.SelfTest{Invented: true}
		return m, nil
	}
	if err := m.inventSelfTest(ctx, p.Rows, method.ComputeOptions()); err != nil {
		return nil, err
	}
	return m, nil
}

// newModel puts together what a method has learned; its self-test is not made.
func newModel(p *task.Task, method string, l *learner.Fitted, seed uint64) *Model {
	m := &Model{Fitted: l, Method: method, Source: p.Source, Seed: seed, Version: model.Version, Prep: p.Prep}
	if !l.Exact {
		m.Approximation, m.FeatureMap = cmp.Or(l.Landmarks, p.LandmarkMap), p.FeatureMap
	}
	switch {
	case l.Names != nil:
		m.Trained = l.Names
	case m.Approximation != nil && l.Rows != nil:
		m.Trained = data.Pick(m.Approximation.Names, l.Rows)
	case m.Approximation != nil:
		m.Trained = m.Approximation.Names
	case l.Rows != nil:
		for _, i := range l.Rows {
			m.Trained = append(m.Trained, task.RowName(p.Rows, i))
		}
	case p.Rows.Streamed == nil: // a file may have very many rows, and this function stands on none
		m.Trained = task.RowNames(p.Rows)
	}
	return m
}

// Kernel returns the expression of the kernel.
func (m *Model) Kernel() string { return m.Function.Text() }

// Derivation returns why the kernel is positive definite, or that nothing proves it.
func (m *Model) Derivation() kernel.Derivation { return m.Function.Derive() }

// Form returns "dual" for an expansion over training rows and "primal" for weights of
// explicit features, with the number of coefficients per output.
func (m *Model) Form() (form string, size int) { return m.Function.Form(), m.Function.Size() }

// Conformal are the conformal scores of rows that were left out, rows × 1, for a target with labels
// beside the number of their class; nil where they were not kept.
func (m *Model) Conformal() *mat.Dense {
	if s, ok := learner.StateOf[*learner.ConformalScores](m.Fitted); ok {
		return s.Values
	}
	return nil
}

// LeaveOneOut are the leave-one-out residuals of the training rows, rows × outputs; nil where they
// were not computed.
func (m *Model) LeaveOneOut() *mat.Dense {
	if s, ok := learner.StateOf[learner.Residuals](m.Fitted); ok {
		return s.Residuals()
	}
	return nil
}

// Bias returns the intercept of every output.
func (m *Model) Bias() []float64 { return m.Function.Bias() }

// Predict prepares a table as the training table was, and applies the function to
// its rows. It does not look at targets, which may be absent.
func (m *Model) Predict(ctx context.Context, t *data.Table, o compute.Options) (*outcome.Prediction, error) {
	rows, err := m.Prep.ApplyInputs(t)
	if err != nil {
		return nil, err
	}
	return m.apply(ctx, t, rows, o)
}

// Test predicts the rows of a table that has the targets too, so that the prediction
// can be scored.
func (m *Model) Test(ctx context.Context, t *data.Table, o compute.Options) (*outcome.Prediction, error) {
	rows, err := m.Prep.Apply(t)
	if err != nil {
		return nil, err
	}
	return m.apply(ctx, t, rows, o)
}

func (m *Model) apply(ctx context.Context, t data.Blocks, rows *prep.Prepared, o compute.Options) (*outcome.Prediction, error) {
	return m.Fitted.Predict(ctx, m.prepared(t, rows), outcome.Asked{}, o)
}

// prepared returns rows of a table that were prepared for the model.
func (m *Model) prepared(t data.Blocks, rows *prep.Prepared) task.PreparedTable {
	return task.PreparedTable{Table: t.Schema(), Blocks: t, Steps: m.Prep, Rows: rows}
}
