package vec_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/vec"
)

// categories draws n rows of levels, and their 0/1 features.
func categories(t *testing.T, seed uint64, n int, levels []int) (codes [][]int, features data.Vectors) {
	rng, d := testkit.Rand(t, seed), 0
	for _, m := range levels {
		d += m
	}
	features = data.MakeVectors(n, d)
	for i := range n {
		row, at := make([]int, len(levels)), 0
		for j, m := range levels {
			row[j] = rng.IntN(m)
			features.At(i)[at+row[j]] = 1
			at += m
		}
		codes = append(codes, row)
	}
	return codes, features
}

// Of features it is the product over the columns of levels, and in tiles of any kind of points:
// few and many columns, which are bound in other ways.
func TestCategoryIsTheProductOverColumns(t *testing.T) {
	for _, levels := range [][]int{{2}, {3, 2, 4}, {5, 4, 7, 3, 2, 6}, {40, 30, 20, 10}} {
		codes, xs := categories(t, 91, 60, levels)
		for _, rho := range []float64{0, 1e-9, 0.25, 0.9, 0.999} {
			k := vec.Category{Rho: rho}
			tiles := full(kernel.Bind(vec.Kernel(k), xs, xs), 60, 60)
			for i, a := range codes {
				for j, b := range codes {
					want := 1.0
					for c := range a {
						if a[c] != b[c] {
							want *= rho
						}
					}
					tolerance := 20 * 0x1p-53 // of exp and ln; with ρ = 0 both are exact
					testkit.Close(t, k.String(), k.Eval(xs.At(i), xs.At(j)), want, tolerance)
					testkit.Close(t, k.String()+" tile", tiles.Row(i)[j], want, tolerance)
				}
			}
		}
	}
}

func TestConformanceOfCategory(t *testing.T) {
	_, features := categories(t, 92, 16, []int{3, 2, 4})
	clear(features.At(3)) // levels that training has not seen
	xs := points(features)
	for _, text := range []string{"category(rho=0.3)", "category(rho=0)", "category(rho=0.3)[0,1,2] * rbf(sigma=2)[3,4]", "anova(of=category(rho=0.5), degree=2)"} {
		kerneltest.Run(t, parse(t, text), xs, kerneltest.Options[[]float64]{Parse: vec.Parse, Set: kerneltest.Vectors})
	}
}

// The gradient in ln ρ is that of central differences, whose error is h²/6 times the third
// derivative and 1e-16/h.
func TestCategoryGradient(t *testing.T) {
	_, xs := categories(t, 93, 8, []int{3, 2, 4})
	const h = 1e-5
	grad := make([]float64, 1)
	for _, rho := range []float64{0.05, 0.5, 0.95} {
		for i := range xs.Len() {
			x, y := xs.At(0), xs.At(i)
			vec.Category{Rho: rho}.EvalGrad(grad, x, y)
			want := (vec.Category{Rho: rho * math.Exp(h)}.Eval(x, y) - vec.Category{Rho: rho * math.Exp(-h)}.Eval(x, y)) / (2 * h)
			testkit.Close(t, "gradient", grad[0], want, 1e-8)
		}
	}
}

// A column of m levels has the eigenvalues 1−ρ and 1−ρ+mρ.
func TestCategorySpectrum(t *testing.T) {
	const m, rho = 5, 0.3
	xs := data.MakeVectors(m, m)
	for i := range m {
		xs.At(i)[i] = 1
	}
	gram := mat.NewSymDense(m, full(kernel.Bind(vec.Kernel(vec.Category{Rho: rho}), xs, xs), m, m).Data)
	var eigen mat.EigenSym
	if !eigen.Factorize(gram, false) {
		t.Fatal("no eigenvalues")
	}
	for i, v := range eigen.Values(nil) {
		want := 1 - rho
		if i == m-1 {
			want += m * rho
		}
		testkit.Close(t, "eigenvalue", v, want, 1e-14)
	}
}

// It is a product over the columns, for Shapley values; a level that no feature is of is half a
// level away from others.
func TestCategoryOfSingleFeatures(t *testing.T) {
	_, xs := categories(t, 94, 2, []int{3, 2})
	k, x, y := vec.Category{Rho: 0.2}, xs.At(0), xs.At(1)
	terms, err := construction.ColumnTerms(vec.Kernel(k), 5)
	if err != nil || len(terms) != 1 {
		t.Fatal(terms, err)
	}
	product := terms[0].Weight
	for _, f := range terms[0].Factors {
		product *= f.Of(x[f.Column], y[f.Column])
	}
	testkit.Close(t, "product of factors", product, k.Eval(x, y), 4e-16)
	testkit.Close(t, "unseen", k.Eval([]float64{0, 0}, []float64{0, 1}), math.Sqrt(0.2), 2e-16)
}

func TestCategoryRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"category":            "category needs the argument rho",
		"category(rho=1)":     "rho = 1 must be at least 0 and below 1",
		"category(rho=-0.1)":  "rho = -0.1 must be at least 0 and below 1",
		"category(sigma=0.1)": "no argument",
	} {
		if _, err := vec.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for _, v := range []float64{2, 0.5, -1, math.NaN()} {
		if err := (vec.Category{Rho: 0.5}).Contains([]float64{1, v}); err == nil || !strings.Contains(err.Error(), "coordinate 2") {
			t.Errorf("%v: %v", v, err)
		}
	}
}
