// Package testkit holds what the tests of many packages share: the one two-sided
// comparison of numbers, seeded generators, and the paths of the public data sets.
package testkit

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Close fails the test unless |got − want| ≤ tol·max(1, |want|). It is two-sided and
// a NaN on either side fails.
func Close(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if d := math.Abs(got - want); !(d <= tol*math.Max(1, math.Abs(want))) && got != want {
		t.Errorf("%s = %.17g, want %.17g: off by %.3g, more than %.3g relative", what, got, want, d, tol)
	}
}

// CloseSlice compares two slices in the relative maximum norm:
// max|got−want| ≤ tol·max|want|.
func CloseSlice(t testing.TB, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has length %d, want %d", what, len(got), len(want))
	}
	scale, worst, at := 0.0, 0.0, 0
	for i, w := range want {
		scale = math.Max(scale, math.Abs(w))
		d := math.Abs(got[i] - w)
		if math.IsNaN(d) && got[i] != w {
			t.Fatalf("%s[%d] = %v, want %v", what, i, got[i], w)
		}
		if d > worst {
			worst, at = d, i
		}
	}
	if worst > tol*scale {
		t.Errorf("%s[%d] = %.17g, want %.17g: off by %.3g, more than %.3g of the largest entry %.3g", what, at, got[at], want[at], worst, tol, scale)
	}
}

// Rand returns a generator with a fixed seed, which it logs so that a failure can be
// repeated.
func Rand(t testing.TB, seed uint64) *rand.Rand {
	t.Helper()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
}

// Shared returns the path of a public data set in the folder of shared data beside
// the project, or $MERCER_DATA if that is set. It skips the test, with the reason,
// where the folder is absent: the data sets are not part of the project.
func Shared(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("MERCER_DATA")
	if root == "" {
		_, file, _, _ := runtime.Caller(0)
		root = filepath.Join(filepath.Dir(file), "..", "..", "..", "shared", "data")
	}
	path := filepath.Join(root, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("public data set %s is not beside the project (set MERCER_DATA to its folder): %v", name, err)
	}
	return path
}

// SkipUnderRace skips a test that the race detector can tell nothing of: one of memory or
// allocations, which it changes beyond recognition, or one of arithmetic, which it slows tenfold,
// where other tests run the same goroutines.
func SkipUnderRace(t testing.TB) {
	t.Helper()
	if raceDetector {
		t.Skip("the race detector changes memory, slows arithmetic, and would find nothing here that it does not find elsewhere")
	}
}

// Large reports whether MERCER_LARGE asks for the large cases, which take minutes.
func Large() bool { return os.Getenv("MERCER_LARGE") != "" }

// SkipUnlessLarge skips a large case that nobody asked for, and says what it does.
func SkipUnlessLarge(t testing.TB, what string) {
	t.Helper()
	if !Large() {
		t.Skipf("%s: set MERCER_LARGE=1 to run it", what)
	}
}
