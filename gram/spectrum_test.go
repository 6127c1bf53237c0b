package gram

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
)

// The eigenvalues add up to the trace and their squares to ‖K‖_F²; a matrix of known
// spectrum gives it back.
func TestSpectrum(t *testing.T) {
	// [2 1; 1 2] has the eigenvalues 3 and 1.
	small, err := Spectrum(t.Context(), mat.NewSymDense(2, []float64{2, 1, math.NaN(), 2}), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "eigenvalues", small, []float64{3, 1}, 1e-14)
	xs := randomPoints(t, 71, 60, 2)
	p := bind(gaussian{}, xs, xs)
	k, err := Dense(t.Context(), p, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	values, err := Spectrum(t.Context(), k, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i, v := range values {
		sum += v
		if i > 0 && v > values[i-1] {
			t.Errorf("eigenvalue %d, %v, is larger than the one before, %v", i, v, values[i-1])
		}
	}
	testkit.Close(t, "sum of eigenvalues, the trace of a Gaussian Gram matrix", sum, 60, 1e-12)
}

// Σ λ/(λ+ridge) is the trace of K(K + ridge·I)⁻¹.
func TestEffectiveDimension(t *testing.T) {
	xs := randomPoints(t, 72, 40, 2)
	full := explicit(gaussian{}, xs, xs)
	values, err := Spectrum(t.Context(), symmetricOf(full), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const ridge = 0.1
	shifted := mat.DenseCopyOf(full)
	for i := range 40 {
		shifted.Set(i, i, full.At(i, i)+ridge)
	}
	var smoother mat.Dense
	if err := smoother.Solve(shifted, full); err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "effective dimension", EffectiveDimension(values, ridge), mat.Trace(&smoother), 1e-11)
	testkit.Close(t, "3/(3+1) + 1/(1+1), ignoring −1e-17", EffectiveDimension([]float64{3, 1, -1e-17}, 1), 1.25, 1e-15)
}

func TestIndefiniteNote(t *testing.T) {
	if note := IndefiniteNote([]float64{1, 1e-3, -3e-16}); note != "" {
		t.Errorf("rounding of 3e-16 was called indefinite: %s", note)
	}
	if note := IndefiniteNote([]float64{1, -1e-9}); !strings.HasPrefix(note, "1 of 2") {
		t.Errorf("−1e-9 beside 1 is no rounding: %q", note)
	}
	note := IndefiniteNote([]float64{4, 1, -0.5, -2})
	if want := "2 of 4 eigenvalues are negative beyond rounding; the smallest, -2, is 0.5 of the largest"; !strings.HasPrefix(note, want) {
		t.Errorf("note %q, want %q…", note, want)
	}
	if note := IndefiniteNote(nil); note != "" {
		t.Errorf("no eigenvalues: %q", note)
	}
}

// One list of functions that want as many rows as columns.
func TestMeasuresWantASquare(t *testing.T) {
	p := bind(linear{}, randomPoints(t, 73, 2, 2), randomPoints(t, 74, 3, 2))
	for name, err := range map[string]error{
		"centring": second(centringOf(t.Context(), Cross(p, compute.Options{}))),
		"dense":    second(Dense(t.Context(), p, compute.Options{})),
		"packed":   second(PackedOf(t.Context(), p, compute.Options{})),
		"fill":     Fill(t.Context(), mat.NewSymDense(2, nil), p, compute.Options{}),
	} {
		if err == nil || !strings.Contains(err.Error(), "2 row points and 3 column points") {
			t.Errorf("%s of a 2×3 matrix: %v", name, err)
		}
	}
}
