package learner

import (
	"context"
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
	"example.org/mercer/pass"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/task"
)

// A ridge regression in explicit features (those of a kernel, random ones, or those on
// landmarks) is determined by sums over its rows, see package moments. A model that keeps them
// learns from more rows without the others, and is without a row when that is given again.

// Sums is what a model keeps of rows that come and go by their sums.
type Sums struct {
	*moments.Statistics
	// Prints are the fingerprints of the rows, ascending: see [Fingerprints].
	Prints []int64
	// RowWeights says that the rows have weights of their own.
	RowWeights bool
	// method solves for other sums as the first fit did.
	method Summing
}

// summing is a method that learns from the sums of its rows.
type Summing interface {
	Learner
	FromSums(ctx context.Context, s *moments.Statistics) (*moments.Solution, Report, error)
	// fromSumsAgain makes the method of a fit again, with its ridge or its λ.
	FromSumsAgain(f *Fitted, keepRidge bool, o compute.Options) Summing
}

// FitBySums learns from the sums of the rows of a problem in the features of points, and keeps
// them.
func FitBySums(ctx context.Context, p *task.Task, m Summing, points task.Points) (*Fitted, error) {
	watch, run := model.NewStopwatch(), model.Run{}
	sums, err := sumsOf(ctx, points, p.Rows, nil, m.ComputeOptions())
	if err != nil {
		return nil, err
	}
	kept := &Sums{Statistics: sums, RowWeights: p.Rows.W != nil, method: m}
	if kept.Prints, err = Fingerprints(ctx, p.Rows, featuresOf(p.Rows, points), points.Kind() == task.OnRowIDs, m.ComputeOptions()); err != nil {
		return nil, err
	}
	slices.Sort(kept.Prints)
	watch.Lap(&run, "sums")
	l, err := kept.fitted(ctx, m, points)
	if err != nil {
		return nil, err
	}
	l.Decision = outcome.ForTargets(p.Prep)
	l.Report.Ran().Before(run)
	return l, nil
}

// featuresOf returns the prepared rows, with the driver that points of them have.
func featuresOf(rows *prep.Prepared, points task.Points) data.Rows {
	if vectors, are := task.VectorPoints(points); are && rows.Streamed != nil {
		if driven, ok := vectors.Set.(pass.Rows); ok {
			return driven
		}
	}
	return rows.Vectors()
}

// fitted solves for the rows of the sums.
func (s *Sums) fitted(ctx context.Context, m Summing, points task.Points) (*Fitted, error) {
	found, report, err := m.FromSums(ctx, s.Statistics)
	if err != nil {
		return nil, err
	}
	l := &Fitted{Report: report, States: []State{s}}
	l.Function, err = points.FromWeights(ctx, found.W, found.Bias)
	return l, err
}

// With returns what is fitted to the sums with those of more rows, whose points these are, or
// without them; prints are the fingerprints of all rows after that.
func (s *Sums) With(ctx context.Context, f *Fitted, u SumsUpdate, o compute.Options) (*Fitted, error) {
	m := s.method.FromSumsAgain(f, u.KeepRidge, o)
	other, err := sumsOf(ctx, u.Points, u.Rows, s.Statistics, m.ComputeOptions())
	if err != nil {
		return nil, err
	}
	after := &Sums{Prints: u.Prints, RowWeights: s.RowWeights, method: s.method}
	if u.Forget {
		after.Statistics, err = s.Statistics.Minus(other)
	} else {
		after.Statistics, err = s.Statistics.Plus(other)
	}
	if err != nil {
		return nil, err
	}
	l, err := after.fitted(ctx, m, u.Points)
	if err != nil {
		return nil, err
	}
	l.Decision, l.NoIntercept = f.Decision, f.NoIntercept
	l.Decision.Calibration = nil
	return l, nil
}

// SumsUpdate says which rows come to the sums of a model, or go from them.
type SumsUpdate struct {
	Points    task.Points // of the rows, in the features of the model
	Rows      *prep.Prepared
	Forget    bool
	Prints    []int64 // of all rows after the update, ascending
	KeepRidge bool    // R = Nλ stays instead of λ
}

// sumsOn returns the sums of rows, whose points these are, in explicit features; in the steps of
// others that are not nil.
func sumsOn[T any](ctx context.Context, l task.TypedPoints[T], rows *prep.Prepared, like *moments.Statistics, o compute.Options) (*moments.Statistics, error) {
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
func sumsOf(ctx context.Context, points task.Points, rows *prep.Prepared, like *moments.Statistics, o compute.Options) (found *moments.Statistics, err error) {
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
		return nil, fmt.Errorf("learner: the kernel %s has no landmarks", l.Kernel)
	}
	points, _ := low.Landmarks()
	return falkon.Unexplained(ctx, low.Of(), l.Set, &nystrom.Selection[T]{Points: points, Rows: index}, low.Factor(), o)
}

