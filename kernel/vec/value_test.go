package vec_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// For x = (1, 2) and y = (3, −1): ⟨x,y⟩ = 1, ‖x‖² = 5, ‖y‖² = 10, ‖x−y‖² = 13,
// ‖x−y‖₁ = 5. With widths (1, 2): q = 4 + 9/4 = 6.25, Σ|xⱼ−yⱼ|/σⱼ = 3.5.
func TestValuesByHand(t *testing.T) {
	r13 := math.Sqrt(13)
	x, y := []float64{1, 2}, []float64{3, -1}
	for text, want := range map[string]float64{
		"linear()":                            1,
		"bilinear(matrix=[2,1,1,3])":          2*1*3 + 1*(1*-1+2*3) + 3*2*-1, // = 5
		"poly(degree=3, offset=2, scale=0.5)": 2.5 * 2.5 * 2.5,
		"poly(offset=1)":                      4,
		"cosine()":                            1 / math.Sqrt(50),
		"tanh(scale=2, offset=-1)":            math.Tanh(1),
		"rbf(sigma=2)":                        math.Exp(-13.0 / 8),
		"rbf(gamma=0.1)":                      math.Exp(-1.3),
		"rbf(lengthscale=2)":                  math.Exp(-13.0 / 8),
		"gaussian(sigma=2)":                   math.Exp(-13.0 / 8),
		"rbf(sigma=[1,2])":                    math.Exp(-3.125),
		"laplace(sigma=2)":                    math.Exp(-r13 / 2),
		"laplace(gamma=2)":                    math.Exp(-r13 * 2),
		"laplace(sigma=[1,2])":                math.Exp(-2.5),
		"laplace1(sigma=2)":                   math.Exp(-2.5),
		"laplacepq(sigma=2)":                  math.Exp(-2.5),
		"laplacepq(sigma=2,p=2)":              math.Exp(-13. / 4),
		"laplacepq(sigma=2,p=2,q=1)":          math.Exp(-math.Sqrt(13) / 2),
		"laplacepq(sigma=2,p=0.5,q=0.25)":     math.Exp(-math.Sqrt((math.Sqrt2 + math.Sqrt(3)) / math.Sqrt2)),
		"laplace1(gamma=2)":                   math.Exp(-10),
		"laplace1(sigma=[1,2])":               math.Exp(-3.5),
		"matern(nu=0.5, sigma=1)":             math.Exp(-r13),
		"matern(sigma=1)":                     (1 + math.Sqrt(39)) * math.Exp(-math.Sqrt(39)),
		"matern(nu=2.5, sigma=[1,2])":         (1 + math.Sqrt(31.25) + 31.25/3) * math.Exp(-math.Sqrt(31.25)),
		"rq(alpha=2, sigma=1)":                1 / (4.25 * 4.25), // 1 + 13/4
		"rq(sigma=[1,2])":                     1 / 4.125,
		"periodic(period=4, sigma=1)":         math.Exp(-2 * (1 + 0.5)), // sin²(π/2) + sin²(3π/4)
		"white(value=3)":                      0,
		"constant(value=3)":                   3,
		"rbf(sigma=1)[0]":                     math.Exp(-2),
		"rbf(sigma=1)[1,0]":                   math.Exp(-6.5),
		"rbf(sigma=[2,1])[1,0]":               math.Exp(-3.125),
		"linear()[0]*linear()[1]":             -6,
	} {
		testkit.Close(t, text, parse(t, text).Eval(x, y), want, 4e-16)
	}
	x, y = []float64{1, 2, 0}, []float64{3, 0.5, 0}
	testkit.Close(t, "min", vec.Min().Eval(x, y), 1.5, 0)
	histogram, other := []float64{1, 2, 0}, []float64{3, 0, 0} // 4/4 + 4/2 + 0/0, and 6/4
	testkit.Close(t, "chi2", vec.Chi2{Gamma: 0.5}.Eval(histogram, other), math.Exp(-1.5), 1e-16)
	testkit.Close(t, "chi2add", vec.Chi2Add().Eval(histogram, other), 1.5, 0)
	testkit.Close(t, "hellinger", vec.Hellinger().Eval([]float64{1, 4, 0}, []float64{9, 1, 5}), 5, 0)
	testkit.Close(t, "gintersection", vec.GIntersection{Beta: 2}.Eval([]float64{-1, 2, 0}, []float64{3, -1.5, 7}), 1+2.25, 0)
	testkit.Close(t, "tanimoto", vec.Tanimoto().Eval([]float64{1, 1, 0, 1}, []float64{1, 0, 1, 1}), 0.5, 0) // 2/(3+3−2)
	testkit.Close(t, "dice", vec.Dice().Eval([]float64{1, 1, 0, 1}, []float64{1, 0, 1, 1}), 2.0/3, 2e-16)   // 4/6
	for _, k := range []vec.Number{vec.Tanimoto(), vec.Dice()} {
		testkit.Close(t, k.String()+" of 0 and 0", k.Eval([]float64{0, 0}, []float64{0, 0}), 1, 0)
		testkit.Close(t, k.String()+" of 0 and x", k.Eval([]float64{0, 0}, []float64{0, 2}), 0, 0)
	}
	testkit.Close(t, "minmax", vec.MinMax().Eval(x, y), 1.5/5, 0)
	testkit.Close(t, "minmax at 0/0", vec.MinMax().Eval([]float64{0}, []float64{0}), 1, 0)
	testkit.Close(t, "cosine at 0", vec.Cosine{}.Eval([]float64{0, 0}, []float64{1, 2}), 0, 0)
	testkit.Close(t, "white at x = x", vec.White{Value: 3}.Eval(x, x), 3, 0)
}

