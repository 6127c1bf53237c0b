package check

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
)

func TestOptions(t *testing.T) {
	_, err := Run(t.Context(), mustFormula(t, "x*y"), Options{Dim: -1, Budget: -5, Prec: 10})
	for _, word := range []string{"dim = -1", "budget = -5", "prec = 10"} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("error %v does not name %s", err, word)
		}
	}
	if _, err := Run(t.Context(), nil, Options{}); err == nil {
		t.Error("a nil kernel is accepted")
	}
	r, err := Run(t.Context(), mustFormula(t, "x*y"), Options{Budget: 1})
	if err != nil || r.Verdict != NoCounterexample {
		t.Errorf("a budget of one evaluation: %v, %v", r, err)
	}
}

func TestUndefined(t *testing.T) {
	for formula, why := range map[string]string{
		"log(-1 - x*x)":   "defined at none of the points",
		"x[3]*y[3]":       "uses coordinate 3",
		"gcd(x/2, y/2)/0": "defined at none",
	} {
		if r, err := Run(t.Context(), mustFormula(t, formula), Options{}); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, %v; want …%s…", formula, r, err, why)
		}
	}
	r, err := Run(t.Context(), mustFormula(t, "gcd(x, y)"), Options{Domain: Positive(), Budget: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "left out") {
		t.Errorf("no note on fractions outside the domain of gcd:\n%s", r)
	}
}

// TestDeterministic: the same options give the same report, other seeds other sets.
func TestDeterministic(t *testing.T) {
	k := mustFormula(t, "exp(-abs(x - y)^1.9)")
	o := Options{Budget: 100_000, Seed: 4}
	a, errA := Run(t.Context(), k, o)
	b, errB := Run(t.Context(), k, o)
	if errA != nil || errB != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("two runs differ:\n%v\n%v", a, b)
	}
	o.Seed = 5
	c, err := Run(t.Context(), k, o)
	if err != nil || reflect.DeepEqual(a.Tried, c.Tried) {
		t.Errorf("another seed tried the same: %v, %v", c, err)
	}
}

// TestCancel ends a search of 2⁴⁰ evaluations, years of work: that it returns is the test.
func TestCancel(t *testing.T) {
	_, err := Run(testkit.Countdown(t.Context(), 100), mustFormula(t, "exp(-abs(x - y))"), Options{Budget: 1 << 40})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// liar claims a proof for a function that is no kernel.
type liar struct{ opaque }

func (liar) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: "liar", Verdict: kernel.Definite, Reason: "trust me"}
}

// exactLiar can be evaluated exactly, so that it is convicted.
type exactLiar struct {
	kernel.Exact[[]float64]
}

func (exactLiar) Derive() kernel.Derivation { return liar{}.Derive() }

func TestContradiction(t *testing.T) {
	r, err := Run(t.Context(), exactLiar{mustFormula(t, "max(x, y)")}, Options{Domain: Positive()})
	if err != nil || !r.Contradiction || !strings.Contains(r.String(), "CONTRADICTION") {
		t.Errorf("a proof of a false kernel goes unnoticed: %v\n%s", err, r)
	}
	r, err = Run(t.Context(), liar{opaque{mustFormula(t, "max(x, y)")}}, Options{Domain: Positive()})
	if err != nil || r.Contradiction { // evidence in float64 contradicts no proof
		t.Errorf("float64 evidence is called a contradiction: %v\n%s", err, r)
	}
}

// TestHuge: a witness whose value overflows float64 is still valid JSON.
func TestHuge(t *testing.T) {
	r, err := Run(t.Context(), mustFormula(t, "-1e308 - x*y"), Options{})
	if err != nil || r.Verdict != NotAKernel {
		t.Fatalf("%v\n%s", err, r)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

func TestText(t *testing.T) {
	r, err := Run(t.Context(), mustFormula(t, "log(1 + x*y)"), Options{Domain: Positive()})
	if err != nil {
		t.Fatal(err)
	}
	const want = `kernel      formula("log(1 + x*y)")
domain      positive, [0, ∞)
verdict     NOT a positive definite kernel: fails the test of Cauchy–Schwarz, certified with 200 bits
  x1 = 1   a1 = 2
  x2 = 2   a2 = -1
  k(x1, x2)² = 1.20695 > k(x1, x1)·k(x2, x2) = 1.11558
  aᵀKa = -0.012422519998557154… < 0
derivation  formula("log(1 + x*y)"): not provably positive definite; no rule for formulas applies to its form; search for a counter-example
`
	if got := r.String(); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"verdict":"not a kernel"`, `"failed":"Cauchy–Schwarz"`, `"points":[[1],[2]]`, `"coefficients":[2,-1]`, `"bits":200`, `"derivation":{"kernel":`, `"verdict":"not provably positive definite"`} {
		if !strings.Contains(string(raw), part) {
			t.Errorf("JSON lacks %s: %s", part, raw)
		}
	}
	definite, err := Run(t.Context(), mustFormula(t, "2^(x*y)"), Options{Budget: 1000})
	if err != nil || !strings.Contains(definite.String(), "positive definite: proved by its form, and no counter-example found") {
		t.Errorf("%v\n%s", err, definite)
	}
}
