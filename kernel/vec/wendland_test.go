package vec_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// wendlandByHand are φ_{d,k}(r) as the tables of Wendland (1995) and of Fasshauer, Meshfree
// Approximation Methods with MATLAB (2007), Table 11.1, have them, divided by φ(0).
var wendlandByHand = []struct {
	d, k int
	phi  func(r float64) float64
}{
	{1, 0, func(r float64) float64 { return 1 - r }},
	{1, 1, func(r float64) float64 { return math.Pow(1-r, 3) * (3*r + 1) }},
	{1, 2, func(r float64) float64 { return math.Pow(1-r, 5) * (8*r*r + 5*r + 1) }},
	{3, 0, func(r float64) float64 { return math.Pow(1-r, 2) }},
	{2, 1, func(r float64) float64 { return math.Pow(1-r, 4) * (4*r + 1) }},
	{3, 1, func(r float64) float64 { return math.Pow(1-r, 4) * (4*r + 1) }},
	{3, 2, func(r float64) float64 { return math.Pow(1-r, 6) * (35*r*r + 18*r + 3) / 3 }},
	{5, 0, func(r float64) float64 { return math.Pow(1-r, 3) }},
	{5, 1, func(r float64) float64 { return math.Pow(1-r, 5) * (5*r + 1) }},
	{5, 2, func(r float64) float64 { return math.Pow(1-r, 7) * (16*r*r + 7*r + 1) }},
}

func TestWendlandByHand(t *testing.T) {
	for _, c := range wendlandByHand {
		k := vec.Wendland{K: c.k, Radius: 2}
		origin := make([]float64, c.d)
		at := func(r float64) []float64 {
			x := make([]float64, c.d)
			x[c.d-1] = 2 * r
			return x
		}
		for _, r := range []float64{0, 0.125, 0.25, 0.5, 0.7, 0.9375, 0.999} {
			what := fmt.Sprintf("φ_{%d,%d}(%v)", c.d, c.k, r)
			testkit.Close(t, what, k.Eval(origin, at(r)), c.phi(r), 1e-14)
			exact, err := k.EvalBig(origin, at(r), 200)
			if err != nil {
				t.Fatal(err)
			}
			v, _ := exact.Float64()
			testkit.Close(t, what+" in 200 bits", v, c.phi(r), 1e-14)
		}
		for _, r := range []float64{1, 1.0001, 7, 1e100, 1e200} {
			xs := cloud(testkit.Rand(t, 1), 2, c.d, 0)
			copy(xs.At(0), origin)
			copy(xs.At(1), at(r))
			exact, err := k.EvalBig(origin, at(r), 200)
			tile := full(kernel.Bind(vec.Kernel(k), xs, xs), 2, 2).Row(0)[1]
			if v := k.Eval(origin, at(r)); v != 0 || tile != 0 || err != nil || exact.Sign() != 0 {
				t.Errorf("φ_{%d,%d}(%v) = %v, %v in a tile, %v, %v in 200 bits", c.d, c.k, r, v, tile, exact, err)
			}
		}
		if v := k.Eval(origin, origin); v != 1 {
			t.Errorf("φ_{%d,%d}(0) = %v", c.d, c.k, v)
		}
	}
}

// It is positive definite for the number of columns that it sees.
func TestWendlandIsPositiveDefinite(t *testing.T) {
	rng := testkit.Rand(t, 85)
	const n = 60
	for _, d := range []int{1, 2, 3, 5} {
		xs := cloud(rng, n, d, 0)
		for k := range 3 {
			for _, radius := range []float64{0.3, 1, 4} {
				w := vec.Wendland{K: k, Radius: radius}
				gram := mat.NewSymDense(n, full(kernel.Bind(vec.Kernel(w), xs, xs), 9, 17).Data)
				var eigen mat.EigenSym
				if !eigen.Factorize(gram, false) {
					t.Fatal("no eigenvalues")
				}
				if least := eigen.Values(nil)[0]; least < -10*n*0x1p-52*n {
					t.Errorf("%s in %d columns has the eigenvalue %v", w, d, least)
				}
			}
		}
	}
}

// TestWendlandOfOneColumnIsNoneOfTwo: on a grid of the plane the hat function has a negative
// eigenvalue, and the kernel for two columns has none.
func TestWendlandOfOneColumnIsNoneOfTwo(t *testing.T) {
	const side = 9
	least := func(phi func(r float64) float64) float64 {
		gram := mat.NewSymDense(side*side, nil)
		for i := range side * side {
			for j := range i + 1 {
				gram.SetSym(i, j, phi(math.Hypot(float64(i/side-j/side), float64(i%side-j%side))/2))
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(gram, false) {
			t.Fatal("no eigenvalues")
		}
		return eigen.Values(nil)[0]
	}
	if v := least(func(r float64) float64 { return max(1-r, 0) }); v > -1e-3 {
		t.Errorf("the hat function on the plane has the least eigenvalue %v", v)
	}
	if v := least(func(r float64) float64 {
		return parse(t, "wendland(k=0, radius=1)").Eval([]float64{r, 0}, []float64{0, 0})
	}); v < 1e-3 {
		t.Errorf("the kernel of two columns has the least eigenvalue %v", v)
	}
}

func TestWendlandSeesItsColumns(t *testing.T) {
	x, y := []float64{0, 0, 0}, []float64{0.5, 0, 0}
	testkit.Close(t, "one column", parse(t, "wendland(k=0, radius=1)[0]").Eval(x, y), 0.5, 0)
	testkit.Close(t, "three columns", parse(t, "wendland(k=0, radius=1)").Eval(x, y), 0.25, 0)
	testkit.Close(t, "a radius a column", parse(t, "wendland(k=0, radius=[2,1,1])").Eval(x, y), 0.75*0.75, 0)
	if got := parse(t, "wendland(radius=2)").String(); got != "wendland(k=1, radius=2)" {
		t.Error(got)
	}
}

func TestWendlandRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"wendland(k=1)":                 "wendland needs the argument radius, such as wendland(radius=median)",
		"wendland(radius=0)":            "wendland: radius = 0 must be a finite number above 0",
		"wendland(radius=-2)":           "radius = -2",
		"wendland(radius=[1,0])":        "radius = 0",
		"wendland(k=3, radius=1)":       "k = 3 must be 0, 1 or 2",
		"wendland(k=0.5, radius=1)":     "k = 0.5 must be 0, 1 or 2",
		"wendland(radius=1e200)":        "too large or too small",
		"wendland(sigma=1)":             `no argument "sigma"`,
		"wendland(radius=1)[age]":       "unknown column",
		"anova(of=wendland(radius=-1))": "radius = -1",
	} {
		if _, err := vec.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
