package mercer_test

import (
	"math"
	"slices"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/rkhs"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// Both samples are prepared with the numbers of all rows, so that the order in which rows
// are given to the tables changes no point: the p-value of a permutation test is exact.
func TestSamplesArePreparedTogether(t *testing.T) {
	table := houses(40, 1)
	free := prep.Spec{NoTarget: true, ID: "id"}
	first, rest := make([]int, 15), make([]int, 25)
	for i := range first {
		first[i] = 39 - i
	}
	for i := range rest {
		rest[i] = i
	}
	rows := slices.Concat(first, rest)
	s, err := mercer.NewSamples(background, table.Gather(first), table.Gather(rest), free, "rbf(sigma=median)")
	if err != nil {
		t.Fatal(err)
	}
	p, err := task.New(background, table.Gather(rows), free, "rbf(sigma=median)")
	if err != nil {
		t.Fatal(err)
	}
	if s.M != 15 || s.Kernel() != p.Kernel() {
		t.Errorf("the first sample has %d rows, the kernel is %s, want %s", s.M, s.Kernel(), p.Kernel())
	}
	got, err := s.Compare(background, rkhs.MMDOptions{Permutations: 30})
	if err != nil {
		t.Fatal(err)
	}
	want, err := rkhs.SolveMMD(background, gram.Of(p.Pairs(), compute.Options{}), 15, rkhs.MMDOptions{Permutations: 30})
	if err != nil {
		t.Fatal(err)
	}
	if got.MMD2 != want.MMD2 || got.P != want.P {
		t.Errorf("MMD² %g with p %g, want %g with %g", got.MMD2, got.P, want.MMD2, want.P)
	}
	// The witness at the samples is the difference of means of kernel values, at the rows
	// of a table the same.
	at, err := s.Witness(background, nil, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Witness(background, table.Gather(rows), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "witness", again, at, 1e-12)
	tile := kernel.NewTile(1, 40)
	p.Pairs().Tile(tile, 3, 0)
	mean := 0.0
	for j, k := range tile.Data {
		if j < 15 {
			mean += k / 15
		} else {
			mean -= k / 25
		}
	}
	testkit.Close(t, "witness of a row", at[3], mean, 1e-12)
	if l, err := s.Landscape(background, 10, compute.Options{}); l != nil || err != nil {
		t.Errorf("a landscape over many features: %v, %v", l, err)
	}
}

func TestSplitBy(t *testing.T) {
	table := &data.Table{Source: "t", Headed: true, Target: "kind", Columns: []data.Column{
		{Name: "x", Numbers: []float64{1, 2, 3, 4}},
		{Name: "kind", Numbers: []float64{1, 0.5, 1, math.NaN()}, Missing: []bool{false, false, false, true}},
	}}
	a, b, names, err := mercer.SplitBy(table, "kind", nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(names, []string{"1", "0.5"}) || !slices.Equal(a.Columns[0].Numbers, []float64{1, 3}) || !slices.Equal(b.Columns[0].Numbers, []float64{2}) || len(a.Columns) != 1 || a.Target != "" {
		t.Errorf("%v: %+v and %+v", names, a, b)
	}
	for _, levels := range [][]string{{"1"}, {"1", "1"}, {"1", "2"}} {
		if _, _, _, err := mercer.SplitBy(table, "kind", levels); err == nil {
			t.Errorf("levels %q accepted", levels)
		}
	}
	if _, _, _, err := mercer.SplitBy(table, "colour", nil); err == nil {
		t.Error("an unknown column was accepted")
	}
}

// A row with a missing cell on one side is left out of both; columns that are on no side
// are of no concern.
func TestPairKeepsTheSameRows(t *testing.T) {
	table := houses(30, 2)
	table.Columns[1].Numbers[4], table.Columns[1].Missing = math.NaN(), make([]bool, 30) // size
	table.Columns[1].Missing[4] = true
	table.Columns[2].Numbers[9], table.Columns[2].Missing = math.NaN(), make([]bool, 30) // age, on no side
	table.Columns[2].Missing[9] = true
	s := prep.Spec{NoTarget: true, ID: "id", Missing: prep.DropRows}
	p, err := mercer.NewPair(background, table, s, mercer.Side{Columns: []string{"si*"}, Kernel: "linear"}, mercer.Side{Columns: []string{"price", "kind"}, Kernel: "rbf(sigma=1)[price] + linear[kind]"})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Rows.Rows) != 29 || slices.Contains(p.Rows.Rows, 4) || !slices.Equal(p.XNames, []string{"size"}) || len(p.YNames) != 3 {
		t.Errorf("%d rows, x %v, y %v", len(p.Rows.Rows), p.XNames, p.YNames)
	}
	d, err := p.Independence(background, rkhs.HSICOptions{Permutations: 200})
	if err != nil {
		t.Fatal(err)
	}
	if d.N != 29 || d.P > 0.01 {
		t.Errorf("p = %g of %d rows for a price that is made of the size", d.P, d.N)
	}
}

// ‖f‖² is αᵀKα in dual form and wᵀw in primal form, and these are equal; the steepest pair
// stays below ‖f‖.
func TestElements(t *testing.T) {
	table := houses(60, 3)
	dual := fit(t, table, spec, "poly(degree=2, offset=1)", krr.Options{Lambda: 1e-2, Solver: krr.Cholesky})
	primal := fit(t, table, spec, "poly(degree=2, offset=1)", krr.Options{Lambda: 1e-2, Solver: krr.Primal})
	a, names, err := dual.Elements(background, nil, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := primal.Elements(background, nil, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "‖f‖²", a[0].Norm2, b[0].Norm2, 1e-7)
	if a[0].Steepest == nil || a[0].Steepest.Ratio > math.Sqrt(a[0].Norm2) || a[0].Name != "price" || names[0] != "h0" {
		t.Errorf("%+v, the first row is %s", a[0], names[0])
	}
	if b[0].Steepest != nil {
		t.Error("a primal form has training rows")
	}
	c, names, err := primal.Elements(background, table, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "steepest", c[0].Steepest.Ratio, a[0].Steepest.Ratio, 1e-6)
	if c[0].Steepest.I != a[0].Steepest.I || len(names) != 60 {
		t.Errorf("%+v beside %+v", c[0].Steepest, a[0].Steepest)
	}
}

func TestDistancesFrom(t *testing.T) {
	table := houses(30, 4)
	p, err := task.New(background, table, spec, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	d, names, err := mercer.DistancesFrom(background, p, table, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := rkhs.BarycentreOf(background, gram.Of(p.Pairs(), compute.Options{}), nil)
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "to the barycentre", d.Barycentre, b.Distances2, 1e-12)
	for i, at := range d.At {
		if at != i || math.Abs(d.Nearest[i]) > 1e-12 || names[i] != p.Names()[i] {
			t.Errorf("row %d: nearest is %d at %g", i, at, d.Nearest[i])
		}
	}
	other, err := mercer.WithKernel(background, p, "linear")
	if err != nil || other.Kernel() != "linear()" || p.Kernel() != "rbf(sigma=2)" {
		t.Errorf("kernels %s and %s, %v", other.Kernel(), p.Kernel(), err)
	}
}
