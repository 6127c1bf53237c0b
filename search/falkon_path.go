package search

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/record"
	"example.org/mercer/learner/methods"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/task"
)

// LandmarkPath is falkon at many λ on the same landmarks, scored on rows left out.
type LandmarkPath struct {
	Kernel  string           `json:"kernel"`
	Rows    int              `json:"rows"`
	HeldOut int              `json:"held_out"`
	Score   string           `json:"score"` // one of [ScoreNames]
	Larger  bool             `json:"larger_is_better"`
	Points  []*LandmarkPoint `json:"points"` // in the order of λ as given
	Best    int              `json:"best"`   // the point of the best score of the rows left out
}

// LandmarkPoint is the fit at one λ.
type LandmarkPoint struct {
	Train   float64 `json:"train"`    // score of the rows that were learned from
	HeldOut float64 `json:"held_out"` // and of the others
	*falkon.Report
}

// NewLandmarkPath learns from all rows but a share of holdout, which is drawn at random, at
// every λ > 0: landmarks are chosen once, the fits follow one another from the largest λ, and
// one more pass over the kernel values of all rows and landmarks scores them. score is one of
// [ScoreNames]; "": accuracy for labels, rmse for numbers.
func NewLandmarkPath(ctx context.Context, p *task.Task, m methods.Falkon, lambdas []float64, holdout float64, score string) (*LandmarkPath, error) {
	if p.Streamed() {
		return nil, errors.New("search: a path gathers the rows that it leaves out, and the table is read in passes: read it at once, or fit falkon with --holdout at some λ")
	}
	if m.Descent.Steps > 0 {
		return nil, errors.New("search: a path goes through all λ on the same landmarks, and a descent moves them for one λ: leave the descent out, or fit falkon with it at the λ of the path")
	}
	n := p.Points.Size()
	count := int(math.Round(holdout * float64(n)))
	if !(holdout > 0 && holdout < 1) || count == 0 || count == n {
		return nil, fmt.Errorf("search: a share of %v of %d rows cannot be left out: some must be, and some be learned from", holdout, n)
	}
	for _, l := range lambdas {
		if !(l > 0) || math.IsInf(l, 1) {
			return nil, fmt.Errorf("search: λ = %v is not a finite number above 0", l)
		}
	}
	judge, err := judgeOf(p, m, score)
	if err != nil {
		return nil, err
	}
	train, test := m.LeftOut(n, count)
	outputs, reports, err := fitAlongLambda(ctx, p.Points, p.Part(train), train, m, lambdas)
	if err != nil {
		return nil, err
	}
	out := &LandmarkPath{Kernel: p.Kernel(), Rows: len(train), HeldOut: count, Score: judge.Name, Larger: judge.Larger}
	tag := m.Decision(p)
	for i, values := range outputs {
		point := &LandmarkPoint{Report: reports[i]}
		if point.Train, err = judge.Of(train, someRows(values, train), tag); err != nil {
			return nil, err
		}
		if point.HeldOut, err = judge.Of(test, someRows(values, test), tag); err != nil {
			return nil, err
		}
		out.Points = append(out.Points, point)
		if best := out.Points[out.Best].HeldOut; judge.Larger && point.HeldOut > best || !judge.Larger && point.HeldOut < best {
			out.Best = i
		}
	}
	return out, nil
}

// someRows returns some rows of a matrix.
func someRows(a *mat.Dense, rows []int) *mat.Dense {
	_, cols := a.Dims()
	out := mat.NewDense(len(rows), cols, nil)
	for to, from := range rows {
		out.SetRow(to, a.RawRowView(from))
	}
	return out
}

// alongLandmarksOn learns from some of the points, which part holds, and returns the outputs on
// all of them for every λ.
func alongLandmarksOn[T any](ctx context.Context, l task.TypedPoints[T], part *task.Task, rows []int, o methods.Falkon, lambdas []float64) ([]*mat.Dense, []*falkon.Report, error) {
	f, reports, err := methods.AlongLambda(ctx, l.Kernel, part, data.Subset(l.Set, rows), o, lambdas)
	if err != nil {
		return nil, nil, err
	}
	all, err := f.Predict(ctx, l.Set, compute.Options{Workers: o.Compute.Workers})
	if err != nil {
		return nil, nil, err
	}
	return methods.SideBySide(all, len(lambdas)), reports, nil
}

// fitAlongLambda is [alongLandmarksOn] for points of any type.
func fitAlongLambda(ctx context.Context, points task.Points, part *task.Task, rows []int, o methods.Falkon, lambdas []float64) (outputs []*mat.Dense, report []*falkon.Report, err error) {
	points.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) {
			outputs, report, err = alongLandmarksOn(ctx, l, part, rows, o, lambdas)
		},
		IDs: func(l task.TypedPoints[string]) {
			outputs, report, err = alongLandmarksOn(ctx, l, part, rows, o, lambdas)
		},
		Records: func(l task.TypedPoints[record.Record]) {
			outputs, report, err = alongLandmarksOn(ctx, l, part, rows, o, lambdas)
		},
	})
	return outputs, report, err
}
