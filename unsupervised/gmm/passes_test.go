package gmm_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/pass/passtest"
	"example.org/mercer/unsupervised/gmm"
)

// A mixture of rows that are read in passes is that of rows in memory, to the bit: all shapes, any
// number of workers and of starts that go side by side, weights, and a choice.
func TestPassesHaveTheBitsOfMemory(t *testing.T) {
	const n, d = 1500, 3
	rng, x, weights := testkit.Rand(t, 21), data.MakeVectors(n, d), make([]float64, n)
	for i := range n {
		for j := range d {
			x.At(i)[j] = 4*math.Sin(float64((i%3+1)*(j+1))) + rng.NormFloat64()*float64(1+i%3)
		}
		weights[i] = float64(1 + i%2)
	}
	for _, shape := range gmm.Shapes {
		o := gmm.Options{Restarts: 3, Seed: 4, Weights: weights, MaxIterations: 12}
		c := gmm.Choices{Least: 2, Most: 3, Shapes: []gmm.Shape{shape}}
		want, r, err := gmm.Choose(t.Context(), x, c, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, how := range []compute.Options{{Workers: 1}, {Workers: 2, MaxMemory: 4 * 2 * 32 * n}, {Workers: 3}, {Workers: 8, MaxMemory: 1}} {
			o.Compute = how
			var rows data.Rows = passtest.NewRows(x)
			if how.Workers == 3 {
				rows, _ = passtest.Apart(x)
			}
			got, report, err := gmm.Choose(t.Context(), rows, c, o)
			if err != nil {
				t.Fatal(err)
			}
			same := slices.Equal(got.Weights, want.Weights) && slices.Equal(got.Means.Raw(), want.Means.Raw()) && slices.Equal(got.Variances.Raw(), want.Variances.Raw()) &&
				slices.EqualFunc(got.Covariances, want.Covariances, func(a, b *mat.SymDense) bool { return mat.Equal(a, b) })
			if !same || !slices.Equal(report.LogLikelihoods, r.LogLikelihoods) || !slices.Equal(report.Trace, r.Trace) || !reflect.DeepEqual(report.Candidates, r.Candidates) {
				t.Errorf("%s, %d workers, limit %d: the mixtures differ: %v, want %v", shape, how.Workers, how.MaxMemory, report.LogLikelihoods, r.LogLikelihoods)
			}
		}
	}
}

func TestPassesNameWhatIsNotFinite(t *testing.T) {
	x := data.MakeVectors(900, 2)
	x.At(300)[0], x.At(611)[1] = 1, math.Inf(-1)
	_, _, err := gmm.Fit(t.Context(), passtest.NewRows(x), 2, gmm.Full, gmm.Options{})
	if want := "gmm: row 611, column 1 is -Inf, not a finite number"; fmt.Sprint(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
}
