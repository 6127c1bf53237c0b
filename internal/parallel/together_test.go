package parallel_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"example.org/mercer/internal/parallel"
)

// TestTogether: each of seven searches asks i + 1 times. All that ask are served together, up to
// three of them, and nothing is served twice.
func TestTogether(t *testing.T) {
	const count, most = 7, 3
	served := make([]int, count)
	rounds, asked := 0, make([]int, count)
	err := parallel.Together(count, most, func(all []int) {
		rounds++
		if len(all) > most {
			t.Errorf("%d are served together", len(all))
		}
		slices.Sort(all)
		if len(slices.Compact(slices.Clone(all))) != len(all) {
			t.Errorf("one of %v is served twice", all)
		}
		for _, i := range all {
			served[i]++
		}
	}, func(i int, ask func(int)) error {
		for range i + 1 {
			asked[i]++
			if ask(i); served[i] != asked[i] {
				t.Errorf("search %d goes on after %d of %d", i, served[i], asked[i])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if sum := count * (count + 1) / 2; rounds >= sum || rounds < sum/most {
		t.Errorf("%d rounds for %d questions", rounds, sum)
	}
}

// TestTogetherEndsWithTheFirstError, and those that wait go on.
func TestTogetherEndsWithTheFirstError(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	var mu sync.Mutex
	begun := 0
	err := parallel.Together(100, 4, func([]int) {}, func(i int, ask func(int)) error {
		mu.Lock()
		begun++
		mu.Unlock()
		ask(i)
		switch i {
		case 1:
			return second
		case 0:
			return first
		}
		ask(i)
		return nil
	})
	if !errors.Is(err, first) {
		t.Errorf("%v, want the error of the first", err)
	}
	if begun == 100 {
		t.Error("all searches began after one had failed")
	}
}
