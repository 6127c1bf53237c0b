package vec_test

import (
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/vec"
)

// indefinite kernels fail the definiteness checks of the suite, as they should.
var indefinite = map[string]bool{"tanh(scale=0.3,offset=-0.2)": true}

func points(xs data.Vectors) [][]float64 {
	all := make([][]float64, xs.Len())
	for i := range all {
		all[i] = xs.At(i)
	}
	return all
}

func TestConformance(t *testing.T) {
	rng := testkit.Rand(t, 30)
	for _, d := range []int{1, 3, 20} {
		if d == 20 && testing.Short() {
			continue
		}
		xs := cloud(rng, 16, d, 0)
		copy(xs.At(1), xs.At(0))
		clear(xs.At(2))
		for _, text := range expressions(d) {
			if indefinite[text] {
				continue
			}
			t.Run(text, func(t *testing.T) {
				kerneltest.Run(t, parse(t, text), points(xs), kerneltest.Options[[]float64]{
					Parse: vec.Parse, Translate: kerneltest.Vector, Set: kerneltest.Vectors,
				})
			})
		}
	}
}

// The kernels on integers.
func TestConformanceOnIntegers(t *testing.T) {
	var xs [][]float64
	for _, v := range []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 30, 36, 97, 360, 1001} {
		xs = append(xs, []float64{v})
	}
	for _, k := range []kernel.Kernel[[]float64]{vec.GCD(), vec.GCDLCM(), vec.Min(), vec.MinMax(), vec.CosDiff()} {
		kerneltest.Run(t, k, xs, kerneltest.Options[[]float64]{Parse: vec.Parse, Set: kerneltest.Vectors})
	}
}

func TestConformanceOfBilinear(t *testing.T) {
	rng := testkit.Rand(t, 31)
	xs := points(cloud(rng, 16, 2, -0.5))
	kerneltest.Run(t, parse(t, "bilinear(matrix=[2,1,1,3])"), xs, kerneltest.Options[[]float64]{Parse: vec.Parse, Set: kerneltest.Vectors})
	kerneltest.Run(t, parse(t, "bilinear(matrix=[1,1,1,1]) + 1"), xs, kerneltest.Options[[]float64]{Parse: vec.Parse, Set: kerneltest.Vectors})
}
