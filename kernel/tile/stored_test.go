package tile_test

import (
	"context"
	"errors"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
)

// Stored statistics give the bits of Bind, on both sides of the diagonal and across
// the edges of blocks, for the kernel they were stored with and for others.
func TestReuseHasTheBitsOfBind(t *testing.T) {
	rng := testkit.Rand(t, 4)
	for _, d := range []int{3, 20} {
		xs := cloud(rng, 150, d, 10)
		r, err := kernel.BindReusable(t.Context(), parse(t, "rbf(sigma=1) + 0.5*laplace1(sigma=2)"), xs, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		for text, wantShared := range map[string]bool{
			"rbf(sigma=1) + 0.5*laplace1(sigma=2)": true,
			"rbf(sigma=0.3)":                       true,
			"matern(sigma=4)":                      true,
			"3*laplace1(sigma=0.1) + linear()":     true, // the inner product is bound afresh
			"linear()":                             false,
			"rbf(sigma=1)[0]":                      false,
			"formula(\"x[0]*y[0]\")":               false,
		} {
			k := parse(t, text)
			p, shared := r.Reuse(k)
			if shared != wantShared {
				t.Errorf("Reuse(%s) shares: %v, want %v", text, shared, wantShared)
			}
			want := full(kernel.Bind(k, xs, xs), 150, 150)
			if got := full(p, 37, 53); !same(got.Data, want.Data) {
				t.Errorf("Reuse(%s), d=%d: other bits than Bind", text, d)
			}
		}
	}
}

func TestStoreHonoursItsLimits(t *testing.T) {
	rng := testkit.Rand(t, 5)
	xs := cloud(rng, 200, 3, 0)
	k := parse(t, "rbf(sigma=1)")
	// 200 points are 4 block rows, 10 blocks of 64² numbers of 8 bytes.
	const need = 10 * 64 * 64 * 8
	for limit, want := range map[int64]bool{need: true, need - 1: false} {
		r, err := kernel.BindReusable(t.Context(), k, xs, limit, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, shared := r.Reuse(k); shared != want {
			t.Errorf("with %d bytes: shared %v, want %v", limit, shared, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := kernel.BindReusable(ctx, k, xs, 0, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: %v", err)
	}
}
