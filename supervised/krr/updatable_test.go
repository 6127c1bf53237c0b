package krr_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/krr"
)

// Rows that arrive in two parts, and of which some leave: the fit that keeps up with them
// equals one made anew.
func TestFactoredEqualsARefit(t *testing.T) {
	const n, more = 60, 9
	for _, c := range []struct {
		name     string
		weighted bool
		o        krr.Options
	}{
		{"plain", false, krr.Options{Ridge: 0.3}},
		{"weights", true, krr.Options{Ridge: 0.3}},
		{"weights, no intercept", true, krr.Options{Ridge: 1e-3, NoIntercept: true}},
	} {
		rng := rand.New(rand.NewPCG(5, 7))
		xs, y, w := data.MakeVectors(n+more, 3), mat.NewDense(n+more, 2, nil), make([]float64, n+more)
		for i := range n + more {
			for j := range 3 {
				xs.At(i)[j] = rng.NormFloat64()
			}
			y.Set(i, 0, xs.At(i)[0]+rng.NormFloat64())
			y.Set(i, 1, 100+xs.At(i)[1])
			w[i] = float64(rng.IntN(3)) // some rows weigh nothing
		}
		k := gauss{1.5}
		whole := mat.NewSymDense(n+more, nil)
		for i := range n + more {
			for j := range i + 1 {
				whole.SetSym(i, j, k.Eval(xs.At(i), xs.At(j)))
			}
		}
		restrict := func(rows []int) *gram.Matrix {
			a := mat.NewSymDense(len(rows), nil)
			for i, r := range rows {
				for j := range i + 1 {
					a.SetSym(i, j, whole.At(r, rows[j]))
				}
			}
			return gram.FromMatrix(a)
		}
		part := func(rows []int) (*mat.Dense, []float64) {
			out, weights := mat.NewDense(len(rows), 2, nil), []float64(nil)
			for i, r := range rows {
				out.SetRow(i, y.RawRowView(r))
				if c.weighted {
					weights = append(weights, w[r])
				}
			}
			return out, weights
		}
		same := func(what string, f *krr.Updatable, rows []int) {
			t.Helper()
			o := c.o
			o.LOO = true
			var targets *mat.Dense
			targets, o.Weights = part(rows)
			want, wantReport, err := solveGram(t.Context(), restrict(rows), targets, o)
			if err != nil {
				t.Fatal(err)
			}
			got, r, err := f.Solve(t.Context(), restrict(rows), true, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if r.Residual > 1e-12 || r.N != len(rows) {
				t.Errorf("%s, %s: residual %v of %d rows", c.name, what, r.Residual, r.N)
			}
			// ‖x − x'‖ ≤ ‖r − r'‖/λ_min(M), residuals of at most 1e-12·‖b‖, ‖b‖ < 101·√(2n), and
			// λ_min(M) ≥ R.
			bound := 2 * 1e-12 * 101 * 12 / c.o.Ridge
			testkit.CloseSlice(t, c.name+", "+what, got.Coef.RawMatrix().Data, want.Coef.RawMatrix().Data, bound)
			testkit.CloseSlice(t, c.name+", "+what+", bias", got.Bias, want.Bias, bound)
			testkit.CloseSlice(t, c.name+", "+what+", left out", r.Point.LOOResiduals.RawMatrix().Data, wantReport.Point.LOOResiduals.RawMatrix().Data, 100*bound)
		}
		all := make([]int, n+more)
		for i := range all {
			all[i] = i
		}
		o := c.o
		var targets *mat.Dense
		targets, o.Weights = part(all[:n])
		f, err := krr.NewUpdatable(t.Context(), restrict(all[:n]), targets, o)
		if err != nil {
			t.Fatal(err)
		}
		same("as fitted", f, all[:n])
		cross, block := mat.NewDense(more, n, nil), mat.NewSymDense(more, nil)
		for i := range more {
			for j := range n {
				cross.Set(i, j, whole.At(n+i, j))
			}
			for j := range i + 1 {
				block.SetSym(i, j, whole.At(n+i, n+j))
			}
		}
		targets, weights := part(all[n:])
		if err := f.Append(t.Context(), cross, block, targets, weights, compute.Options{}); err != nil {
			t.Fatal(err)
		}
		same("rows added", f, all)
		gone := []int{3, 0, n + 2, 17}
		if err := f.Remove(t.Context(), gone, compute.Options{}); err != nil {
			t.Fatal(err)
		}
		same("rows removed", f, slices.DeleteFunc(all, func(i int) bool { return slices.Contains(gone, i) }))

		before := f.L.Dim()
		if err := f.Remove(t.Context(), []int{before}, compute.Options{}); err == nil || !strings.Contains(err.Error(), "rows 0 to") {
			t.Errorf("a row that is not there: %v", err)
		}
		if err := f.Append(t.Context(), cross, block, mat.NewDense(more, 1, nil), nil, compute.Options{}); err == nil || f.L.Dim() != before {
			t.Errorf("rows of another number of targets: %v", err)
		}
	}
}
