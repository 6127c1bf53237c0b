package checkpointtest_test

import (
	"testing"

	"example.org/mercer/internal/checkpoint/checkpointtest"
)

// Powers of 2 are found one from the other, and go on from wherever they were killed.
func TestGoesOn(t *testing.T) {
	checkpointtest.Resumes(t, func(_ int, s *checkpointtest.Steps) ([]float64, error) {
		x := []float64{1}
		for range 10 {
			err := s.Step(t.Context(), "double", [][]float64{x}, func() error {
				x[0] *= 2
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
		return x, nil
	})
}
