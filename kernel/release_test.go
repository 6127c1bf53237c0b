package kernel_test

import (
	"runtime"
	"testing"
	"weak"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// Nothing keeps the points alive once a bound kernel is not used any more, as a pool that
// is a part of it would for two collections.
func TestPointsAreLetGo(t *testing.T) {
	testkit.SkipUnderRace(t) // pools drop things at random there
	for _, text := range []string{"rbf(sigma=1) + linear", "chi2(gamma=1)", "rbf(sigma=9)"} {
		points := bindAndFill(t, text)
		runtime.GC()
		if points.Value() != nil {
			t.Errorf("%s: the points are still reachable", text)
		}
	}
}

// bindAndFill computes a tile in each precision and returns where the first point was.
//
//go:noinline
func bindAndFill(t *testing.T, text string) weak.Pointer[float64] {
	t.Helper()
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	xs := data.MakeVectors(20, 20)
	for i := range xs.Raw() {
		xs.Raw()[i] = float64(i % 7)
	}
	p := kernel.Bind(k, xs, xs)
	p.Tile(kernel.NewTile(20, 20), 0, 0)
	kernel.Fill32(p, kernel.NewTile32(20, 20), 0, 0)
	return weak.Make(&xs.Raw()[0])
}
