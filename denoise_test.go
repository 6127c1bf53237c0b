package mercer_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs/preimage"
	"example.org/mercer/unsupervised/kpca"
)

// circleTable is n points of a circle, moved outwards.
func circleTable(n int, out float64) *data.Table {
	t := &data.Table{Source: "circle", Headed: true, Columns: []data.Column{
		{Name: "x", Kind: data.Numeric, Numbers: make([]float64, n)}, {Name: "y", Kind: data.Numeric, Numbers: make([]float64, n)}}}
	for i := range n {
		angle := 2 * math.Pi * float64(i) / float64(n)
		t.Columns[0].Numbers[i], t.Columns[1].Numbers[i] = (1+out)*math.Cos(angle), (1+out)*math.Sin(angle)
	}
	return t
}

func denoiser(t *testing.T, table *data.Table, o mercer.Denoising) *mercer.Denoiser {
	t.Helper()
	d, err := mercer.NewDenoiser(t.Context(), table, prep.Spec{}, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// With everything given it is package preimage on components of package kpca, about the
// origin and about the mean.
func TestDenoiseIsPreimage(t *testing.T) {
	clean, noisy := circleTable(40, 0), circleTable(7, 0.3)
	for _, mean := range []bool{false, true} {
		d := denoiser(t, clean, mercer.Denoising{Kernel: "rbf(sigma=0.7)", Components: []int{5}, Mean: mean})
		got, err := d.Denoise(t.Context(), noisy)
		if err != nil {
			t.Fatal(err)
		}
		xs := data.MakeVectors(40, 2)
		for i := range 40 {
			xs.At(i)[0], xs.At(i)[1] = clean.Columns[0].Numbers[i], clean.Columns[1].Numbers[i]
		}
		e, _, err := kpca.Fit(t.Context(), vec.RBF{Sigma: 0.7}, xs, kpca.Options{Components: 5, Origin: !mean})
		if err != nil {
			t.Fatal(err)
		}
		want, err := preimage.Denoise(t.Context(), e, nil, 5, got.Rows.X, preimage.FixedPoint{Profile: preimage.Gaussian(0.7)}, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range got.PreImages {
			testkit.CloseSlice(t, "point", a.Point, want[i].Point, 1e-5)
			testkit.Close(t, "residual", a.Residual, want[i].Residual, 1e-6)
		}
	}
}

// What is chosen has the smallest error of all that was tried, and brings noisy points
// nearer to the circle than they were and than principal components leave them.
func TestDenoiseChooses(t *testing.T) {
	t.Parallel()
	d := denoiser(t, circleTable(200, 0), mercer.Denoising{Kernel: "rbf(sigma=?)", Noise: mercer.Noise{Kind: mercer.GaussianNoise, Size: 0.2}, Seed: 3})
	r := d.Report
	if r.Held != 20 || r.Rows != 180 || r.About != "origin" || r.PCA != 2 && r.PCA != 1 {
		t.Fatalf("%+v", r)
	}
	smallest := slices.MinFunc(r.Trials[2:], func(a, b mercer.DenoisingTrial) int { return int(math.Copysign(1, a.Error-b.Error)) })
	if smallest.Error != r.Error || smallest.Components != r.Components || smallest.Kernel != r.Kernel {
		t.Errorf("chosen is %s with %d components, %g; the smallest error is %+v", r.Kernel, r.Components, r.Error, smallest)
	}
	c, err := d.Compare(t.Context(), circleTable(150, 0))
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "error of the noise", c.Noisy, 2*0.2*0.2, 0.02) // four standard errors of Σε², n = 150
	// The coordinates of a point of the circle have variance ½: shrunk by ½/(½ + σ²), each keeps
	// an error of ½σ²/(½ + σ²).
	testkit.Close(t, "error of shrunk PCA", c.Shrunk, 2*0.5*0.04/0.54, 0.02)
	if !(r.ShrunkPCAError < 1.1*r.PCAError) {
		t.Errorf("held out, shrunk PCA leaves %g and PCA %g", r.ShrunkPCAError, r.PCAError)
	}
	if !(c.Kernel < 0.8*c.PCA) || c.Ratio != c.PCA/c.Kernel {
		t.Errorf("error %g of noise, %g after PCA, %g after kernel PCA", c.Noisy, c.PCA, c.Kernel)
	}
	for _, at := range c.ByCount {
		if at.Components > 2 || at.Ratio != at.PCA/at.Kernel {
			t.Errorf("%+v", at)
		}
	}
}

// TestDenoiseSearchesOnASample: of many rows a sample decides on the kernel, and that alone is put
// on all rows.
func TestDenoiseSearchesOnASample(t *testing.T) {
	t.Parallel()
	d := denoiser(t, circleTable(1300, 0), mercer.Denoising{Kernel: "rbf(sigma=?)", Components: []int{2, 4, 8, 16},
		Noise: mercer.Noise{Kind: mercer.GaussianNoise, Size: 0.2}, Seed: 3})
	r := d.Report
	if r.Searched != 1000 || r.Rows != 1170 {
		t.Fatalf("searched on %d of %d rows", r.Searched, r.Rows)
	}
	kernels := map[int]map[string]bool{r.Searched: {}, r.Rows: {}}
	for _, trial := range r.Trials {
		if trial.Kernel != "" {
			kernels[trial.Rows][trial.Kernel] = true
		}
	}
	if len(kernels[r.Searched]) != 6 || len(kernels[r.Rows]) != 1 || !kernels[r.Rows][r.Kernel] {
		t.Errorf("kernels tried by number of rows: %v; chosen is %s", kernels, r.Kernel)
	}
}

// Speckle turns the share of numbers that it says into the extremes, both as often.
func TestSpeckle(t *testing.T) {
	t.Parallel()
	d := denoiser(t, circleTable(50, 0), mercer.Denoising{Kernel: "rbf(sigma=0.7)", Components: []int{4}, Noise: mercer.Noise{Kind: mercer.Speckle, Size: 0.4}})
	c, err := d.Compare(t.Context(), circleTable(5001, -0.5))
	if err != nil {
		t.Fatal(err)
	}
	least, most := d.Extremes()
	counts := map[float64]float64{}
	for i, v := range c.WithNoise.Raw() {
		if v != c.Clean.Raw()[i] {
			counts[v]++
		}
	}
	// 10002 numbers, each changed with probability 0.2: σ = 40.
	if len(counts) != 2 || math.Abs(counts[least]-2000) > 200 || math.Abs(counts[most]-2000) > 200 {
		t.Errorf("%v of 10002 numbers were changed, to be near 2000 each of %g and %g", counts, least, most)
	}
}

func TestDenoiseHasTheSameBitsForAnyNumberOfWorkers(t *testing.T) {
	t.Parallel()
	var first []preimage.PreImage[[]float64]
	for _, workers := range []int{1, 2, 3, 8} {
		d := denoiser(t, circleTable(100, 0), mercer.Denoising{Kernel: "rbf(sigma=?)", Components: []int{2, 4, 8},
			Noise: mercer.Noise{Kind: mercer.GaussianNoise, Size: 0.2}, Compute: compute.Options{Workers: workers}})
		got, err := d.Denoise(t.Context(), circleTable(90, 0.2))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got.PreImages
		}
		for i, a := range got.PreImages {
			if !slices.Equal(a.Point, first[i].Point) || a.Residual != first[i].Residual {
				t.Fatalf("%d workers: row %d is %v, with one worker %v", workers, i, a, first[i])
			}
		}
	}
}

// Every way answers, with the residual of its answer, and the training rows are no better
// than any point of the plane.
func TestDenoiseWays(t *testing.T) {
	least := map[mercer.PreImage]float64{}
	for _, way := range mercer.PreImages {
		d := denoiser(t, circleTable(30, 0), mercer.Denoising{Kernel: "rbf(sigma=0.7)", Components: []int{5}, PreImage: way})
		got, err := d.Denoise(t.Context(), circleTable(8, 0.3))
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range got.PreImages {
			least[way] += a.Residual
			if r := math.Hypot(a.Point[0], a.Point[1]); math.Abs(r-1) > 0.2 {
				t.Errorf("%s: %v is not on the circle", way, a.Point)
			}
		}
	}
	for _, way := range mercer.PreImages {
		if least[way] < least[mercer.FixedPoint]-1e-6 {
			t.Errorf("the residuals of %s are %g, below those of the fixed points, %g", way, least[way], least[mercer.FixedPoint])
		}
	}
}

func TestDenoiseRefuses(t *testing.T) {
	noise := mercer.Noise{Kind: mercer.GaussianNoise, Size: 0.1}
	for _, tc := range []struct {
		name, want string
		rows       int
		o          mercer.Denoising
	}{
		{"nothing to choose by", "give one number, or the noise", 20, mercer.Denoising{Kernel: "rbf(sigma=1)"}},
		{"free width", "give its value, or the noise", 20, mercer.Denoising{Kernel: "rbf(sigma=?)", Components: []int{2}}},
		{"two free parameters", "2 free parameters; one can be chosen", 20, mercer.Denoising{Kernel: "rbf(sigma=?) + laplace(sigma=?)", Noise: noise}},
		{"row ids", "is on ids", 20, mercer.Denoising{Kernel: `gram(file="K.npy")`, Noise: noise}},
		{"few rows", "too few to hold 5 of them out", 6, mercer.Denoising{Kernel: "rbf(sigma=1)", Noise: noise}},
		{"unknown noise", `noise "rain" is not known`, 20, mercer.Denoising{Kernel: "rbf(sigma=1)", Noise: mercer.Noise{Kind: "rain", Size: 1}}},
		{"no size", "it must be above 0", 20, mercer.Denoising{Kernel: "rbf(sigma=1)", Noise: mercer.Noise{Kind: mercer.Speckle}}},
		{"share", "the share of rows held out is 1", 20, mercer.Denoising{Kernel: "rbf(sigma=1)", Noise: noise, Held: 1}},
		{"way", `by "magic" are not known`, 20, mercer.Denoising{Kernel: "rbf(sigma=1)", Components: []int{2}, PreImage: "magic"}},
		{"counts", "give numbers above 0, ascending", 20, mercer.Denoising{Kernel: "rbf(sigma=1)", Components: []int{4, 2}, Noise: noise}},
		{"memory", "more than the limit", 20, mercer.Denoising{Kernel: "rbf(sigma=1)", Components: []int{2}, Compute: compute.Options{MaxMemory: 1000}}},
		{"several", "it must be at least 0", 20, mercer.Denoising{Kernel: "rbf(sigma=1)", Held: -1, PreImage: "magic"}},
	} {
		if _, err := mercer.NewDenoiser(t.Context(), circleTable(tc.rows, 0), prep.Spec{}, tc.o); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
	d := denoiser(t, circleTable(20, 0), mercer.Denoising{Kernel: "rbf(sigma=1)", Components: []int{2}})
	if _, err := d.Compare(t.Context(), circleTable(5, 0)); err == nil || !strings.Contains(err.Error(), "say which noise") {
		t.Errorf("comparison without noise: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := mercer.NewDenoiser(ctx, circleTable(50, 0), prep.Spec{}, mercer.Denoising{Kernel: "rbf(sigma=?)", Noise: noise}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func ExampleNewDenoiser() {
	clean, noisy := circleTable(60, 0), circleTable(3, 0.4)
	d, err := mercer.NewDenoiser(context.Background(), clean, prep.Spec{}, mercer.Denoising{Kernel: "rbf(sigma=1)", Components: []int{5}})
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := d.Denoise(context.Background(), noisy)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range rows.PreImages {
		fmt.Printf("(%.2f, %.2f), residual %.2f\n", a.Point[0], a.Point[1]+1e-9, a.Residual)
	}
	// Output:
	// (1.05, 0.00), residual 0.23
	// (-0.53, 0.91), residual 0.23
	// (-0.53, -0.91), residual 0.23
}
