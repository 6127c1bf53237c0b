package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/rkhs/compress"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/sparsegp"
	"example.org/mercer/task"
)

// Model is a fitted function with everything that is needed to apply it to a table:
// the steps of preparation, the kernel, the coefficients, and a few golden rows with
// their predictions. One file holds it, see [Model.Save] and [Load].
type Model struct {
	Method string // how it was made, such as "krr"
	Source string // what the training table was called
	Seed   uint64 // of everything random in its making
	// Version is that of the program that made it.
	Version string
	Prep    *prep.Pipeline // from table to rows
	Report  Report         // how the fit went
	// Decision says how the outputs of the function answer the targets.
	Decision outcome.Decision
	// NoIntercept says that the fit had no free constant.
	NoIntercept bool
	// Trained names the training rows that the function stands on: their ids, or
	// numbers in the table from 1.
	Trained []string
	// LOO holds the leave-one-out residuals of the training rows, rows × outputs,
	// and Weights the weights of the rows where something is kept of them; nil where
	// they were not computed or not given.
	LOO     *mat.Dense
	Weights []float64
	// Conformal holds the conformal scores of the training rows, rows × 1, for a target
	// with labels beside the number of their class; nil where they were not kept.
	Conformal *mat.Dense
	// Targets holds those of the training rows, rows × outputs, where the rows can be changed:
	// see [Model.Adding] and [Model.Removing]; nil elsewhere.
	Targets *mat.Dense
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

	f      task.Function
	golden *task.SelfTest
	latent laplace
	noise  rowNoise
	factor *linalg.UpdatableFactor // of the system of the fit; nil: it was not kept
	summed *summed                 // sums over the rows; nil: they were not kept
	cache  *gp.LowRankCache        // of the variances; nil: they are solved for
	sparse *sparsegp.State         // of a process on landmarks
}

// Fit solves the problem by a method. The golden rows of the model are predicted with
// the model itself before it is returned.
func Fit(ctx context.Context, p *task.Task, method Method, seed uint64) (*Model, error) {
	if p.LandmarkMap != nil || p.FeatureMap != nil {
		if err := learnable(method, p.FeatureMap != nil); err != nil {
			return nil, err
		}
	}
	if err := checkPasses(p, method); err != nil {
		return nil, err
	}
	fitting, read := p.Watched(ctx)
	method, chosen, err := chooseParameters(fitting, p, method)
	if err != nil {
		return nil, orTreated(p, method, read(err))
	}
	l, err := method.fit(fitting, p)
	if err := read(err); err != nil {
		return nil, orTreated(p, method, err)
	}
	chosen.tell(l)
	if err := replaceKernel(ctx, p, l); err != nil {
		return nil, err
	}
	if p.Indefinite == "" && p.Derivation().Verdict == kernel.Indefinite {
		l.report.Ran().Warn("the kernel %s is not positive definite, and its matrix was taken as it is: what was found need not be the best of its problem; a treatment of the matrix makes it one (--psd)", p.Kernel())
	}
	pairs := func() (kernel.Pairs, error) { return p.Points.Bind(), nil }
	if note, _ := (task.PreparedTable{Table: p.Raw, Blocks: p.Blocks, Steps: p.Prep, Rows: p.Rows}).DegenerateRows(p.Points.Kind(), p.Kernel(), pairs); note != "" {
		l.report.Ran().Warn("%s", note)
	}
	return newModel(ctx, p, method, l, seed)
}

// replaceKernel makes what was learned on landmarks or features a function of these.
func replaceKernel(ctx context.Context, p *task.Task, l *learned) error {
	switch {
	case p.LandmarkMap != nil && l.exact:
		l.report.Ran().Before(p.LandmarkMap.Run)
	case p.LandmarkMap != nil:
		return onItsLandmarks(ctx, p, l)
	case p.FeatureMap != nil && l.exact:
		l.report.Ran().Before(p.FeatureMap.Run)
	case p.FeatureMap != nil:
		return inItsFeatures(ctx, p, l)
	}
	return nil
}

