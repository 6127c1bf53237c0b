package randomfeatures

import (
	"fmt"
	"math"
	"testing"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/record"
	"example.org/mercer/kernel/seq"
	"example.org/mercer/kernel/vec"

	"example.org/mercer/internal/testkit"
)

// TestUnbiased: over many seeds the mean of ⟨z(x), z(y)⟩ is k(x, y), for every way that features
// are drawn and every rule of the algebra.
func TestUnbiased(t *testing.T) {
	testkit.SkipUnderRace(t)
	pairs := [][2][]float64{
		{{0.3, -1.2, 0.7}, {0.9, -0.4, 0.2}},
		{{2, 0.1, -0.6}, {-0.5, 0.2, 0.4}},
		{{1, 0.5, 0}, {1, 0.5, 0}},
	}
	for _, c := range []struct {
		dim, seeds int
		kernels    []string
	}{
		{2001, 20, []string{ // their laws alone, which many frequencies tell from their neighbours
			"rbf(sigma=1.5)", "rbf(sigma=[1, 2, 0.5])", "laplace(sigma=2)", "laplace1(sigma=[3, 1, 2])", "laplacepq(sigma=2, p=0.7)", "laplacepq(sigma=[3, 1, 2], p=1.5, q=0.6)", "laplacepq(sigma=2, p=2, q=1.2)",
			"matern(nu=0.5, sigma=2)", "matern(nu=1.5, sigma=1)", "matern(nu=2.5, sigma=[1, 2, 3])", "matern(nu=0.8, sigma=1)", "matern(nu=4, sigma=1)",
			"rq(alpha=0.5, sigma=1)", "rq(alpha=3, sigma=[1, 2, 1])", "periodic(period=2, sigma=1.3)",
		}},
		{9, 400, []string{
			"rbf(sigma=1)*laplace1(sigma=2)", "rbf(sigma=2)^3", "rbf(sigma=1)[0,2]*matern(nu=1.5, sigma=1)[1]", "2*rbf(sigma=1)", "0.5*rbf(sigma=1) + 2*laplace(sigma=3)",
			"0.3*linear + rbf(sigma=1) + 0.25", "poly(degree=3, offset=1, scale=0.5)", "poly(degree=4)", "(0.5*linear + rbf(sigma=2))^2", "linear*rbf(sigma=1.5)", "normalize(of=poly(degree=5, offset=1))",
			"linear[0]*linear[1]*rbf(sigma=1)[2]", "min[0]*0 + rbf(sigma=1)", "rbf(sigma=1)*0.5*(2*linear)", "conform(of=rbf(sigma=1), by=\"1+x[0]\")", "cosdiff[0]*rbf(sigma=1)",
			"arccos(order=0)", "arccos", "arccos(order=2)", "nngp(bias=0.3)", "nngp(activation=erf, bias=0.1)", "ntk(bias=0.2)", "ntk(activation=erf, weight=1)", "arccos[0,1]*rbf(sigma=1)",
		}},
	} {
		for _, text := range c.kernels {
			k := parse(t, text)
			for _, frequencies := range AllFrequencies {
				for p, pair := range pairs {
					got := momentsOf(sample(t, k, pair[0], pair[1], Options{Dim: c.dim, Frequencies: frequencies, Workers: 1}, c.seeds))
					want := k.Eval(pair[0], pair[1])
					if bound := got.meanError() + 1e-12*math.Abs(want) + 1e-13; !(math.Abs(got.mean-want) <= bound) {
						t.Errorf("%s, %s, pair %d: mean %.5f over %d seeds, the kernel is %.5f ± %.2g", text, frequencies, p, got.mean, c.seeds, want, bound)
					}
				}
			}
		}
	}
}

