package vec_test

import (
	"math"
	"strings"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// Selected columns have the abilities of the kernel inside, and no others.
func TestColumnsHaveTheAbilitiesOfTheKernelInside(t *testing.T) {
	x, y := []float64{1, 2, 3}, []float64{4, 5, 6}
	poly := vec.Columns{Of: vec.Poly{Degree: 2, Offset: 1}, Index: []int{2, 0}}
	dim, ok := poly.Features(x)
	if !ok || dim != 6 {
		t.Fatalf("%d features, %v", dim, ok)
	}
	testkit.Close(t, "⟨φ,φ⟩", inner(poly, dim, x, y), poly.Eval(x, y), 1e-15)
	if got := poly.Reference().Title; got != "polynomial on the columns 2, 0" {
		t.Errorf("title %q", got)
	}
	rbf := vec.Columns{Of: vec.RBF{}, Index: []int{1}}
	if _, ok := rbf.Features(x); ok {
		t.Error("rbf has a finite map")
	}
	if v, err := rbf.EvalBig(x, y, 80); err != nil {
		t.Error(err)
	} else if got, _ := v.Float64(); math.Abs(got-math.Exp(-4.5)) > 1e-17 {
		t.Errorf("EvalBig = %v", got)
	}
	if _, err := rbf.EvalBig(x[:1], y, 80); err == nil {
		t.Error("EvalBig accepts a point without the column")
	}
	for _, k := range []vec.Columns{{Of: vec.Matern{Nu: 1.2}, Index: []int{0}}, {Of: evalOnly{}, Index: []int{0}}} {
		if kernel.IsExact(vec.Kernel(k)) {
			t.Errorf("%s claims to be exact", k)
		}
		if _, err := k.EvalBig(x, y, 80); err == nil {
			t.Errorf("%s: EvalBig gives a value", k)
		}
	}
	plain := vec.Columns{Of: evalOnly{}, Index: []int{0}}
	if got := len(plain.Parameters()); got != 0 {
		t.Errorf("%d parameters", got)
	}
	if _, err := plain.With([]float64{1}); err == nil {
		t.Error("With accepts a value for no parameter")
	}
	if err := plain.NotDifferentiable(); err != nil {
		t.Error(err)
	}
}

// evalOnly has no ability at all.
type evalOnly struct{}

func (evalOnly) Eval(x, y []float64) float64 { return x[0] * y[0] }
func (evalOnly) String() string              { return "only" }

// The conformance suite leaves tanh out, as it is not positive definite.
func TestTanhExactly(t *testing.T) {
	k := vec.Tanh{Scale: 0.3, Offset: -0.2}
	v, err := k.EvalBig([]float64{1, 2}, []float64{3, -1}, 80)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := v.Float64()
	testkit.Close(t, "tanh(0.1)", got, math.Tanh(0.3-0.2), 1e-15) // 0.3 − 0.2 ≠ 0.1 in binary
}

// Literals with impossible parameters are refused by Contains, and With refuses to
// make them.
func TestImpossibleParametersAreRefused(t *testing.T) {
	x := []float64{1}
	for _, c := range []struct {
		k    kernel.Domain[[]float64]
		want string
	}{
		{vec.RBF{Sigma: -1}, "sigma = -1"},
		{vec.RBF{Widths: []float64{1, math.NaN()}}, "sigma[1] = NaN"},
		{vec.Laplace{Sigma: math.Inf(1)}, "sigma = +Inf"},
		{vec.Laplace1{Sigma: 1e-200}, "between 1e-150 and 1e150"},
		{vec.Matern{Nu: -1}, "nu = -1"},
		{vec.RQ{Alpha: -2}, "alpha = -2"},
		{vec.Periodic{Period: -1, Sigma: -2}, "sigma = -2"},
		{vec.Poly{Degree: -3}, "degree = -3"},
		{vec.Poly{Offset: math.NaN()}, "offset = NaN"},
		{vec.Poly{Scale: -1}, "scale = -1"},
		{vec.Tanh{Offset: math.Inf(-1)}, "offset = -Inf"},
		{vec.Tanh{Scale: math.NaN()}, "scale = NaN"},
		{vec.White{Value: -1}, "value = -1"},
	} {
		if err := c.k.Contains(x); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.k, err, c.want)
		}
	}
	for _, c := range []struct {
		k      kernel.Tunable[[]float64]
		values []float64
	}{
		{vec.RBF{}, []float64{0}}, {vec.RBF{}, nil}, {vec.Laplace{}, []float64{-1}}, {vec.Laplace1{}, []float64{math.NaN()}},
		{vec.Matern{}, []float64{1, 2}}, {vec.RQ{}, []float64{0, 1}}, {vec.RQ{}, []float64{1}}, {vec.Periodic{}, []float64{1, 0}}, {vec.Wave{}, []float64{0}}, {vec.Wave{}, []float64{1, 1}},
		{vec.Poly{}, []float64{1, 0}}, {vec.Poly{}, []float64{math.NaN(), 1}}, {vec.Tanh{}, []float64{0, 0}}, {vec.White{}, []float64{0}},
	} {
		if k, err := c.k.With(c.values); err == nil {
			t.Errorf("%s accepts %v as %s", c.k, c.values, k)
		}
	}
}

// The number kernels as values print as they are written.
func TestNumberKernelsPrint(t *testing.T) {
	for want, k := range map[string]vec.Number{
		"min()": vec.Min(), "minmax()": vec.MinMax(), "gcd()": vec.GCD(), "gcdlcm()": vec.GCDLCM(), "exp2sum()": vec.Exp2Sum(),
		"exp2prod()": vec.Exp2Prod(), "geometric()": vec.Geometric(), "cosdiff()": vec.CosDiff(), "geometric_min()": vec.GeometricMin(),
	} {
		if k.String() != want || parse(t, want).String() != want {
			t.Errorf("%s prints as %s", want, k)
		}
	}
}
