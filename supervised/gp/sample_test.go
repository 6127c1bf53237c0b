package gp_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/gp"
)

// The empirical moments of N samples are within 5 standard errors of the true ones:
// √(Cᵢᵢ/N) for a mean, √((CᵢᵢCⱼⱼ + C²ᵢⱼ)/N) for a covariance. With 27 numbers a random seed
// would fail in one of 60 000 runs; this one is fixed.
func TestSamplesHaveTheRightMoments(t *testing.T) {
	const count = 20000
	rng := testkit.Rand(t, 6)
	xs, y := wave(rng, 20, 2)
	news, _ := wave(rng, 6, 2)
	check := func(what string, mean []float64, cov *mat.SymDense, samples *mat.Dense) {
		for i, m := range mean {
			got := 0.0
			for _, v := range samples.RawRowView(i) {
				got += v / count
			}
			if e := 5 * math.Sqrt(cov.At(i, i)/count); math.Abs(got-m) > e {
				t.Errorf("%s: mean %d is %g, want %g ± %g", what, i, got, m, e)
			}
			for j := i; j < len(mean); j++ {
				got := 0.0
				for s := range count {
					got += (samples.At(i, s) - m) * (samples.At(j, s) - mean[j]) / count
				}
				c := cov.At(i, j)
				if e := 5 * math.Sqrt((cov.At(i, i)*cov.At(j, j)+c*c)/count); math.Abs(got-c) > e {
					t.Errorf("%s: covariance %d,%d is %g, want %g ± %g", what, i, j, got, c, e)
				}
			}
		}
	}
	p := fit(t, "rbf(sigma=1)", xs, y, gp.Options{Noise: 0.2})
	mean, cov, err := p.Covariance(t.Context(), news, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	samples, err := p.Sample(t.Context(), news, count, 11, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	check("posterior", mean, cov, samples)
	prior, err := gp.SamplePrior(t.Context(), p.Kernel, news, count, 12, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	check("prior", make([]float64, 6), matrix(p.Kernel, news), prior)
	other, err := p.Sample(t.Context(), news, 1, 13, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if other.At(0, 0) == samples.At(0, 0) {
		t.Error("another seed gave the same sample")
	}
}

// Without noise the samples go through the targets: their covariance there is zero, up to
// the rounding of a system of condition 1e3.
func TestSamplesInterpolate(t *testing.T) {
	rng := testkit.Rand(t, 7)
	xs, y := wave(rng, 12, 2)
	p := fit(t, "laplace(sigma=0.5)", xs, y, gp.Options{})
	samples, err := p.Sample(t.Context(), xs, 2, 1, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for j := range 2 {
		testkit.CloseSlice(t, "sample", mat.Col(nil, j, samples), y, 1e-6)
	}
	m := marginals(t, p, xs)
	for i, v := range m.Variance {
		if v < 0 || v > 1e-12 {
			t.Errorf("variance %d at a row without noise is %g", i, v)
		}
	}
}

func TestSampleRefuses(t *testing.T) {
	if _, err := gp.Sample(t.Context(), []float64{0, 0}, mat.NewSymDense(2, []float64{1, 2, 2, 1}), 1, 1, compute.Options{}); err == nil {
		t.Error("an indefinite covariance was accepted")
	}
	if _, err := gp.Sample(t.Context(), []float64{0}, mat.NewSymDense(2, nil), 1, 1, compute.Options{}); err == nil {
		t.Error("a mean of another length was accepted")
	}
}
