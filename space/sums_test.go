package space_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/space"
)

// TestSumsAndDistances compares functions Σ tᵢφ(xᵢ), their lengths, values and distances from rows
// with those of the features written out.
func TestSumsAndDistances(t *testing.T) {
	xs, phi := points(t)
	weight := mat.NewDense(rows, 2, nil)
	for i := range rows {
		weight.Set(i, i%2, 1/float64(1+i))
	}
	var functions, values mat.Dense
	functions.Mul(phi.T(), weight)
	values.Mul(phi, &functions)
	targets := space.Targets{Columns: 2, Row: func(dst []float64, i int) error {
		copy(dst, weight.RawRowView(i))
		return nil
	}}
	for name, s := range map[string]space.Space{
		"dual": dual(t, xs, 2), "packed": solved(t, xs, space.Packed, compute.Options{}), "held": primal(t, xs, compute.Options{}), "streamed": primal(t, xs, compute.Options{MaxMemory: small}),
	} {
		f, err := space.Sum(t.Context(), s, compute.Options{}, targets)
		if err != nil {
			t.Fatal(err)
		}
		norms, err := f.Norms2(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for c := range 2 {
			want := mat.Dot(functions.ColView(c), functions.ColView(c))
			testkit.Close(t, name+": squared length", norms[c], want, 1e-12*want)
		}
		seen := 0
		err = f.Distances(t.Context(), func(i int) int { return i % 2 }, compute.Options{}, func(from, to int, got *mat.Dense, squares []float64) error {
			for i := from; i < to; i++ {
				var apart mat.VecDense
				apart.SubVec(phi.RowView(i), functions.ColView(i%2))
				scale := 1e-12 * (mat.Dot(phi.RowView(i), phi.RowView(i)) + norms[i%2])
				testkit.Close(t, name+": squared distance", squares[i-from], mat.Dot(&apart, &apart), scale)
				testkit.CloseSlice(t, name+": values", got.RawRowView(i-from), values.RawRowView(i), scale)
				seen++
			}
			return nil
		})
		if err != nil || seen != rows {
			t.Errorf("%s: %d rows, %v", name, seen, err)
		}
	}
	if f, err := space.Sum(t.Context(), space.Constant(rows), compute.Options{}, targets); err != nil {
		t.Fatal(err)
	} else if err := f.Distances(t.Context(), nil, compute.Options{}, nil); err == nil {
		t.Error("a space without features has distances")
	}
}
