package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/kernel"
	"example.org/mercer/learner"
	"example.org/mercer/linalg"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/sparsegp"
)

// sparseProcess is what the variances of a process on landmarks need.
type sparseProcess struct {
	state sparsegp.State
	rowNoise
}

var (
	_ learner.RowNoise  = (*sparseProcess)(nil)
	_ learner.Intervals = (*sparseProcess)(nil)
)

// The tensors of a process on landmarks.
const (
	tensorPrecision = "precision" // m(m+1)/2: the Cholesky factor of the posterior's precision, row by row
	tensorPull      = "pull"      // m+1: what the constant mean has to do with the landmarks, and its precision
)

// Store puts the posterior among the tensors.
func (s *sparseProcess) Store(e *learner.Entries) error {
	s.rowNoise.store(e)
	err := e.Floats(tensorPrecision, s.state.Precision.Rows())
	if pull := s.state.Pull; pull != nil {
		err = errors.Join(err, e.Floats(tensorPull, append(slices.Clone(pull), s.state.Mass)))
	}
	return err
}

// Restrict leaves all: it is of the landmarks.
func (s *sparseProcess) Restrict() (learner.State, error) { return s, nil }

// Weighted is false: nothing is of single rows.
func (s *sparseProcess) Weighted() bool { return false }

// Contents names the variances.
func (s *sparseProcess) Contents() []string { return []string{"variances"} }

// readSparse reads the state of a process on landmarks.
func readSparse(s *learner.Stored, noise rowNoise) ([]learner.State, error) {
	r, n := s.Report.(*sparsegp.Report), s.Function.Size()
	if n != r.Landmarks || !s.File.Has(tensorPrecision) {
		return nil, fmt.Errorf("the model is a process on %d landmarks, and holds %d of them and not all that its variances need", r.Landmarks, n)
	}
	rows, err := s.File.Floats(tensorPrecision, n*(n+1)/2)
	if err != nil {
		return nil, err
	}
	p := &sparseProcess{sparsegp.State{Approximation: r.Approximation, Jitter: r.Jitter}, noise}
	if p.state.Precision, err = linalg.NewUpdatableFactor(n, rows); err != nil {
		return nil, fmt.Errorf("tensor %q: %w", tensorPrecision, err)
	}
	if !slices.Contains(sparsegp.Approximations, r.Approximation) || !(r.Jitter >= 0) || math.IsInf(r.Jitter, 1) {
		return nil, fmt.Errorf("the report names the approximation %q and the jitter %v", r.Approximation, r.Jitter)
	}
	if r.Mean != gp.Zero {
		pull, err := s.File.Floats(tensorPull, n+1)
		if err != nil {
			return nil, err
		}
		if p.state.Pull, p.state.Mass = pull[:n], pull[n]; !(p.state.Mass > 0) {
			return nil, fmt.Errorf("tensor %q ends with %v, the precision of the constant mean, which is positive", tensorPull, p.state.Mass)
		}
	}
	return []learner.State{p}, nil
}

// Intervals are those of new observations.
func (s *sparseProcess) Intervals(ctx context.Context, f *learner.Fitted, p *outcome.Prediction, level float64, _ krr.IntervalMethod, o compute.Options) (lo, hi *mat.Dense, err error) {
	return processIntervals(ctx, f, p, level, o, func(train kernel.Pairs) (gp.PosteriorCovariance, float64, error) {
		covariance, err := sparsegp.Restore(ctx, train, s.state, o)
		return covariance, f.Report.(*sparsegp.Report).Noise, err
	})
}
