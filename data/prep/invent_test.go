package prep_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
)

// dense has some rows of a matrix.
func dense(m *mat.Dense, rows []int) *mat.Dense {
	_, columns := m.Dims()
	out := mat.NewDense(len(rows), columns, nil)
	for i, row := range rows {
		out.SetRow(i, m.RawRowView(row))
	}
	return out
}

// TestInvent: made up rows can be prepared, keep the kind of their columns, and are no rows of the
// table; blends of rows on a simplex lie on it.
func TestInvent(t *testing.T) {
	table := &data.Table{Source: "t", Headed: true, Columns: []data.Column{{Name: "count"}, {Name: "bit"}, {Name: "share"}, {Name: "rest"}, {Name: "height"},
		{Name: "kind", Kind: data.Categorical}, {Name: "name", Kind: data.Text}, {Name: "y"}}}
	r := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		share := r.Float64()
		for j, v := range []float64{float64(3 + r.IntN(9)), float64(r.IntN(2)), share, 1 - share, 170 + 10*r.NormFloat64()} {
			table.Columns[j].Numbers = append(table.Columns[j].Numbers, v)
		}
		table.Columns[5].Strings = append(table.Columns[5].Strings, []string{"p", "q"}[r.IntN(2)])
		table.Columns[6].Strings = append(table.Columns[6].Strings, "somebody")
		table.Columns[7].Numbers = append(table.Columns[7].Numbers, share)
	}
	p, rows, err := prep.Fit(table, prep.Spec{Targets: []string{"y"}, ID: "name", Raw: []string{"count", "bit", "share", "rest"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range prep.Inventions {
		made := p.Invent(rows.X, 20, how, rand.New(rand.NewPCG(2, 2)), nil)
		if _, ok := made.Positions()["y"]; ok || len(made.Columns) != 6 {
			t.Errorf("%d columns, with the target: %v", len(made.Columns), ok)
		}
		made.Source = "made"
		again, err := p.ApplyInputs(made)
		if err != nil {
			t.Fatal(err)
		}
		for i := range again.X.Len() {
			for j := range rows.X.Len() {
				if slices.Equal(again.X.At(i), rows.X.At(j)) {
					t.Errorf("way %d: row %d is row %d of the table", how, i, j)
				}
			}
			count, bit, sum := made.Columns[0].Numbers[i], made.Columns[1].Numbers[i], made.Columns[2].Numbers[i]+made.Columns[3].Numbers[i]
			if how != prep.Blended && (count != math.Trunc(count) || count < 0 || bit != 0 && bit != 1 && bit != 2) {
				t.Errorf("way %d: count %v, bit %v", how, count, bit)
			}
			if how == prep.Blended && math.Abs(sum-1) > 1e-12 {
				t.Errorf("a blend of shares adds up to %v", sum)
			}
		}
	}
}
