package check

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/formula"
)

// falsehoods are functions that are no kernels, each with an independent second
// definition to evaluate the witness with.
var falsehoods = []struct {
	formula, domain string
	dim             int
	failed          string
	points          int // of the smallest witness
	rational        rational
	real            real200
	vector          vector300
	why             string
}{
	{formula: "log(1 + x*y)", domain: "positive", failed: CauchySchwarz, points: 2, real: logOnePlus,
		why: "quiz: its Taylor series has negative coefficients"},
	{formula: "cos(x + y)", domain: "reals", failed: Diagonal, points: 1, real: cosSum,
		why: "quiz: cos(2x) is negative at x = 1"},
	{formula: "max(x, y)", domain: "positive", failed: CauchySchwarz, points: 2, rational: ratMax,
		why: "quiz: max(0, 1)² > max(0, 0)·max(1, 1)"},
	{formula: "lcm(x, y)", domain: "naturals", failed: CauchySchwarz, points: 2, rational: ratLcm,
		why: "quiz: lcm(1, 2)² > 1·2"},
	{formula: "tanh(x*y)", domain: "reals", failed: CauchySchwarz, points: 2, real: tanhProduct(0),
		why: "quiz, not in general: log tanh(eᵗ) is concave"},
	{formula: "tanh(x*y + 1)", domain: "reals", failed: CauchySchwarz, points: 2, real: tanhProduct(1),
		why: "quiz, with a positive offset"},
	{formula: "tanh(x*y - 1)", domain: "reals", failed: Diagonal, points: 1, real: tanhProduct(-1),
		why: "quiz, with a negative offset: negative at 0"},
	{formula: "exp(-abs(x - y)^3)", domain: "reals", failed: Spectrum, points: 3, real: expPower,
		why: "exp(−|t|^p) is positive definite for p ≤ 2 only (Schoenberg 1938)"},
	{formula: "abs(x - y)", domain: "reals", failed: CauchySchwarz, points: 2, rational: ratDistance,
		why: "zero diagonal"},
	{formula: "x*y - 1", domain: "reals", failed: Diagonal, points: 1, rational: ratMinusOne,
		why: "negative at 0"},
	{formula: "-(x - y)^2", domain: "reals", failed: CauchySchwarz, points: 2, rational: ratNegativeSquare,
		why: "conditionally positive definite only"},
	{formula: "x + y", domain: "reals", failed: Diagonal, points: 1, rational: ratSum,
		why: "negative at −1"},
	{formula: "x + y", domain: "positive", failed: CauchySchwarz, points: 2, rational: ratSum,
		why: "(0+1)² > 0·2"},
	{formula: "1/(1 + x*y)", domain: "positive", failed: CauchySchwarz, points: 2, rational: ratInverse,
		why: "k(0, 1)² = 1 > k(0, 0)·k(1, 1) = 1/2"},
	{formula: "1/(1 - x*y)", domain: "reals", failed: Diagonal, points: 1, rational: ratGeometric,
		why: "a kernel on (−1, 1) only: negative at 2"},
	{formula: "min(x, y)", domain: "reals", failed: Diagonal, points: 1, rational: ratMin,
		why: "a kernel on ℝ₊ only: negative at −1"},
	{formula: "gcd(x, y)", domain: "integers", failed: CauchySchwarz, points: 2, rational: ratGcd,
		why: "a kernel on positive integers only: gcd(0, 0) = 0 and gcd(0, 1) = 1"},
	{formula: "max(0, 1 - (x - y)^2)", domain: "reals", failed: Spectrum, points: 3, rational: ratEpanechnikov,
		why: "the Fourier transform of the Epanechnikov function has negative values"},
	{formula: "(1 + x*y)^0.5", domain: "positive", failed: Spectrum, points: 3, real: root,
		why: "the binomial series has a negative coefficient"},
	{formula: "exp(-abs(x - y)^2.0001)", domain: "reals", failed: Spectrum, points: 3, vector: expPowerNear2,
		why: "exp(−|t|^p) with p barely above 2: an eigenvalue of −1e-9"},
	{formula: "1/(1 + (x - y)^4)", domain: "reals", failed: Spectrum, points: 3, rational: ratQuartic,
		why: "its second derivative at 0 vanishes, so that the spectral measure has no variance"},
	{formula: "exp(-l1(x, y)^2)", domain: "reals", dim: 2, failed: Spectrum, vector: expL1Squared,
		why: "the square of a distance in ℓ₁ is of negative type on a line only"},
	{formula: "max(0, 1 - sqrt(sqdist(x, y)))", domain: "reals", dim: 2, failed: Spectrum, vector: cone,
		why: "(1 − r)₊ is positive definite on the line, but not in the plane (Golubov 1981)"},
	{formula: "exp(-max(abs(x[0]-y[0]), abs(x[1]-y[1]), abs(x[2]-y[2])))", domain: "reals", dim: 3, failed: Spectrum, vector: expSup,
		why: "ℓ∞ of dimension 3 does not embed in L₁ (Misiewicz 1989)"},
	{formula: "x*y + 0.001*x", domain: "reals", failed: Symmetry, points: 2,
		why: "not symmetric"},
}

