package roofline

import (
	"context"
	"errors"
	"math"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
)

// laplace is exp(−|x − y|) on numbers.
type laplace struct{}

func (laplace) String() string            { return "laplace" }
func (laplace) Eval(x, y float64) float64 { return math.Exp(-math.Abs(x - y)) }

// pairs are n random numbers bound to themselves.
func pairs(t *testing.T, n int) kernel.Pairs {
	r, xs := testkit.Rand(t, 1), make(data.Slice[float64], n)
	for i := range xs {
		xs[i] = r.NormFloat64()
	}
	return kernel.Bind(laplace{}, data.Set[float64](xs), data.Set[float64](xs))
}

// TestMeasure wants every piece of work in both precisions, and shares that agree with
// their rates.
func TestMeasure(t *testing.T) {
	if testing.Short() {
		t.Skip("measures for a second")
	}
	testkit.SkipUnderRace(t)
	list, err := Measure(t.Context(), pairs(t, 200), 6, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	works := map[string]int{}
	for _, a := range list {
		works[a.Work]++
		if !(a.Rate > 1e6 && a.Rate < 1e16) || !(a.Peak > 1e6 && a.Peak < 1e16) || a.Share != a.Rate/a.Peak {
			t.Errorf("%s, %s: %g of %g flop/s, share %g", a.Work, a.Precision, a.Rate, a.Peak, a.Share)
		}
	}
	for _, work := range []string{"product 1024×1024×1024", "product 2048×100×2048", "Cholesky 2048", "tiles of the kernel"} {
		if works[work] != 2 {
			t.Errorf("%q was measured %d times, want in both precisions", work, works[work])
		}
	}
}

func TestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Measure(ctx, pairs(t, 20), 6, compute.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}