// newModel puts together what a method has learned, and lets it predict the golden rows.
func newModel(ctx context.Context, p *task.Task, method Method, l *learned, seed uint64) (*Model, error) {
	m := &Model{Method: method.Name(), Source: p.Source, Seed: seed, Version: model.Version, Prep: p.Prep, Report: l.report, Decision: l.decision,
		NoIntercept: l.noIntercept, LOO: l.loo, Conformal: l.scores, Targets: l.targets, f: l.f, factor: l.factor, summed: l.summed, cache: l.cache}
	if l.loo != nil || l.scores != nil || l.weighted || l.targets != nil {
		m.Weights = p.Rows.W
	}
	m.latent.covariance, m.latent.inWeights, m.noise = l.latent, l.inWeights, l.noise
	if !l.exact {
		m.Approximation, m.FeatureMap = p.LandmarkMap, p.FeatureMap
	}
	if l.sparse != nil {
		m.sparse, m.Approximation = &l.sparse.state, cmp.Or(l.sparse.approximation, p.LandmarkMap)
	}
	switch {
	case l.names != nil:
		m.Trained = l.names
	case m.Approximation != nil && l.trained != nil:
		m.Trained = data.Pick(m.Approximation.Names, l.trained)
	case m.Approximation != nil:
		m.Trained = m.Approximation.Names
	case l.trained != nil:
		for _, i := range l.trained {
			m.Trained = append(m.Trained, task.RowName(p.Rows, i))
		}
	case p.Rows.Streamed == nil: // a file may have very many rows, and this function stands on none
		m.Trained = task.RowNames(p.Rows)
	}
	if err := m.gild(ctx, p.SelfTest, method.compute()); err != nil {
		return nil, err
	}
	return m, nil
}

// orTreated adds to an error about a matrix that is not positive definite what else can be
// done about it.
func orTreated(p *task.Task, method Method, err error) error {
	var np *linalg.NotPositiveDefinite
	if _, ok := method.(indexed); !ok || p.Indefinite != "" || !errors.As(err, &np) {
		return err
	}
	return fmt.Errorf("%w; or let the matrix be treated (--psd clip, flip or shift)", err)
}

// Kernel returns the expression of the kernel.
func (m *Model) Kernel() string { return m.f.Text() }

// Derivation returns why the kernel is positive definite, or that nothing proves it.
func (m *Model) Derivation() kernel.Derivation { return m.f.Derive() }

// Form returns "dual" for an expansion over training rows and "primal" for weights of
// explicit features, with the number of coefficients per output.
func (m *Model) Form() (form string, size int) { return m.f.Form(), m.f.Size() }

// Bias returns the intercept of every output.
func (m *Model) Bias() []float64 { return m.f.Bias() }

// Predict prepares a table as the training table was, and applies the function to
// its rows. It does not look at targets, which may be absent.
func (m *Model) Predict(ctx context.Context, t *data.Table, o compute.Options) (*outcome.Prediction, error) {
	rows, err := m.Prep.ApplyInputs(t)
	if err != nil {
		return nil, err
	}
	return m.apply(ctx, data.Whole(t), rows, o)
}

// Test predicts the rows of a table that has the targets too, so that the prediction
// can be scored.
func (m *Model) Test(ctx context.Context, t *data.Table, o compute.Options) (*outcome.Prediction, error) {
	rows, err := m.Prep.Apply(t)
	if err != nil {
		return nil, err
	}
	return m.apply(ctx, data.Whole(t), rows, o)
}

func (m *Model) apply(ctx context.Context, t data.Blocks, rows *prep.Prepared, o compute.Options) (*outcome.Prediction, error) {
	in := task.PreparedTable{Table: t.Schema(), Blocks: t, Steps: m.Prep, Rows: rows}
	values, err := m.f.Predict(ctx, rows, o)
	if err != nil {
		return nil, in.Placed(err, m.Kernel(), m.f.Kind())
	}
	note, err := in.DegenerateRows(m.f.Kind(), m.Kernel(), func() (kernel.Pairs, error) { return m.f.Selves(rows) })
	if err != nil {
		return nil, err
	}
	if note != "" {
		rows.Notes = append(rows.Notes, note)
	}
	if m.Decision.Rule == outcome.Ordered {
		erm.Rearrange(values)
	}
	for i := range rows.Rows {
		for _, v := range values.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("pipeline: the prediction of row %s is %v: the kernel %s has no finite value between it and some training row", task.RowName(rows, i), v, m.Kernel())
			}
		}
	}
	p := &outcome.Prediction{Rows: rows, Values: values, Outputs: m.Decision.Outputs, Targets: m.Prep.Targets(), Decision: m.Decision}
	if p.Noise, err = m.noise.of(t.Schema(), rows.Rows); err != nil {
		return nil, err
	}
	return p, m.averagedPredictive(ctx, p, o)
}

// mean returns the mean of some numbers.
func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}