// truths are positive definite; why says how that is proved.
var truths = []struct {
	formula, domain string
	dim             int
	why             string
}{
	{"1/(1 - x*y)", "(-1,1)", 1, "quiz: geometric series"},
	{"2^(x + y)", "reals", 1, "quiz: 2^x·2^y"},
	{"2^(x*y)", "naturals", 1, "quiz: exponential series"},
	{"2^(x*y)", "reals", 1, "quiz: exponential series"},
	{"exp(-abs(x - y)^2)", "reals", 1, "quiz: Gaussian"},
	{"cos(x - y)", "reals", 1, "quiz: cos x cos y + sin x sin y"},
	{"min(x, y)", "positive", 1, "quiz: ∫ 1[t ≤ x] 1[t ≤ y] dt"},
	{"min(x, y)/max(x, y)", "positive", 1, "quiz: exp(−|log x − log y|)"},
	{"gcd(x, y)", "naturals", 1, "quiz: Σ φ(d) 1[d|x] 1[d|y]"},
	{"gcd(x, y)/lcm(x, y)", "naturals", 1, "quiz: product over primes of p^(−|a−b|)"},
	{"1/(1 - min(x, y))", "unit", 1, "quiz: geometric series of min"},
	{"1/(1 + abs(x - y))", "reals", 1, "∫ e^(−t(1+|x−y|)) dt"},
	{"cos(x)*cos(y)", "reals", 1, "f(x)f(y): rank one"},
	{"sin(x)*sin(y)", "reals", 1, "f(x)f(y): rank one"},
	{"exp(x*y)", "reals", 1, "exponential series"},
	{"1/(x + y)", "(0,inf)", 1, "Cauchy matrix: ∫ e^(−tx) e^(−ty) dt"},
	{"max(0, 1 - abs(x - y))", "reals", 1, "overlap of two intervals of length 1"},
	{"max(0, 1 - abs(x[0] - y[0]))*max(0, 1 - abs(x[1] - y[1]))", "reals", 2, "product of two kernels"},
	{"exp(-max(abs(x[0]-y[0]), abs(x[1]-y[1])))", "reals", 2, "ℓ∞ of the plane is ℓ₁ turned by 45°"},
	{"x*y", "(100000000,100000016)", 1, "linear with a large offset: rank one"},
	{"dot(x, y)", "(100000000,100000016)", 3, "linear with a large offset: rank 3"},
	{"(1 + x*y)^5", "reals", 1, "polynomial: rank 6"},
	{"(1e8 + x*y)^5", "reals", 1, "polynomial with a large offset"},
	{"exp(-sqdist(x, y)/1e12)", "reals", 2, "Gaussian of huge width: nearly rank one"},
	{"exp(-(x - y)^2/2) + 1e9", "reals", 1, "a constant that hides the rest in float64"},
	{"exp(log(1 + x*y)) - 1 - x*y + 2^-60*x*y", "positive", 1, "x·y behind a cancellation"},
	{"(1 + exp(-300*(x*x + y*y))) - 1", "(-1,1)", 1, "rank one behind a cancellation of any depth"},
	{"exp(-(x/3 - y/3)^2)", "reals", 1, "Gaussian of rounded quotients"},
	{"x - x + y - y", "reals", 1, "zero"},
}

