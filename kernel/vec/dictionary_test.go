package vec_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
)

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"laplacian(sigma=1)":           "laplace(sigma=…) for the Euclidean norm exp(−‖x−y‖₂/σ), or laplace1(sigma=…)",
		"max":                          "not positive definite",
		"lcm":                          "not positive definite",
		"sigmoid(scale=1)":             "tanh",
		"rbf()":                        "rbf needs the argument sigma, gamma, lengthscale or omega",
		"rbf(sigma=1, gamma=1)":        "column 14: rbf: sigma and gamma say the same thing twice",
		"rbf(gamma=1, lengthscale=2)":  "say the same thing twice",
		"rbf(sigma=0)":                 "column 5: rbf: sigma = 0 must be a finite number above 0",
		"rbf(sigma=[1,-2])":            "sigma = -2",
		"rbf(sigma=[])":                "column 5: rbf: the list of widths is empty",
		"rbf(gamma=1e-320)":            "rbf: gamma = 1e-320 is too large or too small for a width",
		"rbf(sigma=1e-160)":            "sigma = 1e-160 must lie between 1e-150 and 1e150",
		"laplace1(gamma=1e-310)":       "too large or too small",
		"rbf(sgima=1)":                 "did you mean sigma?",
		"1 + rbf(width=1)":             "column 9",
		"laplacepq(sigma=1, p=3)":      "p = 3 must lie above 0 and be at most 2",
		"laplacepq(sigma=1, q=1.5)":    "q = 1.5 must lie above 0 and be at most p = 1",
		"laplacepq(sigma=1, p=0)":      "p = 0 must be a finite number above 0",
		"matern(nu=0, sigma=1)":        "column 8: matern: nu = 0",
		"rq(alpha=-1, sigma=1)":        "alpha = -1",
		"periodic(period=-1, sigma=1)": "period = -1",
		"poly(degree=1.5)":             "column 6: poly: degree = 1.5 must be a whole number from 1 to 1000",
		"poly(degree=0)":               "degree = 0",
		"poly(scale=0)":                "scale = 0",
		"tanh(scale=0)":                "scale must not be 0",
		"white(value=-1)":              "value = -1",
		"constant(value=-1)":           "value = -1",
		"bilinear(matrix=[1,2,3])":     "3 numbers are not a square matrix",
		"bilinear(matrix=[1,2,3,4])":   "A[0,1] = 2 but A[1,0] = 3",
		"bilinear(matrix=[1,2,2,1])":   "negative eigenvalue -1",
		"formula(\"x*\")":              "formula",
		"rbf(sigma=1)[age]":            `unknown column "age": these points have no column names`,
		"rbf(sigma=median)":            "median is not a number",
	} {
		_, err := vec.Parse(text)
		var s *expr.SyntaxError
		if !errors.As(err, &s) || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%s): %v\nwant %s", text, err, want)
		}
	}
}

// An eigenvalue that is negative by rounding only is 0: (1,1)(1,1)ᵀ·0.1 has the exact
// eigenvalues 0.2 and 0.
func TestBilinearAcceptsSemidefinite(t *testing.T) {
	k, err := vec.NewBilinear([]float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1})
	if err != nil {
		t.Fatal(err)
	}
	if got := k.Eval([]float64{1, 2, 3}, []float64{1, 1, 1}); math.Abs(got-1.8) > 1e-15 {
		t.Errorf("xᵀAy = %v, want 1.8", got)
	}
	if _, err := vec.NewBilinear([]float64{math.NaN()}); err == nil || !strings.Contains(err.Error(), "A[0,0]") {
		t.Errorf("NaN: %v", err)
	}
}

// leafGen draws a kernel for points of 3 coordinates with arbitrary parameters.
func leafGen() *rapid.Generator[kernel.Kernel[[]float64]] {
	return rapid.Custom(func(t *rapid.T) kernel.Kernel[[]float64] {
		width := rapid.Float64Range(1e-3, 1e3)
		sigma := []float64{width.Draw(t, "sigma")}
		if rapid.Bool().Draw(t, "ard") {
			sigma = append(sigma, width.Draw(t, "sigma"), width.Draw(t, "sigma"))
		}
		v := width.Draw(t, "value")
		return rapid.SampledFrom([]kernel.Kernel[[]float64]{
			vec.Linear{}, vec.Cosine{}, vec.Min(), vec.MinMax(), vec.White{Value: v}, kernel.Constant[[]float64]{Value: v},
			vec.RBF{Widths: sigma}, vec.Laplace{Widths: sigma}, vec.Laplace1{Widths: sigma},
			vec.Matern{Nu: v, Widths: sigma}, vec.Matern{Nu: 1.5, Widths: sigma}, vec.RQ{Alpha: v, Widths: sigma},
			vec.Periodic{Period: v, Sigma: sigma[0]}, vec.Poly{Degree: 3, Offset: v, Scale: sigma[0]},
			vec.Tanh{Scale: sigma[0], Offset: -v},
		}).Draw(t, "leaf")
	})
}

// expressionGen combines leaves.
func expressionGen(depth int) *rapid.Generator[kernel.Kernel[[]float64]] {
	return rapid.Custom(func(t *rapid.T) kernel.Kernel[[]float64] {
		if depth == 0 {
			return leafGen().Draw(t, "leaf")
		}
		a, b := expressionGen(depth-1).Draw(t, "a"), leafGen().Draw(t, "b")
		switch rapid.IntRange(0, 6).Draw(t, "op") {
		case 0:
			return kernel.Sum[[]float64]{Terms: []kernel.Kernel[[]float64]{a, b}}
		case 1:
			return kernel.Product[[]float64]{Factors: []kernel.Kernel[[]float64]{b, a}}
		case 2:
			return kernel.Scaled[[]float64]{Factor: 0.1, Of: b}
		case 3:
			return kernel.Power[[]float64]{Of: a, Degree: 2}
		case 4:
			return kernel.Series[[]float64]{Of: a, Coefficients: []float64{1, 0.1}}
		case 5:
			if _, constant := b.(kernel.Constant[[]float64]); !constant { // which reads no columns
				return vec.Columns{Of: b, Index: []int{2, 0, 1}}
			}
		}
		return kernel.Normalized[[]float64]{Of: a}
	})
}

func TestTextIsTheKernel(t *testing.T) {
	x, y := []float64{0.3, 1.2, 0.1}, []float64{0.5, 0.25, 2}
	rapid.Check(t, func(t *rapid.T) {
		k := expressionGen(rapid.IntRange(0, 3).Draw(t, "depth")).Draw(t, "kernel")
		again, err := vec.Parse(k.String())
		if err != nil {
			t.Fatalf("%s does not parse: %v", k, err)
		}
		if again.String() != k.String() {
			t.Fatalf("%s parses as %s", k, again)
		}
		a, b := k.Eval(x, y), again.Eval(x, y)
		if math.Float64bits(a) != math.Float64bits(b) {
			t.Fatalf("%s evaluates to %v, and to %v when parsed again", k, a, b)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, text := range expressions(3) {
		f.Add(text)
	}
	f.Add("rbf(sigma=[1,2])[age] + bilinear(matrix=[1,0,0,1])[hist*]")
	schema := vec.Schema{Names: []string{"age", "bmi", "hist1", "hist2"}}
	f.Fuzz(func(t *testing.T, text string) {
		k, err := vec.ParseWith(text, schema)
		if err != nil {
			return
		}
		again, err := vec.ParseWith(k.String(), schema)
		if err != nil || again.String() != k.String() {
			t.Errorf("%q gives %s, which gives %v, %v", text, k, again, err)
		}
	})
}
