package tune_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/tune"
)

// covers checks that every row is tested once and that a split has all rows.
func covers(t *testing.T, splits []tune.Split, n int) {
	t.Helper()
	tested := make([]int, n)
	for _, s := range splits {
		all := slices.Concat(s.Train, s.Test)
		slices.Sort(all)
		for i, r := range all {
			if i != r {
				t.Fatalf("split %v is not all of %d rows", s, n)
			}
		}
		for _, r := range s.Test {
			tested[r]++
		}
	}
	if slices.Min(tested) != 1 || slices.Max(tested) != 1 {
		t.Errorf("rows are tested %v times", tested)
	}
}

func TestStratifiedKFold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		n, k, m := 20+r.IntN(80), 2+r.IntN(6), 2+r.IntN(3)
		classes, total := make([]int, n), make([]int, m)
		for i := range classes {
			classes[i] = i % m
			if r.IntN(2) == 0 && total[0] < n/2 {
				classes[i] = 0
			}
			total[classes[i]]++
		}
		splits, err := tune.StratifiedKFold(classes, k, r.Uint64())
		if err != nil {
			t.Fatal(err)
		}
		covers(t, splits, n)
		for _, s := range splits {
			count := make([]int, m)
			for _, i := range s.Test {
				count[classes[i]]++
			}
			for c, v := range count {
				if v < total[c]/k || v > total[c]/k+1 {
					t.Errorf("class %d has %d of its %d rows in one of %d parts", c, v, total[c], k)
				}
			}
			if d := len(s.Test) - n/k; d < 0 || d > 1 {
				t.Errorf("a part has %d of %d rows", len(s.Test), n)
			}
		}
	}
	if _, err := tune.StratifiedKFold([]int{0, 0, 0, 1}, 2, 1); err == nil || !strings.Contains(err.Error(), "class 1 has 1 row") {
		t.Errorf("a class of one row: %v", err)
	}
}

func TestGroupKFold(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	groups := make([]string, 90)
	for i := range groups {
		groups[i] = fmt.Sprint("g", r.IntN(12))
	}
	splits, err := tune.GroupKFold(groups, 4, 3)
	if err != nil {
		t.Fatal(err)
	}
	covers(t, splits, len(groups))
	for _, s := range splits {
		for _, i := range s.Test {
			for _, j := range s.Train {
				if groups[i] == groups[j] {
					t.Fatalf("group %s is on both sides", groups[i])
				}
			}
		}
	}
	if _, err := tune.GroupKFold([]string{"a", "a", "b"}, 3, 1); err == nil || !strings.Contains(err.Error(), "2 groups") {
		t.Errorf("more folds than groups: %v", err)
	}
}

func TestForward(t *testing.T) {
	splits, err := tune.Forward(10, 4)
	if err != nil {
		t.Fatal(err)
	}
	next := 2
	for _, s := range splits {
		if s.Train[0] != 0 || len(s.Train) != next || s.Test[0] != next || len(s.Test) != 2 {
			t.Errorf("split %v, want tests from row %d", s, next)
		}
		next += 2
	}
	if next != 10 {
		t.Errorf("the last row tested is %d", next-1)
	}
	if _, err := tune.Forward(3, 3); err == nil {
		t.Error("as many splits as rows were accepted")
	}
}
