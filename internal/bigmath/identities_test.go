package bigmath

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

const testPrec = 200

// must unwraps a result that cannot fail.
func must(t interface{ Fatal(...any) }) func(*big.Float, error) *big.Float {
	return func(x *big.Float, err error) *big.Float {
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

// real draws a number of 53 significant bits and a binary exponent below limit.
func real(t *rapid.T, name string, limit int) *big.Float {
	m := rapid.Float64Range(0.5, 1).Draw(t, name)
	e := rapid.IntRange(-limit, limit).Draw(t, name+" exponent")
	if rapid.Bool().Draw(t, name+" negative") {
		m = -m
	}
	return new(big.Float).SetMantExp(big.NewFloat(m), e)
}

// within fails unless |got − want| ≤ ulp·2^−200·scale.
func within(t *rapid.T, what string, got, want *big.Float, scale, ulp float64) {
	t.Helper()
	d := new(big.Float).SetPrec(4*testPrec).Sub(got, want)
	bound := new(big.Float).SetMantExp(big.NewFloat(scale*ulp), -testPrec)
	if d.Abs(d).Cmp(bound) > 0 {
		t.Fatalf("%s: got %.60g, want %.60g, off by %.3g, more than %.3g", what, got, want, d, bound)
	}
}

func TestIdentities(t *testing.T) {
	p := precision(2 * testPrec)
	rapid.Check(t, func(t *rapid.T) {
		get := must(t)
		x, y := real(t, "x", 8), real(t, "y", 8)
		fx, _ := new(big.Float).Abs(x).Float64()

		// exp(log|x|) = |x|, with log taken wide because exp multiplies its error by |log x|.
		a := new(big.Float).Abs(x)
		l := get(Log(a, testPrec+16))
		within(t, "exp(log x)", get(Exp(l, testPrec)), a, fx, 2)

		// exp(x+y) = exp x · exp y.
		ex, ey := get(Exp(x, testPrec)), get(Exp(y, testPrec))
		prod := p.mul(ex, ey)
		if u := ulps(get(Exp(p.add(x, y), testPrec)), prod, testPrec); u > 4 {
			t.Fatalf("exp(x+y) off by %g ulp", u)
		}

		// sin² + cos² = 1 and sin(x+y) = sin x cos y + cos x sin y.
		sx, cx := get(Sin(x, testPrec)), get(Cos(x, testPrec))
		sy, cy := get(Sin(y, testPrec)), get(Cos(y, testPrec))
		within(t, "sin²+cos²", p.add(p.mul(sx, sx), p.mul(cx, cx)), p.int(1), 1, 4)
		within(t, "sin(x+y)", get(Sin(p.add(x, y), testPrec)), p.add(p.mul(sx, cy), p.mul(cx, sy)), 1, 6)

		// tanh x = (1 − e^(−2x))/(1 + e^(−2x)).
		e := get(Exp(p.half(p.of().Neg(x), -1), 2*testPrec))
		within(t, "tanh", get(Tanh(x, testPrec)), p.quo(p.sub(p.int(1), e), p.add(p.int(1), e)), 1, 2)

		// expm1 and log1p are inverse, in relative accuracy, for tiny x too.
		tiny := p.half(x, rapid.IntRange(8, 300).Draw(t, "shrink"))
		if u := ulps(get(Log1p(get(Expm1(tiny, 2*testPrec)), testPrec)), tiny, testPrec); u > 2 {
			t.Fatalf("log1p(expm1 x) off by %g ulp at %g", u, tiny)
		}

		// (√a)² = a, a^(n/2)·a^(n/2) = aⁿ.
		r := get(Sqrt(a, testPrec))
		within(t, "sqrt", p.mul(r, r), a, fx, 4)
		n := rapid.Int64Range(-30, 30).Draw(t, "n")
		h := get(Pow(a, big.NewFloat(float64(n)/2), testPrec))
		if u := ulps(p.mul(h, h), get(PowInt(a, n, testPrec)), testPrec); u > 4 {
			t.Fatalf("pow(a, n/2)² off by %g ulp", u)
		}
	})
}

// TestAgainstMath compares with package math at 53 bits, where both are correct to
// about one unit in the last place.
func TestAgainstMath(t *testing.T) {
	plain := map[string]func(float64) float64{
		"exp": math.Exp, "expm1": math.Expm1, "log": math.Log, "log1p": math.Log1p, "log2": math.Log2,
		"sqrt": math.Sqrt, "sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "tanh": math.Tanh,
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-6, 600).Draw(t, "x")
		for name, f := range unaries {
			got, _ := must(t)(f(big.NewFloat(x), 53)).Float64()
			want := plain[name](x)
			// Package math promises less for sin, cos and tan of large arguments near a
			// zero, and for log2 near 1; 1e-13 is far below any slip in a reduction.
			if math.Abs(got-want) > 1e-15*math.Abs(want)+1e-13*min(1, math.Abs(want)) {
				t.Fatalf("%s(%v) = %v, want %v", name, x, got, want)
			}
		}
	})
}

