package mercer

import (
	"context"
	"errors"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/record"
	"example.org/mercer/learner"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/rkhs/compress"
	"example.org/mercer/task"
)

// Compress returns the model on fewer of its training rows, see package compress, and notes
// what it lacks of the first: what a model knows about rows that are left out (leave-one-out
// residuals, conformal scores, variances) speaks of the function of all rows.
func (m *Model) Compress(ctx context.Context, o compress.Options) (*Model, []string, error) {
	if m.Decision.Link == outcome.Averaged {
		return nil, nil, fmt.Errorf("mercer: the probabilities of a model of %s are averages over a distribution that takes all training rows; klr has probabilities that can be compressed", m.Method)
	}
	f, kept, report, err := compressed(ctx, m.Function, o)
	if err != nil {
		return nil, nil, err
	}
	small := &Model{Fitted: &learner.Fitted{Function: f, Decision: m.Decision, Report: m.Report, NoIntercept: m.NoIntercept}, Method: m.Method, Source: m.Source, Seed: m.Seed, Version: model.Version,
		Prep: m.Prep, Trained: data.Pick(m.Trained, kept), Compression: report}
	var lacks []string
	for _, s := range m.States {
		lacks = append(lacks, s.Contents()...)
	}
	return small, lacks, small.keepSelfTest(ctx, m.selfTest, o.Compute)
}

// Sampled is what separates two models on the rows of a table.
type Sampled struct {
	Source     string    `json:"source"`
	Rows       int       `json:"rows"`
	Difference []float64 `json:"change"` // the largest |f(x) − g(x)| of each output
}

// Compare predicts the rows of a table by m and by a compressed model of it. Targets are not
// looked at.
func (m *Model) Compare(ctx context.Context, small *Model, t *data.Table, o compute.Options) (*Sampled, error) {
	f, err := m.Predict(ctx, t, o)
	if err != nil {
		return nil, err
	}
	g, err := small.Predict(ctx, t, o)
	if err != nil {
		return nil, err
	}
	rows, outputs := f.Values.Dims()
	s := &Sampled{Source: t.Source, Rows: rows, Difference: make([]float64, outputs)}
	for i := range rows {
		after := g.Values.RawRowView(i)
		for j, before := range f.Values.RawRowView(i) {
			s.Difference[j] = max(s.Difference[j], math.Abs(before-after[j]))
		}
	}
	return s, nil
}

// errCompressed is what a compressed model answers where all training rows are needed.
var errCompressed = errors.New("mercer: the model was compressed to some of its training rows, and this needs all of them: ask the model it was made from")

// compressedOn puts an expansion on fewer of its points, and says which.
func compressedOn[T any](ctx context.Context, f task.TypedFunction[T], o compress.Options) (task.Function, []int, *compress.Report, error) {
	e, ok := f.Predictor.(*model.Expansion[T])
	if !ok {
		return task.Function{}, nil, nil, f.NotExpanded()
	}
	g, kept, report, err := compress.CompressIndexed(ctx, e, o)
	if err != nil {
		return task.Function{}, nil, nil, err
	}
	return task.NewFunction(f.Encoding, f.Kernel, model.Predictor[T](g)), kept, report, nil
}

// compressed is [compressedOn] for points of any type.
func compressed(ctx context.Context, f task.Function, o compress.Options) (g task.Function, points []int, r *compress.Report, err error) {
	f.Visit(task.FunctionVisitor{
		Vectors: func(f task.TypedFunction[[]float64]) { g, points, r, err = compressedOn(ctx, f, o) },
		IDs:     func(f task.TypedFunction[string]) { g, points, r, err = compressedOn(ctx, f, o) },
		Records: func(f task.TypedFunction[record.Record]) { g, points, r, err = compressedOn(ctx, f, o) },
		Mixture: func(task.Mixture) { err = errors.New("mercer: a mixture of Gaussians keeps no training rows") },
	})
	return g, points, r, err
}
