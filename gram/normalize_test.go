package gram

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
)

// The normalised linear kernel is the cosine of the angle of the points.
func TestNormalizeGivesCosines(t *testing.T) {
	xs, zs := randomPoints(t, 50, 30, 3), randomPoints(t, 51, 10, 3)
	cos := func(x, y []float64) float64 {
		return linear{}.Eval(x, y) / math.Sqrt(linear{}.Eval(x, x)*linear{}.Eval(y, y))
	}
	k := symmetricOf(explicit(linear{}, xs, xs))
	if err := Normalize(k); err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		if k.At(i, i) != 1 {
			t.Errorf("k(x, x) = %v after normalisation", k.At(i, i))
		}
		for j := range 30 {
			testkit.Close(t, "cosine", k.At(i, j), cos(xs.At(i), xs.At(j)), 1e-15)
		}
	}
	cross := explicit(linear{}, zs, xs)
	diag := func(k *mat.Dense) []float64 {
		out := make([]float64, k.RawMatrix().Rows)
		for i := range out {
			out[i] = k.At(i, i)
		}
		return out
	}
	if err := NormalizeCross(cross, diag(explicit(linear{}, zs, zs)), diag(explicit(linear{}, xs, xs))); err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		for j := range 30 {
			testkit.Close(t, "cosine of a new point", cross.At(i, j), cos(zs.At(i), xs.At(j)), 1e-15)
		}
	}
}

func TestNormalizeRefusesPointsWithoutDirection(t *testing.T) {
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		k := mat.NewSymDense(2, []float64{4, 2, 0, bad})
		if err := Normalize(k); err == nil || !strings.Contains(err.Error(), "row 1") || k.At(0, 1) != 2 {
			t.Errorf("k(x₁, x₁) = %v: error %v, k₀₁ = %v", bad, err, k.At(0, 1))
		}
		if err := NormalizeCross(mat.NewDense(1, 2, nil), []float64{1}, []float64{1, bad}); err == nil || !strings.Contains(err.Error(), "column 1") {
			t.Errorf("diagonal %v of a column: error %v", bad, err)
		}
	}
	if err := NormalizeCross(mat.NewDense(1, 2, nil), []float64{1, 1}, []float64{1, 1}); err == nil {
		t.Error("a diagonal of the wrong length was accepted")
	}
}
