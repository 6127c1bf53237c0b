package kmeans_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/checkpoint/checkpointtest"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/pass/passtest"
	"example.org/mercer/unsupervised/kmeans"
)

// bumps are the features φ_l(x) = exp(−‖x − c_l‖²/2) of rows around four points, c_l the first m
// rows: their inner products are affinities above 0.
func bumps(t *testing.T, n, m int) data.Vectors {
	t.Helper()
	rng, x := testkit.Rand(t, 11), data.MakeVectors(n, 2)
	for i := range n {
		x.At(i)[0], x.At(i)[1] = 4*float64(i%2)+rng.NormFloat64(), 3.5*float64(i/2%2)+rng.NormFloat64()
	}
	phi := data.MakeVectors(n, m)
	for i := range n {
		for l := range m {
			dx, dy := x.At(i)[0]-x.At(l)[0], x.At(i)[1]-x.At(l)[1]
			phi.At(i)[l] = math.Exp(-(dx*dx + dy*dy) / 2)
		}
	}
	return phi
}

// inner returns the matrix ΦΦᵀ as an operator, n×n.
func inner(t *testing.T, phi data.Vectors) kmeans.Gram {
	t.Helper()
	a, k := mat.NewDense(phi.Len(), phi.Dim(), phi.Raw()), new(mat.SymDense)
	k.SymOuterK(1, a)
	return gram.FromMatrix(k)
}

// The clusters in features are those of the n×n matrix of their inner products: eigenvalues, cuts
// before and after the refinement, labels, and the functions by which new nodes are labelled.
func TestCutOfFeaturesIsSolveCut(t *testing.T) {
	const n, m = 700, 12
	phi, weights := bumps(t, n, m), make([]float64, n)
	for i := range weights {
		weights[i] = float64((i + 1) % 4)
	}
	for _, c := range []struct {
		name string
		k    kmeans.Range
		o    kmeans.Options
	}{
		{"four", kmeans.Range{Least: 4, Most: 4}, kmeans.Options{Seed: 1}},
		{"by the eigengap", kmeans.Range{Least: 2, Most: 9}, kmeans.Options{}},
		{"weights", kmeans.Range{Least: 3, Most: 5}, kmeans.Options{Weights: weights}},
		{"one", kmeans.Range{Least: 1, Most: 1}, kmeans.Options{}},
	} {
		want, by, err := kmeans.SolveCut(t.Context(), kmeans.Affinities{Gram: inner(t, phi)}, c.k, c.o)
		if err != nil {
			t.Fatal(err)
		}
		got, r, err := kmeans.SolveCut(t.Context(), kmeans.Features{Rows: phi}, c.k, c.o)
		if err != nil {
			t.Fatal(err)
		}
		// Eigenvalues of sums of n terms differ by nε; those of TopEigen have its tolerance.
		testkit.CloseSlice(t, c.name+": eigenvalues", r.Eigenvalues, by.Eigenvalues, 1e-8)
		testkit.Close(t, c.name+": gap", r.Gap, by.Gap, 1e-7)
		testkit.Close(t, c.name+": cut", r.Cut, by.Cut, 1e-10)
		testkit.Close(t, c.name+": relaxed cut", r.Relaxed, by.Relaxed, 1e-10)
		// Rows of weight 0 have no place in the embedding of the matrix.
		counted := r.Moved == by.Moved && slices.Equal(r.Sizes, by.Sizes) || c.o.Weights != nil
		if r.K != by.K || r.Components != by.Components || len(r.Warnings) != len(by.Warnings) || !slices.Equal(r.Masses, by.Masses) || !counted {
			t.Errorf("%s: the report is\n%+v, that of the matrix\n%+v", c.name, r, by)
		}
		if c.name == "four" && r.Moved == 0 {
			t.Error("the refinement moves nothing: it is not tested")
		}
		for i, j := range got.Labels {
			if j != want.Labels[i] && (c.o.Weights == nil || weights[i] > 0) {
				t.Fatalf("%s: row %d is in cluster %d, and by the matrix in %d", c.name, i, j, want.Labels[i])
			}
		}
		testkit.CloseSlice(t, c.name+": masses", got.Masses, want.Masses, 1e-11)
		var of, wanted mat.Dense
		of.Mul(mat.NewDense(n, m, phi.Raw()), got.Coef())
		if err := inner(t, phi).Mul(t.Context(), &wanted, want.Coef()); err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, c.name+": functions", of.RawMatrix().Data, wanted.RawMatrix().Data, 1e-9)
	}
}

