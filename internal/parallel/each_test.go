package parallel_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"example.org/mercer/internal/parallel"
)

func TestSumHasTheSameBitsForAnyWorkers(t *testing.T) {
	want := 0.0
	for i := range 1000 {
		want += math.Sin(float64(i))
	}
	for _, workers := range []int{0, 1, 2, 3, 8} {
		got, err := parallel.Sum(context.Background(), workers, 1000, func(_, i int) float64 { return math.Sin(float64(i)) })
		if err != nil || got != want {
			t.Errorf("%d workers: %v, %v, want %v", workers, got, err, want)
		}
	}
}

func TestEachStopsWithItsContext(t *testing.T) {
	for _, workers := range []int{1, 3} {
		ctx, cancel := context.WithCancel(context.Background())
		done := make([]bool, 100)
		err := parallel.Each(ctx, workers, 100, func(_, i int) {
			done[i] = true
			if i == 10 {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) || done[99] {
			t.Errorf("%d workers: error %v, last piece done %v", workers, err, done[99])
		}
	}
}
