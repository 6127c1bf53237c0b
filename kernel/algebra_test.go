package kernel_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/kerneltest"
)

// everyKind has each kernel of the algebra, alone and nested, with the value at
// (x, y) = (2, 3) in closed form: dot = 6, gauss(1) = e^(−1/2).
var everyKind = []struct {
	k    kernel.Kernel[float64]
	text string
	want float64
}{
	{kernel.Constant[float64]{Value: 2.5}, "2.5", 2.5},
	{kernel.Constant[float64]{}, "0", 0},
	{kernel.Scaled[float64]{Factor: 0.5, Of: gauss{1}}, "0.5*gauss(sigma=1)", 0.5 * math.Exp(-0.5)},
	{kernel.Scaled[float64]{Factor: 0, Of: gauss{1}}, "0*gauss(sigma=1)", 0},
	{kernel.Sum[float64]{Terms: kernels(gauss{1}, dot{}, kernel.Constant[float64]{Value: 2})}, "gauss(sigma=1) + dot + 2", math.Exp(-0.5) + 8},
	{kernel.Product[float64]{Factors: kernels(gauss{1}, dot{}, gauss{2})}, "gauss(sigma=1)*dot*gauss(sigma=2)", 6 * math.Exp(-0.625)},
	{kernel.Power[float64]{Of: dot{}, Degree: 3}, "dot^3", 216},
	{kernel.Power[float64]{Of: gauss{1}, Degree: 0}, "gauss(sigma=1)^0", 1},
	{kernel.Exp[float64]{Of: kernel.Scaled[float64]{Factor: 0.125, Of: dot{}}}, "exp(of=0.125*dot)", math.Exp(0.75)},
	{kernel.Series[float64]{Of: dot{}, Coefficients: []float64{1, 0, 0.5}}, "series(of=dot, coefficients=[1, 0, 0.5])", 19},
	{kernel.Series[float64]{Of: gauss{1}, Coefficients: []float64{0, 1, 2}}, "series(of=gauss(sigma=1), coefficients=[0, 1, 2])", math.Exp(-0.5) + 2*math.Exp(-1)},
	{kernel.Normalized[float64]{Of: dot{}}, "normalize(of=dot)", 1},
	{kernel.Normalized[float64]{Of: kernel.Sum[float64]{Terms: kernels(dot{}, gauss{1})}}, "normalize(of=dot + gauss(sigma=1))", (6 + math.Exp(-0.5)) / math.Sqrt(50)},
	{kernel.Normalized[float64]{Of: kernel.Scaled[float64]{Factor: 2, Of: dot{}}}, "normalize(of=2*dot)", 1},
	{kernel.Conformal[float64]{Of: gauss{1}, By: square}, `conform(of=gauss(sigma=1), by="1 + x²")`, 50 * math.Exp(-0.5)},
	{kernel.Conformal[float64]{Of: dot{}, By: square}, `conform(of=dot, by="1 + x²")`, 300},
	{kernel.Composed[float64, float64]{Of: gauss{1}, By: twice, Text: "2x", Lossless: true}, `compose(of=gauss(sigma=1), map="2x")`, math.Exp(-2)},
	{kernel.Composed[float64, float64]{Of: dot{}, By: twice, Text: "2x"}, `compose(of=dot, map="2x")`, 24},
	{
		kernel.Scaled[float64]{Factor: 2, Of: kernel.Power[float64]{
			Of: kernel.Sum[float64]{Terms: kernels(
				kernel.Product[float64]{Factors: kernels(kernel.Sum[float64]{Terms: kernels(dot{}, gauss{2})}, kernel.Scaled[float64]{Factor: 3, Of: gauss{1}})},
				kernel.Constant[float64]{Value: 1},
			)}, Degree: 2,
		}},
		"2*((dot + gauss(sigma=2))*3*gauss(sigma=1) + 1)^2", 2 * math.Pow((6+math.Exp(-0.125))*3*math.Exp(-0.5)+1, 2),
	},
}

// points are numbers with zero, a duplicate, and different signs and sizes.
var points = []float64{0, 1, 1, -1, 2, 3, -0.25, 1e-3, 2.5, -3.75, 0.7}

func TestAlgebraValuesAndTexts(t *testing.T) {
	for _, c := range everyKind {
		testkit.Close(t, c.text, c.k.Eval(2, 3), c.want, 1e-14)
		if got := c.k.String(); got != c.text {
			t.Errorf("it prints %q, want %q", got, c.text)
		}
	}
}

func TestAlgebraConforms(t *testing.T) {
	for _, c := range everyKind {
		kerneltest.Run(t, c.k, points, kerneltest.Options[float64]{Parse: parse, Translate: kerneltest.Number})
	}
}

