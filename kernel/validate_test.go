package kernel_test

import (
	"fmt"
	"math"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// TestOutside compares the first objection to a set with the objections to its points one
// by one, for kernels whose norms are computed together, alone and as parts of others.
func TestOutside(t *testing.T) {
	cube := power{3} // k(x, x) < 0 for x < 0
	xs := data.Slice[float64]{2, 1, 0, -3, math.NaN(), -4}
	sum := kernel.Sum[float64]{Terms: []kernel.Kernel[float64]{power{2}, kernel.Normalized[float64]{Of: cube}}}
	for _, k := range []kernel.Kernel[float64]{power{2}, kernel.Normalized[float64]{Of: power{2}}, kernel.Normalized[float64]{Of: cube}, sum, kernel.Normalized[float64]{Of: sum}} {
		for n := range len(xs) + 1 {
			want, reason := -1, error(nil)
			for i := 0; i < n && reason == nil; i++ {
				if reason = kernel.Contains(k, xs[i]); reason != nil {
					want = i
				}
			}
			row, err := kernel.Outside(k, data.Set[float64](xs[:n]))
			if row != want || fmt.Sprint(err) != fmt.Sprint(reason) {
				t.Errorf("%s on %v: row %d, %v; one by one row %d, %v", k, xs[:n], row, err, want, reason)
			}
		}
	}
}

// power is (xy)^(n/2) with the sign of xⁿ, and refuses NaN.
type power struct{ n float64 }

func (k power) Eval(x, y float64) float64 {
	return math.Copysign(math.Pow(math.Abs(x*y), k.n/2), math.Pow(x, k.n))
}

func (k power) String() string { return fmt.Sprintf("power%g", k.n) }

func (k power) Contains(x float64) error {
	if math.IsNaN(x) {
		return fmt.Errorf("%v is no number", x)
	}
	return nil
}
