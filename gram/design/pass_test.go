package design_test

import (
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram/design"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/pass/passtest"
)

// TestScaledFeaturesElsewhere: c times the features have c² times their moments, in memory and
// elsewhere.
func TestScaledFeaturesElsewhere(t *testing.T) {
	k, err := vec.Parse("poly(degree=2, offset=1)")
	if err != nil {
		t.Fatal(err)
	}
	rng := testkit.Rand(t, 3)
	xs := data.MakeVectors(700, 3)
	for i := range xs.Raw() {
		xs.Raw()[i] = rng.NormFloat64()
	}
	rows, driver := passtest.Apart(xs)
	var found []*mat.SymDense
	for _, of := range []data.Set[[]float64]{xs, rows} {
		for _, c := range []float64{1, 0.5} { // a power of two scales without rounding
			phi, ok := design.Of(k, of)
			if !ok {
				t.Fatal("the kernel has no features")
			}
			blocks := phi.Scaled(c).Blocks()
			second, _, err := blocks.Moments(t.Context(), nil, 1, func(dst []float64, _ int) error { return nil }, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			second.ScaleSym(1/(c*c), second)
			found = append(found, second)
		}
	}
	for i, second := range found[1:] {
		if !mat.Equal(second, found[0]) {
			t.Errorf("moments %d differ", i+1)
		}
	}
	if driver.Passes != 2 {
		t.Errorf("%d passes elsewhere, not 2", driver.Passes)
	}
}

// TestPassesHaveTheSameBitsElsewhere: moments, means, products and adjoints, with weights and
// without, over many pieces.
func TestPassesHaveTheSameBitsElsewhere(t *testing.T) {
	const n, d = 40000, 5
	k, err := vec.Parse("poly(degree=2, offset=1)")
	if err != nil {
		t.Fatal(err)
	}
	rng := testkit.Rand(t, 1)
	xs := data.MakeVectors(n, d)
	for i := range xs.Raw() {
		xs.Raw()[i] = rng.NormFloat64()
	}
	rows, driver := passtest.Apart(xs)
	here, ok := design.Of(k, xs)
	there, also := design.Of(k, rows)
	if !ok || !also {
		t.Fatal("the kernel has no features")
	}
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = rng.ExpFloat64()
	}
	target := func(dst []float64, i int) error {
		dst[0], dst[1] = xs.At(i)[0], float64(i%7)
		return nil
	}
	type found struct {
		second *mat.SymDense
		parts  []mat.Matrix
	}
	for _, w := range [][]float64{nil, weights} {
		find := func(phi design.Matrix) found {
			blocks, err := phi.BlocksWithin(t.Context(), compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := blocks.Centre(t.Context(), w, compute.Options{}); err != nil {
				t.Fatal(err)
			}
			second, first, err := blocks.Moments(t.Context(), w, 2, target, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			values := mat.NewDense(n, 2, nil)
			next := 0
			if err := blocks.Values(t.Context(), first, compute.Options{}, func(from, to int, v *mat.Dense) error {
				if from != next || to-from > design.BlockRows {
					t.Errorf("rows from %d to %d come after row %d", from, to, next)
				}
				next = to
				values.Slice(from, to, 0, 2).(*mat.Dense).Copy(v)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if err := blocks.Turn(t.Context(), mat.DenseCopyOf(second), compute.Options{}); err != nil {
				t.Fatal(err)
			}
			sums, err := blocks.Pass(t.Context(), design.Adjoint{Columns: 2}, func(dst []float64, i int) error {
				copy(dst, values.RawRowView(i))
				return nil
			}, nil, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return found{second, []mat.Matrix{first, values, mat.NewDense(1, len(blocks.Mean()), blocks.Mean()), mat.NewDense(1, len(sums), sums)}}
		}
		want, got := find(here), find(there)
		if !mat.Equal(want.second, got.second) {
			t.Errorf("weighted %v: other moments elsewhere", w != nil)
		}
		for i := range want.parts {
			if !mat.Equal(want.parts[i], got.parts[i]) {
				t.Errorf("weighted %v: result %d differs elsewhere", w != nil, i)
			}
		}
	}
	if driver.Passes != 8 {
		t.Errorf("the driver made %d passes, not 8", driver.Passes)
	}
	driver.Fails = errors.New("a machine is on fire")
	if err := there.Blocks().Centre(t.Context(), nil, compute.Options{}); !errors.Is(err, driver.Fails) {
		t.Errorf("a pass that failed ends with %v", err)
	}
}

// TestPartsElsewhere: the moments of a part are those of its rows, made by the driver of the part.
func TestPartsElsewhere(t *testing.T) {
	k, err := vec.Parse("poly(degree=2, offset=1)")
	if err != nil {
		t.Fatal(err)
	}
	rng := testkit.Rand(t, 4)
	xs := data.MakeVectors(900, 3)
	for i := range xs.Raw() {
		xs.Raw()[i] = rng.NormFloat64()
	}
	var index []int
	for i := range xs.Len() {
		if i%3 != 1 {
			index = append(index, i)
		}
	}
	rows, driver := passtest.Apart(xs)
	var found []*mat.SymDense
	for _, of := range []data.Set[[]float64]{xs, rows} {
		phi, ok := design.Of(k, data.Part(of, index))
		if !ok || (phi.Elsewhere != nil) != (len(found) == 1) {
			t.Fatalf("features %v, made elsewhere %v", ok, phi.Elsewhere != nil)
		}
		second, _, err := phi.Blocks().Moments(t.Context(), nil, 1, func([]float64, int) error { return nil }, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, second)
	}
	if !mat.Equal(found[0], found[1]) || driver.Passes != 0 {
		t.Errorf("the moments differ, or %d passes were over all rows", driver.Passes)
	}
}

// TestTogether: searches that share passes have the sums that they have alone, here and elsewhere,
// and features are made once for all.
func TestTogether(t *testing.T) {
	const n, count = 3000, 4
	rng := testkit.Rand(t, 4)
	xs := data.MakeVectors(n, 3)
	for i := range xs.Raw() {
		xs.Raw()[i] = rng.NormFloat64()
	}
	k, err := vec.Parse("poly(degree=2, offset=1)")
	if err != nil {
		t.Fatal(err)
	}
	search := func(i int, rows *design.Blocks) (*mat.SymDense, error) {
		second := new(mat.SymDense)
		for step := range 1 + i {
			v, g := make([]float64, n), mat.NewDense(n, 2, nil)
			for r := range v {
				v[r] = float64((r + i + step) % 5)
				g.Set(r, i%2, 1)
			}
			moments, _, adjoint, err := rows.Hessian(t.Context(), v, g, compute.Options{Workers: 2})
			if err != nil {
				return nil, err
			}
			moments.SetSym(0, 0, moments.At(0, 0)+mat.Sum(adjoint))
			second = moments
		}
		return second, nil
	}
	here, ok := design.Of(k, xs)
	if !ok {
		t.Fatal("the kernel has no features")
	}
	want := make([]*mat.SymDense, count)
	for i := range want {
		if want[i], err = search(i, here.Blocks()); err != nil {
			t.Fatal(err)
		}
	}
	rows, driver := passtest.Apart(xs)
	there, _ := design.Of(k, rows)
	for _, phi := range []design.Matrix{here, there} {
		for _, most := range []int{1, count} {
			driver.Passes = 0
			err := phi.Blocks().Together(count, most, func(i int, rows *design.Blocks) error {
				got, err := search(i, rows)
				if err == nil && !mat.Equal(got, want[i]) {
					t.Errorf("search %d of %d at a time differs", i, most)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if driver.Passes > 0 && driver.Passes != count && most > 1 {
				t.Errorf("%d passes, not those of the longest search", driver.Passes)
			}
		}
	}
}
