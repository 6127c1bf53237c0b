package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/moments"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/record"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// A ridge regression in explicit features (those of a kernel, random ones, or those on
// landmarks) is determined by sums over its rows, see package moments. A model that keeps them
// learns from more rows without the others, and is without a row when that is given again.

// summed is what a model keeps of rows that come and go by their sums.
type summed struct {
	sums *moments.Sums
	// prints are the fingerprints of the rows, ascending: see [fingerprints].
	prints   []int64
	weighted bool // the rows have weights of their own
}

// summing is a method that learns from the sums of its rows.
type summing interface {
	Method
	fromSums(ctx context.Context, s *moments.Sums) (*moments.Solution, Report, error)
}

var (
	_ summing = KRR{}
	_ summing = Falkon{}
)

// fromSums solves for the rows of the sums.
func (o KRR) fromSums(ctx context.Context, s *moments.Sums) (*moments.Solution, Report, error) {
	w, r, err := krr.SolveMoments(ctx, s, o.Options)
	if err != nil {
		return nil, nil, err
	}
	return w, r, nil
}

// fromSums solves for the rows of the sums.
func (o Falkon) fromSums(ctx context.Context, s *moments.Sums) (*moments.Solution, Report, error) {
	w, r, err := falkon.SolveMoments(ctx, s, o.Options)
	if err != nil {
		return nil, nil, err
	}
	return w, r, nil
}

// fitBySums learns from the sums of the rows of a problem in the features of points, and keeps
// them.
func fitBySums(ctx context.Context, p *task.Task, m summing, points task.Points) (*learned, error) {
	watch, run := model.NewStopwatch(), model.Run{}
	sums, err := sumsOf(ctx, points, p.Rows, nil, m.compute())
	if err != nil {
		return nil, err
	}
	kept := &summed{sums: sums, weighted: p.Rows.W != nil}
	if kept.prints, err = fingerprints(ctx, p.Rows, points.Kind() == task.OnRowIDs); err != nil {
		return nil, err
	}
	slices.Sort(kept.prints)
	watch.Lap(&run, "sums")
	l, err := kept.learned(ctx, m, points)
	if err != nil {
		return nil, err
	}
	l.decision = outcome.ForTargets(p.Prep)
	l.report.Ran().Before(run)
	return l, nil
}

// learned solves for the rows of the sums.
func (s *summed) learned(ctx context.Context, m summing, points task.Points) (*learned, error) {
	found, report, err := m.fromSums(ctx, s.sums)
	if err != nil {
		return nil, err
	}
	l := &learned{report: report, summed: s}
	l.f, err = points.Weighing(ctx, found.W, found.Bias)
	return l, err
}

// sumsOn returns the sums of rows, whose points these are, in explicit features; in the steps of
// others that are not nil.
func sumsOn[T any](ctx context.Context, l task.TypedPoints[T], rows *prep.Prepared, like *moments.Sums, o compute.Options) (*moments.Sums, error) {
	of, err := l.Mapped()
	if err != nil {
		return nil, err
	}
	r := moments.Rows[T]{Map: of, Points: l.Set, Targets: rows.Y, Weights: rows.W}
	if like == nil {
		return moments.Of(ctx, r, o)
	}
	return moments.Like(ctx, like, r, o)
}

// sumsOf is [sumsOn] for points of any type.
func sumsOf(ctx context.Context, points task.Points, rows *prep.Prepared, like *moments.Sums, o compute.Options) (found *moments.Sums, err error) {
	points.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { found, err = sumsOn(ctx, l, rows, like, o) },
		IDs:     func(l task.TypedPoints[string]) { found, err = sumsOn(ctx, l, rows, like, o) },
		Records: func(l task.TypedPoints[record.Record]) { found, err = sumsOn(ctx, l, rows, like, o) },
	})
	return found, err
}

// unexplainedOn measures what landmarks leave of the kernel, on rows that are none of them.
func unexplainedOn[T any](ctx context.Context, l task.TypedPoints[T], index []int, o compute.Options) (*falkon.ResidualKernel, error) {
	low, ok := l.Kernel.(*nystrom.Kernel[T])
	if !ok {
		return nil, fmt.Errorf("pipeline: the kernel %s has no landmarks", l.Kernel)
	}
	points, _ := low.Landmarks()
	return falkon.Unexplained(ctx, low.Of(), l.Set, &nystrom.Selection[T]{Points: points, Rows: index}, low.Factor(), o)
}

// unexplained is [unexplainedOn] for points of any type.
func unexplained(ctx context.Context, rows task.Points, index []int, o compute.Options) (found *falkon.ResidualKernel, err error) {
	rows.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { found, err = unexplainedOn(ctx, l, index, o) },
		IDs:     func(l task.TypedPoints[string]) { found, err = unexplainedOn(ctx, l, index, o) },
		Records: func(l task.TypedPoints[record.Record]) { found, err = unexplainedOn(ctx, l, index, o) },
	})
	return found, err
}

