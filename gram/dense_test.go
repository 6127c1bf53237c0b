package gram

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
)

func TestViewsAreTheSameMatrix(t *testing.T) {
	for _, n := range []int{1, 128, 129, 400} {
		xs := randomPoints(t, 30, n, 3)
		want := symmetricOf(explicit(gaussian{}, xs, xs))
		for _, workers := range []int{1, 3} {
			o, p := compute.Options{Workers: workers}, bind(gaussian{}, xs, xs)
			dense, err := Dense(t.Context(), p, o)
			if err != nil {
				t.Fatal(err)
			}
			packed, err := PackedOf(t.Context(), p, o)
			if err != nil {
				t.Fatal(err)
			}
			streamed, err := Materialize(t.Context(), Of(p, o), o)
			if err != nil {
				t.Fatal(err)
			}
			single, err := PackedSingleOf(t.Context(), nil, p, o)
			if err != nil {
				t.Fatal(err)
			}
			for i := range single.TileCount() {
				for j := range i + 1 {
					rows, cols, stride, data := single.Tile(i, j)
					for at := range rows * cols {
						r, c := at/cols, at%cols
						if want := float32(want.At(i*single.TileSize()+r, j*single.TileSize()+c)); data[r*stride+c] != want {
							t.Fatalf("n=%d: element (%d, %d) of tile (%d, %d) is %v in single precision, want %v", n, r, c, i, j, data[r*stride+c], want)
						}
					}
				}
			}
			for name, got := range map[string]mat.Matrix{"dense": dense, "packed": packed, "materialized": streamed} {
				if !mat.Equal(got, want) {
					t.Errorf("n=%d, %d workers: the %s matrix is not k(xᵢ, xⱼ)", n, workers, name)
				}
			}
		}
	}
}

func TestDenseOfNoPoints(t *testing.T) {
	p := bind(gaussian{}, data.Vectors{}, data.Vectors{})
	k, err := Dense(t.Context(), p, compute.Options{})
	if err != nil || k.SymmetricDim() != 0 {
		t.Errorf("no points: %v, error %v", k, err)
	}
	if packed, err := PackedOf(t.Context(), p, compute.Options{}); err != nil || packed.SymmetricDim() != 0 {
		t.Errorf("no points, packed: error %v", err)
	}
	if err := Rect(t.Context(), new(mat.Dense), p, compute.Options{}); err != nil {
		t.Error(err)
	}
}

func TestDenseKeepsToTheLimit(t *testing.T) {
	xs := randomPoints(t, 31, 100, 2)
	p := bind(gaussian{}, xs, xs)
	var tooLarge *compute.TooLarge
	if _, err := Dense(t.Context(), p, compute.Options{MaxMemory: 79_999}); !errors.As(err, &tooLarge) || tooLarge.Need != 80_000 {
		t.Errorf("80000 bytes under a limit of 79999: %v", err)
	}
	if _, err := Dense(t.Context(), p, compute.Options{MaxMemory: 80_000}); err != nil {
		t.Error(err)
	}
	if _, err := PackedOf(t.Context(), p, compute.Options{MaxMemory: 1000}); !errors.As(err, &tooLarge) {
		t.Errorf("a packed matrix of 100 points in 1000 bytes: %v", err)
	}
	if _, err := PackedSingleOf(t.Context(), nil, p, compute.Options{MaxMemory: 40_000}); err != nil { // one tile of 100²
		t.Error(err)
	}
	if _, err := PackedSingleOf(t.Context(), nil, p, compute.Options{MaxMemory: 39_999}); !errors.As(err, &tooLarge) {
		t.Errorf("a packed matrix of 100 points in single precision in 39999 bytes: %v", err)
	}
	if _, err := Materialize(t.Context(), Cross(p, compute.Options{}), compute.Options{MaxMemory: 79_999}); !errors.As(err, &tooLarge) {
		t.Errorf("a materialized matrix of 80000 bytes under a limit of 79999: %v", err)
	}
}