func TestNumberKernelsByHand(t *testing.T) {
	for _, c := range []struct {
		text       string
		x, y, want float64
	}{
		{"min", 2, 5, 2},
		{"minmax", 2, 5, 0.4},
		{"gcd", 12, 18, 6},
		{"gcd", 9007199254740992, 6, 2}, // 2⁵³
		{"gcdlcm", 12, 18, 6.0 / 36},
		{"exp2sum", 1.5, 2.5, 16},
		{"exp2prod", 1.5, 2, 8},
		{"geometric", 0.5, -0.5, 0.8},
		{"cosdiff", 1, 1 + math.Pi/3, 0.5},
		{"wave(period=12)", 1, 3, 0.5}, {"wave(period=12)", 1, 7 + 12*1e6, -1},
		{"geometric_min", 0.5, 0.75, 2},
	} {
		testkit.Close(t, c.text, parse(t, c.text).Eval([]float64{c.x}, []float64{c.y}), c.want, 4e-16)
	}
}

// Kernels that must agree with a neighbour: at a special parameter exactly, in a limit
// up to the size of the next term.
func TestNeighbours(t *testing.T) {
	rng := testkit.Rand(t, 20)
	xs := cloud(rng, 12, 3, -0.5)
	for _, c := range []struct {
		a, b string
		tol  float64
	}{
		{"matern(nu=0.5, sigma=0.7)", "laplace(sigma=0.7)", 4e-16},
		{"matern(nu=0.5, sigma=[0.5,1,2])", "laplace(sigma=[0.5,1,2])", 4e-16},
		{"laplace(sigma=0.7)[1]", "laplace1(sigma=0.7)[1]", 4e-16},
		{"laplacepq(sigma=0.7)", "laplace1(sigma=0.7)", 4e-16},
		{"laplacepq(sigma=[0.5,1,2], p=2, q=1)", "laplace(sigma=[0.5,1,2])", 4e-16},
		{"laplacepq(sigma=2, p=2)", "rbf(gamma=0.25)", 4e-16},
		{"laplacepq(sigma=1, p=1.5)[0]", "laplacepq(sigma=1, p=2, q=1.5)[0]", 4e-16}, // one norm on a line
		{"matern(nu=1000000, sigma=0.7)", "rbf(sigma=0.7)", 3e-6},                    // 1/ν
		{"rq(alpha=1e9, sigma=0.7)", "rbf(sigma=0.7)", 3e-9},                         // 1/α
		{"rq(alpha=1, sigma=1)[0]", "formula(\"1/(1+(x-y)^2/2)\")[0]", 4e-16},
		{"poly(degree=1, offset=2)", "linear() + 2", 4e-16},
		{"poly(degree=2, offset=0)", "linear()^2", 4e-16},
		{"cosine()", "normalize(of=linear())", 1e-15},
		{"bilinear(matrix=[1,0,0,0,1,0,0,0,1])", "linear()", 1e-15},
		{"rbf(sigma=2)", "rbf(sigma=2)[0]*rbf(sigma=2)[1]*rbf(sigma=2)[2]", 1e-15},
		{"rbf(sigma=[1,2,3])", "rbf(sigma=1)[0]*rbf(sigma=2)[1]*rbf(sigma=3)[2]", 1e-15},
		{"rbf(sigma=[2,2,2])", "rbf(sigma=2)", 1e-15},
		{"periodic(period=1000, sigma=0.001)", "rbf(sigma=0.15915494309189535)", 1e-5}, // sin u ≈ u: σ_rbf = pσ/2π
		{"wave(period=6.283185307179586)[0]", "cosdiff()[0]", 1e-15},
		{"exp2prod[0]", "exp(of=0.6931471805599453*linear())[0]", 1e-15},
		{"exp2sum[0]", "conform(of=constant(value=1), by=\"2^x\")[0]", 1e-15},
	} {
		a, b := parse(t, c.a), parse(t, c.b)
		for i := range xs.Len() {
			for j := range xs.Len() {
				testkit.Close(t, c.a+" against "+c.b, a.Eval(xs.At(i), xs.At(j)), b.Eval(xs.At(i), xs.At(j)), c.tol)
			}
		}
	}
}

// Values of other libraries, to the rounding of both: they add in other orders, and
// scikit-learn computes distances by norms (3 coordinates of size 1).
func TestAgainstScikitLearn(t *testing.T) {
	raw, err := os.ReadFile("testdata/scikit.json")
	if err != nil {
		t.Fatal(err)
	}
	var reference struct {
		Cases []struct {
			Kernel, Origin string
			X, Y           data.Slice[[]float64]
			K              [][]float64
		}
	}
	if err := json.Unmarshal(raw, &reference); err != nil {
		t.Fatal(err)
	}
	for _, c := range reference.Cases {
		k := parse(t, c.Kernel)
		got := full(kernel.Bind(k, c.X, c.Y), 64, 64)
		for i, row := range c.K {
			for j, want := range row {
				what := fmt.Sprintf("%s as %s (%d,%d)", c.Kernel, c.Origin, i, j)
				testkit.Close(t, what, k.Eval(c.X[i], c.Y[j]), want, 1e-13)
				testkit.Close(t, what+" tile", got.Row(i)[j], want, 1e-13)
			}
		}
	}
	if len(reference.Cases) < 20 {
		t.Errorf("%d cases", len(reference.Cases))
	}
}
