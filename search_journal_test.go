package mercer_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/internal/checkpoint/checkpointtest"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/mahalanobis"
	"example.org/mercer/supervised/mkl"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// A search for a ridge that is stopped goes on from its journal to the same trials and the same
// kernel: with landmarks, with a metric, along a gradient; and not from that of another search.
func TestRidgeSearchGoesOn(t *testing.T) {
	t.Parallel()
	for name, wanted := range map[string]search.Search{
		"grid":      {Options: tune.Options{Trials: 4}},
		"gradient":  {Options: tune.Options{Strategy: tune.Gradient}},
		"folds":     {Options: tune.Options{Trials: 4}, Criterion: tune.CV, Splits: search.Splits{Folds: 3}},
		"landmarks": {Options: tune.Options{Trials: 4}, Approximation: task.Approximation{Landmarks: &nystrom.Options{Rank: 10}}},
		"metric":    {Options: tune.Options{Trials: 4}, Metric: search.Metric{Shape: mahalanobis.Diagonal, Rounds: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := func(wanted search.Search, halfway bool) (*search.Tuned, string, error) {
				ctx, cancel := context.WithCancel(background)
				defer cancel()
				wanted.Options.Compute.Progress = func(stage string, done, total int64) {
					if halfway && stage == "tune" && 2*done >= total {
						cancel()
					}
				}
				_, _, tuned, err := search.Tune(ctx, houses(60, 3), spec, "rbf(sigma=?)", methods.KRR{}, wanted)
				if err != nil {
					return nil, "", err
				}
				text, err := json.Marshal(struct{ Trials, Kernel, Best any }{tuned.Trials, tuned.Kernel, tuned.Best})
				return tuned, string(text), err
			}
			whole, want, err := run(wanted, false)
			if err != nil {
				t.Fatal(err)
			}
			wanted.Journal = filepath.Join(t.TempDir(), "trials")
			if _, _, err := run(wanted, true); !errors.Is(err, context.Canceled) {
				t.Fatalf("stopped: %v", err)
			}
			again, got, err := run(wanted, false)
			if err != nil {
				t.Fatal(err)
			}
			if got != want || again.Resumed == 0 {
				t.Errorf("after %d known kernels it ends elsewhere: %s with %v, want %s with %v", again.Resumed, again.Kernel, again.Best, whole.Kernel, whole.Best)
			}
			wanted.Options.Seed++
			if _, _, err := run(wanted, false); err == nil || !strings.Contains(err.Error(), "differs in the search") {
				t.Errorf("the journal of another seed: %v", err)
			}
		})
	}
}

// A search by cross-validation with a metric has a journal for each round.
func TestMetricSearchGoesOn(t *testing.T) {
	run := func(journal string) *search.Tuned {
		o := search.Search{Splits: search.Splits{Folds: 2}, Ranges: search.Ranges{Grid: map[string][]float64{"C": {1, 10}}}, Metric: search.Metric{Shape: mahalanobis.Diagonal, Rounds: 1}, Journal: journal}
		o.Options.Trials = 2
		_, _, tuned, err := search.Tune(background, petals(60), petalSpec, "rbf(sigma=?)", methods.SVC{}, o)
		if err != nil {
			t.Fatal(err)
		}
		return tuned
	}
	journal := filepath.Join(t.TempDir(), "trials")
	whole := run(journal)
	again := run(journal)
	if again.Kernel != whole.Kernel || again.Best.Score != whole.Best.Score || again.Resumed != len(again.Trials) {
		t.Errorf("%s with %v, %d of %d trials known; want %s with %v", again.Kernel, again.Best, again.Resumed, len(again.Trials), whole.Kernel, whole.Best)
	}
}

