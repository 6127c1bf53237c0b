package simd

import (
	"math"
	"testing"
)

func TestMultiplyAdds(t *testing.T) {
	t.Run("f64", testMultiplyAdds[float64])
	t.Run("f32", testMultiplyAdds[float32])
}

// check wants every sum, none of which is rounded.
func check[F Float](t *testing.T, l Level, x, y F, n int, want F) {
	t.Helper()
	sums := multiplyAddsAt(l, x, y, n)
	for _, got := range sums {
		if got != want {
			t.Fatalf("%v, n=%d: %v·sum + %v gives %v, want %v", l, n, x, y, got, want)
		}
	}
	if len(sums) == 0 {
		t.Fatalf("%v: no sums", l)
	}
}

func testMultiplyAdds[F Float](t *testing.T) {
	for _, l := range Supported() {
		for n := 1; n <= 200; n++ {
			check(t, l, 1, 0.5, n, 0.5*F(n))
			if n < 24 { // 2 − 2¹⁻ⁿ has n digits
				check(t, l, 0.5, 1, n, F(2-math.Exp2(1-float64(n))))
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("no additions: no panic")
		}
	}()
	MultiplyAdds[F](1, 1, 0)
}