// TestDeepUnits: behind several layers the features have a bias that falls as one over their
// number, so that many of them are near the kernel.
func TestDeepUnits(t *testing.T) {
	testkit.SkipUnderRace(t)
	x, y := []float64{0.3, -1.2, 0.7}, []float64{0.9, -0.4, 0.2}
	for _, text := range []string{"arccos(order=1, depth=2)", "nngp(depth=3, bias=0.2)", "nngp(depth=2, activation=erf, bias=0.1)", "ntk(depth=2, bias=0.2)", "ntk(depth=2, activation=erf)"} {
		k := parse(t, text)
		want, scale := k.Eval(x, y), math.Sqrt(k.Eval(x, x)*k.Eval(y, y))
		off := func(dim int) float64 {
			got := momentsOf(sample(t, k, x, y, Options{Dim: dim, Workers: 1}, 12))
			return math.Hypot(math.Sqrt(got.variance), got.mean-want)
		}
		if few, many := off(16), off(1024); !(many < 0.1*scale) || many > few/4 {
			t.Errorf("%s: 16 features are off by %.3g, 1024 by %.3g of %.3g", text, few, many, scale)
		}
	}
}

// TestUnitsHaveTheirVariance: that of the mean over independent units, which a map says of itself.
func TestUnitsHaveTheirVariance(t *testing.T) {
	x, y := []float64{0.3, -1.2, 0.7}, []float64{0.9, -0.4, 0.2}
	k := parse(t, "arccos(order=1)")
	const dim, seeds = 16, 3000
	got := momentsOf(sample(t, k, x, y, Options{Dim: dim, Frequencies: Independent}, seeds))
	// 4E relu²relu² − k² per unit: E relu(u)²relu(v)² = arccos of order 2, halved.
	want := (4*parse(t, "arccos(order=2)").Eval(x, y)/2 - math.Pow(k.Eval(x, y), 2)) / dim
	if bound := got.varianceError(); !(math.Abs(got.variance-want) <= bound) {
		t.Errorf("variance %.4g, the formula says %.4g ± %.2g", got.variance, want, bound)
	}
	mean := 0.0
	for s := range 40 {
		z := mapOf(t, k, x, Options{Dim: 64 * dim, Frequencies: Independent, Seed: uint64(s)})
		zx, zy := make([]float64, z.Dim()), make([]float64, z.Dim())
		z.Map(zx, x)
		z.Map(zy, y)
		mean += 64 * z.z.variance(x, y, zx, zy) / 40
	}
	if math.Abs(mean-want) > 0.1*want {
		t.Errorf("the map expects the variance %.4g of itself, and it is %.4g", mean, want)
	}
}

// TestWavesHaveTheirVariance: that of cos/sin features is (1 + k(2Δ) − 2k(Δ)²)/D for independent
// frequencies (Sutherland and Schneider 2015), and orthogonal ones, of the Gaussian, have no more.
func TestWavesHaveTheirVariance(t *testing.T) {
	const dim, seeds = 16, 2000
	k := parse(t, "rbf(sigma=1)")
	zero := make([]float64, dim/2)
	for _, length := range []float64{0.3, 1, 2, 4} {
		x, double := make([]float64, len(zero)), make([]float64, len(zero))
		for j := range x {
			x[j] = length / math.Sqrt(float64(len(x)))
			double[j] = 2 * x[j]
		}
		value := k.Eval(x, zero)
		want := (1 + k.Eval(double, zero) - 2*value*value) / dim
		plain := momentsOf(sample(t, k, x, zero, Options{Dim: dim, Frequencies: Independent}, seeds))
		if bound := plain.varianceError(); !(math.Abs(plain.variance-want) <= bound) {
			t.Errorf("|Δ| = %v: variance %.4g, the formula says %.4g ± %.2g", length, plain.variance, want, bound)
		}
		orthogonal := momentsOf(sample(t, k, x, zero, Options{Dim: dim}, seeds))
		if bound := orthogonal.varianceError(); !(orthogonal.variance <= want+bound) {
			t.Errorf("|Δ| = %v: orthogonal frequencies have the variance %.4g, independent ones %.4g; ± %.2g", length, orthogonal.variance, want, bound)
		}
		if length <= 1 && !(orthogonal.variance < 0.7*want) {
			t.Errorf("|Δ| = %v: orthogonal frequencies gain nothing: %.4g beside %.4g", length, orthogonal.variance, want)
		}
		// What a single map says of itself, on average, is the same.
		mean := 0.0
		for s := range 40 {
			z := mapOf(t, k, x, Options{Dim: 64 * dim, Frequencies: Independent, Seed: uint64(s)})
			zx, zy := make([]float64, z.Dim()), make([]float64, z.Dim())
			z.Map(zx, x)
			z.Map(zy, zero)
			mean += 64 * z.z.variance(x, zero, zx, zy) / 40
		}
		if math.Abs(mean-want) > 0.05*want {
			t.Errorf("|Δ| = %v: the map expects the variance %.4g of itself, and it is %.4g", length, mean, want)
		}
	}
}

