package vec_test

import (
	"math"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// The square of jensenshannon(p, q) and of jensenshannon(p, q, base=2) of
// scipy.spatial.distance, SciPy 1.17.1. By the definition of the additive form
// jsadd = (Σp + Σq)/2 − JS/ln 2.
func TestJensenShannonAgainstSciPy(t *testing.T) {
	p, q := []float64{0.1, 0.2, 0.3, 0.4, 0}, []float64{0.25, 0.25, 0, 0.3, 0.2}
	testkit.Close(t, "js", -math.Log(vec.JS{}.Eval(p, q)), 0.1948658111779625, 1e-15)
	testkit.Close(t, "jsadd", vec.JSAdd().Eval(p, q), 1-0.2811319394252516, 1e-15)
	testkit.Close(t, "jsadd of x and x", vec.JSAdd().Eval(p, p), 1, 2e-16)
}

// Both branches of the divergence agree with 200 bits on either side of where they meet,
// relative to its own size: −ln k = γ·JS with γ so large that exp does not hide it.
func TestDivergenceKeepsDigits(t *testing.T) {
	for _, d := range []float64{1e-12, 1e-6, 0.01, 0.0999, 0.1001, 0.5, 0.999, 1} {
		x, y := []float64{1 + d}, []float64{1 - d}
		k := vec.JS{Gamma: 1 / (d * d)}
		want, err := k.EvalBig(x, y, 200)
		if err != nil {
			t.Fatal(err)
		}
		exact, _ := want.Float64()
		testkit.Close(t, k.String(), k.Eval(x, y), exact, 4e-15) // a few 2⁻⁵³/δ in the branch of logarithms
	}
}

// Kernels of bits against counting, for points short enough to stay numbers and long
// enough to be packed, at the edges of a word too.
func TestBitsByCounting(t *testing.T) {
	rng := testkit.Rand(t, 77)
	for _, d := range []int{1, 16, 17, 63, 64, 65, 200} {
		xs := data.MakeVectors(21, d)
		for i := range xs.Len() - 1 { // the last is empty
			for j := range d {
				if rng.Float64() < 0.4 {
					xs.At(i)[j] = 1
				}
			}
		}
		tanimoto := full(kernel.Bind(vec.Tanimoto(), xs, xs), 8, 8)
		dice := full(kernel.Bind(vec.Dice(), xs, xs), 8, 8)
		for i := range xs.Len() {
			for j := range xs.Len() {
				both, some, ones := 0.0, 0.0, 0.0
				for c := range d {
					a, b := xs.At(i)[c] == 1, xs.At(j)[c] == 1
					if a && b {
						both++
					}
					if a || b {
						some++
					}
					ones += xs.At(i)[c] + xs.At(j)[c]
				}
				want, wantDice := 1.0, 1.0
				if some > 0 {
					want, wantDice = both/some, 2*both/ones
				}
				if tanimoto.Row(i)[j] != want || dice.Row(i)[j] != wantDice {
					t.Errorf("%d coordinates, points %d and %d: tanimoto %v, want %v; dice %v, want %v", d, i, j, tanimoto.Row(i)[j], want, dice.Row(i)[j], wantDice)
				}
			}
		}
	}
}

// Where a kernel is another one, at a special parameter or of transformed points.
func TestHistogramNeighbours(t *testing.T) {
	xs := cloud(testkit.Rand(t, 78), 12, 3, 0)
	for _, c := range []struct {
		a, b string
		tol  float64
	}{
		{"intersection", "min", 0},
		{"gintersection(beta=1)", "min", 0},
		{"gintersection(beta=2)", "compose(of=min, map=\"x^2\")", 1e-15},
		{"hellinger", "compose(of=linear, map=\"sqrt(x)\")", 4e-15},
		{"tanimoto", "formula(\"dot(x,y)/(dot(x,x)+dot(y,y)-dot(x,y))\")", 1e-15},
	} {
		a, b := parse(t, c.a), parse(t, c.b)
		for i := range xs.Len() {
			for j := range xs.Len() {
				testkit.Close(t, c.a+" against "+c.b, a.Eval(xs.At(i), xs.At(j)), b.Eval(xs.At(i), xs.At(j)), c.tol)
			}
		}
	}
}

func TestHistogramDomains(t *testing.T) {
	for _, c := range []struct {
		text string
		at   float64
		want string
	}{
		{"js", -1, "at least 0"}, {"jsadd", -0.5, "at least 0"}, {"hellinger", -1, "at least 0"}, {"js", math.NaN(), "is NaN"},
		{"gintersection(beta=2)", 1e200, "give a smaller beta"}, {"gintersection", math.Inf(1), "+Inf"},
		{"tanimoto", 1e200, "between 1e-150 and 1e150"}, {"dice", -1e-200, "between 1e-150 and 1e150"},
	} {
		err := kernel.Contains(parse(t, c.text), []float64{c.at})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s at %v: %v, want %s", c.text, c.at, err, c.want)
		}
	}
	for text, want := range map[string]string{"js(gamma=0)": "gamma = 0", "gintersection(beta=-1)": "beta = -1"} {
		if _, err := vec.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
