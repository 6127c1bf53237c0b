package vec_test

import (
	"slices"
	"strings"
	"testing"

	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
)

// A kernel on amounts is found wherever it stands, with the columns in force; others are not.
func TestKernelsThatCompareNumbersAsWritten(t *testing.T) {
	for text, want := range map[string][]string{
		"rbf(sigma=1) + linear[a]":                            nil,
		"tanimoto[fp*]":                                       {"tanimoto [fp*]"},
		"tanimoto + rbf(sigma=?)[age]":                        {"tanimoto"},
		"rbf(sigma=median)[age]*(min + 2*chi2(gamma=?))[h*]":  {"min [h*]", "chi2 [h*]"},
		"normalize(of=intersection)[h1,h2]^2":                 {"intersection [h1,h2]"},
		"exp(js(gamma=1)[p*])":                                {"js [p*]"},
		"compose(hellinger, \"log(x)\") + spectrum(k=3)[min]": {"hellinger"},
	} {
		n, err := expr.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, u := range expr.AsWritten(n, vec.Dictionary(vec.Schema{})) {
			name := u.Kernel
			if u.Columns != nil {
				name += " " + expr.FormatColumns(u.Columns)
			}
			if got = append(got, name); u.Why == "" {
				t.Errorf("%s: %s does not say what it compares", text, name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// A kernel that is defined for some numbers alone would not be defined for standardised ones: it
// takes them as they are written.
func TestDomainsOfNumbersAreWritten(t *testing.T) {
	d := vec.Dictionary(vec.Schema{})
	for name, e := range d.Kernels {
		if slices.ContainsFunc(e.Arguments, func(a expr.Argument) bool { return a.Default == "" }) {
			continue // it needs an argument
		}
		k, err := expr.ParseKernel(name, d)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c, ok := k.(interface{ Contains(x []float64) error })
		if ok && c.Contains([]float64{-1.25}) != nil && e.AsWritten == "" {
			t.Errorf("%s refuses -1.25, a standardised number, and does not ask for numbers as they are written", name)
		}
	}
}

// What lectures write is the kernel that they mean, and is printed in one way.
func TestTheSpellingsOfLectures(t *testing.T) {
	for text, want := range map[string]string{
		"rbf(beta=0.5)":         "rbf(sigma=1)", // exp(−β‖x−y‖²)
		"rbf(β=0.5)":            "rbf(sigma=1)",
		"rbf(γ=2)":              "rbf(sigma=0.5)",
		"gaussian(σ=3)":         "rbf(sigma=3)",
		"rbf(omega=2)":          "rbf(sigma=1.414213562373095)", // exp(−‖x−y‖²/ω²)
		"rbf(ω=2)":              "rbf(sigma=1.414213562373095)",
		"laplace(γ=4)":          "laplace(sigma=0.25)",
		"poly(p=3, delta=1)":    "poly(degree=3, offset=1)",
		"poly(d=3, a=1, γ=0.5)": "poly(degree=3, offset=1, scale=0.5)",
		"tanh(δ=-1)":            "tanh(offset=-1)",
		"matern(ν=2.5, ℓ=2)":    "matern(nu=2.5, sigma=2)",
		"rq(α=2, σ=1)":          "rq(alpha=2, sigma=1)",
		"gintersection(β=0.5)":  "gintersection(beta=0.5)",
		"chi2(γ=2) + js(γ=3)":   "chi2(gamma=2) + js(gamma=3)",
		"periodic(p=7, σ=0.5)":  "periodic(period=7, sigma=0.5)",
	} {
		got, err := vec.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		same, err := vec.Parse(want)
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != same.String() {
			t.Errorf("%s is %s, want %s", text, got, same)
		}
	}
	for _, text := range []string{"rbf(sigma=1, β=2)", "rbf(γ=1, beta=2)", "rbf(ω=1, σ=2)"} {
		if _, err := vec.Parse(text); err == nil || !strings.Contains(err.Error(), "twice") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
