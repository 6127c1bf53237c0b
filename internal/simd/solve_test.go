package simd

import (
	"math"
	"testing"

	"example.org/mercer/internal/testkit"
)

// TestSolveRows puts the solution of every substitution of the machine back, forward
// and backward, for all orders, with guards around the rows.
func TestSolveRows(t *testing.T) {
	t.Run("f64", testSolveRows[float64])
	t.Run("f32", testSolveRows[float32])
}

func testSolveRows[F Float](t *testing.T) {
	for _, level := range Supported() {
		t.Run(level.String(), func(t *testing.T) {
			s, rng := SolveAt[F](level), testkit.Rand(t, 2)
			if cols := GemmAt[F](level).Cols; s.Width != cols {
				t.Errorf("solves %d columns, tiles of products have %d", s.Width, cols)
			}
			const guard = -77.5
			for _, n := range lengths(1) {
				shift, backward := n%5, n%2 == 0
				x := make([]F, shift+n*s.Width+7)
				for i := range x {
					x[i] = guard
					if i >= shift && i < shift+n*s.Width {
						x[i] = F(rng.NormFloat64())
					}
				}
				b := append([]F(nil), x...)
				triangle := make([]F, n*(n+1)/2)
				for i := range triangle {
					triangle[i] = F(rng.NormFloat64() / float64(n))
				}
				for j := range n {
					triangle[j*(j+1)/2+j] = F(0.5 + rng.Float64()/2)
				}
				s.Rows(x[shift:], backward, triangle, n)
				at := func(j int) int {
					if backward {
						j = n - 1 - j
					}
					return shift + j*s.Width
				}
				for j := range n {
					row := triangle[j*(j+1)/2:]
					for i := range s.Width {
						got := float64(x[at(j)+i]) / float64(row[j])
						size := math.Abs(got)
						for k := range j {
							v := float64(row[k]) * float64(x[at(k)+i])
							got, size = got+v, size+math.Abs(v)
						}
						// j fused steps and one rounded product there, as many rounded ones back.
						if want := float64(b[at(j)+i]); !(math.Abs(got-want) <= float64(2*j+4)*unit[F]()*2*(size+math.Abs(want))) {
							t.Fatalf("n=%d: row %d, column %d gives %v, want %v", n, j, i, got, want)
						}
					}
				}
				for i, v := range x {
					if (i < shift || i >= shift+n*s.Width) && v != guard {
						t.Fatalf("n=%d: wrote outside of the rows at %d", n, i-shift)
					}
				}
			}
		})
	}
}

func TestSolveRowsRefuses(t *testing.T) {
	s := SolveAt[float64](Best())
	x, triangle := make([]float64, 4*s.Width), make([]float64, 10)
	for what, call := range map[string]func(){
		"short rows":     func() { s.Rows(x[:4*s.Width-1], false, triangle, 4) },
		"short triangle": func() { s.Rows(x, false, triangle[:9], 4) },
		"no rows":        func() { s.Rows(x, false, triangle, 0) },
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