// No kernel of the algebra knows what a point is.
func TestAlgebraConformsOnStrings(t *testing.T) {
	words := []string{"", "a", "banana", "kernel", "nag a ram", "anagram", "banana"}
	length := func(x string) float64 { return float64(len(x)) }
	var k kernel.Kernel[string] = kernel.Sum[string]{Terms: []kernel.Kernel[string]{
		kernel.Scaled[string]{Factor: 0.5, Of: kernel.Normalized[string]{Of: common{}}},
		kernel.Product[string]{Factors: []kernel.Kernel[string]{
			kernel.Composed[string, float64]{Of: gauss{3}, By: length, Text: "len(x)", Lossless: true},
			kernel.Power[string]{Of: common{}, Degree: 2},
		}},
		kernel.Conformal[string]{Of: kernel.Constant[string]{Value: 1}, By: kernel.Function[string]{Text: "len(x)", At: length}},
	}}
	kerneltest.Run(t, k, words, kerneltest.Options[string]{})
	want := `0.5*normalize(of=common) + compose(of=gauss(sigma=3), map="len(x)")*common^2 + conform(of=1, by="len(x)")`
	if k.String() != want {
		t.Errorf("it prints %s, want %s", k, want)
	}
	dictionary := expr.Dictionary[string]{Kernels: map[string]expr.Entry[string]{
		"common": {Build: func(*expr.Args) (kernel.Kernel[string], error) { return common{}, nil }},
	}}
	again, err := expr.ParseKernel("0.5*normalize(of=common)^2", dictionary)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "cos²/2", again.Eval("ab", "a"), 0.25, 1e-15)
}

// The empty sum is 0 and the empty product 1, as everywhere.
func TestEmptySumAndProduct(t *testing.T) {
	for _, c := range []struct {
		k    kernel.Kernel[float64]
		want float64
		text string
	}{
		{kernel.Sum[float64]{}, 0, "0"},
		{kernel.Product[float64]{}, 1, "1"},
		{kernel.Power[float64]{Of: kernel.Sum[float64]{}, Degree: 2}, 0, "0^2"},
		{kernel.Sum[float64]{Terms: kernels(kernel.Product[float64]{Factors: kernels(dot{})})}, 6, "dot"},
	} {
		if got := c.k.Eval(2, 3); got != c.want || c.k.String() != c.text {
			t.Errorf("%s is %v, want %s = %v", c.k, got, c.text, c.want)
		}
		kerneltest.Run(t, c.k, points, kerneltest.Options[float64]{Parse: parse})
	}
}

// tree draws a kernel of random shape over the toy kernels.
func tree(depth int) *rapid.Generator[kernel.Kernel[float64]] {
	return rapid.Custom(func(t *rapid.T) kernel.Kernel[float64] {
		number := rapid.OneOf(rapid.Just(0.5), rapid.Just(1e-7), rapid.Just(2.0), rapid.Float64Range(1e-3, 3))
		if depth == 0 {
			switch rapid.IntRange(0, 3).Draw(t, "leaf") {
			case 0:
				return kernel.Constant[float64]{Value: number.Draw(t, "value")}
			case 1:
				return gauss{0.5 + number.Draw(t, "sigma")}
			case 2:
				return saddle{1}
			}
			return dot{}
		}
		part := func() kernel.Kernel[float64] {
			return tree(rapid.IntRange(0, depth-1).Draw(t, "depth")).Draw(t, "part")
		}
		parts := func() []kernel.Kernel[float64] {
			list := make([]kernel.Kernel[float64], rapid.IntRange(1, 4).Draw(t, "parts"))
			for i := range list {
				list[i] = part()
			}
			return list
		}
		switch rapid.IntRange(0, 8).Draw(t, "kind") {
		case 0:
			return kernel.Scaled[float64]{Factor: number.Draw(t, "factor"), Of: part()}
		case 1:
			return kernel.Sum[float64]{Terms: parts()}
		case 2:
			return kernel.Product[float64]{Factors: parts()}
		case 3:
			return kernel.Power[float64]{Of: part(), Degree: rapid.IntRange(0, 4).Draw(t, "degree")}
		case 4:
			return kernel.Exp[float64]{Of: part()}
		case 5:
			return kernel.Series[float64]{Of: part(), Coefficients: rapid.SliceOfN(number, 0, 3).Draw(t, "coefficients")}
		case 6:
			return kernel.Normalized[float64]{Of: part()}
		case 7:
			return kernel.Conformal[float64]{Of: part(), By: square}
		}
		return kernel.Composed[float64, float64]{Of: part(), By: twice, Text: "2x"}
	})
}

