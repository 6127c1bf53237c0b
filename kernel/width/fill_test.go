package width_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/kernel/width"
)

func filled(t *testing.T, text string, xs data.Vectors, schema vec.Schema) (string, error) {
	t.Helper()
	n, err := expr.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	out, err := width.Fill(t.Context(), n, xs, schema)
	return out.String(), err
}

// Four points on a line at 0, 1, 3, 7 and a copy of the first: the distinct distances
// are 1 1 2 3 3 4 6 7 7, whose middle one is 3. The second column is constant.
func TestFillMedianByHand(t *testing.T) {
	xs, err := data.NewVectors(5, 2, []float64{0, 5, 1, 5, 3, 5, 7, 5, 0, 5})
	if err != nil {
		t.Fatal(err)
	}
	schema := vec.Schema{Names: []string{"age", "bmi"}}
	for text, want := range map[string]string{
		"rbf(sigma=median)":                          "rbf(sigma=3)",
		"rbf(median)[age]":                           "rbf(sigma=3)[age]",
		"rbf(gamma=median)":                          "rbf(gamma=0.05555555555555555)", // 1/(2·9)
		"laplace1(lengthscale=median)":               "laplace1(lengthscale=3)",
		"matern(nu=2.5,sigma=median) + rbf(sigma=?)": "matern(nu=2.5, sigma=3) + rbf(sigma=?)",
		"normalize(of=rq(sigma=median)[0])":          "normalize(of=rq(sigma=3)[0])",
		"formula(x)":                                 "formula(text=x)",
		"laplacepq(sigma=median, p=2, q=0.5)[age]":   "laplacepq(sigma=3, p=2, q=0.5)[age]",
		"wendland(radius=median)":                    "wendland(radius=3)",
		"anova(of=rbf(sigma=median))[age]":           "anova(of=rbf(sigma=3))[age]",
	} {
		if got, err := filled(t, text, xs, schema); err != nil || got != want {
			t.Errorf("Fill(%s) = %s, %v; want %s", text, got, err, want)
		}
	}
	// The 10 numbers have mean 3.6 and variance (Σv² − 10·3.6²)/10 = (184 − 129.6)/10 =
	// 5.44, so gamma = 1/(2·5.44).
	k, err := filled(t, "rbf(gamma=scale)", xs, schema)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := expr.Parse(k)
	testkit.Close(t, "gamma=scale", n.Args[0].Number, 1/(2*5.44), 1e-14)
}

// In anova a width is that of one column: the columns 0, 1, 3 and 0, 10, 30 have the medians 2 and
// 20, of which the median is 11; their variances together are that of all numbers, with d = 1.
func TestFillOfOneColumnAtATime(t *testing.T) {
	xs, err := data.NewVectors(3, 3, []float64{0, 0, 7, 1, 10, 7, 3, 30, 7})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"anova(of=rbf(sigma=median))":                     "anova(of=rbf(sigma=11))",
		"anova(of=2*laplace1(median) + linear)[1,2]":      "anova(of=2*laplace1(sigma=20) + linear)[1,2]",
		"anova(of=rbf(sigma=median))[0]":                  "anova(of=rbf(sigma=2))[0]",
		"anova(of=normalize(of=wendland(radius=median)))": "anova(of=normalize(of=wendland(radius=11)))",
	} {
		if got, err := filled(t, text, xs, vec.Schema{}); err != nil || got != want {
			t.Errorf("Fill(%s) = %s, %v; want %s", text, got, err, want)
		}
	}
	if _, err := filled(t, "anova(of=rbf(sigma=median))[2]", xs, vec.Schema{}); err == nil || !strings.Contains(err.Error(), "one number for all of the 3 points") {
		t.Errorf("a constant column: %v", err)
	}
	text, err := filled(t, "anova(of=rbf(gamma=scale))[0,1]", xs, vec.Schema{})
	if err != nil {
		t.Fatal(err)
	}
	n, _ := expr.Parse(text)
	mean, squares := 44./6, 0+1+9+0+100+900.
	testkit.Close(t, "gamma=scale", n.Args[0].Kernel.Args[0].Number, 1/(squares/6-mean*mean), 1e-14)
}

