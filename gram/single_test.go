package gram

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// checkSingleProduct compares a product in single precision with the one of all Eval
// values, element by element: 100u·Σⱼ|kᵢⱼ||xⱼ|, of which 67u are for the sum and its
// roundings (see singleSide) and the rest for the tiles of the Gaussians used here.
func checkSingleProduct(t *testing.T, what string, got *mat.Dense, k, x *mat.Dense) {
	t.Helper()
	rows, cols := k.Dims()
	_, rhs := x.Dims()
	for i := range rows {
		for j := range rhs {
			sum, size := 0.0, 0.0
			for c := range cols {
				sum += k.At(i, c) * x.At(c, j)
				size += math.Abs(k.At(i, c) * x.At(c, j))
			}
			if d := math.Abs(got.At(i, j) - sum); !(d <= 100*0x1p-24*size) {
				t.Fatalf("%s: element (%d, %d) is %v, want %v: off by %.3g of Σ|kx|", what, i, j, got.At(i, j), sum, d/size)
			}
		}
	}
}

func TestSingleProducts(t *testing.T) {
	rbf := vec.RBF{Sigma: 1.5}
	for _, size := range [][2]int{{1, 1}, {31, 33}, {256, 256}, {257, 300}, {600, 513}} {
		for _, rhs := range []int{1, 3} {
			for _, k := range []kernel.Kernel[[]float64]{rbf, gaussian{}} { // with and without tiles of float32
				for _, d := range []int{3, 20} {
					what := fmt.Sprintf("%s, %v, rhs=%d, d=%d", k, size, rhs, d)
					rows, cols, x := randomPoints(t, 30, size[0], d), randomPoints(t, 31, size[1], d), randomDense(t, 32, size[1], rhs)
					var cross, symmetric mat.Dense
					o := compute.Options{Workers: 3, Precision: compute.Single}
					if err := Cross(bind(k, rows, cols), o).Mul(t.Context(), &cross, x); err != nil {
						t.Fatal(err)
					}
					checkSingleProduct(t, what+", rectangular", &cross, explicit(k, rows, cols), x)
					if err := Of(bind(k, cols, cols), o).Mul(t.Context(), &symmetric, x); err != nil {
						t.Fatal(err)
					}
					checkSingleProduct(t, what+", symmetric", &symmetric, explicit(k, cols, cols), x)
				}
			}
		}
	}
}

func TestSingleBitsDoNotDependOnWorkers(t *testing.T) {
	xs, zs, x := randomPoints(t, 33, 1100, 4), randomPoints(t, 34, 290, 4), randomDense(t, 35, 1100, 2)
	k := vec.RBF{}
	for name, p := range map[string]kernel.Pairs{"symmetric": bind(k, xs, xs), "rectangular": bind(k, zs, xs)} {
		var want mat.Dense
		for _, workers := range []int{1, 2, 3, 8} {
			s, got := Cross(p, compute.Options{Workers: workers, Precision: compute.Single}), new(mat.Dense)
			s.symmetric = name == "symmetric"
			if err := s.Mul(t.Context(), got, x); err != nil {
				t.Fatal(err)
			}
			if workers == 1 {
				want.CloneFrom(got)
			} else if !mat.Equal(got, &want) {
				t.Errorf("%s: the product with %d workers has other bits than with one", name, workers)
			}
		}
	}
}

// Right-hand sides far below the range of float32, as residuals become, keep their
// digits: a power of two changes no bit.
func TestSingleProductsScale(t *testing.T) {
	xs, x := randomPoints(t, 36, 300, 3), randomDense(t, 37, 300, 2)
	for name, s := range map[string]*Stream{
		"symmetric": Of(bind(vec.RBF{}, xs, xs), compute.Options{Precision: compute.Single}), "rectangular": Cross(bind(vec.RBF{}, xs, xs), compute.Options{Precision: compute.Single}),
	} {
		var want, got mat.Dense
		if err := s.Mul(t.Context(), &want, x); err != nil {
			t.Fatal(err)
		}
		for _, scale := range []float64{0x1p-300, 0x1p300} {
			var scaled mat.Dense
			scaled.Scale(scale, x)
			if err := s.Mul(t.Context(), &got, &scaled); err != nil {
				t.Fatal(err)
			}
			got.Scale(1/scale, &got)
			if !mat.Equal(&got, &want) {
				t.Errorf("%s: scaled by %g the product has other digits", name, scale)
			}
		}
		x.Set(7, 0, math.NaN())
		if err := s.Mul(t.Context(), &got, x); err != nil {
			t.Fatal(err)
		}
		if !math.IsNaN(got.At(0, 0)) || math.IsNaN(got.At(0, 1)) {
			t.Errorf("%s: NaN in the first right-hand side gives %v and %v", name, got.At(0, 0), got.At(0, 1))
		}
		x.Set(7, 0, 1)
	}
}

func TestSingleSymmetricStreamReadsTheUpperTriangle(t *testing.T) {
	xs, x := data.MakeVectors(300, 1), randomDense(t, 38, 300, 2)
	for i := range xs.Len() {
		xs.At(i)[0] = float64(i % 7) // x + 2y has few digits: nothing is rounded
	}
	full := explicit(lopsided{}, xs, xs)
	for i := range 300 {
		for j := range i {
			full.Set(i, j, full.At(j, i))
		}
	}
	var got mat.Dense
	if err := Of(bind(lopsided{}, xs, xs), compute.Options{Precision: compute.Single}).Mul(t.Context(), &got, x); err != nil {
		t.Fatal(err)
	}
	checkSingleProduct(t, "x + 2y", &got, full, x)
}

func TestSingleStopsWithContext(t *testing.T) {
	xs := randomPoints(t, 39, 700, 2)
	for name, make := range map[string]func(o compute.Options) *Stream{
		"symmetric":   func(o compute.Options) *Stream { return Of(bind(gaussian{}, xs, xs), o) },
		"rectangular": func(o compute.Options) *Stream { return Cross(bind(gaussian{}, xs, xs), o) },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		o := compute.Options{Workers: 1, Precision: compute.Single, Progress: func(_ string, done, _ int64) {
			if calls++; done == 1 {
				cancel()
			}
		}}
		err := make(o).Mul(ctx, &mat.Dense{}, mat.NewDense(700, 1, nil))
		if !errors.Is(err, context.Canceled) || calls != 2 {
			t.Errorf("%s: after the first tile was cancelled: error %v after %d tiles", name, err, calls-1)
		}
	}
}

// Without this the tests above would pass if nothing was single.
func TestSingleProductsAreSingle(t *testing.T) {
	xs, x := randomPoints(t, 40, 512, 3), randomDense(t, 41, 512, 1)
	var got, want mat.Dense
	if err := Of(bind(vec.RBF{}, xs, xs), compute.Options{Precision: compute.Single}).Mul(t.Context(), &got, x); err != nil {
		t.Fatal(err)
	}
	want.Mul(explicit(vec.RBF{}, xs, xs), x)
	got.Sub(&got, &want)
	if worst := mat.Norm(&got, math.Inf(1)); worst < 1e-9 {
		t.Errorf("the product is right to %g: it was computed in double precision", worst)
	}
}