// A text parses back to a kernel with the same text, the same bits at every pair, the
// same parameters and the same argument.
func TestTextsParseBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := tree(3).Draw(t, "kernel")
		again, err := parse(k.String())
		if err != nil {
			t.Fatal(err)
		}
		if again.String() != k.String() {
			t.Fatalf("%s parses to %s", k, again)
		}
		for i, x := range points {
			for _, y := range points[:i+1] {
				got, want := again.Eval(x, y), k.Eval(x, y)
				if math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
					t.Fatalf("%s at (%v, %v) is %v, and %v before", again, x, y, got, want)
				}
			}
		}
		got, want := kernel.Derive(again).Verdict, kernel.Derive(k).Verdict
		if want == kernel.Definite && got != want {
			t.Fatalf("%s is %s, and %s before", again, got, want)
		}
		if !reflect.DeepEqual(parametersOf(again), parametersOf(k)) {
			t.Fatalf("%s has parameters %v, and %v before", again, parametersOf(again), parametersOf(k))
		}
	})
}

// parametersOf returns the values of the parameters of any kernel. A number in front
// of a product is parsed as a scale, whatever kernel it was printed from.
func parametersOf(k kernel.Kernel[float64]) (values []float64) {
	if t, ok := k.(kernel.Tunable[float64]); ok {
		for _, p := range t.Parameters() {
			values = append(values, p.Value)
		}
	}
	return values
}

// Random positive definite trees keep every promise.
func TestRandomTreesConform(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := tree(2).Draw(t, "kernel")
		if kernel.Derive(k).Verdict != kernel.Definite {
			t.Skip("not positive definite")
		}
		for _, x := range points {
			if v := k.Eval(x, x); !(v < 1e100) || kernel.Contains(k, x) != nil {
				t.Skip("undefined, or too large to compare")
			}
		}
		kerneltest.Run(t, k, points, kerneltest.Options[float64]{Parse: parse, Bound: 1e-10, GradientBound: 1e-3})
	})
}

func TestParametersHaveUniqueNames(t *testing.T) {
	k, err := parse("0.5*gauss(sigma=1) + gauss(sigma=2)*normalize(of=3*gauss(sigma=4) + 5) + 0*gauss(sigma=6)")
	if err != nil {
		t.Fatal(err)
	}
	tuned := k.(kernel.Tunable[float64])
	want := []kernel.Parameter{
		{Name: "scale#1", Value: 0.5, Positive: true},
		{Name: "sigma#1", Value: 1, Positive: true},
		{Name: "sigma#2", Value: 2, Positive: true},
		{Name: "scale#2", Value: 3, Positive: true},
		{Name: "sigma#3", Value: 4, Positive: true},
		{Name: "constant", Value: 5, Positive: true},
		{Name: "sigma#4", Value: 6, Positive: true},
	}
	if got := tuned.Parameters(); !reflect.DeepEqual(got, want) {
		t.Errorf("parameters %v, want %v", got, want)
	}
	moved, err := tuned.With([]float64{10, 11, 12, 13, 14, 15, 16})
	if err != nil {
		t.Fatal(err)
	}
	text := "10*gauss(sigma=11) + gauss(sigma=12)*normalize(of=13*gauss(sigma=14) + 15) + 0*gauss(sigma=16)"
	if moved.String() != text {
		t.Errorf("With gives %s, want %s", moved, text)
	}
	for _, c := range []struct {
		values []float64
		says   string
	}{
		{nil, "0 values for 7 parameters"},
		{[]float64{-1, 1, 1, 1, 1, 1, 1}, "scale = -1"},
		{[]float64{1, 1, 1, 1, 1, math.Inf(1), 1}, "constant = +Inf"},
		{[]float64{1, 1, 0, 1, 1, 1, 1}, "gauss(sigma=2): sigma = [0]"},
	} {
		if _, err := tuned.With(c.values); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("With(%v): %v, want %q", c.values, err, c.says)
		}
	}
}

