package deep_test

import (
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/deep"
	"example.org/mercer/kernel/vec"
)

// The kernel is that of the images, and its text says it in full.
func TestKernelIsThatOfTheImages(t *testing.T) {
	n, xs, _ := drawn(t, 6, deep.SiLU)
	k, err := deep.NewKernel(vec.RBF{Sigma: 0.7}, n.Widths, n.Activation, n.Weights, 0)
	if err != nil {
		t.Fatal(err)
	}
	again, err := vec.Parse(k.String())
	if err != nil {
		t.Fatal(err)
	}
	z := n.Images(xs)
	for i := range xs.Len() {
		for j := range xs.Len() {
			want := vec.RBF{Sigma: 0.7}.Eval(z.At(i), z.At(j))
			if got := k.Eval(xs.At(i), xs.At(j)); got != want || again.Eval(xs.At(i), xs.At(j)) != want {
				t.Errorf("k(%d, %d) is %v and read again %v, want %v", i, j, got, again.Eval(xs.At(i), xs.At(j)), want)
			}
		}
	}
}

// Without weights the network is that of the seed, for any number of coordinates, and learning
// starts from it with images that are spread like the points.
func TestKernelWithoutWeights(t *testing.T) {
	k, err := vec.Parse("deep(of=rbf(sigma=1), widths=[4, 2], seed=5)")
	if err != nil {
		t.Fatal(err)
	}
	of, xs := k.(deep.Kernel), data.MakeVectors(4, 3)
	for i := range xs.Raw() {
		xs.Raw()[i] = float64(i % 5)
	}
	drawn := deep.Draw(3, []int{4, 2}, deep.SiLU, 5)
	testkit.CloseSlice(t, "image", of.By(xs.At(1)), drawn.Image(xs.At(1)), 0)
	testkit.CloseSlice(t, "start", of.Started(xs).Weights, drawn.Spread(xs).Weights, 0)
	if err := of.Contains([]float64{1, 2}); err != nil || of.Trained() {
		t.Errorf("%v, trained: %v", err, of.Trained())
	}
	trained, err := of.WithNetwork(of.Started(xs))
	if err != nil || !trained.Trained() {
		t.Fatalf("%v, trained: %v", err, trained.Trained())
	}
	if err := trained.Contains([]float64{1, 2}); err == nil || !strings.Contains(err.Error(), "3 coordinates but the point has 2") {
		t.Errorf("two coordinates: %v", err)
	}
}

func TestExpressionsThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"deep(widths=[3])":                               "the kernel is missing",
		"deep(of=linear)":                                "widths of the layers are missing",
		"deep(of=linear, widths=[2.5])":                  "whole numbers",
		"deep(of=linear, widths=[3], activation=x)":      "is not known",
		"deep(of=linear, widths=[3], seed=-1)":           "seed = -1",
		"deep(of=linear, widths=[2], weights=[1, 2, 3])": "suit no number",
	} {
		if _, err := vec.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// The contraction at the images is that of pairs, each of which maps its points anew.
func TestContractionIsThatOfPairs(t *testing.T) {
	_, xs, _ := drawn(t, 40, deep.SiLU)
	k, err := vec.Parse("deep(of=2*rbf(sigma=[1,2]), widths=[4, 2])")
	if err != nil {
		t.Fatal(err)
	}
	m, rng := kernel.NewTile(40, 40), testkit.Rand(t, 3)
	for i := range m.Data {
		m.Data[i] = rng.NormFloat64()
	}
	of := k.(kernel.Differentiable[[]float64])
	want, err := kernel.ContractPointwise(t.Context(), of, xs, m, 1)
	if err != nil {
		t.Fatal(err)
	}
	got, err := kernel.Contract(t.Context(), of, xs, m, 2)
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "contraction", got, want, 1e-11)
}
