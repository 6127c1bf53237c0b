package gp_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/gp"
)

// The slow twin is the trapezoidal rule in the plane of the differences, exact to 1e-9.
func TestAverage(t *testing.T) {
	rng := testkit.Rand(t, 42)
	average := gp.NewSoftmaxIntegral(3)
	for _, scale := range []float64{0, 0.3, 1, 3} {
		mean, root := make([]float64, 3), mat.NewDense(3, 2, nil)
		for c := range 3 {
			mean[c] = (1 + scale) * rng.NormFloat64()
			root.SetRow(c, []float64{scale * rng.NormFloat64(), scale * rng.NormFloat64()})
		}
		cov := mat.NewSymDense(3, nil)
		cov.SymOuterK(1, root)
		want, total := make([]float64, 3), 0.0
		const step, reach = 0.05, 160
		for i := -reach; i <= reach; i++ {
			for j := -reach; j <= reach; j++ {
				a, b := step*float64(i), step*float64(j)
				w := math.Exp(-(a*a + b*b) / 2)
				total += w
				var e [3]float64
				for c := range 3 {
					e[c] = math.Exp(mean[c] + root.At(c, 0)*a + root.At(c, 1)*b)
				}
				for c := range 3 {
					want[c] += w * e[c] / (e[0] + e[1] + e[2])
				}
			}
		}
		for c := range 3 {
			want[c] /= total
		}
		got := make([]float64, 3)
		average.Probabilities(got, mean, cov)
		testkit.CloseSlice(t, "probabilities", got, want, 1e-4*(1+scale))
		// A common shift of all values is not seen.
		for c := range 3 {
			for d := c; d < 3; d++ {
				cov.SetSym(c, d, cov.At(c, d)+100)
			}
			mean[c] += 7
		}
		shifted := make([]float64, 3)
		average.Probabilities(shifted, mean, cov)
		testkit.CloseSlice(t, "shifted", shifted, got, 1e-9)
	}
}

// Every third flower is left out. The evidence finds a kernel that separates the others
// as they do each other.
func TestSoftmaxOnIris(t *testing.T) {
	rows := fields(t, "iris.csv")
	var train, test [][]string
	for i, row := range rows {
		if i%3 == 0 {
			test = append(test, row)
		} else {
			train = append(train, row)
		}
	}
	names := []string{}
	class := func(rows [][]string) []int {
		var y []int
		for _, row := range rows {
			if !slices.Contains(names, row[4]) {
				names = append(names, row[4])
			}
			y = append(y, slices.Index(names, row[4]))
		}
		return y
	}
	y, truth := class(train), class(test)
	xs, news := vectors(t, train, test, []int{0, 1, 2, 3})
	k, r, err := gp.TuneClasses(t.Context(), parse(t, "4*rbf(sigma=2)"), xs, y, gp.TuneOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !(r.LogEvidence > r.Start) || !r.Converged || r.Gradient > 1e-3 {
		t.Errorf("%+v", r)
	}
	c, report, err := gp.FitClasses(t.Context(), k, xs, y, gp.ClassOptions{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "log evidence", report.LogEvidence, r.LogEvidence, 1e-8)
	p, err := c.Probabilities(t.Context(), news, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	right, loss := 0, 0.0
	for i, want := range truth {
		row := p.RawRowView(i)
		if slices.Index(row, slices.Max(row)) == want {
			right++
		}
		loss -= math.Log(row[want]) / float64(len(truth))
	}
	t.Logf("%s: %d of %d right, log loss %.3f, log evidence %.2f", k, right, len(truth), loss, r.LogEvidence)
	if right < 49 || loss > 0.25 {
		t.Errorf("%d of %d right, log loss %g", right, len(truth), loss)
	}
}