// TestSketchesHaveTheirVariance: at most the bound of Avron, Nguyen and Woodruff (2014).
func TestSketchesHaveTheirVariance(t *testing.T) {
	x, y := []float64{0.3, -1.2, 0.7, 0.4}, []float64{0.9, 0.4, 0.2, -1}
	for degree := 2; degree <= 4; degree++ {
		k := parse(t, fmt.Sprintf("poly(degree=%d, offset=0.5)", degree))
		got := momentsOf(sample(t, k, x, y, Options{Dim: 8}, 2000))
		z := mapOf(t, k, x, Options{Dim: 8})
		if bound := z.z.variance(x, y, nil, nil); !(got.variance <= bound+got.varianceError()) || got.variance < bound/200 {
			t.Errorf("degree %d: variance %.4g, at most %.4g and not nothing", degree, got.variance, bound)
		}
	}
}

// TestRecords: parts of a record bring their own features, and products of them are sketched.
func TestRecords(t *testing.T) {
	sequences := record.Of("sequence", seq.Dictionary(), func(cell string) (string, error) { return cell, nil })
	schema := record.Schema{Numbers: vec.Schema{Names: []string{"age", "bmi"}}, Slots: []record.Slot{{Column: "dna", Language: "sequence"}}}
	dictionary, err := record.Dictionary(schema, sequences)
	if err != nil {
		t.Fatal(err)
	}
	x := record.Record{Numbers: []float64{0.4, 1}, Cells: []any{"ACGTACC"}}
	y := record.Record{Numbers: []float64{0.5, 2}, Cells: []any{"ACGGACGT"}}
	for _, text := range []string{"rbf(sigma=1)[age] + 0.1*spectrum(k=2)[dna]", "laplace(sigma=2) * spectrum(k=2)[dna]", "rbf(sigma=1)[age]*rbf(sigma=2)[bmi]"} {
		k, err := expr.ParseKernel(text, dictionary)
		if err != nil {
			t.Fatal(err)
		}
		got, want := momentsOf(sample(t, k, x, y, Options{Dim: 12}, 400)), k.Eval(x, y)
		if bound := got.meanError(); !(math.Abs(got.mean-want) <= bound) {
			t.Errorf("%s: mean %.5f, the kernel is %.5f ± %.2g", text, got.mean, want, bound)
		}
	}
}

// TestWords: hashed words are unbiased, with the variance of the formula.
func TestWords(t *testing.T) {
	x, y := "ACGTACGGTACCA", "TACGGTTACGAACGT"
	for _, k := range []kernel.Kernel[string]{
		seq.Spectrum{K: 3}, seq.Spectrum{K: 2, Alphabet: seq.DNA, Both: true}, seq.Bounded{K: 3}, seq.Bounded{K: 2, Weights: []float64{0.5, 2}},
		seq.Mismatch{K: 3, M: 1, Alphabet: seq.DNA}, seq.Mismatch{K: 3, M: 2, Alphabet: seq.DNA, Both: true}, kernel.Normalized[string]{Of: seq.Spectrum{K: 2}},
	} {
		const dim = 10
		got, want := momentsOf(sample(t, k, x, y, Options{Dim: dim}, 2500)), k.Eval(x, y)
		if bound := got.meanError(); !(math.Abs(got.mean-want) <= bound) {
			t.Errorf("%s: mean %.5f, the kernel is %.5f ± %.2g", k, got.mean, want, bound)
		}
		formula := mapOf(t, k, x, Options{Dim: dim}).z.variance(x, y, make([]float64, dim), make([]float64, dim))
		if bound := got.varianceError(); !(math.Abs(got.variance-formula) <= bound) {
			t.Errorf("%s: variance %.4g, the formula says %.4g ± %.2g", k, got.variance, formula, bound)
		}
	}
}
