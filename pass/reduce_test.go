package pass_test

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
	"example.org/mercer/pass/passtest"
)

// turned is Σ wᵢxᵢ and, of each row, its numbers times Factor, backwards.
type turned struct{ Factor float64 }

func init() {
	pass.RegisterWork(turned{})
	gob.Register(square{})
}

func (turned) Sizes(dim int) (in, out, sums int) { return 1, dim, dim }

func (w turned) Worker(dim int, _ level3.Implementation) func(pass.Block) {
	return func(b pass.Block) {
		for i := range b.X.RawMatrix().Rows {
			for j, v := range b.X.RawRowView(i) {
				b.Sums[j] += b.In.At(i, 0) * v
				b.Out.Set(i, dim-1-j, w.Factor*v)
			}
		}
	}
}

// found is what passes over rows find.
type found struct{ sums, made []float64 }

// read makes some passes of several searches, which share them.
func read(t *testing.T, xs data.Rows, o compute.Options) []found {
	t.Helper()
	all := make([]found, 5)
	err := pass.Together(xs, len(all), 3, func(s int, xs data.Rows) error {
		for range 1 + s {
			f := found{made: make([]float64, xs.Len()*xs.Dim())}
			var err error
			f.sums, err = pass.Reduce(t.Context(), xs, pass.Sums{Work: turned{float64(s)},
				In:  func(numbers []float64, i int) { numbers[0] = float64(i%3 + s) },
				Out: func(made *mat.Dense, from int) { copy(f.made[from*xs.Dim():], made.RawMatrix().Data) },
			}, o)
			if err != nil {
				return err
			}
			all[s] = f
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// uneven are rows whose sums depend on the order of addition.
func uneven(t *testing.T, n, d int) data.Vectors {
	t.Helper()
	rng, xs := testkit.Rand(t, 3), data.MakeVectors(n, d)
	for i := range xs.Raw() {
		xs.Raw()[i] = rng.NormFloat64() * rng.ExpFloat64()
	}
	return xs
}

// TestReduceHasTheSameBitsEverywhere: in memory, in runs, with any number of workers, and with a
// driver that scrambles the pieces; alone and together.
func TestReduceHasTheSameBitsEverywhere(t *testing.T) {
	same := func(a, b found) bool { return slices.Equal(a.sums, b.sums) && slices.Equal(a.made, b.made) }
	for _, n := range []int{1, 255, 257, 5000} {
		xs := uneven(t, n, 3)
		want := read(t, xs, compute.Options{Workers: 1})
		for s, f := range want { // the slow way
			sums := make([]float64, 3)
			for i := range n {
				for j, v := range xs.At(i) {
					sums[j] += float64(i%3+s) * v
					if f.made[i*3+2-j] != float64(s)*v {
						t.Fatalf("row %d is made %v", i, f.made[i*3:i*3+3])
					}
				}
			}
			testkit.CloseSlice(t, "sums", f.sums, sums, float64(n)*0x1p-50)
		}
		elsewhere, driver := passtest.Apart(xs)
		for name, rows := range map[string]data.Rows{"memory": xs, "runs": passtest.NewRows(xs), "elsewhere": elsewhere} {
			for _, workers := range []int{1, 2, 3, 8} {
				if got := read(t, rows, compute.Options{Workers: workers}); !slices.EqualFunc(got, want, same) {
					t.Errorf("%d rows, %s, %d workers: other numbers", n, name, workers)
				}
			}
		}
		// Three of five searches go together, of one to five passes each; alone they make 15.
		if passes := driver.Passes / 4; passes >= 15 || passes < 5 {
			t.Errorf("%d rows: the driver made %d passes for each reading", n, passes)
		}
	}
}

// square is an image: all products of two numbers.
type square struct{ Products int }

func (s square) Dim() int { return s.Products }

func (square) Of(dst data.Vectors, rows data.Set[[]float64]) {
	for i := range dst.Len() {
		x, z := rows.At(i), dst.At(i)[:0]
		for _, a := range x {
			for _, b := range x {
				z = append(z, a*b)
			}
		}
	}
}

// tripled has the features 3x.
type tripled struct{}

func (tripled) String() string                      { return "tripled" }
func (tripled) Eval(x, y []float64) float64         { return 9 * x[0] * y[0] }
func (tripled) Features(like []float64) (int, bool) { return len(like), true }
func (tripled) Map(phi, x []float64) {
	for j, v := range x {
		phi[j] = 3 * v
	}
}

var _ kernel.Mapped[[]float64] = tripled{}

// TestImagesOfFeaturesAreMadeWhereRowsAre: those that a driver reads are those made here.
func TestImagesOfFeaturesAreMadeWhereRowsAre(t *testing.T) {
	xs := uneven(t, 700, 2)
	elsewhere, driver := passtest.Apart(xs)
	images := func(xs data.Rows) data.Rows { return pass.Through(pass.Features(tripled{}, xs), square{4}) }
	want, err := pass.Read(t.Context(), images(xs), 1)
	if err != nil {
		t.Fatal(err)
	}
	if z, x := want.At(0), xs.At(0); z[1] != 3*x[0]*3*x[1] {
		t.Fatalf("the image of %v is %v", x, z)
	}
	got, err := pass.Read(t.Context(), images(elsewhere), 2)
	if err != nil || !slices.Equal(got.Raw(), want.Raw()) || driver.Passes != 1 || pass.Elsewhere(images(elsewhere)) == nil || pass.Elsewhere(images(xs)) != nil {
		t.Errorf("%d passes; %v", driver.Passes, err)
	}
	if rows := images(elsewhere); !slices.Equal(rows.At(300), want.At(300)) {
		t.Error("a row that is read here is another one")
	}
}

// TestReduceEnds with the error of a driver: for all that wait for the pass.
func TestReduceEnds(t *testing.T) {
	xs, driver := passtest.Apart(uneven(t, 700, 2))
	driver.Fails = errors.New("the cluster is gone")
	var mu sync.Mutex
	count := 0
	err := pass.Together(xs, 3, 3, func(_ int, xs data.Rows) error {
		_, err := pass.Reduce(t.Context(), xs, pass.Sums{Work: pass.WeightedSum{}, In: func(w []float64, _ int) { w[0] = 1 }}, compute.Options{})
		mu.Lock()
		defer mu.Unlock()
		if count++; !errors.Is(err, driver.Fails) {
			t.Errorf("the pass ends with %v", err)
		}
		return err
	})
	if !errors.Is(err, driver.Fails) || count == 0 {
		t.Errorf("%d searches end with %v", count, err)
	}
}

// The mean of rows, wherever they are.
func ExampleReduce() {
	xs, err := data.NewVectors(4, 1, []float64{1, 2, 3, 6})
	if err != nil {
		fmt.Println(err)
		return
	}
	sums, err := pass.Reduce(context.Background(), xs, pass.Sums{Work: pass.WeightedSum{},
		In: func(w []float64, _ int) { w[0] = 0.25 }}, compute.Options{})
	fmt.Println(sums, err)
	// Output:
	// [3] <nil>
}
