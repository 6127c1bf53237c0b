package simd

import (
	"math"
	"slices"
	"testing"

	"example.org/mercer/internal/testkit"
)

// TestGemmTile compares every microkernel of the machine with the sum that defines it,
// for all lengths around the unrolled loop, several strides and alignments, adding and
// replacing, with guards between and around the rows of the tile.
func TestGemmTile(t *testing.T) {
	t.Run("f64", testGemmTile[float64])
	t.Run("f32", testGemmTile[float32])
}

func testGemmTile[F Float](t *testing.T) {
	for _, level := range Supported() {
		t.Run(level.String(), func(t *testing.T) {
			g, rng := GemmAt[F](level), testkit.Rand(t, 1)
			const guard = -77.5
			for _, k := range lengths(1) {
				for _, extra := range []int{0, 1, 5} {
					ldc, shift, add := g.Cols+extra, 1+k%7, k%2 == 0
					a, b := make([]F, shift+k*g.Rows), make([]F, shift+k*g.Cols)
					for i := range a {
						a[i] = F(rng.NormFloat64())
					}
					for i := range b {
						b[i] = F(rng.NormFloat64())
					}
					c := make([]F, shift+g.Rows*ldc+9)
					for i := range c {
						c[i] = guard
					}
					g.Tile(c[shift:], ldc, a[shift:], b[shift:], k, add)
					for at, got := range c {
						i, j := (at-shift)/ldc, (at-shift)%ldc
						if at < shift || i >= g.Rows || j >= g.Cols {
							if got != guard {
								t.Fatalf("k=%d ldc=%d: wrote outside of the tile at %d", k, ldc, at-shift)
							}
							continue
						}
						want, size := 0.0, math.Abs(guard)
						for p := range k {
							x := float64(a[shift+p*g.Rows+i]) * float64(b[shift+p*g.Cols+j])
							want, size = want+x, size+math.Abs(x)
						}
						if add {
							want += guard
						}
						// k+1 additions on either side, each within half an ulp of partial sums
						// below size.
						if !(math.Abs(float64(got)-want) <= float64(k+2)*unit[F]()*2*size) {
							t.Fatalf("k=%d ldc=%d add=%v: element (%d, %d) is %v, want %v", k, ldc, add, i, j, got, want)
						}
					}
				}
			}
		})
	}
}

// TestGemmStrided compares the microkernels that take their left factor from a matrix, or
// its transpose, with those that take a panel, to the bit. The slice ends with the last
// number of the factor, and what lies between is NaN.
func TestGemmStrided(t *testing.T) {
	t.Run("f64", testGemmStrided[float64])
	t.Run("f32", testGemmStrided[float32])
}

func testGemmStrided[F Float](t *testing.T) {
	for _, level := range Supported() {
		g, rng := GemmAt[F](level), testkit.Rand(t, 2)
		for k := 1; k <= 200; k++ {
			shift, ldc, add := k%7, g.Cols+k%3, k%2 == 0
			for _, strides := range [][2]int{{k + k%5, 1}, {1, g.Rows + k%4}, {2 * k, 2}} {
				rs, cs := strides[0], strides[1]
				a, panel := make([]F, shift+(g.Rows-1)*rs+(k-1)*cs+1), make([]F, k*g.Rows)
				for i := range a {
					a[i] = F(math.NaN())
				}
				for p := range k {
					for i := range g.Rows {
						panel[p*g.Rows+i] = F(rng.NormFloat64())
						a[shift+i*rs+p*cs] = panel[p*g.Rows+i]
					}
				}
				b, c := make([]F, k*g.Cols), make([]F, shift+g.Rows*ldc+9)
				for i := range b {
					b[i] = F(rng.NormFloat64())
				}
				for i := range c {
					c[i] = F(i)
				}
				want := slices.Clone(c)
				g.Tile(want[shift:], ldc, panel, b, k, add)
				g.Strided(c[shift:], ldc, a[shift:], rs, cs, b, k, add)
				if !slices.Equal(c, want) {
					t.Fatalf("%v: k=%d, strides %v, add=%v: other numbers than from a panel", level, k, strides, add)
				}
			}
		}
	}
}

// TestGemmTileSpecial checks that infinities and NaN reach their row and column only.
func TestGemmTileSpecial(t *testing.T) {
	t.Run("f64", testGemmTileSpecial[float64])
	t.Run("f32", testGemmTileSpecial[float32])
}

func testGemmTileSpecial[F Float](t *testing.T) {
	for _, level := range Supported() {
		g := GemmAt[F](level)
		const k = 6
		a, b := make([]F, k*g.Rows), make([]F, k*g.Cols)
		for i := range a {
			a[i] = 1
		}
		for i := range b {
			b[i] = 1
		}
		a[3*g.Rows+1], b[2*g.Cols+2] = F(math.Inf(1)), F(math.NaN())
		c := make([]F, g.Rows*g.Cols)
		g.Tile(c, g.Cols, a, b, k, false)
		for at, got := range c {
			i, j := at/g.Cols, at%g.Cols
			switch {
			case j == 2 && got == got, j != 2 && i == 1 && !math.IsInf(float64(got), 1), j != 2 && i != 1 && got != k:
				t.Errorf("%v: element (%d, %d) is %v", level, i, j, got)
			}
		}
	}
}

func TestGemmTileRefuses(t *testing.T) {
	g := GemmAt[float64](Best())
	full := make([]float64, 64*g.Rows*g.Cols)
	for what, call := range map[string]func(){
		"short c":      func() { g.Tile(full[:(g.Rows-1)*30+g.Cols-1], 30, full, full, 4, true) },
		"short a":      func() { g.Tile(full, g.Cols, make([]float64, 4*g.Rows-1), full, 4, true) },
		"short b":      func() { g.Tile(full, g.Cols, full, make([]float64, 4*g.Cols-1), 4, true) },
		"no step":      func() { g.Tile(full, g.Cols, full, full, 0, true) },
		"short stride": func() { g.Tile(full, g.Cols-1, full, full, 4, true) },
		"short rows":   func() { g.Strided(full, g.Cols, make([]float64, (g.Rows-1)*9+3), 9, 1, full, 4, true) },
		"short column": func() { g.Strided(full, g.Cols, make([]float64, 3*9+g.Rows-1), 1, 9, full, 4, true) },
		"backwards":    func() { g.Strided(full, g.Cols, full, -1, 9, full, 4, true) },
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

// unit is half the distance of 1 to the next number: the error of one rounding.
func unit[F Float]() float64 {
	if _, single := any(F(0)).(float32); single {
		return 0x1p-24
	}
	return 0x1p-53
}
