package mercer

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/learner"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/krr"
)

// Plane is what a model of two numeric features says all over a rectangle of them.
type Plane struct {
	X, Y   string // names of the features
	Xs, Ys []float64
	Class  [][]int // [y][x]
	// Sure is the probability of that class; nil: the model has none.
	Sure [][]float64
}

// Plane returns what the model says on a grid of side² points over the rows of a table and a tenth
// around them. It is nil unless the model has two numeric features, and one target with labels or a
// sign (class 0 is where it is not negative).
func (m *Model) Plane(ctx context.Context, t *data.Table, side int, o compute.Options) (*Plane, error) {
	names, groups := m.Prep.Features()
	targets := m.Prep.Targets()
	if len(names) != 2 || !slices.Equal(names, groups) || m.Decision.Rule != outcome.Sign && (len(targets) != 1 || targets[0].Labels == nil) {
		return nil, nil
	}
	p := &Plane{X: names[0], Y: names[1]}
	for i, to := range []*[]float64{&p.Xs, &p.Ys} {
		axis, err := axisOf(t, names[i], side)
		if axis == nil || err != nil {
			return nil, err
		}
		*to = axis
	}
	numbers := map[string][]float64{}
	for _, y := range p.Ys {
		for _, x := range p.Xs {
			numbers[p.X], numbers[p.Y] = append(numbers[p.X], x), append(numbers[p.Y], y)
		}
	}
	said, err := m.Predict(ctx, data.GridTable(t, numbers), o)
	if err != nil {
		return nil, err
	}
	q := said.Probabilities()
	for j := range p.Ys {
		row, sure := make([]int, side), make([]float64, side)
		for i := range row {
			switch row[i] = 0; {
			case m.Decision.Rule != outcome.Sign:
				row[i] = said.Class(j*side+i, 0)
			case said.Values.At(j*side+i, 0) < 0:
				row[i] = 1
			}
			if q != nil {
				sure[i] = q.At(j*side+i, row[i])
			}
		}
		if p.Class = append(p.Class, row); q != nil {
			p.Sure = append(p.Sure, sure)
		}
	}
	return p, nil
}

// Within returns the interval in which a new observation of the first output is with a
// probability of level, by the cheapest way that the model has; nil where it has none.
func (m *Model) Within(ctx context.Context, p *outcome.Prediction, level float64, o compute.Options) (lo, hi []float64, err error) {
	if m.Conformal() != nil && m.Decision.Rule != outcome.Largest {
		return m.Bounds(p, level)
	}
	s, ok := learner.StateOf[learner.Intervals](m.Fitted)
	if r, residuals := s.(learner.Residuals); !ok || residuals && r.Residuals() == nil {
		return nil, nil, nil
	}
	low, high, err := m.Intervals(ctx, p, level, krr.Jackknife, o)
	if err != nil {
		return nil, nil, err
	}
	return mat.Col(nil, 0, low), mat.Col(nil, 0, high), nil
}

// tracePoints is the number of points of a trace.
const tracePoints = 400

// Trace is what a model of one numeric feature says along it.
type Trace struct {
	Feature string
	At      []float64
	X       []float64 // the feature in the rows of the table
	Said    *outcome.Prediction
}

// Trace returns what the model says at evenly spaced numbers over the rows of a table and a
// tenth around them, or nil where the model has not just one numeric feature.
func (m *Model) Trace(ctx context.Context, t *data.Table, rows []int, o compute.Options) (*Trace, error) {
	names, groups := m.Prep.Features()
	if len(names) != 1 || !slices.Equal(names, groups) {
		return nil, nil
	}
	axis, err := axisOf(t, names[0], tracePoints)
	if axis == nil || err != nil {
		return nil, err
	}
	column, _ := t.Column(names[0])
	said, err := m.Predict(ctx, data.GridTable(t, map[string][]float64{names[0]: axis}), o)
	return &Trace{Feature: names[0], At: axis, X: data.Pick(column.Numbers, rows), Said: said}, err
}

// axisOf returns evenly spaced numbers over the values of a column and a tenth around them;
// nil where there are none.
func axisOf(t *data.Table, name string, side int) ([]float64, error) {
	at, err := t.Find(name)
	if err != nil {
		return nil, err
	}
	values := slices.DeleteFunc(slices.Clone(t.Columns[at].Numbers), func(v float64) bool { return v != v })
	if len(values) == 0 {
		return nil, nil
	}
	low, high := slices.Min(values), slices.Max(values)
	room := max((high-low)/10, 1e-9)
	axis := make([]float64, side)
	for k := range axis {
		axis[k] = low - room + (high-low+2*room)*float64(k)/float64(side-1)
	}
	return axis, nil
}
