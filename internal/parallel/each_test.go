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
			if i > 10 {
				<-ctx.Done() // whoever has piece 10 may wait for a processor
			}
		})
		if !errors.Is(err, context.Canceled) || done[99] {
			t.Errorf("%d workers: error %v, last piece done %v", workers, err, done[99])
		}
	}
}

// TestSumBlocksHasTheBitsOfOneWorker adds Σᵢ 1/i and Σᵢ √i in blocks of 7 of 100 rows.
func TestSumBlocksHasTheBitsOfOneWorker(t *testing.T) {
	add := func(sum []float64, from, to int) {
		for i := from; i < to; i++ {
			sum[0] += 1 / float64(i+1)
			sum[1] += math.Sqrt(float64(i))
		}
	}
	want := make([]float64, 2)
	for from := 0; from < 100; from += 7 {
		block := make([]float64, 2)
		add(block, from, min(100, from+7))
		want[0], want[1] = want[0]+block[0], want[1]+block[1]
	}
	for _, workers := range []int{0, 1, 2, 3, 8, 200} {
		got, err := parallel.SumBlocks(t.Context(), workers, 100, 7, 2, add)
		if err != nil || got[0] != want[0] || got[1] != want[1] {
			t.Errorf("%d workers: %v instead of %v, error %v", workers, got, want, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := parallel.SumBlocks(ctx, 2, 100, 7, 2, add); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of an ended context", err)
	}
}