func mustFormula(t testing.TB, text string) *formula.Kernel {
	t.Helper()
	k, err := formula.New(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func mustDomain(t testing.TB, text string) Domain {
	t.Helper()
	d, err := ParseDomain(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestFalsify(t *testing.T) {
	seeds := uint64(5)
	if testing.Short() {
		seeds = 1
	}
	for _, c := range falsehoods {
		t.Run(c.formula+" on "+c.domain, func(t *testing.T) {
			k := mustFormula(t, c.formula)
			for seed := range seeds {
				r, err := Run(t.Context(), k, Options{Domain: mustDomain(t, c.domain), Dim: c.dim, Seed: seed})
				if err != nil {
					t.Fatal(err)
				}
				if r.Verdict != NotAKernel || r.Failed != c.failed || c.points > 0 && len(r.Witness.Points) != c.points {
					t.Fatalf("%s; want it to fail %s with %d points\n%s", c.why, c.failed, c.points, r)
				}
				if r.Contradiction {
					t.Fatalf("a proof and a counter-example:\n%s", r)
				}
				for _, p := range r.Witness.Points {
					if !mustDomain(t, c.domain).contains(p[0]) {
						t.Fatalf("witness %v lies outside the domain %s", p, c.domain)
					}
				}
				switch {
				case c.rational != nil:
					evaluateRational(t, r.Witness, c.rational)
				case c.real != nil:
					evaluateReal(t, r.Witness, func(x, y []float64) (*big.Float, error) { return c.real(real300(x[0]), real300(y[0])) })
				case c.vector != nil:
					evaluateReal(t, r.Witness, c.vector)
				}
			}
		})
	}
}

// evaluateRational computes aᵀKa of the witness without any rounding.
func evaluateRational(t *testing.T, w *Witness, k rational) {
	t.Helper()
	sum := new(big.Rat)
	for i, x := range w.Points {
		for j, y := range w.Points {
			term := k(rat(x[0]), rat(y[0]))
			term.Mul(term, rat(w.Coefficients[i]))
			sum.Add(sum, term.Mul(term, rat(w.Coefficients[j])))
		}
	}
	if sum.Sign() >= 0 {
		t.Errorf("exact aᵀKa = %v is not negative: %+v", sum, w)
	}
	if f, _ := sum.Float64(); f != w.Value {
		t.Errorf("exact aᵀKa = %v, reported %v", sum, w.Value)
	}
}

// evaluateReal computes aᵀKa of the witness at 300 bits.
func evaluateReal(t *testing.T, w *Witness, k vector300) {
	t.Helper()
	sum := new(big.Float).SetPrec(300)
	for i, x := range w.Points {
		for j, y := range w.Points {
			term, err := k(x, y)
			if err != nil {
				t.Fatal(err)
			}
			term.Mul(term, real300(w.Coefficients[i]))
			sum.Add(sum, term.Mul(term, real300(w.Coefficients[j])))
		}
	}
	reported, _, err := big.ParseFloat(w.Exact, 10, 300, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	bound := big.NewFloat(w.Bound)
	if sum.Cmp(new(big.Float).Neg(bound)) >= 0 {
		t.Errorf("aᵀKa = %.50g is not below −%.3g: %+v", sum, bound, w)
	}
	if d := new(big.Float).Sub(sum, reported); d.Abs(d).Cmp(bound) > 0 {
		t.Errorf("aᵀKa = %.60g, reported %s", sum, w.Exact)
	}
}

// TestNeverAccuse runs every true kernel over many seeds: one accusation is a wrong
// answer.
func TestNeverAccuse(t *testing.T) {
	seeds, budget := 10, 12_000
	switch {
	case testkit.Large():
		seeds = 50
	case testing.Short():
		seeds = 2
	}
	for _, c := range truths {
		t.Run(c.formula+" on "+c.domain, func(t *testing.T) {
			t.Parallel()
			k := mustFormula(t, c.formula)
			for seed := range seeds {
				o := Options{Domain: mustDomain(t, c.domain), Dim: c.dim, Seed: uint64(seed), Budget: budget}
				if seed == 0 && !testing.Short() {
					o.Budget = 200_000
				}
				r, err := Run(t.Context(), k, o)
				if err != nil {
					t.Fatal(err)
				}
				if r.Verdict != NoCounterexample {
					t.Fatalf("seed %d: a true kernel (%s) is accused:\n%s", seed, c.why, r)
				}
				if r.Tried.Sets < 100 || r.Tried.Smallest < -firstNoise*64 {
					t.Fatalf("seed %d: the search was not made or not explained:\n%s", seed, r)
				}
			}
		})
	}
}

// opaque hides the exact evaluation of a kernel.
type opaque struct{ of kernel.Kernel[[]float64] }

func (k opaque) Eval(x, y []float64) float64 { return k.of.Eval(x, y) }
func (k opaque) String() string              { return fmt.Sprintf("opaque(%s)", k.of) }

// TestFloat64Only: without exact evaluation a false kernel yields numerical evidence
// at best, and a true one nothing.
func TestFloat64Only(t *testing.T) {
	for i, c := range falsehoods {
		if testing.Short() && i%3 != 0 {
			continue
		}
		k := opaque{mustFormula(t, c.formula)}
		if c.failed == Symmetry {
			continue
		}
		r, err := Run(t.Context(), k, Options{Domain: mustDomain(t, c.domain), Dim: c.dim, Budget: 200_000})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != NumericalEvidence || r.Witness.Exact != "" || !(r.Witness.Value < -r.Witness.Bound) {
			t.Errorf("%s on %s: want numerical evidence\n%s", c.formula, c.domain, r)
		}
	}
	for _, c := range truths {
		if strings.Contains(c.why, "behind a") {
			continue // nothing but rounding errors in float64
		}
		r, err := Run(t.Context(), opaque{mustFormula(t, c.formula)}, Options{Domain: mustDomain(t, c.domain), Dim: c.dim, Budget: 30_000})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != NoCounterexample {
			t.Errorf("%s on %s: accused by rounding\n%s", c.formula, c.domain, r)
		}
	}
}