func TestGradientNamesWhatHasNone(t *testing.T) {
	for _, c := range []struct {
		k  kernel.Kernel[float64]
		ok bool
	}{
		{gauss{1}, true},
		{dot{}, false},
		{kernel.Sum[float64]{Terms: kernels(gauss{1}, dot{})}, true},
		{kernel.Sum[float64]{Terms: kernels(gauss{1}, saddle{1})}, false},
		{kernel.Normalized[float64]{Of: kernel.Exp[float64]{Of: saddle{1}}}, false},
		{kernel.Composed[float64, float64]{Of: saddle{1}, By: twice}, false},
		{kernel.Conformal[float64]{Of: saddle{1}, By: square}, false},
	} {
		if _, ok := kernel.Gradient(c.k); ok != c.ok {
			t.Errorf("%s is differentiable: %v, want %v", c.k, ok, c.ok)
		}
	}
	mixed := kernel.Sum[float64]{Terms: kernels(saddle{1}, gauss{1})}
	if err := mixed.NotDifferentiable(); err == nil || !strings.Contains(err.Error(), "saddle has parameters") {
		t.Errorf("saddle is not named: %v", err)
	}
	grad := make([]float64, 2)
	mixed.EvalGrad(grad, 2, 3)
	if !math.IsNaN(grad[0]) || math.IsNaN(grad[1]) {
		t.Errorf("gradient %v, want NaN for saddle alone", grad)
	}
}

// A shift-invariant kernel normalises to itself; a linear one to the cosine.
func TestNormalizedOnTheEdge(t *testing.T) {
	linear := kernel.Normalized[float64]{Of: dot{}}
	for _, c := range []struct{ x, y, want float64 }{
		{2, -3, -1},
		{0, 5, 0},
		{0, 0, 0},
		{1e-100, 1e-100, 1}, // k(x, x)·k(y, y) = 1e-400 underflows
		{1e-160, 1e-160, 1}, // k(x, x) is subnormal
		{1e150, -1e150, -1}, // 1e600 overflows
		{1e-150, 1e150, 1},
	} {
		testkit.Close(t, "cosine", linear.Eval(c.x, c.y), c.want, 1e-15)
	}
	indefinite := kernel.Normalized[float64]{Of: saddle{1}}
	if v := indefinite.Eval(-1, 2); !math.IsNaN(v) {
		t.Errorf("with k(x, x) < 0 it is %v, want NaN", v)
	}
	if err := kernel.Contains(indefinite, -1); err == nil || !strings.Contains(err.Error(), "k(x, x) = -2") {
		t.Errorf("Contains accepts a point with k(x, x) = −2: %v", err)
	}
	if err := kernel.Contains(linear, math.Inf(1)); err == nil {
		t.Error("Contains does not ask the part")
	}
	if err := kernel.Contains(linear, 0); err != nil {
		t.Errorf("Contains refuses the zero vector: %v", err)
	}
}

func TestDomainsOfWrappers(t *testing.T) {
	reciprocal := kernel.Function[float64]{Text: "1/x", At: func(x float64) float64 { return 1 / x }}
	for _, c := range []struct {
		k    kernel.Kernel[float64]
		x    float64
		says string
	}{
		{kernel.Conformal[float64]{Of: dot{}, By: reciprocal}, 0, "1/x is +Inf"},
		{kernel.Conformal[float64]{Of: dot{}, By: square}, math.Inf(1), "x is infinite"},
		{kernel.Composed[float64, float64]{Of: dot{}, By: reciprocal.At, Text: "1/x"}, 0, "after the map 1/x: x is infinite"},
		{kernel.Exp[float64]{Of: dot{}}, math.Inf(1), "x is infinite"},
	} {
		if err := kernel.Contains(c.k, c.x); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s at %v: %v, want %q", c.k, c.x, err, c.says)
		}
	}
}

// Vectors that come out of a map are packed again, so that fast paths find them.
func TestComposedPacksVectors(t *testing.T) {
	var seen data.Set[[]float64]
	spy := spying{&seen}
	embed := func(x float64) []float64 { return []float64{x, x * x} }
	k := kernel.Composed[float64, []float64]{Of: spy, By: embed, Text: "(x, x²)"}
	kernel.Bind[float64](k, data.Slice[float64]{1, 2}, data.Slice[float64]{3})
	if v, ok := seen.(data.Vectors); !ok || v.Dim() != 2 || v.At(1)[1] != 4 {
		t.Errorf("the images are %#v, want packed vectors", seen)
	}
	ragged := func(x float64) []float64 { return make([]float64, int(x)) }
	kernel.Bind[float64](kernel.Composed[float64, []float64]{Of: spy, By: ragged}, data.Slice[float64]{1, 2}, data.Slice[float64]{3})
	if seen.Len() != 2 || len(seen.At(0)) != 1 || len(seen.At(1)) != 2 {
		t.Errorf("ragged images are %#v", seen)
	}
}

// spying remembers the rows it was bound to.
type spying struct{ rows *data.Set[[]float64] }

func (spying) Eval(x, y []float64) float64 { return 0 }
func (spying) String() string              { return "spying" }
func (k spying) Bind(rows, cols data.Set[[]float64]) kernel.Pairs {
	*k.rows = rows
	return kernel.BindPointwise(k, rows, cols)
}
