package deep_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/deep"
)

// A network of two hidden units, written out.
func TestImageWrittenOut(t *testing.T) {
	// W₁ = (1 2; −1 0), b₁ = (0.5, 1), W₂ = (3 −2), b₂ = 0.25
	weights := []float64{1, 2, -1, 0, 0.5, 1, 3, -2, 0.25}
	x := []float64{0.3, -0.2}
	s1, s2 := 0.3-0.4+0.5, -0.3+1
	for a, of := range map[deep.Activation]func(s float64) float64{
		deep.Tanh: math.Tanh,
		deep.SiLU: func(s float64) float64 { return s / (1 + math.Exp(-s)) },
		deep.ReLU: func(s float64) float64 { return math.Max(s, 0) },
	} {
		n, err := deep.New([]int{2, 1}, a, weights)
		if err != nil {
			t.Fatal(err)
		}
		if n.Inputs != 2 {
			t.Errorf("%s: %d inputs", a, n.Inputs)
		}
		testkit.Close(t, string(a), n.Image(x)[0], 3*of(s1)-2*of(s2)+0.25, 1e-15)
	}
}

func TestNewRefuses(t *testing.T) {
	for want, c := range map[string]struct {
		widths  []int
		a       deep.Activation
		weights []float64
	}{
		"0 layers":           {nil, deep.SiLU, nil},
		"the width 0":        {[]int{3, 0}, deep.SiLU, nil},
		"is not known":       {[]int{3}, "step", nil},
		"suit no number":     {[]int{2, 1}, deep.SiLU, make([]float64, 8)},
		"weight 4":           {[]int{2, 1}, deep.SiLU, []float64{0, 0, 0, 0, math.NaN(), 0, 0, 0, 0}},
		"no number of colum": {[]int{2, 1}, deep.SiLU, make([]float64, 3)},
	} {
		if _, err := deep.New(c.widths, c.a, c.weights); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// drawn are points, and a function Σ cᵢᵀφ(xᵢ) of a network's images with its slopes c.
func drawn(t *testing.T, n int, a deep.Activation) (deep.Network, data.Vectors, data.Vectors) {
	rng := testkit.Rand(t, 17)
	xs, c := data.MakeVectors(n, 3), data.MakeVectors(n, 2)
	for i := range xs.Raw() {
		xs.Raw()[i] = rng.NormFloat64()
	}
	for i := range c.Raw() {
		c.Raw()[i] = rng.NormFloat64()
	}
	return deep.Draw(3, []int{4, 5, 2}, a, 9), xs, c
}

// Central differences with a step of 1e-6 are right to 1e-12 times a third derivative and to the
// rounding 2⁻⁵³·|f|/h, both below 1e-8 here.
func TestPullIsThatOfDifferences(t *testing.T) {
	const h = 1e-6
	for _, a := range []deep.Activation{deep.SiLU, deep.Tanh} {
		n, xs, c := drawn(t, 7, a)
		value := func() (sum float64) {
			for i, v := range n.Images(xs).Raw() {
				sum += c.Raw()[i] * v
			}
			return sum
		}
		weights, points, err := n.Pull(t.Context(), xs, c, 2)
		if err != nil {
			t.Fatal(err)
		}
		differences := func(what string, at, got []float64) {
			for i := range at {
				was := at[i]
				at[i] = was + h
				above := value()
				at[i] = was - h
				below := value()
				at[i] = was
				testkit.Close(t, what, got[i], (above-below)/(2*h), 1e-7)
			}
		}
		differences(string(a)+": weights", n.Weights, weights)
		differences(string(a)+": points", xs.Raw(), points.Raw())
		for i := range xs.Len() {
			testkit.CloseSlice(t, "one point", n.Back(xs.At(i), c.At(i)), points.At(i), 1e-12)
		}
	}
}

// Above 256 rows there are several blocks; the images by products differ in rounding alone.
func TestPullHasTheSameBitsForAnyWorkers(t *testing.T) {
	n, xs, c := drawn(t, 700, deep.SiLU)
	want, points, err := n.Pull(t.Context(), xs, c, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{2, 3, 8} {
		got, at, err := n.Pull(t.Context(), xs, c, workers)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) || !slices.Equal(at.Raw(), points.Raw()) {
			t.Errorf("other bits with %d workers", workers)
		}
	}
	fast, err := n.FastImages(t.Context(), xs, 2)
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "images", fast.Raw(), n.Images(xs).Raw(), 1e-13)
}

func TestSpreadIsThatOfThePoints(t *testing.T) {
	n, xs, _ := drawn(t, 50, deep.Tanh)
	square := func(xs data.Set[[]float64]) (sum float64) { // twice the mean squared distance from the mean
		for i := range xs.Len() {
			for j := range xs.Len() {
				for c, v := range xs.At(i) {
					sum += (v - xs.At(j)[c]) * (v - xs.At(j)[c]) / float64(xs.Len()*xs.Len())
				}
			}
		}
		return sum
	}
	want := square(xs)
	testkit.Close(t, "spread", square(n.Spread(xs).Images(xs)), want, 1e-12*want)
	same := xs.Gather([]int{1, 1, 1})
	if !slices.Equal(n.Spread(same).Weights, n.Weights) {
		t.Error("points that are the same have changed the weights")
	}
}

// φ(Lx) is the network of the product of its first matrix with L; what it was made from stays.
func TestAfterALinearMap(t *testing.T) {
	n, xs, _ := drawn(t, 9, deep.Tanh)
	l, before := []float64{1, 2, 0, -1, 0.5, 3, 0, 0.25, -2}, slices.Clone(n.Weights)
	after, mapped := n.After(l), make([]float64, 3)
	for i := range xs.Len() {
		data.LinearImage(mapped, l, xs.At(i))
		testkit.CloseSlice(t, "image", after.Image(xs.At(i)), n.Image(mapped), 1e-13)
	}
	if !slices.Equal(n.Weights, before) {
		t.Error("the network itself was changed")
	}
}
