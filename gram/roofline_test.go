package gram

import (
	"context"
	"errors"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
)

// TestRoofline wants every piece of work in both precisions, and shares that agree with
// their rates.
func TestRoofline(t *testing.T) {
	if testing.Short() {
		t.Skip("measures for a second")
	}
	testkit.SkipUnderRace(t)
	xs := randomPoints(t, 1, 200, 3)
	list, err := Roofline(t.Context(), bind(gaussian{}, xs, xs), 6, compute.Options{})
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

func TestRooflineEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	xs := randomPoints(t, 1, 20, 3)
	if _, err := Roofline(ctx, bind(gaussian{}, xs, xs), 6, compute.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}
