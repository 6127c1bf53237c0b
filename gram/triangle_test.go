package gram

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/kernel/vec"
)

// A triangle multiplies as a stream of the same kernel does, up to the rounding of the
// sums: n·u·Σ|kᵢⱼ||xⱼ| in double precision, the bound of checkSingleProduct in single.
func TestTriangleMultiplies(t *testing.T) {
	k := vec.RBF{Sigma: 1.5}
	for _, n := range []int{1, 255, 257, 600} {
		xs, x := randomPoints(t, 40, n, 3), randomDense(t, 41, n, 3)
		want := explicit(k, xs, xs)
		for _, precision := range []compute.Precision{compute.Double, compute.Single} {
			o := compute.Options{Precision: precision, Workers: 2}
			var got mat.Dense
			tri, err := TriangleOf(t.Context(), bind(k, xs, xs), o)
			if err != nil {
				t.Fatal(err)
			}
			if err := tri.Mul(t.Context(), &got, x); err != nil {
				t.Fatal(err)
			}
			if precision == compute.Single {
				checkSingleProduct(t, "triangle", &got, want, x)
				continue
			}
			for i := range n {
				for c := range 3 {
					sum, size := 0.0, 0.0
					for j := range n {
						sum += want.At(i, j) * x.At(j, c)
						size += math.Abs(want.At(i, j) * x.At(j, c))
					}
					if d := math.Abs(got.At(i, c) - sum); !(d <= float64(n+20)*0x1p-53*size) {
						t.Fatalf("n=%d: element (%d, %d) is off by %g of Σ|kx|", n, i, c, d/size)
					}
				}
			}
		}
	}
}

// The triangle is stored where it fits beside what the caller needs.
func TestRepeatedChooses(t *testing.T) {
	xs := randomPoints(t, 42, 300, 3)
	pairs := bind(vec.RBF{}, xs, xs)
	double, single := PackedBytes(300, compute.Double), PackedBytes(300, compute.Single)
	for _, c := range []struct {
		precision     compute.Precision
		limit, beside int64
		want          string
	}{
		{compute.Double, 0, 0, InTriangle},
		{compute.Single, 0, 0, InSingleTriangle},
		{compute.Double, double, 0, InTriangle},
		{compute.Double, double, 1, InStream},
		{compute.Double, double - 1, 0, InStream},
		{compute.Single, single, 0, InSingleTriangle},
		{compute.Double, 0, 4 << 30, InStream},
	} {
		op, where, err := CachedOperator(t.Context(), pairs, c.beside, compute.Options{Precision: c.precision, MaxMemory: c.limit})
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := op.Dims(); n != 300 || where != c.want || op.Pairs() == nil {
			t.Errorf("%+v: %d points, %s", c, n, where)
		}
	}
	var large *compute.TooLarge
	if _, err := TriangleOf(t.Context(), pairs, compute.Options{MaxMemory: double - 1}); !errors.As(err, &large) {
		t.Errorf("error %v is not one of memory", err)
	}
}
