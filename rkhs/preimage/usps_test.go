package preimage_test

import (
	"bufio"
	"compress/gzip"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/preimage"
	"example.org/mercer/unsupervised/kpca"
)

// digits reads the first count images of every digit, after skipping some.
func digits(t *testing.T, name string, which, skip, count int) data.Vectors {
	t.Helper()
	f, err := os.Open(testkit.Shared(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all []float64
	seen := make([]int, 10)
	for lines := bufio.NewScanner(z); lines.Scan(); {
		cells := strings.Fields(lines.Text())
		label, err := strconv.ParseFloat(cells[0], 64)
		if err != nil {
			t.Fatal(err)
		}
		digit := int(label)
		if digit >= which {
			continue
		}
		if seen[digit]++; seen[digit] <= skip || seen[digit] > skip+count {
			continue
		}
		for _, c := range cells[1:] {
			v, err := strconv.ParseFloat(c, 64)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, v)
		}
	}
	xs, err := data.NewVectors(len(all)/256, 256, all)
	if err != nil {
		t.Fatal(err)
	}
	return xs
}

// gaussianNoise adds normal noise of standard deviation 0.5; speckle sets a pixel to black or white
// with probability 0.4: the two noises of Mika et al. (1999).
func gaussianNoise(rnd *rand.Rand, v float64) float64 { return v + 0.5*rnd.NormFloat64() }

func speckle(rnd *rand.Rand, v float64) float64 {
	switch u := rnd.Float64(); {
	case u < 0.2:
		return -1
	case u < 0.4:
		return 1
	}
	return v
}

// meanSquare is the mean squared error of the points.
func meanSquare(got []preimage.PreImage[[]float64], want data.Vectors) float64 {
	sum := 0.0
	for i, a := range got {
		for j, v := range a.Point {
			sum += (v - want.At(i)[j]) * (v - want.At(i)[j])
		}
	}
	return sum / float64(len(got))
}

// linearPreImages are those of the linear kernel: Σ γᵢxᵢ itself, here by the descent,
// whose objective is a quadratic with the Hessian 2I.
func linearPreImages() preimage.Method[[]float64] {
	return preimage.Descent{Gradient: func(dst, _, x []float64) { copy(dst, x) }}
}

// trial is a kernel with its components, and how their number does.
type trial struct {
	kernel  vec.Kernel
	method  preimage.Method[[]float64]
	counts  []int
	fitted  *model.Expansion[[]float64]
	count   int
	squares float64
}

// trials are the choices for PCA and for kernel PCA: with Mika's width, 2σ² = 0.5·256, a
// narrower and a wider one.
func trials(most int) (linear, gaussian []*trial) {
	linear = []*trial{{kernel: vec.Linear{}, method: linearPreImages(), counts: []int{8, 16, 24, 32, 48, 64, 128, 255}}}
	for _, sigma := range []float64{5, 8, 11} {
		gaussian = append(gaussian, &trial{
			kernel: rbf(sigma), counts: []int{32, 64, 128, most},
			method: preimage.FixedPoint{Profile: preimage.Gaussian(sigma), Tolerance: 1e-5, Restarts: -1},
		})
	}
	return linear, gaussian
}

// run returns the mean squared error of the denoised points with q components.
func (r *trial) run(t *testing.T, clean, noisy data.Vectors, q int) float64 {
	t.Helper()
	answers, err := preimage.Denoise(t.Context(), r.fitted, nil, q, vectors(noisy), r.method, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return meanSquare(answers, clean)
}

// choose returns the trial, and sets its number of components, with the smallest error on
// images that are held out: the rule by which σ and the number of components are chosen.
func choose(t *testing.T, of []*trial, clean, noisy data.Vectors) *trial {
	t.Helper()
	var best *trial
	for _, r := range of {
		r.squares = math.Inf(1)
		for _, q := range r.counts {
			if q > r.fitted.Outputs() {
				continue
			}
			if v := r.run(t, clean, noisy, q); v < r.squares {
				r.squares, r.count = v, q
			}
		}
		t.Logf("%s: %d components have the smallest error on held out images, %.2f", r.kernel, r.count, r.squares)
		if best == nil || r.squares < best.squares {
			best = r
		}
	}
	return best
}

// demonstrate denoises test images of the first digits with components of training
// images, chosen by the error on other training images.
func demonstrate(t *testing.T, which, training, test, most int) {
	t.Helper()
	train := digits(t, "images/usps-zip.train.gz", which, 0, training)
	held := digits(t, "images/usps-zip.train.gz", which, training, test)
	clean := digits(t, "images/usps-zip.test.gz", which, 0, test)
	linear, gaussian := trials(most)
	for _, r := range append(linear, gaussian...) {
		var err error
		r.fitted, _, err = kpca.Fit(t.Context(), r.kernel, vectors(train), kpca.Options{Solver: kpca.Exact, Origin: r.kernel.String() != vec.Linear{}.String()})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, noise := range []struct {
		name string
		of   func(*rand.Rand, float64) float64
	}{{"gaussian", gaussianNoise}, {"speckle", speckle}} {
		rnd := testkit.Rand(t, 1)
		corrupt := func(xs data.Vectors) data.Vectors {
			out := data.MakeVectors(xs.Len(), xs.Dim())
			for i, v := range xs.Raw() {
				out.Raw()[i] = noise.of(rnd, v)
			}
			return out
		}
		noisyHeld, noisy := corrupt(held), corrupt(clean)
		p, k := choose(t, linear, held, noisyHeld), choose(t, gaussian, held, noisyHeld)
		with, without := k.run(t, clean, noisy, k.count), p.run(t, clean, noisy, p.count)
		t.Logf("%s noise: mean squared error %.2f with PCA (%d components), %.2f with kernel PCA (%s, %d components), ratio %.2f",
			noise.name, without, p.count, with, k.kernel, k.count, without/with)
		if !(1.25*with < without) { // half of what the page has for ten times the images
			t.Errorf("%s noise: kernel PCA does not win clearly: %.2f against %.2f of PCA", noise.name, with, without)
		}
		same := p.run(t, clean, noisy, 128) / k.run(t, clean, noisy, 128)
		t.Logf("%s noise: at 128 components of each the ratio is %.2f", noise.name, same)
		if !(same > 1.2) {
			t.Errorf("%s noise: with 128 components of each the ratio PCA : kernel PCA is only %.2f", noise.name, same)
		}
	}
}

func TestDigitsAreDenoised(t *testing.T) {
	testkit.SkipUnderRace(t)
	demonstrate(t, 3, 200, 10, 256)
}

// All ten digits, as Mika et al. do.
func TestAllDigitsAreDenoised(t *testing.T) {
	if testing.Short() {
		t.Skip("eigendecompositions of order 1500")
	}
	testkit.SkipUnderRace(t)
	demonstrate(t, 10, 150, 5, 512)
}

// The linear kernel's pre-image is the projection itself.
func TestLinearPreImage(t *testing.T) {
	xs := points(t, 20, 20, 4)
	coef := mat.NewDense(20, 1, nil)
	want := make([]float64, 4)
	for i := range 20 {
		coef.Set(i, 0, float64(i%5)/20)
		for j, v := range xs.At(i) {
			want[j] += coef.At(i, 0) * v
		}
	}
	a := solve(t, linearPreImages(), combination(t, vec.Linear{}, xs, coef), nil)[0]
	testkit.CloseSlice(t, "pre-image", a.Point, want, 1e-7)
	if a.Residual > 1e-6 {
		t.Errorf("residual %g", a.Residual)
	}
}