func TestFillRefuses(t *testing.T) {
	xs, _ := data.NewVectors(3, 2, []float64{0, 5, 1, 5, 3, 5})
	schema := vec.Schema{Names: []string{"age", "bmi"}}
	for text, want := range map[string]string{
		"1 + rbf(sigma=median)[bmi]": `column 9: sigma=median: all of the 3 points coincide in these columns`,
		"laplace(sigma=scale)":       "column 9: laplace: scale is defined for rbf only",
		"rbf(sigma=mean)":            `column 5: rbf: unknown word "mean"`,
		"poly(offset=median)":        "column 6: poly: offset=median: no number can be guessed",
		"rbf(sigma=median)[agee]":    `unknown column "agee"; did you mean age?`,
		"rbf(sgma=median)":           "did you mean sigma?",
	} {
		_, err := filled(t, text, xs, schema)
		var s *expr.SyntaxError
		if !errors.As(err, &s) || !strings.Contains(err.Error(), want) {
			t.Errorf("Fill(%s): %v, want %s", text, err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n, _ := expr.Parse("rbf(sigma=median)")
	if _, err := width.Fill(ctx, n, xs, schema); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: %v", err)
	}
}

// cube returns n uniform points of the unit cube.
func cube(rng *rand.Rand, n int) data.Vectors {
	xs := data.MakeVectors(n, 3)
	for i := range xs.Raw() {
		xs.Raw()[i] = rng.Float64()
	}
	return xs
}

// The median of a sample of 1000 of 5000 points differs from that of all by the
// sampling error, for uniform points about 1%; twice the same call gives the same.
func TestFillSamplesManyPoints(t *testing.T) {
	rng := testkit.Rand(t, 3)
	xs := cube(rng, 5000)
	first, err := filled(t, "rbf(sigma=median)", xs, vec.Schema{})
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := filled(t, "rbf(sigma=median)", xs, vec.Schema{}); again != first {
		t.Errorf("the same data give %s and then %s", first, again)
	}
	n, _ := expr.Parse(first)
	// The median distance of two random points of the unit cube is 0.662, close to the
	// mean of 0.6617 (Robbins' constant).
	if got := n.Args[0].Number; math.Abs(got-0.662) > 0.02 {
		t.Errorf("median distance in the unit cube = %v, want 0.662 within 0.02", got)
	}
}

// Whatever is written, Fill returns an error or an expression in which the only words
// in the place of numbers are "?".
func FuzzFill(f *testing.F) {
	for _, text := range []string{"rbf(median)[a*]", "rq(sigma=median, alpha=?)", "exp(of=laplace1(gamma=median)[1])", "formula(x)", "poly(median)", "rbf(sigma=scale)"} {
		f.Add(text)
	}
	xs, _ := data.NewVectors(3, 2, []float64{0, 5, 1, 5, 3, 5})
	schema := vec.Schema{Names: []string{"age", "bmi"}}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := expr.Parse(text)
		if err != nil {
			return
		}
		filled, err := width.Fill(t.Context(), n, xs, schema)
		if err != nil {
			return
		}
		for _, p := range filled.Placeholders() {
			if p.Word != "?" && p.Kernel != "formula" && p.Kernel != "conform" && p.Kernel != "compose" {
				t.Errorf("Fill(%q) leaves %s=%s", text, p.Argument, p.Word)
			}
		}
	})
}

// The median of the p-norms, beside a sort of them.
func TestFillMedianOfPNorms(t *testing.T) {
	rng := testkit.Rand(t, 77)
	xs := cube(rng, 9)
	for _, p := range []float64{0.5, 0.7, 1.5} {
		var distances []float64
		for i := range xs.Len() {
			for j := range i {
				sum := 0.0
				for c, v := range xs.At(i) {
					sum += math.Pow(math.Abs(v-xs.At(j)[c]), p)
				}
				distances = append(distances, math.Pow(sum, 1/p))
			}
		}
		slices.Sort(distances)
		want := (distances[17] + distances[18]) / 2 // of 36
		k, err := filled(t, fmt.Sprintf("laplacepq(sigma=median, p=%g)", p), xs, vec.Schema{})
		if err != nil {
			t.Fatal(err)
		}
		n, _ := expr.Parse(k)
		testkit.Close(t, k, n.Args[0].Number, want, 1e-13)
	}
}

// A kernel whose width is the median distance takes one call; the columns in force decide.
func TestParseOnPoints(t *testing.T) {
	xs := data.MakeVectors(3, 2)
	for i, x := range []float64{0, 1, 3} { // distances 1, 2, 3
		xs.At(i)[0], xs.At(i)[1] = x, 100*x
	}
	k, err := width.ParseOn(t.Context(), "rbf(sigma=median)[a]", xs, vec.Schema{Names: []string{"a", "b"}})
	if err != nil || k.String() != "rbf(sigma=2)[a]" {
		t.Errorf("%v, %v", k, err)
	}
	if _, err := width.ParseOn(t.Context(), "rbf(sigma=?)", xs, vec.Schema{}); err == nil {
		t.Error("a free parameter is no number")
	}
}
