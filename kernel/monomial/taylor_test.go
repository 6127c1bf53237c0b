package monomial_test

import (
	"math"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/monomial"
)

func inner(m monomial.Taylor, dim int, x, y []float64) float64 {
	sum, phi, psi := 0.0, make([]float64, dim), make([]float64, dim)
	m.Map(phi, x)
	m.Map(psi, y)
	for i, v := range phi {
		sum += v * psi[i]
	}
	return sum
}

// The error of the truncated map stays below its bound, plus the rounding of the
// features, and the bound is not idle: at ⟨u,v⟩ = ‖u‖‖v‖ the error is a fair part of
// it.
func TestTaylorMapWithinItsBound(t *testing.T) {
	rng := testkit.Rand(t, 50)
	xs := make([][]float64, 10)
	for i := range xs {
		xs[i] = []float64{rng.Float64() - 0.5, rng.Float64() - 0.5, rng.Float64() - 0.5}
	}
	sigma := []float64{0.5, 1, 0.8}
	for order := range 12 {
		m := monomial.Taylor{Widths: sigma, Order: order}
		dim, ok := m.Features(xs[0])
		if !ok {
			t.Fatal("no map")
		}
		for i := range 10 {
			for j := range 10 {
				x, y := xs[i], xs[j]
				if err, bound := math.Abs(inner(m, dim, x, y)-gaussian(x, y, sigma)), m.Bound(x, y); err > bound+1e-14 { // 364 features
					t.Errorf("order %d: error %g, bound %g", order, err, bound)
				}
			}
		}
	}
	one := []float64{1}
	m := monomial.Taylor{Order: 4}
	// Σ_{m≤4} 1/m! = 65/24 at ⟨u,v⟩ = 1, times e⁻¹.
	testkit.Close(t, "order 4", inner(m, 5, one, one), 65.0/24*math.Exp(-1), 1e-15)
	if e := 1 - inner(m, 5, one, one); e < 0.2*m.Bound(one, one) {
		t.Errorf("error %g against a bound of %g", e, m.Bound(one, one))
	}
}

func gaussian(x, y, sigma []float64) float64 {
	q := 0.0
	for j, v := range x {
		u := (v - y[j]) / sigma[j]
		q += u * u
	}
	return math.Exp(-q / 2)
}
