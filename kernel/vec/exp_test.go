package vec

import (
	"math"
	"math/big"
	"testing"

	"mercer/internal/bigmath"
	"mercer/internal/testkit"
)

// Against 100-bit values, in units of the last place: table entry ½, product ½, the
// polynomial and the reduction a little; 1.6 in all.
func TestExponentials(t *testing.T) {
	rng := testkit.Rand(t, 60)
	worst := 0.0
	for i := range 20000 {
		x := (2*rng.Float64() - 1) * math.Pow(10, 3.2*rng.Float64()-0.35)
		if i%4 == 0 {
			x *= 1e-4
		}
		if math.Abs(x) >= expRange {
			continue
		}
		v := []float64{x}
		exponentials(v)
		exact, err := bigmath.Exp(big.NewFloat(x), 100)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := exact.Float64()
		diff, _ := new(big.Float).Sub(exact, big.NewFloat(v[0])).Float64()
		worst = max(worst, math.Abs(diff)/(math.Nextafter(want, math.Inf(1))-want))
	}
	if t.Logf("worst error %.2f units", worst); worst > 1.6 {
		t.Errorf("error of %.2f units in the last place", worst)
	}
}

func TestExponentialsAtTheEdges(t *testing.T) {
	for _, x := range []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), -708, 708, -709.5, -745, 709.7, 710, 1e300, -1e300, 5e-324, math.NaN()} {
		v := []float64{x}
		exponentials(v)
		if want := math.Exp(x); v[0] != want && !(math.IsNaN(want) && math.IsNaN(v[0])) {
			t.Errorf("exp(%v) = %v, want %v", x, v[0], want)
		}
	}
}

func BenchmarkExponentials(b *testing.B) {
	rng := testkit.Rand(b, 61)
	src, t := make([]float64, chunk), make([]float64, chunk)
	for i := range src {
		src[i] = -5 * rng.Float64()
	}
	b.Run("table", func(b *testing.B) {
		for b.Loop() {
			copy(t, src)
			exponentials(t)
		}
	})
	b.Run("math.Exp", func(b *testing.B) {
		for b.Loop() {
			for j, x := range src {
				t[j] = math.Exp(x)
			}
		}
	})
}
