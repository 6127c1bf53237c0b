package randomfeatures

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/seq"
	"example.org/mercer/model"
	"example.org/mercer/space"
	"example.org/mercer/supervised/krr"
)

func kernels() []string {
	return []string{"rbf(sigma=2)*laplace1(sigma=3) + 0.5*linear", "poly(degree=3, offset=1)", "chi2add + min", "hellinger*rbf(sigma=2)"}
}

// TestKernelsOfFeatures runs the conformance suite: symmetry, tiles, definiteness.
func TestKernelsOfFeatures(t *testing.T) {
	xs := histograms(t, 1, 20, 4)
	for _, text := range kernels() {
		z := mapOf(t, parse(t, text), xs.At(0), Options{Dim: 30, Seed: 7})
		points := make([][]float64, xs.Len())
		for i := range points {
			points[i] = xs.At(i)
		}
		kerneltest.Run(t, z, points, kerneltest.Options[[]float64]{Bound: 1e-12})
	}
}

// TestMapsAreSlowLoops: cosines and sines of ⟨ω, x⟩, coordinate by coordinate.
func TestMapsAreSlowLoops(t *testing.T) {
	xs := histograms(t, 2, 37, 5)
	z := mapOf(t, parse(t, "rbf(sigma=0.3)*laplace1(sigma=2)[1,3]"), xs.At(0), Options{Dim: 101, Seed: 3})
	w := z.z.(*waves[[]float64])
	if z.Dim() != 100 || len(w.omega) != 50 || len(w.omega[0]) != 7 {
		t.Fatalf("%d features of %d frequencies in %d coordinates", z.Dim(), len(w.omega), len(w.omega[0]))
	}
	got := kernel.NewTile(xs.Len(), z.Dim())
	z.MapRows(got, xs, 0)
	for i := range xs.Len() {
		x := append(slices.Clone(xs.At(i)), xs.At(i)[1], xs.At(i)[3])
		for f, omega := range w.omega {
			angle := 0.0
			for j, v := range omega {
				angle += v * x[j]
			}
			testkit.Close(t, "cosine", got.Row(i)[f], math.Cos(angle)/math.Sqrt(50), 1e-13*(1+math.Abs(angle)))
			testkit.Close(t, "sine", got.Row(i)[50+f], math.Sin(angle)/math.Sqrt(50), 1e-13*(1+math.Abs(angle)))
		}
	}
}

// TestSketchesAreHashedTensors: the convolution is the sum over all monomials.
func TestSketchesAreHashedTensors(t *testing.T) {
	x := []float64{0.5, -2, 3}
	for _, m := range []int{7, 8} {
		z := mapOf(t, parse(t, "poly(degree=3, offset=2)"), x, Options{Dim: m, Seed: 1})
		s, phi := z.z.(*sketch[[]float64]), append(slices.Clone(x), math.Sqrt(2))
		want, got := make([]float64, m), make([]float64, m)
		for a, u := range phi {
			for b, v := range phi {
				for c, w := range phi {
					at := (s.places[0][a] + s.places[1][b] + s.places[2][c]) % m
					want[at] += s.signs[0][a] * s.signs[1][b] * s.signs[2][c] * u * v * w
				}
			}
		}
		z.Map(got, x)
		testkit.CloseSlice(t, "sketch", got, want, 1e-12*216)
	}
}

