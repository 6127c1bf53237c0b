package search

import (
	"context"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/learner"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/task"
	"example.org/mercer/tune"
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

// FollowsLandmarks is a method that fits at many λ on the same landmarks.
type FollowsLandmarks interface {
	// LeavesOut divides the rows in those that are learned from and those that score.
	LeavesOut(n int) (train, left []int, err error)
	// FitPath learns from the training rows at every λ, and returns the outputs on the test rows.
	FitPath(ctx context.Context, p *task.Task, points task.Points, rows tune.Split, lambdas []float64) ([]*mat.Dense, []*falkon.Report, error)
	// Decision says what the outputs mean.
	Decision(p *task.Task) outcome.Decision
	// OpenPath returns the method with a checkpoint of a path in a file, to close when it is done.
	OpenPath(p *task.Task, lambdas []float64, path string, every time.Duration) (learner.Learner, *learner.Checkpoint, error)
}

// NewLandmarkPath learns from the rows that the method does not leave out, at every λ > 0:
// landmarks are chosen once, the fits follow one another from the largest λ, and one more pass over
// the kernel values of all rows and landmarks scores them. score is one of [ScoreNames]; "":
// accuracy for labels, rmse for numbers.
func NewLandmarkPath(ctx context.Context, p *task.Task, method learner.Learner, lambdas []float64, score string) (*LandmarkPath, error) {
	m, err := followsLandmarks(method)
	if err != nil {
		return nil, err
	}
	for _, l := range lambdas {
		if !(l > 0) || math.IsInf(l, 1) {
			return nil, fmt.Errorf("search: λ = %v is not a finite number above 0", l)
		}
	}
	judge, err := judgeOf(p, method, score)
	if err != nil {
		return nil, err
	}
	n := p.Points.Size()
	train, test, err := m.LeavesOut(n)
	if err != nil {
		return nil, err
	}
	watching, read := p.CancelOnReadError(ctx)
	outputs, reports, err := m.FitPath(watching, p, p.Points, tune.Split{Train: train, Test: data.Range(0, n)}, lambdas)
	if err := read(err); err != nil {
		return nil, err
	}
	out := &LandmarkPath{Kernel: p.Kernel(), Rows: len(train), HeldOut: len(test), Score: judge.Name, Larger: judge.Larger}
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

// OpenLandmarkPath returns the method with a checkpoint of a path in a file, to close when it is
// done. It goes on from the file if there is one, of the same rows, kernel and options.
func OpenLandmarkPath(p *task.Task, method learner.Learner, lambdas []float64, path string, every time.Duration) (learner.Learner, *learner.Checkpoint, error) {
	m, err := followsLandmarks(method)
	if err != nil {
		return nil, nil, err
	}
	return m.OpenPath(p, lambdas, path, every)
}

// followsLandmarks refuses methods without such a path.
func followsLandmarks(m learner.Learner) (FollowsLandmarks, error) {
	if f, ok := m.(FollowsLandmarks); ok {
		return f, nil
	}
	return nil, fmt.Errorf("search: the method %s does not go through λ on landmarks of its own", m.Name())
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
