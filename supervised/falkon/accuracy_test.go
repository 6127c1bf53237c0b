package falkon_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/krr"
)

const (
	comparedLandmarks = 500
	// exactRows is how many times as many rows the exact fit has.
	exactRows = 4
	// judgedRows are left out of the learning to choose width and λ, testedRows to test what was
	// chosen; tunedRows are learned from at most while it is chosen.
	judgedRows, testedRows, tunedRows = 4000, 4000, 30000
	comparedSeeds                     = 3
)

// TestAccuracyOfFourTimesAsManyRows measures a table of docs/methods/falkon.md: falkon with all
// rows on m landmarks beside kernel ridge regression on 4m of the rows. Both choose a width and λ
// on the same rows, which neither learns from:
//
//	MERCER_LARGE=1 go test ./supervised/falkon -v -timeout 2h \
//	    -run TestAccuracyOfFourTimesAsManyRows
func TestAccuracyOfFourTimesAsManyRows(t *testing.T) {
	testkit.SkipUnlessLarge(t, "the table of docs/methods/falkon.md takes minutes")
	for _, set := range []struct {
		name, path string
		code       func(float64) float64 // of the last column
	}{
		{"kin40k", "csv/kin40k.csv.gz", nil},
		{"skin", "csv/Skin_NonSkin.txt.gz", against(1)},
		{"covertype, class 2", "csv/covtype.20k.data.gz", against(2)},
	} {
		xs, y := scaledSet(t, set.path, set.code)
		results := map[string][]float64{}
		for seed := range uint64(comparedSeeds) {
			c := newComparison(t, xs, y, set.code != nil, seed)
			results["exact"] = append(results["exact"], c.tested("exact", c.exact()))
			for _, scheme := range []nystrom.Scheme{nystrom.Uniform, nystrom.KMeans} {
				results[string(scheme)] = append(results[string(scheme)], c.tested(string(scheme), c.landmarks(scheme)))
			}
		}
		for _, name := range []string{"exact", string(nystrom.Uniform), string(nystrom.KMeans)} {
			t.Logf("| %s | %d | %s | %s |", set.name, xs.Len(), name, meanAndRange(results[name]))
		}
	}
}

// against codes a label as 1 and all others as −1.
func against(label float64) func(float64) float64 {
	return func(v float64) float64 {
		if v == label {
			return 1
		}
		return -1
	}
}