// onLandmarkOn returns the first of the points that is a landmark, as far as the kernel can tell:
// ‖k(·,x) − k(·,c)‖² = 0 to rounding. Both are −1 where there is none.
func onLandmarkOn[T any](ctx context.Context, l task.TypedPoints[T], o compute.Options) (row, landmark int, err error) {
	low, ok := l.Kernel.(*nystrom.Kernel[T])
	if !ok {
		return -1, -1, nil
	}
	of := low.Of()
	landmarks, _ := low.Landmarks()
	own := make([]float64, landmarks.Len())
	kernel.Diag(kernel.Bind(of, landmarks, landmarks), own)
	for from := 0; from < l.Set.Len(); from += intervalBatch {
		block := data.Run(l.Set, from, min(from+intervalBatch, l.Set.Len()))
		selves := make([]float64, block.Len())
		kernel.Diag(kernel.Bind(of, block, block), selves)
		var sections mat.Dense
		if err := gram.Rect(ctx, &sections, kernel.Bind(of, block, landmarks), compute.Options{Workers: o.Workers}); err != nil {
			return -1, -1, err
		}
		for i, self := range selves {
			for c, v := range sections.RawRowView(i) {
				if self+own[c]-2*v <= 0x1p-50*self {
					return from + i, c, nil
				}
			}
		}
	}
	return -1, -1, nil
}

// firstOnLandmark is [onLandmarkOn] for points of any type.
func firstOnLandmark(ctx context.Context, rows task.Points, o compute.Options) (row, landmark int, err error) {
	rows.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { row, landmark, err = onLandmarkOn(ctx, l, o) },
		IDs:     func(l task.TypedPoints[string]) { row, landmark, err = onLandmarkOn(ctx, l, o) },
		Records: func(l task.TypedPoints[record.Record]) { row, landmark, err = onLandmarkOn(ctx, l, o) },
	})
	return row, landmark, err
}

// errKept is the refusal to name rows of a model that keeps their sums alone.
var errKept = errors.New("pipeline: the model keeps sums over its rows, and no row: give the rows that are to be forgotten, with their targets and weights (mercer forget MODEL ROWS)")

// sumsCard is the text part of sums in a model file.
type sumsCard struct {
	moments.Shape
	Rows     int  `json:"rows"`
	Weighted bool `json:"weighted,omitempty"`
}

// card returns what the file says of the sums; nil for none.
func (s *summed) card() *sumsCard {
	if s == nil {
		return nil
	}
	return &sumsCard{Shape: s.sums.Shape, Rows: s.sums.Rows, Weighted: s.weighted}
}

// Store puts the sums among the tensors of a file.
func (s *summed) Store(tensors map[string]model.Tensor) (err error) {
	if s == nil {
		return nil
	}
	words := s.sums.Words()
	if tensors[tensorSums], err = model.Int64s(words, len(words)); err != nil {
		return err
	}
	tensors[tensorPrints], err = model.Int64s(s.prints, len(s.prints))
	return err
}

// decodeSums reads the sums of a model file, for a function of a number of features.
func decodeSums(file *model.File, c *sumsCard, features, outputs int) (*summed, error) {
	if c.Features != features || c.Targets != outputs {
		return nil, fmt.Errorf("the model has sums of %d features and %d targets, and its function is of %d and %d", c.Features, c.Targets, features, outputs)
	}
	words, err := integers(file, tensorSums)
	if err != nil {
		return nil, err
	}
	prints, err := integers(file, tensorPrints)
	if err != nil {
		return nil, err
	}
	if len(prints) != c.Rows || !slices.IsSorted(prints) {
		return nil, fmt.Errorf("tensor %q has %d fingerprints for %d rows, which must be in ascending order", tensorPrints, len(prints), c.Rows)
	}
	sums, err := moments.FromWords(c.Shape, c.Rows, words)
	if err != nil {
		return nil, fmt.Errorf("tensor %q: %w", tensorSums, err)
	}
	return &summed{sums: sums, prints: prints, weighted: c.Weighted}, nil
}

// integers reads a tensor of them.
func integers(file *model.File, name string) ([]int64, error) {
	t, err := file.Tensor(name)
	if err != nil {
		return nil, err
	}
	out, err := t.Int64s()
	if err != nil {
		return nil, fmt.Errorf("tensor %q: %w", name, err)
	}
	return out, nil
}

// Updatable says how rows come to a model and go from it beside a new fit.
type Updatable struct {
	By    string `json:"by"`    // "factor" or "sums"
	Rows  int    `json:"rows"`  // that are in
	Bytes int64  `json:"bytes"` // what this takes in the file
}

// Updatable returns how rows come and go; nil: by a new fit, or not at all.
func (m *Model) Updatable() *Updatable {
	switch {
	case m.summed != nil:
		return &Updatable{By: "sums", Rows: m.summed.sums.Rows, Bytes: 8 * int64(len(m.summed.sums.Words())+len(m.summed.prints))}
	case m.factor != nil:
		return &Updatable{By: "factor", Rows: m.factor.Dim(), Bytes: 8 * int64(len(m.factor.Rows()))}
	}
	return nil
}
