package gp_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/gp"
)

// Rows that arrive in two parts, and of which some leave: the process that keeps up with
// them equals one given all of them anew.
func TestFactoredEqualsARefit(t *testing.T) {
	const n, more = 50, 8
	xs, y := wave(rand.New(rand.NewPCG(5, 7)), n+more, 2)
	k := parse(t, "rbf(sigma=1)")
	noise, weights := make([]float64, n+more), make([]float64, n+more)
	for i := range noise {
		noise[i], weights[i] = float64(i%4)/10, float64(i%3)
	}
	all := make([]int, n+more)
	for i := range all {
		all[i] = i
	}
	part := func(of []float64, rows []int) (out []float64) {
		for _, i := range rows {
			if of != nil {
				out = append(out, of[i])
			}
		}
		return out
	}
	for _, c := range []struct {
		name           string
		noise, weights []float64
		mean           gp.Mean
	}{{"plain", nil, nil, gp.Constant}, {"zero mean, noise of rows", noise, nil, gp.Zero}, {"weights", noise, weights, gp.Constant}} {
		options := func(rows []int) gp.Options {
			return gp.Options{Noise: 0.05, RowNoise: part(c.noise, rows), Weights: part(c.weights, rows), Mean: c.mean}
		}
		operator := func(rows []int) *gram.Matrix {
			return gram.FromMatrix(matrix(k, data.Subset(xs, rows)))
		}
		same := func(what string, f *gp.Updatable, rows []int) {
			t.Helper()
			want, wantReport, err := gp.Solve(t.Context(), rowsOf(t, operator(rows), &gp.Options{}), part(y, rows), options(rows))
			if err != nil {
				t.Fatal(err)
			}
			got, r, err := f.Solve(t.Context(), operator(rows), compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if r.Residual > 1e-12 {
				t.Errorf("%s, %s: residual %v", c.name, what, r.Residual)
			}
			// ‖α − α'‖ ≤ ‖r − r'‖/λ_min(A), residuals of at most 1e-12·‖y‖, ‖y‖ < 6√n, and
			// λ_min(A) ≥ 0.05/2, the least noise over the largest weight.
			bound := 2 * 1e-12 * 6 * 8 / 0.025
			testkit.CloseSlice(t, c.name+", "+what, got.Coef.RawMatrix().Data, want.Coef.RawMatrix().Data, bound)
			testkit.Close(t, c.name+", "+what+", mean", got.Mean, want.Mean, bound)
			testkit.Close(t, c.name+", "+what+", evidence", r.LogEvidence, wantReport.LogEvidence, 100*bound)
		}
		o := options(all[:n])
		first, _, err := gp.Solve(t.Context(), rowsOf(t, operator(all[:n]), &o), y[:n], o)
		if err != nil {
			t.Fatal(err)
		}
		f := &gp.Updatable{Y: y[:n], Options: o, L: first.Lower()}
		same("as fitted", f, all[:n])
		whole := matrix(k, xs)
		cross, block := mat.NewDense(more, n, nil), mat.NewSymDense(more, nil)
		for i := range more {
			for j := range n {
				cross.Set(i, j, whole.At(n+i, j))
			}
			for j := range i + 1 {
				block.SetSym(i, j, whole.At(n+i, n+j))
			}
		}
		own := options(all[n:])
		if err := f.Append(t.Context(), cross, block, y[n:], own.RowNoise, own.Weights, compute.Options{}); err != nil {
			t.Fatal(err)
		}
		same("rows added", f, all)
		gone := []int{3, 0, n + 2, 17}
		if err := f.Remove(t.Context(), gone, compute.Options{}); err != nil {
			t.Fatal(err)
		}
		same("rows removed", f, slices.DeleteFunc(slices.Clone(all), func(i int) bool { return slices.Contains(gone, i) }))
		if err := f.Remove(t.Context(), []int{-1}, compute.Options{}); err == nil {
			t.Error("row −1 was removed")
		}
	}
}
