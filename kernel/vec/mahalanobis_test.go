package vec_test

import (
	"math"
	"strings"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/vec"
)

func TestConformanceOfMahalanobis(t *testing.T) {
	rng := testkit.Rand(t, 62)
	xs := points(cloud(rng, 12, 2, -0.5))
	for _, text := range []string{
		"mahalanobis(of=rbf(sigma=0.7), scales=[1, 0.5])", "mahalanobis(of=rbf(sigma=0.7) + linear, matrix=[1, 0.5, -0.25, 2])",
		"2*mahalanobis(of=laplace1(sigma=0.7), scales=[1, 0]) + poly(degree=2, offset=1)", "mahalanobis(of=rbf(sigma=1), scales=[3])[1]",
	} {
		kerneltest.Run(t, parse(t, text), xs, kerneltest.Options[[]float64]{Parse: vec.Parse, Translate: kerneltest.Vector, Set: kerneltest.Vectors})
	}
}

// With scales 1/σⱼ it is the kernel of one width for each column; with a rotation nothing changes.
func TestMahalanobisIsTheKernelOfTheImages(t *testing.T) {
	x, y := []float64{1, 2}, []float64{-0.5, 3}
	testkit.Close(t, "scales", parse(t, "mahalanobis(of=rbf(sigma=1), scales=[2, 0.25])").Eval(x, y), parse(t, "rbf(sigma=[0.5, 4])").Eval(x, y), 1e-15)
	c, s := math.Cos(0.3), math.Sin(0.3)
	turn, err := vec.NewMahalanobis(vec.RBF{}, nil, []float64{c, -s, s, c})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "rotation", turn.Eval(x, y), vec.RBF{}.Eval(x, y), 1e-15)
	// ‖L(x−y)‖² = (1·1.5 + 2·(−1))² + (3·1.5 + 4·(−1))² = 0.5.
	testkit.Close(t, "matrix", parse(t, "mahalanobis(of=rbf(sigma=1), matrix=[1, 2, 3, 4])").Eval(x, y), math.Exp(-0.25), 1e-15)
	if d := kernel.Derive(vec.Kernel(turn)); d.Verdict != kernel.Definite || !strings.Contains(d.Kernel, "mahalanobis") {
		t.Errorf("derivation %+v", d)
	}
	if _, err := kernel.FeatureConstructionOf(vec.Kernel(turn), x); err != nil {
		t.Error(err)
	}
}

func TestMahalanobisRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"mahalanobis(of=rbf(sigma=1))":                                "either scales",
		"mahalanobis(scales=[1])":                                     "kernel is missing",
		"mahalanobis(of=rbf(sigma=1), scales=[1], matrix=[1])":        "either scales",
		"mahalanobis(of=rbf(sigma=1), matrix=[1, 2, 3])":              "square matrix",
		"mahalanobis(of=linear + 2*rbf(sigma=1)[0], scales=[1, 0.5])": "choose them outside",
	} {
		if _, err := vec.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := vec.NewMahalanobis(vec.RBF{}, []float64{math.NaN()}, nil); err == nil {
		t.Error("a scale of NaN is accepted")
	}
	k := parse(t, "mahalanobis(of=rbf(sigma=1), scales=[1, 2])")
	for _, x := range [][]float64{{1}, {1, 2, 3}, {1, math.Inf(1)}} {
		if err := kernel.Contains(k, x); err == nil {
			t.Errorf("the point %v is accepted", x)
		}
	}
}
