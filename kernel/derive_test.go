package kernel_test

import (
	"math"
	"strings"
	"testing"

	"example.org/mercer/kernel"
)

func TestDerive(t *testing.T) {
	constant := func(c float64) kernel.Kernel[float64] { return kernel.Constant[float64]{Value: c} }
	scaled := func(c float64, k kernel.Kernel[float64]) kernel.Kernel[float64] {
		return kernel.Scaled[float64]{Factor: c, Of: k}
	}
	series := func(k kernel.Kernel[float64], a ...float64) kernel.Kernel[float64] {
		return kernel.Series[float64]{Of: k, Coefficients: a}
	}
	for _, c := range []struct {
		k    kernel.Kernel[float64]
		want kernel.Verdict
		says string
	}{
		{constant(2), kernel.Definite, "φ(x) = √c"},
		{constant(-2), kernel.Indefinite, "aᵀKa = c < 0"},
		{constant(math.NaN()), kernel.Unknown, "not a number"},
		{scaled(2, gauss{1}), kernel.Definite, "non-negative multiple"},
		{scaled(0, saddle{1}), kernel.Definite, "zero kernel"},
		{scaled(2, saddle{1}), kernel.Indefinite, "counter-example of saddle"},
		{scaled(-1, constant(1)), kernel.Indefinite, "aᵀKa < 0"},
		{scaled(-1, gauss{1}), kernel.Unknown, "only where that kernel vanishes"},
		{scaled(-1, saddle{1}), kernel.Unknown, "no rule"},
		{kernel.Sum[float64]{Terms: kernels(gauss{1}, dot{})}, kernel.Definite, "a sum of positive definite"},
		{kernel.Sum[float64]{Terms: kernels(gauss{1}, saddle{1})}, kernel.Unknown, "saddle is not positive definite"},
		{kernel.Sum[float64]{Terms: kernels(saddle{1})}, kernel.Indefinite, "is that kernel"},
		{kernel.Product[float64]{Factors: kernels(gauss{1}, dot{})}, kernel.Definite, "Schur"},
		{kernel.Product[float64]{Factors: kernels(saddle{1}, saddle{1})}, kernel.Unknown, "saddle is not"},
		{kernel.Product[float64]{Factors: kernels(dot{})}, kernel.Definite, "is that kernel"},
		{kernel.Power[float64]{Of: dot{}, Degree: 3}, kernel.Definite, "Schur"},
		{kernel.Power[float64]{Of: saddle{1}, Degree: 1}, kernel.Indefinite, "k¹ = k"},
		{kernel.Power[float64]{Of: saddle{1}, Degree: 0}, kernel.Definite, "k⁰ = 1"},
		{kernel.Power[float64]{Of: dot{}, Degree: -1}, kernel.Unknown, "negative power"},
		{kernel.Exp[float64]{Of: dot{}}, kernel.Definite, "limit of sums of powers"},
		{kernel.Exp[float64]{Of: saddle{1}}, kernel.Unknown, "saddle is not"},
		{series(dot{}, 1, 0, 2), kernel.Definite, "radius of convergence"},
		{series(dot{}, 1, -1), kernel.Unknown, "the coefficient of k^1 is -1"},
		{series(saddle{1}, 1, 1), kernel.Unknown, "saddle is not"},
		{kernel.Normalized[float64]{Of: dot{}}, kernel.Definite, "1/√k(x, x)"},
		{kernel.Conformal[float64]{Of: dot{}, By: square}, kernel.Definite, "f(x)·φ(x)"},
		{kernel.Conformal[float64]{Of: unreasoned{}, By: square}, kernel.Unknown, "unreasoned is not provably"},
		{kernel.Composed[float64, float64]{Of: dot{}, By: twice}, kernel.Definite, "every map"},
	} {
		d := kernel.Derive(c.k)
		if d.Verdict != c.want || !strings.Contains(d.Reason, c.says) {
			t.Errorf("%s is %s: %s\nwant %s: … %q", c.k, d.Verdict, d.Reason, c.want, c.says)
		}
		if d.Kernel != c.k.String() {
			t.Errorf("the derivation of %s is about %s", c.k, d.Kernel)
		}
	}
}

// unreasoned cannot argue.
type unreasoned struct{}

func (unreasoned) Eval(x, y float64) float64 { return 1 }
func (unreasoned) String() string            { return "unreasoned" }

func TestDeriveGivesAProofTree(t *testing.T) {
	k, err := parse("exp(of=2*dot + gauss(sigma=1)*dot)")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	var walk func(d kernel.Derivation, indent string)
	walk = func(d kernel.Derivation, indent string) {
		lines = append(lines, indent+d.Kernel)
		for _, part := range d.From {
			walk(part, indent+"  ")
		}
	}
	walk(kernel.Derive(k), "")
	want := `exp(of=2*dot + gauss(sigma=1)*dot)
  2*dot + gauss(sigma=1)*dot
    2*dot
      dot
    gauss(sigma=1)*dot
      gauss(sigma=1)
      dot`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("the proof tree is\n%s\nwant\n%s", got, want)
	}
}

// A derivation prints as sentences, each once: that of the kernel first.
func TestDerivationIsASentence(t *testing.T) {
	d := kernel.Derivation{Kernel: "a + a", Verdict: kernel.Definite, Reason: "a sum of kernels", From: []kernel.Derivation{
		{Kernel: "a", Verdict: kernel.Definite, Reason: "an inner product."}, {Kernel: "a", Verdict: kernel.Definite, Reason: "an inner product."}}}
	const want = "a + a is positive definite: a sum of kernels. a is positive definite: an inner product."
	if got := d.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
