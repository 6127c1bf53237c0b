package check

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.org/mercer/internal/testkit"
)

func TestCost(t *testing.T) {
	order := []float64{0, 1, -1, 2, -2, 5, -5, 0.5, 16, 0.25, 0.75, 0.1}
	for i := 1; i < len(order); i++ {
		if cost(order[i-1]) >= cost(order[i]) {
			t.Errorf("cost(%v) = %d is not below cost(%v) = %d", order[i-1], cost(order[i-1]), order[i], cost(order[i]))
		}
	}
}

func TestSimpler(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(-1e6, 1e6).Draw(t, "v")
		last := -1
		for _, w := range simpler(v) {
			if cost(w) >= cost(v) || cost(w) < last || math.Signbit(w) && w == 0 {
				t.Fatalf("simpler(%v) contains %v out of order", v, w)
			}
			last = cost(w)
		}
	})
	if got := simpler(0.7071067811865476); !slices.Contains(got, 0.75) || !slices.Contains(got, 1) || !slices.Contains(got, 0.703125) {
		t.Errorf("simpler(√½) = %v", got)
	}
	if got := simpler(0); len(got) != 0 {
		t.Errorf("simpler(0) = %v", got)
	}
}

// TestDomainValues: simple and random values are members, and distinct where they
// are listed.
func TestDomainValues(t *testing.T) {
	rng := testkit.Rand(t, 3)
	for _, text := range []string{"reals", "positive", "unit", "naturals", "integers", "(-1,1)", "[0,1)", "(0.001,0.002]", "(5,inf)", "(-inf,-3]", "(100000000,100000016)"} {
		d := mustDomain(t, text)
		values := d.simpleValues()
		if len(values) < 8 {
			t.Errorf("%s has only the simple values %v", text, values)
		}
		for i, v := range values {
			if !d.contains(v) || slices.Contains(values[:i], v) {
				t.Errorf("%s lists %v", text, v)
			}
		}
		distinct := map[float64]bool{}
		for range 500 {
			v := d.random(rng)
			if !d.contains(v) {
				t.Fatalf("%s draws %v", text, v)
			}
			distinct[v] = true
		}
		if len(distinct) < 30 {
			t.Errorf("%s draws only %d different numbers in 500", text, len(distinct))
		}
	}
}
