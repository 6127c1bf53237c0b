package vec_test

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/vec"
)

// subsets is Σ_s w_s·Σ_{|S|=s} Π_{j∈S} k_j over all subsets S, and the same of |k_j|.
func subsets(values []float64, weights []float64) (sum, size float64) {
	for s := uint(1); s < 1<<len(values); s++ {
		n := bits.OnesCount(s)
		if n > len(weights) {
			continue
		}
		product := weights[n-1]
		for j, v := range values {
			if s>>j&1 == 1 {
				product *= v
			}
		}
		sum, size = sum+product, size+math.Abs(product)
	}
	return sum, size
}

// Either way an element of the sum meets at most 2d roundings of the recursion, or d products and
// 2ᵈ sums of the subsets: together below (3d + 2ᵈ)·2⁻⁵³ of the sum of all magnitudes.
func TestANOVAIsTheSumOverSubsets(t *testing.T) {
	rng := testkit.Rand(t, 81)
	for d := 1; d <= 6; d++ {
		xs := cloud(rng, 6, d, -0.5)
		for _, base := range []string{"rbf(sigma=0.4)", "laplace1(sigma=0.4)", "laplace(sigma=2)", "matern(nu=1.5, sigma=0.5)", "linear()", "formula(\"x*y\")"} {
			of := parse(t, base)
			for q := 1; q <= 7; q++ {
				weights := make([]float64, q)
				for s := range weights {
					weights[s] = 1
				}
				checkSubsets(t, vec.ANOVA{Of: of, Degree: q}, weights, xs.At)
				for s := range weights {
					weights[s] = rng.Float64()
				}
				checkSubsets(t, vec.ANOVA{Of: of, Weights: weights}, weights, xs.At)
			}
		}
	}
}

func checkSubsets(t *testing.T, k vec.ANOVA, weights []float64, at func(i int) []float64) {
	t.Helper()
	x, d := at(0), len(at(0))
	for i := range 6 {
		y, values := at(i), make([]float64, d)
		for j := range x {
			values[j] = k.Of.Eval(x[j:j+1], y[j:j+1])
		}
		want, size := subsets(values, weights)
		got, tolerance := k.Eval(x, y), float64(3*d+1<<d)*0x1p-53*size
		if !(math.Abs(got-want) <= tolerance) {
			t.Errorf("%s of %d columns is %v, over subsets %v: off by more than %.2g", k, d, got, want, tolerance)
		}
		exact, err := k.EvalBig(x, y, 200)
		if _, formula := k.Of.(interface{ NotExact() error }); err != nil && !formula {
			t.Fatal(err)
		}
		if err == nil {
			if v, _ := exact.Float64(); !(math.Abs(v-want) <= tolerance+1e-14*size) { // of the base kernel
				t.Errorf("%s of %d columns is %v in 200 bits, over subsets %v", k, d, v, want)
			}
		}
	}
}

func TestANOVABesideNeighbours(t *testing.T) {
	rng := testkit.Rand(t, 82)
	const d = 5
	xs := cloud(rng, 10, d, 0)
	for _, base := range []string{"rbf(sigma=0.4)", "laplace1(sigma=0.4)", "matern(nu=2.5,sigma=0.7)", "min()", "linear()"} {
		one, all, more := parse(t, "anova(of="+base+", degree=1)"), parse(t, "anova(of="+base+", degree=5)"), parse(t, "anova(of="+base+", degree=9)")
		var columns []string
		for j := range d {
			columns = append(columns, fmt.Sprintf("%s[%d]", base, j))
		}
		sum, product := parse(t, strings.Join(columns, " + ")), parse(t, "("+base+" + 1)")
		for i := range xs.Len() {
			for j := range xs.Len() {
				x, y := xs.At(i), xs.At(j)
				testkit.Close(t, base+": degree 1 is the sum of the columns", one.Eval(x, y), sum.Eval(x, y), 1e-15)
				want := 1.0
				for c := range x {
					want *= product.Eval(x[c:c+1], y[c:c+1])
				}
				testkit.Close(t, base+": 1 + all degrees is Π (1 + k_j)", 1+all.Eval(x, y), want, 2*d*0x1p-53)
				testkit.Close(t, base+": degrees beyond d are 0", more.Eval(x, y), all.Eval(x, y), 0)
			}
		}
	}
}

// The eigenvalues of a sum of products of kernels are not negative beyond n roundings.
func TestANOVAIsPositiveDefinite(t *testing.T) {
	rng := testkit.Rand(t, 83)
	const n = 40
	xs := cloud(rng, n, 4, 0)
	for _, text := range []string{"anova(of=rbf(sigma=0.3))", "anova(of=laplace1(sigma=1), degree=3)", "anova(of=min(), degree=2, weights=[0, 1])", "anova(of=linear(), degree=4)[1,3]"} {
		k := parse(t, text)
		if v := kernel.Derive(k).Verdict; v != kernel.Definite {
			t.Errorf("%s is %s", text, v)
		}
		gram := mat.NewSymDense(n, full(kernel.Bind(k, xs, xs), 7, 9).Data)
		var eigen mat.EigenSym
		if !eigen.Factorize(gram, false) {
			t.Fatal("no eigenvalues")
		}
		if least := eigen.Values(nil)[0]; least < -10*n*0x1p-52*mat.Trace(gram) {
			t.Errorf("%s has the eigenvalue %v", text, least)
		}
	}
	if v := kernel.Derive(parse(t, "anova(of=tanh())")).Verdict; v != kernel.Unknown {
		t.Errorf("an indefinite base kernel: %s", v)
	}
}