func TestGcdLcm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64Range(-5000, 5000).Draw(t, "a"), rapid.Int64Range(-5000, 5000).Draw(t, "b")
		x, y := big.NewFloat(float64(a)), big.NewFloat(float64(b))
		g, _ := must(t)(Gcd(x, y, 64)).Int64()
		l, _ := must(t)(Lcm(x, y, 64)).Int64()
		// Slow and obvious: the largest number that divides both.
		want := int64(0)
		for d := int64(1); d <= max(abs(a), abs(b)); d++ {
			if a%d == 0 && b%d == 0 {
				want = d
			}
		}
		if g != want || g*l != abs(a*b) {
			t.Fatalf("gcd(%d, %d) = %d, want %d; lcm = %d", a, b, g, want, l)
		}
	})
}

func abs(n int64) int64 { return max(n, -n) }

func TestDomainErrors(t *testing.T) {
	inf, zero, one, half := big.NewFloat(math.Inf(1)), new(big.Float), big.NewFloat(1), big.NewFloat(0.5)
	minus, huge := big.NewFloat(-1), big.NewFloat(1e300)
	big20000 := new(big.Float).SetMantExp(one, 20000)
	for name, f := range unaries {
		if y, err := f(inf, 100); err == nil {
			t.Errorf("%s(+Inf) = %v, want an error", name, y)
		}
	}
	for name, got := range map[string]func() (*big.Float, error){
		"log(0)":          func() (*big.Float, error) { return Log(zero, 100) },
		"log(-1)":         func() (*big.Float, error) { return Log(minus, 100) },
		"log2(-1)":        func() (*big.Float, error) { return Log2(minus, 100) },
		"log1p(-1)":       func() (*big.Float, error) { return Log1p(minus, 100) },
		"sqrt(-1)":        func() (*big.Float, error) { return Sqrt(minus, 100) },
		"exp(1e300)":      func() (*big.Float, error) { return Exp(huge, 100) },
		"sin(2^20000)":    func() (*big.Float, error) { return Sin(big20000, 100) },
		"pow(0, -1)":      func() (*big.Float, error) { return Pow(zero, minus, 100) },
		"pow(0, -0.5)":    func() (*big.Float, error) { return Pow(zero, big.NewFloat(-0.5), 100) },
		"pow(-1, 0.5)":    func() (*big.Float, error) { return Pow(minus, half, 100) },
		"pow(1e300, 1e9)": func() (*big.Float, error) { return Pow(huge, big.NewFloat(1e9), 100) },
		"pow(2, 1e300)":   func() (*big.Float, error) { return Pow(big.NewFloat(2), huge, 100) },
		"powint(0, -3)":   func() (*big.Float, error) { return PowInt(zero, -3, 100) },
		"powint overflow": func() (*big.Float, error) { return PowInt(huge, math.MaxInt64, 100) },
		"gcd(0.5, 1)":     func() (*big.Float, error) { return Gcd(half, one, 100) },
		"lcm(1, 0.5)":     func() (*big.Float, error) { return Lcm(one, half, 100) },
		"gcd(2^20000, 1)": func() (*big.Float, error) { return Gcd(big20000, one, 100) },
	} {
		if y, err := got(); err == nil {
			t.Errorf("%s = %v, want an error", name, y)
		}
	}
}

// TestUnderflow: results below the exponent range of a big.Float are 0 or, for tanh,
// the limit.
func TestUnderflow(t *testing.T) {
	get := must(t)
	if y := get(Exp(big.NewFloat(-1e300), 100)); y.Sign() != 0 {
		t.Errorf("exp(-1e300) = %v, want 0", y)
	}
	if y := get(Tanh(big.NewFloat(-1e300), 100)); y.Cmp(big.NewFloat(-1)) != 0 {
		t.Errorf("tanh(-1e300) = %v, want -1", y)
	}
	if y := get(Pow(new(big.Float), big.NewFloat(0), 100)); y.Cmp(big.NewFloat(1)) != 0 {
		t.Errorf("pow(0, 0) = %v, want 1", y)
	}
}
