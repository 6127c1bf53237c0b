package figure

import (
	"math"
	"math/rand/v2"
	"testing"
)

// onGrid returns the values of a function at the points of a grid.
func onGrid(xs, ys []float64, f func(x, y float64) float64) [][]float64 {
	z := make([][]float64, len(ys))
	for j, y := range ys {
		for _, x := range xs {
			z[j] = append(z[j], f(x, y))
		}
	}
	return z
}

func steps(a, b float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = a + (b-a)*float64(i)/float64(n-1)
	}
	return out
}

// area adds up the signed areas of rings: holes count against what is around them.
func area(rs []ring) float64 {
	sum := 0.0
	for _, r := range rs {
		for i, p := range r {
			q := r[(i+1)%len(r)]
			sum += (p.X*q.Y - p.Y*q.X) / 2
		}
	}
	return sum
}

// TestRingsOfCircles compares the areas of a disc, of a ring with its hole, and of a disc
// that the border cuts in half. Chords of a circle of radius r on cells of width h lose at
// most a part h²/(8r²)·4 of the area, and linear interpolation of r² as much again.
func TestRingsOfCircles(t *testing.T) {
	xs, ys := steps(-2, 2, 81), steps(-2, 2, 101)
	const h = 0.05
	for name, c := range map[string]struct {
		f     func(x, y float64) float64
		rings int
		want  float64
	}{
		"disc": {func(x, y float64) float64 { return 1 - x*x - y*y }, 1, math.Pi},
		"ring": {func(x, y float64) float64 { r := math.Hypot(x, y); return (1.5 - r) * (r - 0.7) }, 2, math.Pi * (1.5*1.5 - 0.7*0.7)},
		"half": {func(x, y float64) float64 { return 1 - (x-2)*(x-2) - y*y }, 1, math.Pi / 2},
		"all":  {func(x, y float64) float64 { return 1 }, 1, 16},
		"none": {func(x, y float64) float64 { return -1 }, 0, 0},
	} {
		got := rings(xs, ys, onGrid(xs, ys, c.f), 0)
		if len(got) != c.rings || math.Abs(area(got)-c.want) > h*h*math.Max(1, c.want) {
			t.Errorf("%s: %d rings of area %.5f, want %d of %.5f", name, len(got), area(got), c.rings, c.want)
		}
	}
}

// TestSaddle looks at both ways through a cell with high values in two opposite corners.
func TestSaddle(t *testing.T) {
	ends := []float64{0, 1}
	if got := rings(ends, ends, [][]float64{{3, 0}, {0, 3}}, 1); len(got) != 1 {
		t.Errorf("corners with a high middle are %d sets, not one", len(got))
	}
	if got := rings(ends, ends, [][]float64{{3, 0}, {0, 3}}, 2); len(got) != 2 {
		t.Errorf("corners with a low middle are %d sets, not two", len(got))
	}
}

// TestRandomFields sees that every line closes: all areas lie between none and all, and
// that the set and its complement make up the square.
func TestRandomFields(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	xs, ys := steps(0, 3, 12), steps(0, 2, 9)
	for range 100 {
		z := onGrid(xs, ys, func(float64, float64) float64 { return r.NormFloat64() })
		below := onGrid(xs, ys, func(float64, float64) float64 { return 0 })
		for j := range z {
			for i := range z[j] {
				below[j][i] = -z[j][i]
			}
		}
		if got := area(rings(xs, ys, z, 0.25)) + area(rings(xs, ys, below, -0.25)); math.Abs(got-6) > 1e-9 {
			t.Fatalf("a set and its complement have the area %.12f, not 6", got)
		}
	}
}
