package filters_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/filters"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/ckn"
)

// criterion is Σ_j c_j φ_j + φ_j²/2 of the features of an image.
func criterion(phi []float64) (sum float64) {
	for j, v := range phi {
		sum += math.Cos(float64(j))*v + v*v/2
	}
	return sum
}

func criterionSlope(dst, phi []float64, _ int) {
	for j, v := range phi {
		dst[j] = math.Cos(float64(j)) + v
	}
}

// byDefinition is the criterion over images in double precision, for filters anywhere.
func byDefinition(k ckn.Kernel, o ckn.Options, xs data.Vectors, layers [][]float64, epsilon float64) (sum float64) {
	for i := range xs.Len() {
		h, w, c := k.MapShape()
		v := make([]float64, h*w*c)
		k.Map(v, make([]float64, k.MapScratch()), xs.At(i))
		for l, of := range o.Layers {
			d := of.Patch * of.Patch * c
			z := mat.NewDense(len(layers[l])/d, d, layers[l])
			v = slow(v, h, w, c, of, z, epsilon)
			h, w, c = ckn.Pooled(h, of.Pool), ckn.Pooled(w, of.Pool), len(layers[l])/d
		}
		if norm := mat.Norm(mat.NewVecDense(len(v), v), 2); o.Normalize && norm > 0 {
			for j := range v {
				v[j] /= norm
			}
		}
		sum += criterion(v)
	}
	return sum
}

// moving returns a kernel with filters that move, and where they are.
func moving(t testing.TB, o ckn.Options, xs data.Vectors, epsilon float64, workers int) (*filters.Moving, [][]float64) {
	t.Helper()
	k := learned(t, made(t, o), xs, filters.Options{Filters: []int{9, 7}[:len(o.Layers)], Epsilon: epsilon, Compute: compute.Options{Workers: workers}})
	m, err := k.Move(t.Context(), epsilon)
	if err != nil {
		t.Fatal(err)
	}
	var at [][]float64
	for l := range o.Layers {
		at = append(at, slices.Clone(k.FiltersOf(l).RawMatrix().Data))
	}
	return m, at
}

// Central differences of the definition in double precision, with steps of 1e-5, are right to about
// 1e-8. The passes are in single precision: sums of some hundred terms, and inverse roots of norm
// ε^(−1/2) = 10, once for the features and once for their derivatives, lose three digits of seven.
func TestPullIsThatOfDifferences(t *testing.T) {
	const epsilon, h = 1e-2, 1e-5
	for _, name := range []string{"one layer", "two", "gradient", "unit"} {
		o := networks[name]
		xs := images(t, 5, o.Shape[0]*o.Shape[1]*o.Shape[2])
		m, at := moving(t, o, xs, epsilon, 2)
		got, err := m.Pull(t.Context(), xs, criterionSlope)
		if err != nil {
			t.Fatal(err)
		}
		for l := range at {
			size := 0.0
			for _, v := range got[l] {
				size = max(size, math.Abs(v))
			}
			for i := 0; i < len(at[l]); i += 5 {
				value := at[l][i]
				at[l][i] = value + h
				above := byDefinition(m.Network(), o, xs, at, epsilon)
				at[l][i] = value - h
				below := byDefinition(m.Network(), o, xs, at, epsilon)
				at[l][i] = value
				testkit.Close(t, name, got[l][i], (above-below)/(2*h), 3e-4*size)
			}
		}
	}
}

func TestPullHasTheSameBitsForAnyWorkers(t *testing.T) {
	for name, o := range networks {
		xs := images(t, 40, o.Shape[0]*o.Shape[1]*o.Shape[2])
		var want [][]float64
		for _, workers := range []int{1, 2, 5} {
			m, _ := moving(t, o, xs, 1e-3, workers)
			got, err := m.Pull(t.Context(), xs, criterionSlope)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			for l := range got {
				if !slices.Equal(got[l], want[l]) {
					t.Errorf("%s: other bits of layer %d with %d workers", name, l, workers)
				}
			}
		}
	}
}

// Filters that are set to where they are give the kernel of before, and one that was moved is
// another.
func TestMovedFiltersMakeAnotherKernel(t *testing.T) {
	o := networks["two"]
	xs := images(t, 6, 72)
	m, at := moving(t, o, xs, 1e-3, 1)
	first, err := m.Still()
	if err != nil {
		t.Fatal(err)
	}
	value := first.Eval(xs.At(1), xs.At(2))
	at[1][0], at[1][1] = at[1][1], at[1][0]
	if err := m.Set(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	second, err := m.Still()
	if err != nil {
		t.Fatal(err)
	}
	if again := first.Eval(xs.At(1), xs.At(2)); again != value || second.Eval(xs.At(1), xs.At(2)) == value {
		t.Errorf("%v and %v after it was moved: %v", value, again, second.Eval(xs.At(1), xs.At(2)))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Pull(ctx, xs, criterionSlope); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
