package sparsegp_test

import (
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/sparsegp"
)

var update = flag.Bool("update", false, "measure the tables of docs/methods/sparsegp.md")

// TestMeasured measures the tables of docs/methods/sparsegp.md, in a quarter of an hour of one
// core:
//
//	go test ./supervised/sparsegp -run 'TestMeasured/kin40k' -update -v -timeout 3h
func TestMeasured(t *testing.T) {
	if !*update {
		t.Skip("it measures for long: -update")
	}
	t.Run("kin40k", func(t *testing.T) {
		mask, err := open.Read(t.Context(), testkit.Shared(t, "csv/kin40k_test_mask.csv.gz"), open.Options{})
		if err != nil {
			t.Fatal(err)
		}
		measure(t, "csv/kin40k.csv.gz", func(i int) bool { return mask.Columns[0].Numbers[i] == 1 }, []int{500, 1000}, false)
	})
	t.Run("california", func(t *testing.T) {
		measure(t, "csv/cal_housing.data.gz", func(i int) bool { return i%10 == 7 }, []int{500}, true)
	})
}

// measure finds a kernel by the exact evidence of 2000 rows, moves it towards the largest
// objective of all rows on so many landmarks, one number after the other, and scores each on the
// rows that are held out.
func measure(t *testing.T, path string, held func(i int) bool, counts []int, exact bool) {
	xs, y, news, truth := split(t, path, held)
	few := 2000
	part, targets := xs.Gather(span(few)), mat.DenseCopyOf(y.Slice(0, few, 0, 1))
	wide := parse(t, fmt.Sprintf("1*rbf(sigma=[%s])", strings.TrimSuffix(strings.Repeat("3,", xs.Dim()), ",")))
	k, noise, r, err := gp.Tune(t.Context(), wide, part, mat.Col(nil, 0, targets), gp.TuneOptions{Options: gp.Options{Noise: 0.1}, Evaluations: 40})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d rows, %d held out; from %d: %s, noise %g, evaluations %d", xs.Len(), news.Len(), few, k, noise, r.Evaluations)
	p, _ := exactly(t, k, part, targets, sparsegp.Options{Noise: noise})
	score(t, fmt.Sprintf("exact on %d rows", few), marginals(t, p, news), noise, truth)
	for _, approximation := range []sparsegp.Approximation{sparsegp.Variational, sparsegp.FITC} {
		at, o := k, sparsegp.Options{Approximation: approximation, Noise: noise}
		for _, count := range counts {
			var r *gp.TuneReport
			if at, o.Noise, r, err = sparsegp.Tune(t.Context(), at, xs, chosen(t, at, xs, count), y, o, gp.TuneOptions{Evaluations: 20}); err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %s, noise %g, from %g to %g in %d evaluations", approximation, at, o.Noise, r.Start, r.LogEvidence, r.Evaluations)
			landmarks := chosen(t, at, xs, count)
			p, of := fit(t, at, xs, landmarks, y, o)
			t.Logf("%s, %d landmarks: objective %.1f, within %v, %.3g of the trace left", approximation, count, of.LogEvidence[0], of.Within, of.TraceLeft)
			score(t, fmt.Sprintf("%s, %d", approximation, count), marginals(t, p.Target(0), news), o.Noise, truth)
			if approximation == sparsegp.Variational {
				other := o
				other.Approximation = sparsegp.SoR
				p, _ := fit(t, at, xs, landmarks, y, other)
				score(t, fmt.Sprintf("sor, %d", count), marginals(t, p.Target(0), news), o.Noise, truth)
			}
		}
		if exact && approximation == sparsegp.Variational {
			p, r := exactly(t, at, xs, y, o)
			t.Logf("exact: log evidence %.1f", r.LogEvidence)
			score(t, "exact on all rows", marginals(t, p, news), o.Noise, truth)
		}
	}
}

func chosen(t *testing.T, k kernel.Kernel[[]float64], xs data.Vectors, count int) data.Vectors {
	t.Helper()
	s, _, err := nystrom.Landmarks(t.Context(), k, xs, nystrom.Options{Rank: count, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return xs.Gather(s.Rows)
}

// score logs the root mean squared error, the mean negative log density of new observations and
// how many of these lie in their interval of 90 %.
func score(t *testing.T, name string, m *gp.Marginals, noise float64, truth []float64) {
	t.Helper()
	square, density, inside := 0.0, 0.0, 0
	for i, y := range truth {
		d, v := y-m.Mean[i], m.Variance[i]+noise
		square += d * d
		density += d*d/(2*v) + math.Log(2*math.Pi*v)/2
		if math.Abs(d) <= math.Sqrt2*math.Erfinv(0.9)*math.Sqrt(v) {
			inside++
		}
	}
	n := float64(len(truth))
	t.Logf("| %s | %.4f | %.4f | %.1f %% |", name, math.Sqrt(square/n), density/n, 100*float64(inside)/n)
}

// split reads a set with standardised features and target, by the rows that are learned from.
func split(t *testing.T, path string, held func(i int) bool) (xs data.Vectors, y *mat.Dense, news data.Vectors, truth []float64) {
	t.Helper()
	table, err := open.Read(t.Context(), testkit.Shared(t, path), open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var learn, test []int
	for i := range table.Rows() {
		if held(i) {
			test = append(test, i)
		} else {
			learn = append(learn, i)
		}
	}
	steps, rows, err := prep.Fit(table.Gather(learn), prep.Spec{Targets: []string{"last"}})
	if err != nil {
		t.Fatal(err)
	}
	others, err := steps.Apply(table.Gather(test))
	if err != nil {
		t.Fatal(err)
	}
	xs, y, news = rows.X, rows.Y, others.X
	mean, deviation := 0.0, 0.0
	for _, v := range y.RawMatrix().Data {
		mean += v / float64(len(learn))
	}
	for _, v := range y.RawMatrix().Data {
		deviation += (v - mean) * (v - mean) / float64(len(learn))
	}
	deviation = math.Sqrt(deviation)
	for _, of := range []*mat.Dense{y, others.Y} {
		of.Apply(func(_, _ int, v float64) float64 { return (v - mean) / deviation }, of)
	}
	t.Logf("the target has the deviation %g", deviation)
	return xs, y, news, mat.Col(nil, 0, others.Y)
}
