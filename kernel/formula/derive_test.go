package formula

import (
	"testing"

	"example.org/mercer/kernel"
)

func TestDerive(t *testing.T) {
	for _, c := range []struct {
		formula string
		want    kernel.Verdict
		why     string
	}{
		{"x*y", kernel.Definite, "rank one"},
		{"3", kernel.Definite, "constant"},
		{"-3", kernel.Indefinite, "negative constant"},
		{"pi - 3", kernel.Definite, "a constant that must be computed"},
		{"2*x*y + 1", kernel.Definite, "linear with offset"},
		{"x*y*2/3", kernel.Definite, "constants anywhere"},
		{"(1 + dot(x, y))^3", kernel.Definite, "polynomial"},
		{"(1 + dot(x, y))^2.5", kernel.Unknown, "not an integer"},
		{"dot(x, y)/(norm(x)*norm(y))", kernel.Definite, "cosine"},
		{"dot(x, y)/norm(x)/norm(y)", kernel.Definite, "cosine, two divisions"},
		{"dot(x, x)*dot(y, y)", kernel.Definite, "f(x)·f(y) of points"},
		{"cos(x)*cos(y) + sin(x)*sin(y)", kernel.Definite, "sum of rank ones"},
		{"cos(x)*sin(y)", kernel.Unknown, "not f(x)·f(y)"},
		{"cos(2*x - 2*y)", kernel.Definite, "cosine of a difference"},
		{"cos(3*(x[0] - y[0]))", kernel.Definite, "cosine of a multiple of a difference"},
		{"asin(dot(x, y)/sqrt(1 + norm(x)^2)/sqrt(1 + norm(y)^2))", kernel.Definite, "arcsine of a kernel below 1"},
		{"asin(x - y)", kernel.Unknown, "arcsine of no kernel"},
		{"erf(x*y)", kernel.Unknown, "coefficients of two signs"},
		{"cos(x + y)", kernel.Unknown, "quiz: not a kernel"},
		{"cos(x - 2*y)", kernel.Unknown, "no difference of one function"},
		{"exp(x*y)", kernel.Definite, "quiz-like"},
		{"exp(-x*y)", kernel.Unknown, "negative"},
		{"2^(x + y)", kernel.Definite, "quiz: rank one"},
		{"2^(x*y)", kernel.Definite, "quiz: exponential of a kernel"},
		{"0.5^(x*y)", kernel.Unknown, "e^(−ln 2·xy)"},
		{"0.5^abs(x - y)", kernel.Definite, "e^(−ln 2·|x−y|)"},
		{"exp(-(x - y)^2/2)", kernel.Definite, "Gaussian"},
		{"exp(-x^2 - y^2 + 2*x*y)", kernel.Definite, "Gaussian, expanded"},
		{"exp(-x^2 + y^2)", kernel.Unknown, "not symmetric"},
		{"exp(-(x - y)*(x - y))", kernel.Definite, "Gaussian, as a product"},
		{"exp(-abs(x - y)^1.5)", kernel.Definite, "p ≤ 2"},
		{"exp(-abs(x - y)^3)", kernel.Unknown, "p > 2"},
		{"exp(-pow(sqdist(x, y), 0.3))", kernel.Definite, "p ≤ 1 of a squared distance"},
		{"exp(-pow(sqdist(x, y), 1.1))", kernel.Unknown, "p > 1 of a squared distance"},
		{"exp(-sqrt(l1(x, y))/3 + x[0]*y[0])", kernel.Definite, "times an exponential of a kernel"},
		{"exp(l1(x, y))", kernel.Unknown, "wrong sign"},
		{"exp(-abs(log(x) - log(y)))", kernel.Definite, "distance of f"},
		{"1/(1 + abs(x - y))", kernel.Definite, "mixture of Laplace kernels"},
		{"x*y/(2 + sqdist(x, y))^1.5", kernel.Definite, "inverse multiquadric times linear"},
		{"(1 + sqdist(x, y)/2)^-1", kernel.Definite, "rational quadratic"},
		{"1/abs(x - y)", kernel.Unknown, "no constant: infinite on the diagonal"},
		{"1/(1 + x*y)", kernel.Unknown, "not a kernel"},
		{"1/(1 - x*y)", kernel.Unknown, "a kernel on (−1, 1) only"},
		{"min(x, y)", kernel.Unknown, "a kernel on ℝ₊ only"},
		{"-x*y", kernel.Unknown, "negative"},
		{"(-2)*(-3)*x*y", kernel.Definite, "two signs cancel"},
		{"x*y - 1", kernel.Unknown, "a difference"},
		{"x + y", kernel.Unknown, "not a kernel"},
		{"log(1 + x*y)", kernel.Unknown, "quiz: not a kernel"},
		{"x[0]*y[1]", kernel.Unknown, "different coordinates"},
		{"(x < 1 ? x : 1)*(y < 1 ? y : 1)", kernel.Definite, "f(x)·f(y) with a conditional"},
		{"x < y ? x : y", kernel.Unknown, "no rule"},
		{"sqdist(x, y)", kernel.Unknown, "zero diagonal"},
	} {
		k, err := New(c.formula)
		if err != nil {
			t.Errorf("%s: %v", c.formula, err)
			continue
		}
		d := k.Derive()
		if d.Verdict != c.want || d.Kernel != k.String() || d.Reason == "" {
			t.Errorf("%s (%s): %v because %s, want %v", c.formula, c.why, d.Verdict, d.Reason, c.want)
		}
	}
}

// TestText: the text of a tree parses to a tree with the same text and value.
func TestText(t *testing.T) {
	for _, text := range []string{
		"x - (y - 1) - 2", "x/(y*2)/3", "-(x + 1)^2", "(-x)^2", "2^3^x", "(2^3)^x", "x*-y", "-(-x)",
		"(x < y ? 1 : 2)*3", "x < y and not (x == 1 or y > 2) ? x : y", "min(x, y, 2)", "exp(-abs(x - y))^2",
		"(x < 1 ? 2 : 3) < 3 ? 1 : 2", "1 - -2", "(x + y)*(x - y)", "x[0] + pi*e",
	} {
		n, err := parse(text, scope{points: []string{"x", "y"}})
		if err != nil {
			t.Fatal(err)
		}
		again, err := parse(n.text(0), scope{points: []string{"x", "y"}})
		if err != nil {
			t.Errorf("%s is written as %s: %v", text, n.text(0), err)
			continue
		}
		a, _ := compile(text, n)
		b, _ := compile(text, again)
		x, y := []float64{1.75}, []float64{0.3}
		if again.text(0) != n.text(0) || a.run(x, y) != b.run(x, y) {
			t.Errorf("%s is written as %s, which is %v instead of %v", text, n.text(0), b.run(x, y), a.run(x, y))
		}
	}
}