// Unexplained is [unexplainedOn] for points of any type.
func Unexplained(ctx context.Context, rows task.Points, index []int, o compute.Options) (found *falkon.ResidualKernel, err error) {
	rows.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { found, err = unexplainedOn(ctx, l, index, o) },
		IDs:     func(l task.TypedPoints[string]) { found, err = unexplainedOn(ctx, l, index, o) },
		Records: func(l task.TypedPoints[record.Record]) { found, err = unexplainedOn(ctx, l, index, o) },
	})
	return found, err
}

// comparedRows are compared with the landmarks at a time.
const comparedRows = 1024

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
	for from := 0; from < l.Set.Len(); from += comparedRows {
		block := data.Run(l.Set, from, min(from+comparedRows, l.Set.Len()))
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

// FirstOnLandmark is [onLandmarkOn] for points of any type.
func FirstOnLandmark(ctx context.Context, rows task.Points, o compute.Options) (row, landmark int, err error) {
	rows.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { row, landmark, err = onLandmarkOn(ctx, l, o) },
		IDs:     func(l task.TypedPoints[string]) { row, landmark, err = onLandmarkOn(ctx, l, o) },
		Records: func(l task.TypedPoints[record.Record]) { row, landmark, err = onLandmarkOn(ctx, l, o) },
	})
	return row, landmark, err
}

// The names of the sums in a model file.
const (
	jsonSums     = "sums"
	tensorSums   = "sums"   // integers of 128 bits, low words and high words: sums over the rows
	tensorPrints = "prints" // n fingerprints of the rows of the sums, ascending
)

// sumsEntry is the text part of sums in a model file.
type sumsEntry struct {
	moments.Shape
	Rows     int  `json:"rows"`
	Weighted bool `json:"weighted,omitempty"`
}

// Store puts the sums in a model file.
func (s *Sums) Store(e *Entries) (err error) {
	e.JSON[jsonSums] = sumsEntry{Shape: s.Shape, Rows: s.Rows, Weighted: s.RowWeights}
	words := s.Words()
	if e.Tensors[tensorSums], err = model.Int64s(words, len(words)); err != nil {
		return err
	}
	e.Tensors[tensorPrints], err = model.Int64s(s.Prints, len(s.Prints))
	return err
}

// Restrict leaves all: the sums are in the features.
func (s *Sums) Restrict() (State, error) { return s, nil }

// Weighted is false: the sums have the weights in them.
func (s *Sums) Weighted() bool { return false }

// Contents names the sums.
func (s *Sums) Contents() []string { return []string{"sums of rows that come and go"} }

// RowValues names the fingerprints, by which a row that is given again is recognised.
func (s *Sums) RowValues() []string {
	return []string{fmt.Sprintf("fingerprints of %d rows", s.Rows)}
}

// Updatable says what the sums take.
func (s *Sums) Updatable() *Updatable {
	return &Updatable{By: "sums", Rows: s.Rows, Bytes: 8 * int64(len(s.Words())+len(s.Prints))}
}

// ReadSums reads the sums of a model file, if there are some.
func ReadSums(s *Stored, m Summing) ([]State, error) {
	var c *sumsEntry
	if err := s.Text(jsonSums, &c); err != nil || c == nil {
		return nil, err
	}
	features, outputs := s.Function.Size(), len(s.Decision.Outputs)
	if c.Features != features || c.Targets != outputs {
		return nil, fmt.Errorf("the model has sums of %d features and %d targets, and its function is of %d and %d", c.Features, c.Targets, features, outputs)
	}
	words, err := integers(s.File, tensorSums)
	if err != nil {
		return nil, err
	}
	prints, err := integers(s.File, tensorPrints)
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
	return []State{&Sums{Statistics: sums, Prints: prints, RowWeights: c.Weighted, method: m}}, nil
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

// PlanSums is the plan of sums over rows, without the features.
func PlanSums(rows, features, targets int, m compute.Machine) compute.Plan {
	plan := compute.NewPlan("sums", m, moments.Cost(rows, features, targets, m)...)
	plan.Hint = "--updatable"
	plan.Notes = append(plan.Notes, fmt.Sprintf("the model file holds sums over the rows, %s, and 8 bytes for each row", compute.FormatBytes(moments.Bytes(features, targets))))
	return plan
}