// TestExactMaps: where a finite map is no longer than was asked for, it is taken, and nothing is
// drawn.
func TestExactMaps(t *testing.T) {
	xs := histograms(t, 3, 12, 3)
	for text, dim := range map[string]int{"hellinger": 3, "linear + 2*hellinger + 1": 7, "poly(degree=3, offset=1)": 20, "2*linear^2": 6, "0*rbf(sigma=1)": 1} {
		k := parse(t, text)
		z := mapOf(t, k, xs.At(0), Options{Dim: 40})
		if z.Dim() != dim {
			t.Errorf("%s: %d features, want %d", text, z.Dim(), dim)
		}
		e, err := z.Errors(background, xs, 1, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if e.Max > 1e-12*k.Eval(xs.At(0), xs.At(0))+1e-11 || e.Expected != 0 || e.Points != 12 {
			t.Errorf("%s: %+v, want no error", text, e)
		}
	}
}

// TestAdditiveMaps: the error is within the stated bound and falls with the number of features.
func TestAdditiveMaps(t *testing.T) {
	xs := histograms(t, 4, 30, 3)
	for text, want := range map[string][3]float64{ // ε for 3, 7 and 25 features of a coordinate
		"chi2add": {0.1, 0.02, 1e-4}, "jsadd": {0.1, 0.02, 1e-4}, "min": {0.25, 0.12, 0.05}, "gintersection(beta=0.5)": {0.25, 0.12, 0.05},
	} {
		k := parse(t, text)
		for at, features := range []int{3, 7, 25} {
			z := mapOf(t, k, xs.At(0), Options{Dim: 3*features + 2})
			b := z.z.(*homogeneous[[]float64])
			if z.Dim() != 3*features || !(b.epsilon <= want[at]) {
				t.Errorf("%s: %d features with ε = %.3g, want %d and at most %v", text, z.Dim(), b.epsilon, 3*features, want[at])
			}
			worst := 0.0
			for i := range xs.Len() {
				for j := range xs.Len() {
					most := 0.0
					px, py := b.Point(xs.At(i)), b.Point(xs.At(j))
					for c := range px {
						most += max(px[c], py[c])
					}
					if most > 0 {
						worst = max(worst, math.Abs(z.Eval(xs.At(i), xs.At(j))-k.Eval(xs.At(i), xs.At(j)))/most)
					}
				}
			}
			if !(worst <= 1.01*b.epsilon+1e-12) || worst < b.epsilon/50 {
				t.Errorf("%s, %d features: the error is %.3g of Σ max, the bound says %.3g", text, features, worst, b.epsilon)
			}
		}
	}
}

// TestErrors: what is measured is what the variance says, for independent frequencies.
func TestErrors(t *testing.T) {
	xs := histograms(t, 5, 700, 6)
	k := parse(t, "rbf(sigma=1.5)")
	for _, dim := range []int{100, 1600} {
		z := mapOf(t, k, xs.At(0), Options{Dim: dim, Frequencies: Independent, Seed: 11})
		e, err := z.Errors(background, xs, 3, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		// Pairs share frequencies, so that the mean square over the block is that of some ten
		// independent errors: within a factor of two.
		if e.Points != 2*BlockRows || e.Compared() != BlockRows*BlockRows || !(e.RMS < 2*e.Expected) || !(e.RMS > e.Expected/2) || !(e.Max < 7*e.RMS) || !(e.Max > 2*e.RMS) {
			t.Errorf("%d features: %+v", dim, e)
		}
	}
	if _, err := mapOf(t, k, xs.At(0), Options{Dim: 2}).Errors(background, xs.Gather([]int{0}), 1, compute.Options{}); err == nil || !strings.Contains(err.Error(), "two points") {
		t.Errorf("one point: %v", err)
	}
}

// TestDeterminism: the bits depend on seed and options, not on workers, company, or how many
// more features there are.
func TestDeterminism(t *testing.T) {
	xs := histograms(t, 6, 150, 4)
	for _, text := range kernels() {
		k := parse(t, text)
		alone := mapOf(t, k, xs.At(0), Options{Dim: 30, Seed: 5, Workers: 1})
		want := kernel.NewTile(xs.Len(), alone.Dim())
		for i := range xs.Len() {
			alone.Map(want.Row(i), xs.At(i))
		}
		for _, workers := range []int{1, 2, 3, 8} {
			z := mapOf(t, k, xs.At(0), Options{Dim: 30, Seed: 5, Workers: workers})
			got := kernel.NewTile(xs.Len()-1, z.Dim())
			z.MapRows(got, xs, 1)
			for i := range got.Rows {
				if !slices.Equal(got.Row(i), want.Row(i+1)) {
					t.Fatalf("%s, %d workers: row %d has other bits", text, workers, i)
				}
			}
		}
		other := make([]float64, want.Cols)
		mapOf(t, k, xs.At(0), Options{Dim: 30, Seed: 6}).Map(other, xs.At(1))
		if text != "chi2add + min" && slices.Equal(other, want.Row(1)) { // whose maps are not drawn
			t.Errorf("%s: two seeds give one map", text)
		}
	}
	few, many := mapOf(t, parse(t, "laplace(sigma=1)"), xs.At(0), Options{Dim: 10}), mapOf(t, parse(t, "laplace(sigma=1)"), xs.At(0), Options{Dim: 50})
	for i, omega := range few.z.(*waves[[]float64]).omega {
		if !slices.Equal(omega, many.z.(*waves[[]float64]).omega[i]) {
			t.Errorf("frequency %d depends on how many there are", i)
		}
	}
}

// TestMethodsTakeFeatures: ridge regression in the features, in index space and collapsed agree.
func TestMethodsTakeFeatures(t *testing.T) {
	xs := histograms(t, 7, 90, 3)
	y := mat.NewDense(xs.Len(), 1, nil)
	for i := range xs.Len() {
		y.Set(i, 0, math.Sin(xs.At(i)[0])+xs.At(i)[1])
	}
	z := mapOf(t, parse(t, "rbf(sigma=1)"), xs.At(0), Options{Dim: 30, Seed: 2})
	primal, report, err := krr.Fit(background, z, xs, y, krr.Options{Lambda: 1e-3})
	if err != nil || report.Solver != krr.Primal {
		t.Fatal(report, err)
	}
	op, err := z.Operator(background, xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := space.DualOf(background, op, space.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := krr.Solve(background, in, y, krr.Options{Lambda: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	collapsed, err := Collapse(background, &model.Expansion[[]float64]{Kernel: z, Points: xs, Coef: s.Coef, Bias: s.Bias})
	if err != nil {
		t.Fatal(err)
	}
	want, err := primal.Predict(background, xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := collapsed.Predict(background, xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "predictions", got.RawMatrix().Data, want.RawMatrix().Data, 1e-8)
	if same, err := Collapse(background, primal); err != nil || same != primal {
		t.Errorf("a function of features is collapsed to %v, %v", same, err)
	}
}

// TestRefusals: what has no features says why, and where.
func TestRefusals(t *testing.T) {
	like := []float64{1, 2}
	for text, want := range map[string]string{
		"tanh(scale=1, offset=0)": "tanh", "rbf(sigma=1) + minmax": "minmax() has no random features", "min": "at least 2 features",
		"poly(degree=2, offset=-1)": "offset is negative", "periodic(period=1, sigma=0.001)": "sigma ≥ 0.01",
	} {
		_, err := New(parse(t, text), like, Options{Dim: 1})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if wraps := errors.Is(err, errors.ErrUnsupported); wraps == (text == "min") {
			t.Errorf("%s: %v wraps ErrUnsupported: %v", text, err, wraps)
		}
	}
	if _, err := New(kernel.Kernel[string](seq.Mismatch{K: 8, M: 6, Alphabet: seq.Protein}), "", Options{Dim: 10}); err == nil || !strings.Contains(err.Error(), "listed") {
		t.Errorf("mismatch: %v", err)
	}
	_, err := New(parse(t, "linear"), like, Options{Dim: -1, Frequencies: "sobol"})
	if err == nil || !strings.Contains(err.Error(), "dim = -1") || !strings.Contains(err.Error(), "sobol") {
		t.Errorf("options: %v", err)
	}
	z := mapOf(t, parse(t, "rbf(sigma=1)"), like, Options{Dim: 10})
	if z.Contains([]float64{math.NaN(), 0}) == nil {
		t.Error("a point outside the domain is accepted")
	}
	xs := histograms(t, 8, 3000, 2)
	if _, err := z.Operator(background, xs, compute.Options{MaxMemory: 100_000}); !errors.As(err, new(*compute.TooLarge)) {
		t.Errorf("3000×10 features within 100 kB: %v", err)
	}
	ended, stop := context.WithCancel(background)
	stop()
	if _, err := z.Operator(ended, xs, compute.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
}
