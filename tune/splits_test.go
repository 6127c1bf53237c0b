package tune_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.org/mercer/tune"
)

// partition fails unless train and test are ascending, disjoint, and all of n rows.
func partition(t rapid.TB, s tune.Split, n int) {
	t.Helper()
	if !slices.IsSorted(s.Train) || !slices.IsSorted(s.Test) {
		t.Fatalf("split %v is not ascending", s)
	}
	all := append(slices.Clone(s.Train), s.Test...)
	slices.Sort(all)
	for i, r := range all {
		if r != i {
			t.Fatalf("split %v is not a partition of %d rows", s, n)
		}
	}
	if len(all) != n {
		t.Fatalf("split %v has %d of %d rows", s, len(all), n)
	}
}

func TestKFoldTestsEveryRowOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "n")
		k := rapid.IntRange(2, n).Draw(t, "k")
		seed := rapid.Uint64().Draw(t, "seed")
		splits, err := tune.KFold(n, k, seed)
		if err != nil {
			t.Fatal(err)
		}
		tested := make([]int, n)
		for _, s := range splits {
			partition(t, s, n)
			if len(s.Test) != n/k && len(s.Test) != n/k+1 {
				t.Fatalf("a part of %d rows in %d parts of %d", len(s.Test), k, n)
			}
			for _, i := range s.Test {
				tested[i]++
			}
		}
		for i, c := range tested {
			if c != 1 {
				t.Fatalf("row %d is tested %d times", i, c)
			}
		}
		again, _ := tune.KFold(n, k, seed)
		if !reflect.DeepEqual(splits, again) {
			t.Fatal("the same seed gives other folds")
		}
	})
	if a, b := folds(t, 1), folds(t, 2); reflect.DeepEqual(a, b) {
		t.Error("seeds 1 and 2 give the same folds of 30 rows")
	}
	for _, k := range []int{1, 31, -1} {
		if _, err := tune.KFold(30, k, 0); err == nil {
			t.Errorf("%d folds of 30 rows are accepted", k)
		}
	}
}

func folds(t *testing.T, seed uint64) []tune.Split {
	s, err := tune.KFold(30, 5, seed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestHoldout(t *testing.T) {
	s, err := tune.Holdout(10, 0.3, 1)
	if err != nil {
		t.Fatal(err)
	}
	partition(t, s, 10)
	if len(s.Test) != 3 {
		t.Errorf("0.3 of 10 rows are %d", len(s.Test))
	}
	if s, _ := tune.Holdout(2, 0.01, 1); len(s.Test) != 1 {
		t.Errorf("at least one row is held out, not %d", len(s.Test))
	}
	for _, share := range []float64{0, 1, -1} {
		if _, err := tune.Holdout(10, share, 1); err == nil {
			t.Errorf("a share of %g is accepted", share)
		}
	}
}

func TestReadSplits(t *testing.T) {
	got, err := tune.ReadSplits(strings.NewReader("# two splits\n4 0\n\n\t2 \r\n"), "s.txt", 5)
	if err != nil {
		t.Fatal(err)
	}
	want := []tune.Split{{Train: []int{1, 2, 3}, Test: []int{0, 4}}, {Train: []int{0, 1, 3, 4}, Test: []int{2}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for text, message := range map[string]string{
		"0 1\n1 x2\n":  `s.txt, line 2, column 3: "x2" is not a row number`,
		"0 1.5\n":      `s.txt, line 1, column 3: "1.5" is not a row number`,
		"\n 3   5\n":   "s.txt, line 2, column 6: there is no row 5: the data have 5 rows",
		"-1\n":         "s.txt, line 1, column 1: there is no row -1",
		"1 2 1\n":      "s.txt, line 1, column 5: row 1 is listed twice",
		"0 1 2 3 4":    "nothing to learn from",
		"":             "there are no splits in it",
		"# a comment ": "there are no splits in it",
	} {
		if _, err := tune.ReadSplits(strings.NewReader(text), "s.txt", 5); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%q gives %v, want %q", text, err, message)
		}
	}
}

func FuzzReadSplits(f *testing.F) {
	f.Add("0 1\n2 3\n", 5)
	f.Add("9 9", 10)
	f.Add("\xff 1", 3)
	f.Fuzz(func(t *testing.T, text string, n int) {
		if n < 0 || n > 1000 {
			t.Skip("no number of rows to split")
		}
		splits, err := tune.ReadSplits(strings.NewReader(text), "fuzz", n)
		if err != nil {
			return
		}
		for _, s := range splits {
			if len(s.Train) == 0 || len(s.Train)+len(s.Test) != n {
				t.Fatalf("split %v of %d rows", s, n)
			}
		}
	})
}

// TestPerClass wants the same number of training rows of every class, other rows for other draws.
func TestPerClass(t *testing.T) {
	classes := []int{0, 1, 2, 0, 1, 2, 0, 0, 1, 2, 2, 0}
	splits, err := tune.PerClass(classes, 2, 5, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range splits {
		partition(t, s, len(classes))
		count := make([]int, 3)
		for _, i := range s.Train {
			count[classes[i]]++
		}
		if !slices.Equal(count, []int{2, 2, 2}) {
			t.Errorf("%v training rows of the classes", count)
		}
	}
	if reflect.DeepEqual(splits[0], splits[1]) && reflect.DeepEqual(splits[1], splits[2]) {
		t.Error("every draw is the same")
	}
	again, _ := tune.PerClass(classes, 2, 5, 3)
	if !reflect.DeepEqual(splits, again) {
		t.Error("the same seed gives other splits")
	}
	for _, wrong := range [][2]int{{3, 1}, {0, 1}, {1, 0}} {
		if _, err := tune.PerClass(classes, wrong[0], wrong[1], 0); err == nil {
			t.Errorf("%d rows of every class, %d draws: accepted", wrong[0], wrong[1])
		}
	}
}
