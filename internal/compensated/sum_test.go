package compensated_test

import (
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"example.org/mercer/internal/compensated"
)

// Example adds numbers of which a plain sum loses the small ones.
func Example() {
	var s compensated.Sum
	for _, x := range []float64{1e16, 1, 1, -1e16} {
		s.Add(x)
	}
	fmt.Println(s.Value())
	// Output: 2
}

// TestSum compares with rational numbers: the error is a rounding of the sum, and n·ε² of the sum
// of the absolute values.
func TestSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOf(rapid.Float64Range(-1e9, 1e9)).Draw(t, "xs")
		cut := rapid.IntRange(0, len(xs)).Draw(t, "cut")
		var one, two compensated.Sum
		exact, size := new(big.Rat), 0.0
		for i, x := range xs {
			if i < cut {
				one.Add(x)
			} else {
				two.Add(x)
			}
			exact.Add(exact, new(big.Rat).SetFloat64(x))
			size += max(x, -x)
		}
		one.Merge(two, 1)
		want, _ := exact.Float64()
		const eps = 1.0 / (1 << 52)
		if off := one.Value() - want; max(off, -off) > eps*max(want, -want)+float64(len(xs)+1)*eps*eps*size {
			t.Errorf("%v, and exactly %v", one.Value(), want)
		}
	})
}

// TestProducts: w(x + y) is added with what its sum and its product round off.
func TestProducts(t *testing.T) {
	var s compensated.Sum
	s.AddProduct(3, 1e16, 1)
	s.AddProduct(-3, 1e16, 0)
	if s.Value() != 3 {
		t.Errorf("%v, want 3", s.Value())
	}
	s.Scale(2)
	if s.Value() != 12 {
		t.Errorf("scaled %v, want 12", s.Value())
	}
}
