package learner

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/model"
	"example.org/mercer/outcome"
)

// ConformalScores are those of the training rows, rows × 1, for a target with labels beside the
// number of their class.
type ConformalScores struct{ Values *mat.Dense }

// tensorScores are n×1 conformal scores, of labels n×2 with their class.
const tensorScores = "scores"

// Store puts the scores among the tensors.
func (s *ConformalScores) Store(e *Entries) error {
	e.Tensors[tensorScores] = model.Dense(s.Values)
	return nil
}

// Restrict leaves all: the scores do not stand on the rows.
func (s *ConformalScores) Restrict() (State, error) { return s, nil }

// Weighted holds: scores count by the weights of their rows.
func (s *ConformalScores) Weighted() bool { return true }

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
	values, err := s.File.Matrix(tensorScores, s.TrainingRows, -1)
	if err != nil {
		return nil, err
	}
	return []State{&ConformalScores{values}}, outcome.Conformal{Values: values, Weights: s.Weights}.Check(s.Steps.Targets())
}