// Weights of terms, and a path over landmarks, go on from their steps.
func TestWeightsAndPathsGoOn(t *testing.T) {
	t.Parallel()
	p, err := task.New(background, petals(150), petalSpec, "linear + rbf(sigma=1) + rbf(sigma=0.2)")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("mkl", func(t *testing.T) {
		t.Parallel()
		checkpointtest.Resumes(t, func(workers int, s *checkpointtest.Steps) ([]float64, error) {
			_, r, err := search.Weigh(background, p, mkl.Options{Method: mkl.EasyMKL, Balance: 0.1, Compute: compute.Options{Workers: workers, Checkpoint: s}})
			if err != nil {
				return nil, err
			}
			return append(r.Weights, r.Alignment), nil
		})
	})
	t.Run("path", func(t *testing.T) {
		t.Parallel()
		checkpointtest.Resumes(t, func(workers int, s *checkpointtest.Steps) (bits []float64, err error) {
			m := methods.Falkon{Landmarks: nystrom.Options{Rank: 10}, Holdout: 0.2, Options: falkon.Options{Compute: compute.Options{Workers: workers, Checkpoint: s}}}
			path, err := search.NewLandmarkPath(background, p, m, []float64{1e-4, 1e-2}, "")
			if err != nil {
				return nil, err
			}
			for _, point := range path.Points {
				bits = append(bits, point.Train, point.HeldOut, point.Residual)
			}
			return bits, nil
		})
	})
}

// The steps of weights and of a path are refused to others.
func TestStepsAreOfOneWork(t *testing.T) {
	p, err := task.New(background, petals(60), petalSpec, "linear + rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "steps")
	o, c, err := learner.OpenWeighing(p, mkl.Options{}, file, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := search.Weigh(background, p, o); err != nil {
		t.Fatal(err)
	}
	if saved, err := c.Close(false); !saved || err != nil {
		t.Fatalf("saved %v, %v", saved, err)
	}
	if _, _, err := learner.OpenWeighing(p, mkl.Options{Method: mkl.Align}, file, 1); err == nil || !strings.Contains(err.Error(), "differs in the options") {
		t.Errorf("another method: %v", err)
	}
	if _, _, err := search.OpenLandmarkPath(p, methods.Falkon{Holdout: 0.2}, []float64{1}, file, 1); err == nil || !strings.Contains(err.Error(), "differs in the options") {
		t.Errorf("a path: %v", err)
	}
	if _, c, err = learner.OpenWeighing(p, mkl.Options{}, file, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Close(true); err != nil {
		t.Fatal(err)
	}
}

// Tuning that is tested on splits, and stopped after the first of them, goes on with what the
// journals of the splits know, to the same scores.
func TestAssessmentGoesOn(t *testing.T) {
	t.Parallel()
	table, splits := petals(60), []tune.Split{}
	for k := range 2 {
		var s tune.Split
		for i := range 60 {
			if i%5 == k {
				s.Test = append(s.Test, i)
			} else {
				s.Train = append(s.Train, i)
			}
		}
		splits = append(splits, s)
	}
	for name, assess := range map[string]func(ctx context.Context, journal string, done func()) (scores any, resumed []int, err error){
		"krr": func(ctx context.Context, journal string, done func()) (any, []int, error) {
			wanted := search.Search{Options: tune.Options{Trials: 3}, Journal: journal}
			a, err := search.Assess(ctx, table, petalSpec, "rbf(sigma=?)", methods.KRR{}, wanted, 0, splits, func(int, int, search.AssessedSplit) { done() })
			if err != nil {
				return nil, nil, err
			}
			return a.Mean, []int{a.Splits[0].Resumed, a.Splits[1].Resumed}, nil
		},
		"svc": func(ctx context.Context, journal string, done func()) (any, []int, error) {
			wanted := search.Search{Splits: search.Splits{Folds: 2}, Ranges: search.Ranges{Grid: map[string][]float64{"C": {1, 10}}}, Options: tune.Options{Trials: 2}, Journal: journal}
			a, err := search.Assess(ctx, table, petalSpec, "rbf(sigma=?)", methods.SVC{}, wanted, 0, splits, func(int, int, search.AssessedSplit) { done() })
			if err != nil {
				return nil, nil, err
			}
			return a.Mean, []int{a.Splits[0].Resumed, a.Splits[1].Resumed}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, _, err := assess(background, "", func() {})
			if err != nil {
				t.Fatal(err)
			}
			journal := filepath.Join(t.TempDir(), "trials")
			ctx, cancel := context.WithCancel(background)
			defer cancel()
			if _, _, err := assess(ctx, journal, cancel); !errors.Is(err, context.Canceled) {
				t.Fatalf("stopped after a split: %v", err)
			}
			got, resumed, err := assess(background, journal, func() {})
			if err != nil || got != want {
				t.Fatalf("goes on to %v, want %v; %v", got, want, err)
			}
			if resumed[0] == 0 || resumed[1] != 0 {
				t.Errorf("%v kernels or trials were known in the splits: all of the first, and none of the second", resumed)
			}
		})
	}
}