// Wherever the features are, whether the embedded rows are held, and for any number of workers, the
// bits are the same.
func TestCutOfFeaturesHasTheSameBitsEverywhere(t *testing.T) {
	phi, o := bumps(t, 1500, 9), kmeans.Options{Restarts: 3, Seed: 2}
	elsewhere, driver := passtest.Apart(phi)
	var first []float64
	for _, c := range []struct {
		rows    data.Rows
		compute compute.Options
	}{
		{phi, compute.Options{Workers: 1}}, {phi, compute.Options{Workers: 3, MaxMemory: 1 << 12}},
		{passtest.NewRows(phi), compute.Options{Workers: 2}}, {passtest.NewRows(phi), compute.Options{Workers: 8, MaxMemory: 1 << 12}},
		{elsewhere, compute.Options{}}, {elsewhere, compute.Options{MaxMemory: 1 << 12}},
	} {
		o.Compute = c.compute
		got, r, err := kmeans.SolveCut(t.Context(), kmeans.Features{Rows: c.rows}, kmeans.Range{Least: 2, Most: 6}, o)
		if err != nil {
			t.Fatal(err)
		}
		bits := append(append(slices.Clone(got.Coef().RawMatrix().Data), r.Cut, r.Relaxed, r.Objective), r.Eigenvalues...)
		for _, j := range got.Labels {
			bits = append(bits, float64(j))
		}
		if first == nil {
			first = bits
		}
		if !slices.Equal(bits, first) {
			t.Errorf("%T, %+v: other bits", c.rows, c.compute)
		}
	}
	if driver.Passes < 8 { // sum, moments, cuts, embedding and refinement
		t.Errorf("the driver made %d passes", driver.Passes)
	}
}

// A search that is killed goes on to the same bits.
func TestCutOfFeaturesGoesOn(t *testing.T) {
	phi := bumps(t, 600, 9)
	path := filepath.Join(t.TempDir(), "c")
	var bits []float64
	run := func(workers, after int, resume bool) (steps, known int, err error) {
		return checkpointtest.Run(t, path, after, resume, func(s *checkpointtest.Steps) error {
			o := kmeans.Options{Restarts: 2, Compute: compute.Options{Workers: workers, Checkpoint: s}}
			got, r, err := kmeans.SolveCut(t.Context(), kmeans.Features{Rows: passtest.NewRows(phi)}, kmeans.Range{Least: 2, Most: 6}, o)
			if err == nil {
				bits = append(slices.Clone(got.Coef().RawMatrix().Data), r.Cut, r.Relaxed)
			}
			return err
		})
	}
	steps, _, err := run(1, checkpointtest.Never, false)
	if err != nil || steps < 6 {
		t.Fatalf("%d steps; %v", steps, err)
	}
	want := bits
	for after := 1; after < steps; after += 1 + steps/12 {
		if _, _, err := run(2, after, false); !errors.Is(err, checkpointtest.ErrKilled) {
			t.Fatalf("killed after step %d of %d: %v", after, steps, err)
		}
		if _, known, err := run(3, checkpointtest.Never, true); err != nil || known == 0 || !slices.Equal(bits, want) {
			t.Errorf("killed after step %d of %d, %d are known: %v", after, steps, known, err)
		}
	}
}

// What the features have no clusters for says so: rows whose inner products cancel, fewer features
// than clusters, affinities below 0, and the options.
func TestCutOfFeaturesRefusesAndWarns(t *testing.T) {
	two := kmeans.Range{Least: 2, Most: 2}
	cancelling := data.MakeVectors(600, 2)
	for i := range 600 {
		cancelling.At(i)[i%2] = 1
	}
	cancelling.At(311)[1], cancelling.At(507)[0] = -0.25, -0.5
	for want, of := range map[string]func() error{
		"the affinities of 1 of 600 rows add up to no positive number in these 2 features, those of row 311 to -": func() error {
			phi := cancelling
			phi.At(507)[0] = 0
			_, _, err := kmeans.SolveCut(t.Context(), kmeans.Features{Rows: phi}, two, kmeans.Options{})
			return err
		},
		"give no start": func() error {
			_, _, err := kmeans.SolveCut(t.Context(), kmeans.Features{Rows: cancelling}, two, kmeans.Options{StartLabels: make([]int, 600)})
			return err
		},
		"not a range from 1": func() error {
			_, _, err := kmeans.SolveCut(t.Context(), kmeans.Features{Rows: cancelling}, kmeans.Range{}, kmeans.Options{})
			return err
		},
		"context canceled": func() error {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, _, err := kmeans.SolveCut(ctx, kmeans.Features{Rows: bumps(t, 600, 3)}, two, kmeans.Options{})
			return err
		},
		"no positive number": func() error {
			phi := bumps(t, 600, 3)
			phi.At(300)[1] = math.NaN()
			_, _, err := kmeans.SolveCut(t.Context(), kmeans.Features{Rows: passtest.NewRows(phi)}, two, kmeans.Options{})
			return err
		},
	} {
		if err := of(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	_, r, err := kmeans.SolveCut(t.Context(), kmeans.Features{Rows: bumps(t, 600, 3)}, kmeans.Range{Least: 5, Most: 5}, kmeans.Options{})
	if err != nil || !strings.Contains(strings.Join(r.Warnings, " "), "the affinities have rank 3, less than the 5 clusters") || !slices.Equal(r.Eigenvalues[3:], []float64{0, 0, 0}) {
		t.Errorf("five clusters in three features: %+v; %v", r, err)
	}
	// Two of three kinds of rows have affinities below 0 with one another.
	signed := data.MakeVectors(90, 2)
	for i := range 90 {
		angle := 2 * math.Pi * float64(i%3) / 3
		signed.At(i)[0], signed.At(i)[1] = math.Cos(angle)+0.6, math.Sin(angle)
	}
	if _, r, err = kmeans.SolveCut(t.Context(), kmeans.Features{Rows: signed}, two, kmeans.Options{}); err != nil || !strings.Contains(strings.Join(r.Warnings, " "), "above 1: some affinities are negative") {
		t.Errorf("negative affinities: %+v; %v", r, err)
	}
}
