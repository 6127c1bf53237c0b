package bessel

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// relative fails unless got is within tol of want, relative to it, or both are below
// the smallest normal number.
func relative(t *testing.T, what string, at [2]float64, got, want, tol float64) {
	t.Helper()
	if math.Abs(want) < 0x1p-1022 && math.Abs(got) < 0x1p-1021 {
		return
	}
	if d := math.Abs(got-want) / math.Abs(want); !(d <= tol) {
		t.Errorf("%s(%v, %v) = %.17g, want %.17g: off by %.3g relative, more than %.3g", what, at[0], at[1], got, want, d, tol)
	}
}

// Temme's series and Steed's fraction lose a few units in the last place; the
// recurrence in the order adds one for each of its steps, and t^ν for large ν up to
// ν·log(t) of them.
func TestBesselAgainstReference(t *testing.T) {
	raw, err := os.ReadFile("testdata/bessel.json")
	if err != nil {
		t.Fatal(err)
	}
	var reference struct {
		Bessel, Matern [][4]float64
		Scipy          [][3]float64
	}
	if err := json.Unmarshal(raw, &reference); err != nil {
		t.Fatal(err)
	}
	for _, r := range reference.Bessel {
		k0, k1 := besselK(r[0], r[1])
		relative(t, "K_μ", [2]float64{r[0], r[1]}, k0, r[2], 6e-15)
		relative(t, "K_μ+1", [2]float64{r[0], r[1]}, k1, r[3], 6e-15)
	}
	for _, r := range reference.Scipy {
		k0, _ := besselK(r[0], r[1])
		relative(t, "scipy K_ν", [2]float64{r[0], r[1]}, k0, r[2], 1e-13) // mpmath differs from scipy by as much
	}
	for _, r := range reference.Matern {
		value, negSlope := maternProfile(r[0], r[1])
		tol := (40 + r[0]) * 0x1p-52
		relative(t, "M_ν", [2]float64{r[0], r[1]}, value, r[2], tol)
		relative(t, "−tM′_ν", [2]float64{r[0], r[1]}, negSlope, r[3], tol)
	}
}

// The Bessel form of the orders that have a closed form.
func TestMaternClosedFormsAreBesselForms(t *testing.T) {
	for _, nu := range []float64{0.5, 1.5, 2.5} {
		for _, x := range []float64{0, 1e-120, 1e-9, 0.2, 1, 3, 30, 700} {
			v, s := Matern(nu, x)
			value, negSlope := maternProfile(nu, x)
			relative(t, "M_ν", [2]float64{nu, x}, value, v, 8e-15)
			if s != 0 && x > 1e-100 {
				relative(t, "−tM′_ν", [2]float64{nu, x}, negSlope, s, 8e-15)
			}
		}
	}
}

// u₁ = (3p − 5p³)/24 and u₂ = (81p² − 462p⁴ + 385p⁶)/1152 (DLMF 10.41.10).
func TestDebyePolynomials(t *testing.T) {
	u := debyePolynomials()
	for k, want := range [][]float64{{1}, {0, 3. / 24, 0, -5. / 24}, {0, 0, 81. / 1152, 0, -462. / 1152, 0, 385. / 1152}} {
		for n, w := range want {
			relative(t, "u_k", [2]float64{float64(k), float64(n)}, u[k][n], w, 1e-15)
		}
	}
}

// Where the two ways to compute M_ν meet they agree.
func TestDebyeContinuesTheRecurrence(t *testing.T) {
	for _, x := range []float64{1e-3, 0.5, 3, 20, 80, 300} {
		byRecurrence, slope := maternProfile(debyeOrder+1, x)
		relative(t, "M", [2]float64{debyeOrder + 1, x}, maternDebye(debyeOrder+1, x), byRecurrence, 4e-14)
		relative(t, "−tM′", [2]float64{debyeOrder + 1, x}, x*x/(2*debyeOrder)*maternDebye(debyeOrder, x), slope, 4e-14)
	}
}
