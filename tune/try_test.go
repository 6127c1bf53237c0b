package tune_test

import (
	"fmt"
	"testing"

	"example.org/mercer/internal/checkpoint/checkpointtest"
	"example.org/mercer/tune"
)

// A search that is killed goes on to the same trials, with the reasons of those that failed.
func TestGoesOn(t *testing.T) {
	xs, y := wave(t, 30, 1)
	folds, err := tune.KFold(30, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []how{{Strategy: tune.Grid}, {Strategy: tune.Random, Trials: 10}, {Strategy: tune.Gradient, Trials: 2}, {Strategy: tune.Compass}, {Strategy: tune.Compass, Lambda: tune.Range{Start: 0.1}}, {Criterion: tune.CV, Splits: folds, Trials: 5}} {
		t.Run(fmt.Sprintf("%s/%s/%v", o.Strategy, o.Criterion, o.Lambda.Start), func(t *testing.T) {
			checkpointtest.Resumes(t, func(workers int, s *checkpointtest.Steps) (bits []float64, err error) {
				o.Fit.Compute.Workers, o.Fit.Compute.Checkpoint = workers, s
				r, err := ridgeSearch(t.Context(), narrow(), xs, y, o)
				if err != nil {
					return nil, err
				}
				for _, trial := range r.Trials {
					bits = append(bits, trial.Values[0], lambdaOf(trial), trial.Score)
					for _, b := range []byte(trial.Failed) {
						bits = append(bits, float64(b))
					}
				}
				return append(bits, r.Best.Values[0], lambdaOf(r.Best), r.Best.Score), nil
			})
		})
	}
}
