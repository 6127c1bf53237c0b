package simd

import (
	"testing"

	"example.org/mercer/internal/testkit"
)

// TestTranspose compares every number of the transpose with its origin, to the bit, for
// shapes on both sides of the blocks, with guards between and around the rows.
func TestTranspose(t *testing.T) {
	t.Run("f64", testTranspose[float64])
	t.Run("f32", testTranspose[float32])
}

func testTranspose[F Float](t *testing.T) {
	const guard = -77.5
	rng := testkit.Rand(t, 11)
	check := func(l Level, rows, cols, from, to, shift int, scale F) {
		src, dst := make([]F, shift+rows*from), make([]F, shift+cols*to+9)
		for i := range src {
			src[i] = F(rng.NormFloat64())
		}
		for i := range dst {
			dst[i] = guard
		}
		transposeAt(l, dst[shift:], to, src[shift:], from, rows, cols, scale)
		for at, got := range dst {
			want, i, j := F(guard), (at-shift)%to, (at-shift)/to
			if at >= shift && i < rows && j < cols {
				want = scale * src[shift+i*from+j]
			}
			if got != want {
				t.Fatalf("%v, %d×%d, strides %d and %d: element (%d, %d) is %v, want %v", l, rows, cols, from, to, j, i, got, want)
			}
		}
	}
	for _, l := range Supported() {
		for n := 1; n <= 200; n++ {
			check(l, 8, n, n+n%3, 8+n%5, n%7, 1)
			check(l, n, 16, 17, n+n%5, n%5, -0.5)
		}
		for rows := range 20 {
			for cols := range 20 {
				check(l, rows, cols, cols+1, rows+3, 1, 2)
			}
		}
	}
}

func TestTransposeRefuses(t *testing.T) {
	x := make([]float64, 64)
	for what, call := range map[string]func(){
		"short source":      func() { Transpose(x, 8, x[:63], 8, 8, 8, 1) },
		"short destination": func() { Transpose(x[:63], 8, x, 8, 8, 8, 1) },
		"short rows":        func() { Transpose(x, 8, x, 7, 8, 8, 1) },
		"short columns":     func() { Transpose(x, 7, x, 8, 8, 8, 1) },
	} {
		t.Run(what, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("did not panic")
				}
			}()
			call()
		})
	}
}
