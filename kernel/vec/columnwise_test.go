package vec_test

import (
	"math"
	"strings"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/vec"
)

// The terms of a kernel that looks at every column by itself make up its values.
func TestColumnTermsAreTheKernel(t *testing.T) {
	rng := testkit.Rand(t, 41)
	for _, text := range []string{
		"rbf(sigma=1.3)", "rbf(sigma=[1, 0.5, 2])", "laplace1(sigma=2)", "laplace1(sigma=[1, 2, 3])", "linear()", "periodic(period=3, sigma=2)",
		"laplacepq(sigma=2, p=1.5)", "laplacepq(sigma=2, p=2, q=1)[1]", "laplace(sigma=2)[1]", "matern(sigma=0.7)[2]", "rq(alpha=2, sigma=1)[0]", "rbf(sigma=1)[2,0]", "rbf(sigma=[1, 2])[1,2]",
		"rbf(sigma=1)[0]*laplace1(sigma=2)[1,2]", "rbf(sigma=1)*laplace1(sigma=2)[1]", "0.5*rbf(sigma=1) + 2*laplace1(sigma=3)[0] + 0.1*linear()",
		"3", "2*(1 + rbf(sigma=1)[0])*(laplace1(sigma=1)[1] + 0.3)", "(1 + rbf(sigma=2)[0])^3", "2*linear()*3", "rbf(sigma=2)^0",
		"rbf(sigma=2, nan=ignore)", "laplace1(sigma=2, nan=penalise)", "linear(nan=penalise)", "linear(nan=ignore)",
	} {
		k := parse(t, text)
		terms, err := construction.ColumnTerms(k, 3)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		xs := cloud(rng, 8, 3, 0)
		if strings.Contains(text, "nan=") {
			xs.At(1)[0], xs.At(2)[0], xs.At(3)[2] = math.NaN(), math.NaN(), math.NaN()
		}
		for i := range 8 {
			for j := range 8 {
				got := 0.0
				for _, term := range terms {
					value := 1.0
					if term.Additive {
						value = 0
					}
					for _, f := range term.Factors {
						if v := f.Of(xs.At(i)[f.Column], xs.At(j)[f.Column]); term.Additive {
							value += v
						} else {
							value *= v
						}
					}
					got += term.Weight * value
				}
				testkit.Close(t, text, got, k.Eval(xs.At(i), xs.At(j)), 1e-13)
			}
		}
	}
}

// A kernel that looks at columns together has no terms, and the error names it.
func TestNoColumnTerms(t *testing.T) {
	for text, want := range map[string]string{
		"matern(sigma=1)":                       "matern(nu=1.5, sigma=1) of 3 columns is a function of a distance",
		"rbf(sigma=1) + poly(degree=2)[0]":      "poly(degree=2, offset=0) is no product",
		"laplacepq(sigma=2, p=2, q=1)":          "function of a distance",
		"linear()*rbf(sigma=1)":                 "add it instead",
		"rbf(sigma=[1, 2])":                     "2 widths",
		"(1 + rbf(sigma=1))^2*laplace(sigma=1)": "laplace(sigma=1)",
		"(1 + rbf(sigma=1))^10":                 "^10: multiplied out it has more than 1000 terms",
		"normalize(of=linear())":                "normalize(of=linear()) is no product",
	} {
		k, err := vec.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := construction.ColumnTerms(k, 3); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
}