func TestFillReusesItsMatrix(t *testing.T) {
	xs, ys := randomPoints(t, 32, 150, 2), randomPoints(t, 33, 150, 2)
	k, err := Dense(t.Context(), bind(gaussian{}, xs, xs), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := Fill(t.Context(), k, bind(gaussian{}, ys, ys), compute.Options{}); err != nil {
		t.Fatal(err)
	}
	if want := symmetricOf(explicit(gaussian{}, ys, ys)); !mat.Equal(k, want) {
		t.Error("a matrix filled twice does not hold the second kernel")
	}
	if err := Fill(t.Context(), mat.NewSymDense(3, nil), bind(gaussian{}, ys, ys), compute.Options{}); err == nil {
		t.Error("150 points were accepted for a 3×3 matrix")
	}
}

func TestRect(t *testing.T) {
	rows, cols := randomPoints(t, 34, 140, 2), randomPoints(t, 35, 260, 2)
	var got mat.Dense
	if err := Rect(t.Context(), &got, bind(gaussian{}, rows, cols), compute.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(&got, explicit(gaussian{}, rows, cols)) {
		t.Error("the rectangular matrix is not k(xᵢ, yⱼ)")
	}
	if err := Rect(t.Context(), mat.NewDense(2, 2, nil), bind(gaussian{}, rows, cols), compute.Options{}); err == nil {
		t.Error("a 2×2 destination was accepted for a 140×260 matrix")
	}
}

func TestRectSingle(t *testing.T) {
	rows, cols := randomPoints(t, 34, 140, 2), randomPoints(t, 35, 260, 2)
	p, want := bind(gaussian{}, rows, cols), explicit(gaussian{}, rows, cols)
	wide := kernel.NewTile32(140, 300) // a window of a wider matrix
	for name, dst := range map[string]kernel.Tile32{"empty": {}, "window": {Rows: 140, Cols: 260, Stride: 300, Data: wide.Data}} {
		if err := RectSingle(t.Context(), &dst, p, compute.Options{Workers: 2}); err != nil {
			t.Fatal(err)
		}
		for i := range 140 {
			for j, v := range dst.Row(i) {
				if v != float32(want.At(i, j)) {
					t.Fatalf("%s: element (%d, %d) is %v, want %v rounded", name, i, j, v, want.At(i, j))
				}
			}
		}
	}
	for i := range 140 {
		for j, v := range wide.Row(i)[260:] {
			if v != 0 {
				t.Fatalf("element (%d, %d) beyond the window is %v", i, 260+j, v)
			}
		}
	}
	for name, dst := range map[string]kernel.Tile32{"small": kernel.NewTile32(2, 2), "short": {Rows: 140, Cols: 260, Stride: 260, Data: make([]float32, 100)}} {
		if err := RectSingle(t.Context(), &dst, p, compute.Options{}); err == nil {
			t.Errorf("%s: no error for a 140×260 matrix", name)
		}
	}
}

// unknown hides the type of an operator, so that only products are left.
type unknown struct{ Operator }

func TestMaterializeAnyOperator(t *testing.T) {
	xs := randomPoints(t, 36, 200, 3)
	full := explicit(gaussian{}, xs, xs)
	k := symmetricOf(full)
	same, err := Materialize(t.Context(), FromMatrix(k), compute.Options{})
	if err != nil || same != k {
		t.Errorf("the matrix in memory was not returned itself (error %v)", err)
	}
	got, err := Materialize(t.Context(), unknown{FromMatrix(k)}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(got, full) { // products with columns of the identity are exact
		t.Error("the matrix from products differs")
	}
	shifted := explicit(gaussian{}, xs, randomPoints(t, 37, 200, 3))
	p := bind(gaussian{}, xs, randomPoints(t, 37, 200, 3))
	if _, err := Materialize(t.Context(), Cross(p, compute.Options{}), compute.Options{}); err == nil {
		t.Errorf("a matrix with k₀₁ = %v and k₁₀ = %v was taken for symmetric", shifted.At(0, 1), shifted.At(1, 0))
	}
	if _, err := Materialize(t.Context(), Cross(bind(gaussian{}, xs, randomPoints(t, 38, 4, 3)), compute.Options{}), compute.Options{}); err == nil {
		t.Error("a 200×4 operator was materialized as symmetric")
	}
}

func TestCheckSymmetricNamesTheWorstElement(t *testing.T) {
	ok := mat.NewDense(2, 2, []float64{1, 0.5, 0.5 + 1e-7, 1})
	if err := checkSymmetric(ok); err != nil {
		t.Errorf("an asymmetry of 1e-7, as float32 makes it, was refused: %v", err)
	}
	for want, k := range map[string]*mat.Dense{
		"element (2, 0) is 0.7 but (0, 2) is 0.3": mat.NewDense(3, 3, []float64{1, 0.5, 0.3, 0.4, 1, 0, 0.7, 0, 1}),
		"element (1, 0) is 0.5001":                mat.NewDense(2, 2, []float64{1, 0.5, 0.5001, 1}),
		"element (1, 0) is NaN":                   mat.NewDense(2, 2, []float64{1, 0, math.NaN(), 1}),
		"element (1, 1) is +Inf":                  mat.NewDense(2, 2, []float64{1, 0, 0, math.Inf(1)}),
		"this one is 2×3":                         mat.NewDense(2, 3, nil),
	} {
		if err := checkSymmetric(k); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestDenseReportsProgressAndStops(t *testing.T) {
	xs := randomPoints(t, 39, 300, 2) // 3 blocks, 6 tiles
	last, total := int64(-1), int64(0)
	o := compute.Options{Workers: 2, Progress: func(_ string, done, all int64) {
		if done != last+1 {
			t.Errorf("progress went from %d to %d", last, done)
		}
		last, total = done, all
	}}
	if _, err := Dense(t.Context(), bind(gaussian{}, xs, xs), o); err != nil || last != 6 || total != 6 {
		t.Errorf("progress ended at %d of %d, want 6 of 6 (error %v)", last, total, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range map[string]error{
		"dense":  second(Dense(ctx, bind(gaussian{}, xs, xs), compute.Options{})),
		"packed": second(PackedOf(ctx, bind(gaussian{}, xs, xs), compute.Options{})),
		"rect":   Rect(ctx, new(mat.Dense), bind(gaussian{}, xs, xs), compute.Options{}),
		"export": Export(ctx, bind(gaussian{}, xs, xs), Full, compute.Options{}, func([]float64) error { return nil }),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a cancelled context: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Eval on one element agrees with every view; the reference for all tests above.
func TestExplicitByHand(t *testing.T) {
	xs, err := data.NewVectors(2, 1, []float64{0, 2})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "exp(−2²/2)", explicit(gaussian{}, xs, xs).At(0, 1), math.Exp(-2), 1e-15)
}

// Every symmetric view evaluates the tiles on and above (or below) the diagonal once,
// at most half a tile per row more than the n(n+1)/2 elements.
func TestSymmetricViewsEvaluateHalf(t *testing.T) {
	const n = 1000
	xs := randomPoints(t, 29, n, 1)
	x := mat.NewDense(n, 1, nil)
	for name, c := range map[string]struct {
		side int
		view func(p kernel.Pairs) error
	}{
		"dense":  {128, func(p kernel.Pairs) error { return second(Dense(t.Context(), p, compute.Options{})) }},
		"packed": {256, func(p kernel.Pairs) error { return second(PackedOf(t.Context(), p, compute.Options{})) }},
		"stream": {128, func(p kernel.Pairs) error { return Of(p, compute.Options{}).Mul(t.Context(), new(mat.Dense), x) }},
		"export": {128, func(p kernel.Pairs) error {
			return Export(t.Context(), p, PackedLower, compute.Options{}, func([]float64) error { return nil })
		}},
	} {
		count := new(atomic.Int64)
		if err := c.view(kerneltest.Counting(bind(linear{}, xs, xs), count)); err != nil {
			t.Fatal(err)
		}
		if got, least := count.Load(), int64(n*(n+1)/2); got < least || got > least+int64(n*c.side/2) {
			t.Errorf("%s: %d elements were evaluated, want %d to %d", name, got, least, least+int64(n*c.side/2))
		}
	}
}
