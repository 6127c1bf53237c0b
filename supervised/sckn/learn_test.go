package sckn

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/filters"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/checkpoint/checkpointtest"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/ckn"
)

// strokes are noisy images of 8×8 pixels with a stroke along one diagonal or the other, at any
// place, and the targets are ±1: the direction is all that counts.
func strokes(t testing.TB, n int) (data.Vectors, *mat.Dense) {
	r := testkit.Rand(t, 91)
	xs, y := data.MakeVectors(n, 64), mat.NewDense(n, 1, nil)
	for i := range n {
		x := xs.At(i)
		for j := range x {
			x[j] = 0.6 * r.Float64()
		}
		down, right, turn := 1+r.IntN(3), 1+r.IntN(3), r.IntN(2)
		for s := range 3 {
			at := down + s
			if turn == 1 {
				at = down + 2 - s
			}
			x[at*8+right+s]++
		}
		y.Set(i, 0, float64(2*turn-1))
	}
	return xs, y
}

func network(t testing.TB, xs data.Vectors, count, workers int) *filters.Kernel {
	t.Helper()
	k, err := ckn.New(ckn.Options{Shape: [3]int{8, 8, 1}, Layers: []ckn.Layer{{Patch: 3, Pool: 2, Sigma: 0.6}, {Patch: 2, Pool: 3, Sigma: 0.6}}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := filters.Learn(t.Context(), k, xs, filters.Options{Filters: []int{count, count}, Epsilon: 1e-3, Compute: compute.Options{Workers: workers}})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Ridge regression with the intercept of centred rows is the solution of the equations that are not
// centred: (Φ̃ᵀWΦ̃ + R diag(1, …, 1, 0))(w, b) = Φ̃ᵀWy with Φ̃ = (Φ, 1).
func TestHeadSolvesTheNormalEquations(t *testing.T) {
	const n, d, p, share = 30, 5, 2, 0.01
	r := testkit.Rand(t, 92)
	phi, y, weights := mat.NewDense(n, d, nil), mat.NewDense(n, p, nil), make([]float64, n)
	full, rhs, trace := mat.NewDense(d+1, d+1, nil), mat.NewDense(d+1, p, nil), 0.0
	mean, total := make([]float64, d), 0.0
	for i := range n {
		weights[i] = float64(i % 3)
		total += weights[i]
		row := make([]float64, d+1)
		for j := range d {
			row[j] = r.NormFloat64() + 1
			phi.Set(i, j, row[j])
			mean[j] += weights[i] * row[j]
		}
		row[d] = 1
		for c := range p {
			y.Set(i, c, r.NormFloat64())
		}
		for a := range row {
			for b := range row {
				full.Set(a, b, full.At(a, b)+weights[i]*row[a]*row[b])
			}
			for c := range p {
				rhs.Set(a, c, rhs.At(a, c)+weights[i]*row[a]*y.At(i, c))
			}
		}
	}
	for j := range d {
		trace += full.At(j, j) - mean[j]*mean[j]/total
	}
	for j := range d {
		full.Set(j, j, full.At(j, j)+share*trace)
	}
	var want mat.Dense
	if err := want.Solve(full, rhs); err != nil {
		t.Fatal(err)
	}
	a, b := newNormal(d, p), newNormal(d, p)
	a.add(phi.Slice(0, 11, 0, d).(*mat.Dense), y.Slice(0, 11, 0, p).(*mat.Dense), weights[:11], 1)
	b.add(phi.Slice(11, n, 0, d).(*mat.Dense), y.Slice(11, n, 0, p).(*mat.Dense), weights[11:], 2)
	got, err := both(a, b).solve(t.Context(), []float64{share}, compute.Options{}.Factoring())
	if err != nil {
		t.Fatal(err)
	}
	for c := range p {
		for j := range d {
			testkit.Close(t, "weight", got[0].w.At(j, c), want.At(j, c), 1e-10)
		}
		testkit.Close(t, "constant", got[0].bias[c], want.At(d, c), 1e-10)
	}
}

func TestTargetsMoveTheFilters(t *testing.T) {
	xs, y := strokes(t, 400)
	k := network(t, xs, 8, 0)
	learned, r, err := Learn(t.Context(), k, xs, y, Options{Epochs: 8, Rate: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	if r.Rows != 360 || r.Judged != 40 || r.Best == 0 || r.Errors[r.Best] > 0.7*r.Errors[0] {
		t.Errorf("%d rows and %d that judge: errors %v, best %d", r.Rows, r.Judged, r.Errors, r.Best)
	}
	for l := range 2 {
		z := learned.FiltersOf(l)
		for i := range 8 {
			testkit.Close(t, "length", mat.Norm(z.RowView(i), 2), 1, 1e-6)
		}
	}
	// What judges is what a fit with these filters does to rows that it does not see.
	d := newDescent(moved(t, learned), xs, y, Options{})
	d.told[share] = r.Share
	if err := d.weigh(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if d.told[judged] > 1.001*r.Errors[r.Best] {
		t.Errorf("an error of %v, and %v was reported", d.told[judged], r.Errors[r.Best])
	}
}

func moved(t testing.TB, k *filters.Kernel) *filters.Moving {
	m, err := k.Move(t.Context(), 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A row of a half counts with the weights of the other one: targets that are noise leave nothing
// to learn, and the filters stay where they were.
func TestNoiseMovesNothing(t *testing.T) {
	r := testkit.Rand(t, 93)
	xs, y := strokes(t, 200)
	for i := range 200 {
		y.Set(i, 0, r.NormFloat64())
	}
	_, report, err := Learn(t.Context(), network(t, xs, 6, 0), xs, y, Options{Epochs: 6, Rate: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	if report.Errors[report.Best] < 0.85*report.Errors[0] {
		t.Errorf("noise was learned: errors %v", report.Errors)
	}
}

func TestLearnHasTheSameBitsForAnyWorkers(t *testing.T) {
	xs, y := strokes(t, 90)
	var want []filters.Stored
	for _, workers := range []int{1, 2, 5} {
		learned, _, err := Learn(t.Context(), network(t, xs, 5, workers), xs, y, Options{Epochs: 2, Augment: Augmentation{Shift: 1, Flip: true}, Compute: compute.Options{Workers: workers}})
		if err != nil {
			t.Fatal(err)
		}
		if got := learned.Layers(); want == nil {
			want = got
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("other bits with %d workers", workers)
		}
	}
}

func TestAugmentationMovesAndFlips(t *testing.T) {
	k, err := ckn.New(ckn.Options{Shape: [3]int{3, 4, 2}, Layers: []ckn.Layer{{Patch: 2, Pool: 2, Sigma: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	x, dst := make([]float64, 24), make([]float64, 24)
	for i := range x {
		x[i] = float64(i + 1)
	}
	r, seen := testkit.Rand(t, 94), map[[3]int]bool{}
	for range 400 {
		Augmentation{Shift: 1, Flip: true}.apply(dst, x, k, r)
		matches := 0
		for down := -1; down <= 1; down++ {
			for right := -1; right <= 1; right++ {
				for flip := range 2 {
					if reflect.DeepEqual(dst, changed(x, down, right, flip == 1)) {
						matches++
						seen[[3]int{down, right, flip}] = true
					}
				}
			}
		}
		if matches != 1 {
			t.Fatalf("%v is no change of %v", dst, x)
		}
	}
	if len(seen) != 18 {
		t.Errorf("%d of 18 changes were made: %v", len(seen), seen)
	}
}

// changed is an image of 3×4×2 numbers, flipped and then moved.
func changed(x []float64, down, right int, flip bool) []float64 {
	out := make([]float64, len(x))
	for i := range 3 {
		for j := range 4 {
			from := j
			if flip {
				from = 3 - j
			}
			if a, b := i+down, j+right; 0 <= a && a < 3 && 0 <= b && b < 4 {
				copy(out[(a*4+b)*2:][:2], x[(i*4+from)*2:][:2])
			}
		}
	}
	return out
}

func TestLearnRefuses(t *testing.T) {
	xs, y := strokes(t, 60)
	k := network(t, xs, 4, 1)
	for want, o := range map[string]Options{"epochs = -1": {Epochs: -1}, "rate = 2": {Rate: 2}, "shift = -3": {Augment: Augmentation{Shift: -3}}} {
		if _, _, err := Learn(t.Context(), k, xs, y, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	few, targets := strokes(t, 39)
	if _, _, err := Learn(t.Context(), k, few, targets, Options{}); err == nil || !strings.Contains(err.Error(), "39 rows are too few") {
		t.Errorf("few rows: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Learn(ctx, k, xs, y, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestLearnResumes(t *testing.T) {
	xs, y := strokes(t, 80)
	checkpointtest.Resumes(t, func(workers int, s *checkpointtest.Steps) ([]float64, error) {
		learned, _, err := Learn(t.Context(), network(t, xs, 4, workers), xs, y, Options{Epochs: 4, Rate: 0.1, Augment: Augmentation{Shift: 1}, Compute: compute.Options{Workers: workers, Checkpoint: s}})
		if err != nil {
			return nil, err
		}
		return append(learned.FiltersOf(0).RawMatrix().Data, learned.FiltersOf(1).RawMatrix().Data...), nil
	})
}