// Base kernels that the family cannot compile are folded tile by tile.
func TestANOVAOfAnyBaseKernel(t *testing.T) {
	rng := testkit.Rand(t, 84)
	for _, d := range []int{1, 4} {
		xs := points(cloud(rng, 14, d, 0.1))
		for _, text := range []string{
			"anova(of=formula(\"exp(-abs(x-y))\"), degree=3)", "anova(of=normalize(of=1 + linear()))", "1 + anova(of=formula(\"x*y\"))*rbf(sigma=1)",
			"anova(of=anova(of=rbf(sigma=1), degree=1), degree=2)", "anova(of=rbf(sigma=1, nan=ignore))", "(anova(of=formula(\"x*y\")) + rbf(sigma=1))[0]",
		} {
			kerneltest.Run(t, parse(t, text), xs, kerneltest.Options[[]float64]{Parse: vec.Parse, Set: kerneltest.Vectors})
		}
	}
}

// One column is seen at a time, by a base kernel that cannot choose among them.
func TestANOVARefuses(t *testing.T) {
	for text, want := range map[string]string{
		"anova(degree=2)":                                 "anova needs the argument of",
		"anova(of=rbf(sigma=1), degree=0)":                "degree = 0 must be a whole number from 1 to 1000",
		"anova(of=rbf(sigma=1), degree=1.5)":              "degree = 1.5 must be a whole number",
		"anova(of=rbf(sigma=1), degree=3, weights=[1,1])": "2 weights for the degrees 1 to 3: give one for each",
		"anova(of=rbf(sigma=1), weights=[1,-1])":          "the weight of degree 2 is -1",
		"anova(of=rbf(sigma=1), weights=[0,0])":           "all weights are 0",
		"anova(of=spectrum(k=3))":                         `unknown kernel "spectrum"`,
		"anova(of=rbf(sigma=1)[0])":                       "choose them outside, as in anova(…)[columns]",
		"anova(of=\"rbf\")":                               "of must be a kernel, not a text",
	} {
		if _, err := vec.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	err := kernel.Contains(parse(t, "anova(of=rbf(sigma=[1,2]))"), []float64{1, 2})
	if err == nil || !strings.Contains(err.Error(), "coordinate 1 (counted from 1), which the base kernel sees alone: rbf has 2 widths") {
		t.Errorf("a width per column: %v", err)
	}
	if err := kernel.Contains(parse(t, "anova(of=gcd())"), []float64{4, 0.5}); err == nil || !strings.Contains(err.Error(), "coordinate 2") {
		t.Errorf("a coordinate outside of the domain: %v", err)
	}
}

// Values of linear base kernels cancel to 2⁻¹⁰⁰ of their terms: 200 bits are right all the same.
func TestANOVAIsExactWhereTermsCancel(t *testing.T) {
	k := parse(t, "anova(of=linear(), degree=2)").(kernel.Exact[[]float64])
	a := 0x1p-50
	x, y := []float64{1 + a, 1, 1}, []float64{1 - a, -1, 0} // 1 − a² − 1 − (1 − a²) = −1
	v, err := k.EvalBig(x, y, 200)
	if got, _ := v.Float64(); err != nil || got != -1 {
		t.Errorf("%v, %v", got, err)
	}
	v, err = parse(t, "anova(of=linear(), degree=1)").(kernel.Exact[[]float64]).EvalBig(x, y, 53)
	if got, _ := v.Float64(); err != nil || got != -0x1p-100 {
		t.Errorf("−a² is %v, %v", got, err)
	}
	if _, err := parse(t, "anova(of=matern(nu=0.7, sigma=1))").(kernel.Exact[[]float64]).EvalBig(x, y, 53); err == nil {
		t.Error("a Bessel function has an exact value")
	}
}

// The plan holds as many values as there are degrees, and a statistic a column.
func TestANOVAPlan(t *testing.T) {
	plan, err := vec.Compile(parse(t, "anova(of=rbf(sigma=1), degree=2)[0,2]"))
	if err != nil {
		t.Fatal(err)
	}
	const want = `s0 = squared distance of columns [0]
s1 = squared distance of columns [2]
constant 0
constant 0
push s0
expneg 0.5
elementary 2
push s1
expneg 0.5
elementary 2
weightedsum [1, 1]
`
	if got := plan.String(); got != want || plan.Depth != 3 {
		t.Errorf("depth %d, plan:\n%swant:\n%s", plan.Depth, got, want)
	}
	for _, text := range []string{"anova(of=rbf(sigma=1))", "wendland(k=0, radius=1)"} {
		if _, err := vec.Compile(parse(t, text)); err == nil || !strings.Contains(err.Error(), "number of columns") {
			t.Errorf("%s of an unknown number of columns: %v", text, err)
		}
	}
}
