package check

import (
	"context"
	"testing"
)

func testEngine(t testing.TB, formula, domain string, dim int) *engine {
	t.Helper()
	o, err := Options{Domain: mustDomain(t, domain), Dim: dim}.checked(1)
	if err != nil {
		t.Fatal(err)
	}
	return newEngine(context.Background(), mustFormula(t, formula), o, 1)
}

func line(values ...float64) [][]float64 {
	points := make([][]float64, len(values))
	for i, v := range values {
		points[i] = []float64{v}
	}
	return points
}

// TestFactorBeyondFloat64: indefiniteness of a relative size of 2^−70 is invisible in
// float64 and certain in arbitrary precision.
func TestFactorBeyondFloat64(t *testing.T) {
	e := testEngine(t, "exp(-(x - y)^2) - (x == y ? 2^-70 : 0)", "reals", 1)
	// On these points the smallest eigenvalue of the Gaussian is of the order of 2^−110.
	points := line(1, 1+0x1p-12, 1+0x1p-11, 1+3*0x1p-12, 1+0x1p-10, 1+5*0x1p-12)
	lambda, _, ok := e.eigen(points)
	if !ok || lambda < -firstNoise*6 {
		t.Fatalf("float64 sees λ = %g; the test needs a case that it does not see", lambda)
	}
	if c := e.falsify(points); c != nil {
		t.Fatal("float64 alone falsified it")
	}
	e.deep = true
	c := e.falsify(points)
	if c == nil {
		t.Fatal("not falsified in arbitrary precision")
	}
	if c.proof.exact.Sign() >= 0 || !(c.proof.value < -c.proof.bound) {
		t.Errorf("certificate %+v", c.proof)
	}
	// And the same without the subtraction is innocent.
	true1 := testEngine(t, "exp(-(x - y)^2)", "reals", 1)
	true1.deep = true
	if c := true1.falsify(points); c != nil {
		t.Errorf("the Gaussian is accused: %+v", c)
	}
}

// TestFactorZeroPivots: zeros on the diagonal are indefinite only with something
// beside them.
func TestFactorZeroPivots(t *testing.T) {
	for _, c := range []struct {
		formula string
		want    bool
	}{
		{"x*y*(x - 1)*(y - 1)", false}, // zero at 0 and 1, rank one
		{"abs(x - y)", true},
		{"x*y*(x - 1)*(y - 1) + 2^-80*abs(x - y)", true},
		{"0*x*y", false},
	} {
		e := testEngine(t, c.formula, "reals", 1)
		if got := e.factor(line(0, 1, 2, 3)); (got != nil) != c.want {
			t.Errorf("%s: %+v, want falsified: %t", c.formula, got, c.want)
		}
	}
}

// TestCertify: a value counts only beyond its bound, in both modes.
func TestCertify(t *testing.T) {
	e := testEngine(t, "x*y - 2^-100", "reals", 1)
	points := line(1, 2)
	if _, ok := e.certify(points, []float64{2, -1}); !ok { // rank one minus 2^−100·(2 − 1)²
		t.Error("−2^−100 is not certified at 200 bits")
	}
	e.prec = 100
	if _, ok := e.certify(points, []float64{2, -1}); ok {
		t.Error("−2^−100 is certified at 100 bits, of which 24 are margin")
	}
	e.exact = nil
	if _, ok := e.certify(points, []float64{2, -1}); ok {
		t.Error("−2^−100 is certified in float64")
	}
	e = testEngine(t, "x*y - 2^-30", "reals", 1)
	e.exact = nil
	if proof, ok := e.certify(points, []float64{2, -1}); !ok || proof.exact != nil || proof.value != -0x1p-30 {
		t.Errorf("−2^−30 in float64: %+v, %t", proof, ok)
	}
}

func TestAsymmetric(t *testing.T) {
	for _, c := range []struct {
		formula string
		want    bool
	}{
		{"x - y", true},
		{"x*y + 1e-30*x", true},  // invisible in float64
		{"x*y + 1e-70*x", false}, // beyond 200 bits with their margin
		{"x*y + 1e-9*x", true},
		{"(x + y) + 0.1", false},
		{"x*y", false},
	} {
		e := testEngine(t, c.formula, "reals", 1)
		if got := e.asymmetric([]float64{1}, []float64{2}, true); (got != nil) != c.want {
			t.Errorf("%s: %+v, want %t", c.formula, got, c.want)
		}
	}
}