// scaledSet reads numbers, the target last, with every column between 0 and 1.
func scaledSet(t *testing.T, path string, code func(float64) float64) (data.Vectors, []float64) {
	t.Helper()
	table, err := open.Read(t.Context(), testkit.Shared(t, path), open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, rows, err := prep.Fit(table, prep.Spec{Targets: []string{"last"}, Raw: []string{"*"}})
	if err != nil {
		t.Fatal(err)
	}
	for j := range rows.X.Dim() {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range rows.X.Len() {
			low, high = math.Min(low, rows.X.At(i)[j]), math.Max(high, rows.X.At(i)[j])
		}
		for i := range rows.X.Len() {
			rows.X.At(i)[j] = (rows.X.At(i)[j] - low) / math.Max(high-low, math.SmallestNonzeroFloat64)
		}
	}
	y := mat.Col(nil, 0, rows.Y)
	for i, v := range y {
		if code != nil {
			y[i] = code(v)
		}
	}
	return rows.X, y
}

// comparison is one division of the rows of a set.
type comparison struct {
	t                      *testing.T
	xs                     data.Vectors
	y                      []float64
	labels                 bool
	seed                   uint64
	learned, judged, tests []int
	near                   float64 // the width beside which widths are tried; 0: all
}

func newComparison(t *testing.T, xs data.Vectors, y []float64, labels bool, seed uint64) comparison {
	order := rand.New(rand.NewPCG(seed, 4)).Perm(xs.Len())
	return comparison{t: t, xs: xs, y: y, labels: labels, seed: seed,
		tests: order[:testedRows], judged: order[testedRows:][:judgedRows], learned: order[testedRows+judgedRows:]}
}

// some returns the points and targets of some rows.
func (c comparison) some(rows []int) (data.Set[[]float64], *mat.Dense) {
	y := mat.NewDense(len(rows), 1, nil)
	for to, from := range rows {
		y.Set(to, 0, c.y[from])
	}
	return c.xs.Gather(rows), y
}

// score is the RMSE of numbers and the share of wrong labels on some rows.
func (c comparison) score(f model.Predictor[[]float64], rows []int) float64 {
	c.t.Helper()
	xs, y := c.some(rows)
	values, err := f.Predict(c.t.Context(), xs, compute.Options{})
	if err != nil {
		c.t.Fatal(err)
	}
	sum := 0.0
	for i := range rows {
		d := values.At(i, 0) - y.At(i, 0)
		if c.labels {
			d = 0
			if values.At(i, 0)*y.At(i, 0) < 0 {
				d = 1
			}
		}
		sum += d * d / float64(len(rows))
	}
	if c.labels {
		return sum
	}
	return math.Sqrt(sum)
}

// choice is what judged rows speak for.
type choice struct {
	sigma, lambda, score float64
	f                    model.Predictor[[]float64]
}

// choose tries widths in octaves and then the half octaves beside the best; try gives the best
// λ for a width.
func (c comparison) choose(try func(sigma float64) choice) choice {
	best := choice{score: math.Inf(1)}
	consider := func(sigma float64) {
		if at := try(sigma); at.score < best.score {
			best = at
		}
	}
	if c.near > 0 {
		for _, by := range []float64{0.5, 1, 2} {
			consider(by * c.near)
		}
	}
	for octave := -5; octave <= 2 && c.near == 0; octave++ {
		consider(math.Pow(2, float64(octave)))
	}
	centre := best.sigma
	consider(centre * math.Sqrt2)
	consider(centre / math.Sqrt2)
	return best
}

var comparedLambdas = []float64{1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}

func (c comparison) kernel(sigma float64) vec.Kernel {
	k, err := vec.Parse(fmt.Sprintf("rbf(sigma=%g)", sigma))
	if err != nil {
		c.t.Fatal(err)
	}
	return k
}

// exact returns what is chosen for ridge regression on 4m rows.
func (c comparison) exact() choice {
	xs, y := c.some(c.learned[:exactRows*comparedLandmarks])
	return c.choose(func(sigma float64) choice {
		at := choice{score: math.Inf(1)}
		for _, lambda := range comparedLambdas {
			f, _, err := krr.Fit(c.t.Context(), c.kernel(sigma), xs, y, krr.Options{Lambda: lambda})
			if err != nil {
				continue // singular to rounding: a larger λ will do
			}
			if s := c.score(f, c.judged); s < at.score {
				at = choice{sigma, lambda, s, f}
			}
		}
		return at
	})
}

// landmarks returns that of falkon on m landmarks, with all rows to learn from at last.
func (c comparison) landmarks(scheme nystrom.Scheme) choice {
	o := nystrom.Options{Scheme: scheme, Rank: comparedLandmarks, Among: tunedRows, Seed: c.seed}
	along := func(rows []int, sigma float64, lambdas []float64) []*model.Expansion[[]float64] {
		xs, y := c.some(rows)
		l, _, err := nystrom.Landmarks(c.t.Context(), c.kernel(sigma), xs, o)
		if err != nil {
			c.t.Fatal(err)
		}
		fits, _, err := falkon.Path(c.t.Context(), c.kernel(sigma), xs, l, y, lambdas, falkon.Options{Compute: compute.Options{Precision: compute.Single}})
		if err != nil {
			c.t.Fatal(err)
		}
		return fits
	}
	best := c.choose(func(sigma float64) choice {
		at := choice{score: math.Inf(1)}
		for i, f := range along(c.learned[:min(tunedRows, len(c.learned))], sigma, comparedLambdas) {
			if s := c.score(f, c.judged); s < at.score {
				at = choice{sigma, comparedLambdas[i], s, f}
			}
		}
		return at
	})
	if len(c.learned) > tunedRows {
		best.f = along(c.learned, best.sigma, []float64{best.lambda})[0]
	}
	return best
}

func (c comparison) tested(what string, best choice) float64 {
	s := c.score(best.f, c.tests)
	c.t.Logf("seed %d, %s: sigma %.3g, λ %.0e, %.4g on the rows that chose, %.4g on the test rows", c.seed, what, best.sigma, best.lambda, best.score, s)
	return s
}

// meanAndRange shows a mean and the smallest and largest number.
func meanAndRange(v []float64) string {
	sum := 0.0
	for _, x := range v {
		sum += x / float64(len(v))
	}
	return fmt.Sprintf("%.4f (%.4f–%.4f)", sum, slices.Min(v), slices.Max(v))
}
