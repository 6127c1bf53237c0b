package tune_test

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/kernel/width"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/tune"
)

// uci reads a published data set, blank-separated with the target last, and its 20
// splits.
func uci(t testing.TB, name string) (xs data.Vectors, y []float64, splits []tune.Split) {
	t.Helper()
	text, err := os.ReadFile(testkit.Shared(t, "uci_splits/"+name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i, line := range lines {
		fields := strings.Fields(line)
		if i == 0 {
			xs = data.MakeVectors(len(lines), len(fields)-1)
		}
		for j, f := range fields {
			v, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatal(err)
			}
			if j < xs.Dim() {
				xs.At(i)[j] = v
			} else {
				y = append(y, v)
			}
		}
	}
	file, err := os.Open(testkit.Shared(t, "uci_splits/"+name+"_test_splits.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if splits, err = tune.ReadSplits(file, name, len(y)); err != nil {
		t.Fatal(err)
	}
	return xs, y, splits
}

// standardise returns the training and test rows with the training mean taken away
// and divided by the training standard deviation (population; 1 where it is 0).
func standardise(xs data.Vectors, s tune.Split) (train, test data.Vectors) {
	train, test = xs.Gather(s.Train), xs.Gather(s.Test)
	for j := range xs.Dim() {
		mean, square := 0.0, 0.0
		for i := range train.Len() {
			mean += train.At(i)[j] / float64(train.Len())
		}
		for i := range train.Len() {
			square += math.Pow(train.At(i)[j]-mean, 2) / float64(train.Len())
		}
		scale := math.Sqrt(square)
		if scale == 0 {
			scale = 1
		}
		for _, v := range []data.Vectors{train, test} {
			for i := range v.Len() {
				v.At(i)[j] = (v.At(i)[j] - mean) / scale
			}
		}
	}
	return train, test
}

func column(y []float64, rows []int) *mat.Dense {
	out := mat.NewDense(len(rows), 1, nil)
	for i, r := range rows {
		out.Set(i, 0, y[r])
	}
	return out
}

// isotropic is rbf(sigma=?) from the median heuristic.
func isotropic(t testing.TB, xs data.Vectors) tune.Space[[]float64] {
	t.Helper()
	n, err := expr.Parse("rbf(sigma=median)")
	if err != nil {
		t.Fatal(err)
	}
	if n, err = width.Fill(t.Context(), n, xs, vec.Schema{}); err != nil {
		t.Fatal(err)
	}
	k, err := expr.Build(n, vec.Dictionary(vec.Schema{}))
	if err != nil {
		t.Fatal(err)
	}
	return tune.Of(k.(kernel.Tunable[[]float64]))
}

// perColumn is rbf with a width per column, all from the median heuristic: the descent
// begins at the best common factor, which is the isotropic optimum.
func perColumn(t testing.TB, xs data.Vectors) tune.Space[[]float64] {
	widths := make([]float64, xs.Dim())
	for j := range widths {
		widths[j] = isotropic(t, xs).Parameters[0].Start
	}
	return tune.Of(vec.RBF{Widths: widths})
}

// testRMSE tunes on the training rows of one split, fits, and tests.
func testRMSE(t testing.TB, xs data.Vectors, y []float64, s tune.Split, space func(testing.TB, data.Vectors) tune.Space[[]float64]) (rmse float64, note string) {
	t.Helper()
	train, test := standardise(xs, s)
	target := column(y, s.Train)
	r, err := ridgeSearch(t.Context(), space(t, train), train, target, how{})
	if err != nil {
		t.Fatal(err)
	}
	f, _, err := krr.Fit(t.Context(), r.Kernel, train, target, krr.Options{Lambda: lambdaOf(r.Best)})
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Predict(t.Context(), test, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return krr.Measure(column(y, s.Test), got, nil).RMSE[0], fmt.Sprintf("%s by %s: σ=%.3g λ=%.3g LOO %.4f, %d trials", r.Strategy, r.Scale.Name, r.Best.Values[:len(r.Best.Values)-1], lambdaOf(r.Best), r.Point.LOO.RMSE[0], len(r.Trials))
}

// The mean test RMSE over the 20 published splits, with the default options: an
// isotropic width by the leave-one-out error, a width per column by the evidence. The
// bounds are met by an independent implementation (yacht 0.425, energy 0.470, concrete
// 5.589, bostonHousing 2.821). What was measured here: yacht 0.421, energy 0.470,
// bostonHousing 2.815, concrete 5.478 and per column 4.955. The exact minimum of the leave-one-out
// error over all (σ, λ) does worse than the smoothed grid: 0.456, 0.474, 2.871, 5.576. All but
// yacht take up to minutes: MERCER_SLOW=1 runs them.
func TestPublishedSplits(t *testing.T) {
	for _, c := range []struct {
		name  string
		kind  string
		space func(testing.TB, data.Vectors) tune.Space[[]float64]
		bound float64
	}{
		{"yacht", "isotropic", isotropic, 0.43},
		{"energy", "isotropic", isotropic, 0.475},
		{"bostonHousing", "isotropic", isotropic, 2.83},
		{"concrete", "isotropic", isotropic, 5.6},
		{"concrete", "per column", perColumn, 5.0},
	} {
		t.Run(fmt.Sprintf("%s,%s", c.name, c.kind), func(t *testing.T) {
			switch {
			case testing.Short():
				t.Skip("tunes on 20 splits")
			case c.name != "yacht" && os.Getenv("MERCER_SLOW") == "":
				t.Skip("takes minutes: set MERCER_SLOW=1")
			}
			xs, y, splits := uci(t, c.name)
			began, mean := time.Now(), 0.0
			for k, s := range splits {
				rmse, note := testRMSE(t, xs, y, s, c.space)
				t.Logf("split %2d: %.4f  %s", k, rmse, note)
				mean += rmse / float64(len(splits))
			}
			t.Logf("mean test RMSE %.4f in %.1f s", mean, time.Since(began).Seconds())
			if !(mean <= c.bound) {
				t.Errorf("mean test RMSE %.4f, want at most %g", mean, c.bound)
			}
		})
	}
}
