package vec_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// networks are reference values; the file says where they come from.
type networks struct {
	Points [][]float64
	Pairs  [][2]int
	Values map[string][]float64
}

func readNetworks(t *testing.T) (n networks) {
	t.Helper()
	text, err := os.ReadFile("testdata/networks.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Points that are all but the same, opposite ones, and others. The step has an infinite slope
// where two points meet: an angle that is off by 2u is off by its root behind each layer but the
// first, which the values of near points show.
func TestNetworksAgreeWithReference(t *testing.T) {
	n := readNetworks(t)
	for text, values := range n.Values {
		k := parse(t, text)
		for p, pair := range n.Pairs {
			x, y := n.Points[pair[0]], n.Points[pair[1]]
			bound := 2e-14 * math.Sqrt(k.Eval(x, x)*k.Eval(y, y))
			if got := k.Eval(x, y); !(math.Abs(got-values[p]) <= bound) {
				t.Errorf("%s of points %v: %.17g, want %.17g within %.1g", text, pair, got, values[p], bound)
			}
			exact, err := k.(kernel.Exact[[]float64]).EvalBig(x, y, 200)
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := exact.Float64(); math.Abs(got-values[p]) > 0x1p-52*math.Abs(values[p])+1e-30 {
				t.Errorf("%s of points %v: 200 bits give %.17g, want %.17g", text, pair, got, values[p])
			}
		}
	}
}

// The gradient in a point, by central differences.
func TestNetworksHaveSlopes(t *testing.T) {
	rng := testkit.Rand(t, 78)
	xs := cloud(rng, 6, 3, -0.5)
	for _, text := range []string{"arccos(order=0)", "arccos(depth=2)", "arccos(order=2)", "nngp(depth=3, bias=0.3)", "nngp(depth=2, activation=erf, bias=0.1)",
		"ntk(depth=2)", "ntk(depth=3, weight=1.5, bias=0.2)", "ntk(depth=2, activation=erf, bias=0.1)", "ntk(depth=2)[0,2] + rbf(sigma=1)*arccos"} {
		k := parse(t, text)
		slope, err := vec.SlopeOf(k)
		if err != nil {
			t.Fatal(err)
		}
		for i := range xs.Len() {
			x, y, got := xs.At(i), xs.At((i+1)%xs.Len()), make([]float64, 3)
			slope(got, 1, x, y)
			for j := range got {
				const h = 1e-5
				moved := append([]float64(nil), x...)
				moved[j] = x[j] + h
				above := k.Eval(moved, y)
				moved[j] = x[j] - h
				testkit.Close(t, text, got[j], (above-k.Eval(moved, y))/(2*h), 2e-8)
			}
			zero := make([]float64, 3)
			if slope(zero, 1, x, x); zero[0] != zero[0] || zero[1] != zero[1] {
				t.Errorf("%s: the slope at a pair of the same points is %v", text, zero)
			}
		}
	}
}

// Orders 1 and 2 by their expectation, in one column: 2·E relu(gx)ⁿrelu(gy)ⁿ of a normal g is
// (xy)ⁿ·E g²ⁿ for x, y of one sign, and 0 otherwise. Order 0 tells signs apart.
func TestArccosOfNumbers(t *testing.T) {
	for order, moment := range []float64{1, 1, 3} {
		k := vec.Arccos{Order: order}
		testkit.Close(t, k.String(), k.Eval([]float64{2}, []float64{3}), moment*math.Pow(6, float64(order)), 1e-15)
		testkit.Close(t, k.String(), k.Eval([]float64{-2}, []float64{3}), 0, 1e-15)
		testkit.Close(t, k.String(), k.Eval([]float64{0}, []float64{3}), 0, 0)
	}
}

func TestNetworksRefuse(t *testing.T) {
	for _, text := range []string{"arccos(order=3)", "arccos(order=0.5)", "arccos(depth=0)", "nngp(depth=1.5)", "nngp(weight=0)", "ntk(bias=-1)", "ntk(activation=tanh)", "ntk(depth=101)"} {
		if _, err := vec.Parse(text); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
	for _, k := range []kernel.Domain[[]float64]{vec.Arccos{Order: 3}, vec.Network{Activation: "step"}, vec.Network{Bias: math.Inf(1)}, vec.Network{Depth: -1, Weight: -1}} {
		if k.Contains([]float64{1}) == nil {
			t.Errorf("%v contains a point", k)
		}
	}
}
