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
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
)

// explicit is the matrix of all Eval values: the slow obvious path.
func explicit(k kernel.Kernel[[]float64], rows, cols data.Vectors) *mat.Dense {
	if rows.Len() == 0 || cols.Len() == 0 {
		return &mat.Dense{}
	}
	out := mat.NewDense(rows.Len(), cols.Len(), nil)
	for i := range rows.Len() {
		for j := range cols.Len() {
			out.Set(i, j, k.Eval(rows.At(i), cols.At(j)))
		}
	}
	return out
}

func randomDense(t testing.TB, seed uint64, r, c int) *mat.Dense {
	rng := testkit.Rand(t, seed)
	out := mat.NewDense(r, c, nil)
	for i := range out.RawMatrix().Data {
		out.RawMatrix().Data[i] = rng.NormFloat64()
	}
	return out
}

// productTolerance bounds the error of a sum of n products with |K| ≤ 1 relative to
// the largest result: n·ε·Σ|x| stays below 1e-12 for n ≤ 600.
const productTolerance = 1e-12

func TestStreamMultiplies(t *testing.T) {
	// Sizes on both sides of the tile edges, so that rounds have odd and even length.
	for _, n := range []int{1, 2, 127, 128, 129, 300, 385, 512} {
		for _, rhs := range []int{1, 3} {
			t.Run(fmt.Sprintf("n=%d,rhs=%d", n, rhs), func(t *testing.T) {
				xs, x := randomPoints(t, 1, n, 3), randomDense(t, 2, n, rhs)
				var got, want mat.Dense
				if err := Of(bind(gaussian{}, xs, xs), compute.Options{Workers: 3}).Mul(context.Background(), &got, x); err != nil {
					t.Fatal(err)
				}
				want.Mul(explicit(gaussian{}, xs, xs), x)
				testkit.CloseSlice(t, "K·x", got.RawMatrix().Data, want.RawMatrix().Data, productTolerance)
			})
		}
	}
}

func TestStreamMultipliesRectangle(t *testing.T) {
	for _, size := range [][2]int{{1, 300}, {300, 1}, {33, 129}, {257, 128}, {400, 130}} {
		rows, cols, x := randomPoints(t, 3, size[0], 2), randomPoints(t, 4, size[1], 2), randomDense(t, 5, size[1], 2)
		var got, want mat.Dense
		if err := Cross(bind(gaussian{}, rows, cols), compute.Options{Workers: 2}).Mul(context.Background(), &got, x); err != nil {
			t.Fatal(err)
		}
		want.Mul(explicit(gaussian{}, rows, cols), x)
		testkit.CloseSlice(t, fmt.Sprint("K·x for ", size), got.RawMatrix().Data, want.RawMatrix().Data, productTolerance)
	}
}

func TestStreamBitsDoNotDependOnWorkers(t *testing.T) {
	xs, zs, x := randomPoints(t, 6, 700, 4), randomPoints(t, 7, 290, 4), randomDense(t, 8, 700, 2)
	for name, make := range map[string]func(o compute.Options) *Stream{
		"symmetric":   func(o compute.Options) *Stream { return Of(bind(gaussian{}, xs, xs), o) },
		"rectangular": func(o compute.Options) *Stream { return Cross(bind(gaussian{}, zs, xs), o) },
	} {
		var want mat.Dense
		if err := make(compute.Options{Workers: 1}).Mul(context.Background(), &want, x); err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{2, 3, 7} {
			var got mat.Dense
			if err := make(compute.Options{Workers: workers}).Mul(context.Background(), &got, x); err != nil {
				t.Fatal(err)
			}
			if !mat.Equal(&got, &want) {
				t.Errorf("%s: the product with %d workers has other bits than with one", name, workers)
			}
		}
	}
}

// lopsided is not symmetric: the views must agree on whose elements count.
type lopsided struct{}

func (lopsided) String() string { return "lopsided" }

func (lopsided) Eval(x, y []float64) float64 { return x[0] + 2*y[0] }

func TestSymmetricStreamReadsTheUpperTriangle(t *testing.T) {
	xs, x := randomPoints(t, 16, 200, 1), randomDense(t, 17, 200, 2)
	p := bind(lopsided{}, xs, xs)
	var streamed, stored mat.Dense
	if err := Of(p, compute.Options{}).Mul(t.Context(), &streamed, x); err != nil {
		t.Fatal(err)
	}
	if err := FromMatrix(symmetricOf(explicit(lopsided{}, xs, xs))).Mul(t.Context(), &stored, x); err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(&streamed, &stored) {
		t.Error("the stream is not the symmetric matrix of the upper triangle")
	}
}

func TestStreamRows(t *testing.T) {
	rows, cols := randomPoints(t, 9, 40, 2), randomPoints(t, 10, 1500, 2)
	s := Cross(bind(gaussian{}, rows, cols), compute.Options{Workers: 2})
	var got mat.Dense
	if err := s.Rows(context.Background(), &got, []int{7, 39, 7}); err != nil {
		t.Fatal(err)
	}
	all := explicit(gaussian{}, rows, cols)
	for r, i := range []int{7, 39, 7} {
		testkit.CloseSlice(t, fmt.Sprint("row ", i), got.RawRowView(r), all.RawRowView(i), 0)
	}
	if err := s.Rows(context.Background(), &got, []int{0, 40, 1}); err == nil {
		t.Error("row 40 of 40 was accepted")
	}
}

func TestStreamRefusesWrongSizes(t *testing.T) {
	a, b := randomPoints(t, 11, 3, 2), randomPoints(t, 12, 5, 2)
	ctx := context.Background()
	for name, err := range map[string]error{
		"x":      Cross(bind(gaussian{}, a, b), compute.Options{}).Mul(ctx, &mat.Dense{}, mat.NewDense(3, 1, nil)),
		"dst":    Cross(bind(gaussian{}, a, b), compute.Options{}).Mul(ctx, mat.NewDense(5, 1, nil), mat.NewDense(5, 1, nil)),
		"square": Of(bind(gaussian{}, a, b), compute.Options{}).Mul(ctx, &mat.Dense{}, mat.NewDense(5, 1, nil)),
	} {
		if err == nil {
			t.Errorf("%s: a wrong size was accepted", name)
		}
	}
}

func TestStreamStopsWithContext(t *testing.T) {
	xs := randomPoints(t, 13, 300, 2)
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	o := compute.Options{Workers: 1, Progress: func(_ string, done, _ int64) {
		if calls++; done == 1 {
			cancel()
		}
	}}
	err := Of(bind(gaussian{}, xs, xs), o).Mul(ctx, &mat.Dense{}, mat.NewDense(300, 1, nil))
	if !errors.Is(err, context.Canceled) || calls != 2 {
		t.Errorf("after the first of 6 tiles was cancelled: error %v after %d tiles", err, calls-1)
	}
}

func TestStreamPassesNaNOn(t *testing.T) {
	xs := randomPoints(t, 14, 5, 2)
	xs.Raw()[3] = math.NaN()
	var got mat.Dense
	if err := Of(bind(gaussian{}, xs, xs), compute.Options{}).Mul(context.Background(), &got, randomDense(t, 15, 5, 1)); err != nil {
		t.Fatal(err)
	}
	if !math.IsNaN(got.At(1, 0)) || !math.IsNaN(got.At(0, 0)) {
		t.Errorf("a NaN in a point was lost in the product: %v", got.RawMatrix().Data)
	}
}
