package checkpointtest

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"example.org/mercer/internal/checkpoint"
)

// ErrKilled is how a computation ends that was killed.
var ErrKilled = errors.New("killed")

// Never is after how many steps a computation is killed that is not.
const Never = math.MaxInt32

// Steps is a checkpoint whose computation ends before a step, after so many.
type Steps struct {
	kept *checkpoint.Log
	left atomic.Int64
}

// Step is that of the checkpoint.
func (s *Steps) Step(ctx context.Context, name string, results [][]float64, compute func() error) error {
	if s.left.Add(-1) < 0 {
		return ErrKilled
	}
	return s.kept.Step(ctx, name, results, compute)
}

// Run runs a computation with the steps of a file, to which it adds its own, and kills it after so
// many. With resume it begins with those that are there. It returns how many were asked for, and
// how many of these were known. Where it is not killed, after [Never], the file is gone in the end.
func Run(t testing.TB, path string, after int, resume bool, compute func(s *Steps) error) (taken, known int, err error) {
	t.Helper()
	kept, err := checkpoint.Open(path, func() map[string]string { return map[string]string{} }, resume, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	s := &Steps{kept: kept}
	s.left.Store(int64(after))
	err = compute(s)
	if closing := kept.Close(err == nil && after == Never); closing != nil {
		t.Fatal(closing)
	}
	return after - int(s.left.Load()), kept.Known, err
}

// Resumes checks that a computation goes on from its steps to the same bits: it is killed after its
// first, its middle and, without -short, its last step but one, and goes on with 2, 3 and 8
// workers. run returns what must be the same.
func Resumes(t *testing.T, run func(workers int, s *Steps) ([]float64, error)) {
	t.Helper()
	var got []float64
	path := filepath.Join(t.TempDir(), "c")
	start := func(workers, after int, resume bool) (taken, known int, err error) {
		return Run(t, path, after, resume, func(s *Steps) (err error) {
			got, err = run(workers, s)
			return err
		})
	}
	all, _, err := start(1, Never, false)
	if err != nil {
		t.Fatal(err)
	}
	if all < 2 {
		t.Fatalf("%d steps: nothing to interrupt", all)
	}
	want, kills := got, []int{1, all / 2, all - 1}
	if testing.Short() {
		kills = kills[:2]
	}
	for i, after := range kills {
		if _, _, err := start(1, after, false); !errors.Is(err, ErrKilled) {
			t.Fatalf("killed after step %d of %d: %v", after, all, err)
		}
		_, known, err := start([]int{2, 3, 8}[i], Never, true)
		if err != nil {
			t.Fatal(err)
		}
		if known == 0 && i > 0 {
			t.Errorf("killed after step %d of %d: no step is known", after, all)
		}
		if !slices.Equal(got, want) {
			t.Errorf("killed after step %d of %d it ends elsewhere", after, all)
		}
	}
}
