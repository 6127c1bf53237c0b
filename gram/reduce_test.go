package gram

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
)

func TestRowSums(t *testing.T) {
	xs, zs := randomPoints(t, 50, 70, 3), randomPoints(t, 51, 300, 3)
	k := explicit(gaussian{}, xs, zs)
	for _, c := range []struct {
		precision compute.Precision
		tolerance float64
	}{{compute.Double, productTolerance}, {compute.Single, 100 * 0x1p-24}} {
		sums := make([]float64, 70)
		if err := Cross(bind(gaussian{}, xs, zs), compute.Options{Precision: c.precision}).RowSums(t.Context(), sums); err != nil {
			t.Fatal(err)
		}
		for i, got := range sums {
			testkit.Close(t, c.precision.String(), got, mat.Sum(k.Slice(i, i+1, 0, 300)), c.tolerance)
		}
	}
	none := []float64{1, 2}
	if err := Cross(bind(gaussian{}, randomPoints(t, 52, 2, 3), randomPoints(t, 53, 0, 3)), compute.Options{}).RowSums(t.Context(), none); err != nil || none[0] != 0 {
		t.Errorf("sums of no columns: %v, %v", none, err)
	}
	if err := Cross(bind(gaussian{}, xs, zs), compute.Options{}).RowSums(t.Context(), none); err == nil {
		t.Error("2 sums of 70 rows were accepted")
	}
}

// The column nearest in the feature space of the linear kernel is the nearest point.
func TestArgMaxIsTheNearestPoint(t *testing.T) {
	xs, zs := randomPoints(t, 54, 200, 3), randomPoints(t, 55, 300, 3)
	copy(zs.At(250), zs.At(7)) // a tie, which the first column wins
	copy(xs.At(100), zs.At(7))
	offset := make([]float64, 300)
	for j := range offset {
		z := zs.At(j)
		offset[j] = -(z[0]*z[0] + z[1]*z[1] + z[2]*z[2]) / 2
	}
	var first []int
	for _, workers := range []int{1, 2, 3, 8} {
		best, value := make([]int, 200), make([]float64, 200)
		if err := Cross(bind(vec.Linear{}, xs, zs), compute.Options{Workers: workers}).ArgMax(t.Context(), best, value, offset); err != nil {
			t.Fatal(err)
		}
		for i, got := range best {
			x, nearest, least := xs.At(i), -1, math.Inf(1)
			for j := range 300 {
				z, d := zs.At(j), 0.0
				for c := range x {
					d += (x[c] - z[c]) * (x[c] - z[c])
				}
				if d < least {
					nearest, least = j, d
				}
			}
			if got != nearest {
				t.Errorf("row %d: nearest is column %d, want %d", i, got, nearest)
			}
			testkit.Close(t, "squared distance", x[0]*x[0]+x[1]*x[1]+x[2]*x[2]-2*value[i], least, 1e-13)
		}
		if first == nil {
			first = best
		} else if !slices.Equal(best, first) {
			t.Errorf("%d workers find other columns than one", workers)
		}
	}
}

func TestArgMaxOfNothing(t *testing.T) {
	xs, zs := randomPoints(t, 56, 3, 2), randomPoints(t, 57, 5, 2)
	xs.At(1)[0] = math.NaN()
	best, value := []int{7, 7, 7}, []float64{7, 7, 7}
	if err := Cross(bind(gaussian{}, xs, zs), compute.Options{}).ArgMax(t.Context(), best, value, nil); err != nil {
		t.Fatal(err)
	}
	if best[1] != -1 || !math.IsNaN(value[1]) || best[0] < 0 || best[2] < 0 {
		t.Errorf("with NaN in row 1: columns %v, values %v", best, value)
	}
	if err := Cross(bind(gaussian{}, xs, zs), compute.Options{}).ArgMax(t.Context(), best, value, make([]float64, 4)); err == nil {
		t.Error("4 offsets for 5 columns were accepted")
	}
	if err := Cross(bind(gaussian{}, xs, zs), compute.Options{}).ArgMax(t.Context(), best[:2], value, nil); err == nil {
		t.Error("2 places for 3 rows were accepted")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Cross(bind(gaussian{}, xs, zs), compute.Options{}).ArgMax(ctx, best, value, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
