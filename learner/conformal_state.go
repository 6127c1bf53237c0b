package learner

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/model"
	"example.org/mercer/outcome"
)

// ConformalScores are those of rows by functions that had not learned from them, rows × 1, for a
// target with labels beside the number of their class.
type ConformalScores struct {
	Values *mat.Dense
	// Weights are those of the rows where these are but some of the training rows; nil: they are
	// all, with the weights of the fit.
	Weights []float64
}

// Of returns the scores for a fit with the given weights of its rows.
func (s *ConformalScores) Of(f *Fitted) outcome.Conformal {
	if s.Weights != nil {
		return outcome.Conformal{Values: s.Values, Weights: s.Weights}
	}
	return outcome.Conformal{Values: s.Values, Weights: f.Weights}
}

// tensorScores are n×1 conformal scores, of labels n×2 with their class, and tensorScoreWeights the
// weights of their rows where these are not all training rows.
const tensorScores, tensorScoreWeights = "scores", "scores.weights"

// Store puts the scores among the tensors.
func (s *ConformalScores) Store(e *Entries) error {
	e.Tensors[tensorScores] = model.Dense(s.Values)
	if s.Weights == nil {
		return nil
	}
	return e.Floats(tensorScoreWeights, s.Weights)
}

// Restrict leaves all: the scores do not stand on the rows.
func (s *ConformalScores) Restrict() (State, error) { return s, nil }

// Weighted holds where the scores count by the weights of the training rows.
func (s *ConformalScores) Weighted() bool { return s.Weights == nil }

// Contents names the scores.
func (s *ConformalScores) Contents() []string { return []string{"conformal scores"} }

// RowValues names the scores, which are differences of targets and predictions.
func (s *ConformalScores) RowValues() []string {
	rows, _ := s.Values.Dims()
	return []string{fmt.Sprintf("conformal scores of %d rows", rows)}
}

// readConformal reads the scores, which any method may have.
func readConformal(s *Stored) ([]State, error) {
	if !s.File.Has(tensorScores) {
		return nil, nil
	}
	rows, some := s.TrainingRows, s.File.Has(tensorScoreWeights)
	if some {
		rows = -1
	}
	scores := &ConformalScores{}
	var err error
	if scores.Values, err = s.File.Matrix(tensorScores, rows, -1); err != nil {
		return nil, err
	}
	if some {
		n, _ := scores.Values.Dims()
		if scores.Weights, err = s.File.Floats(tensorScoreWeights, n); err != nil {
			return nil, err
		}
	}
	return []State{scores}, scores.Of(s.Fitted).Check(s.Steps.Targets())
}
