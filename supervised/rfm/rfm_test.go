package rfm_test

import (
	"context"
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/mahalanobis"
	"example.org/mercer/supervised/rfm"
)

// problem has n rows of three columns, of which the target depends on two.
func problem(t testing.TB, n int) (data.Vectors, *mat.Dense) {
	rng := testkit.Rand(t, 5)
	xs, y := data.MakeVectors(n, 3), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range 3 {
			xs.At(i)[j] = rng.NormFloat64()
		}
		y.Set(i, 0, math.Sin(2*xs.At(i)[0])+0.3*xs.At(i)[1]+0.05*rng.NormFloat64())
	}
	return xs, y
}

func fit(t testing.TB, k vec.Kernel, xs data.Vectors, y *mat.Dense, o rfm.Options) (*rfm.Model, *rfm.Report) {
	t.Helper()
	slope, err := vec.SlopeOf(k)
	if err != nil {
		t.Fatal(err)
	}
	m, r, err := rfm.Fit(t.Context(), k, gradients.Pairwise(slope), xs, y, o)
	if err != nil {
		t.Fatal(err)
	}
	return m, r
}

// plainRidge solves (K + RI)β + b1 = y, 1ᵀβ = 0 as one dense system, and returns f with a metric M.
func plainRidge(t testing.TB, xs data.Vectors, y *mat.Dense, rows []int, m *mat.Dense, ridge, sigma float64) func(x []float64) float64 {
	n := len(rows)
	k := func(x, z []float64) float64 {
		q := 0.0
		for i := range x {
			for j := range x {
				q += (x[i] - z[i]) * m.At(i, j) * (x[j] - z[j])
			}
		}
		return math.Exp(-math.Sqrt(math.Max(0, q)) / sigma)
	}
	a, b := mat.NewDense(n+1, n+1, nil), mat.NewVecDense(n+1, nil)
	for i, p := range rows {
		for j, q := range rows {
			a.Set(i, j, k(xs.At(p), xs.At(q)))
		}
		a.Set(i, i, a.At(i, i)+ridge)
		a.Set(i, n, 1)
		a.Set(n, i, 1)
		b.SetVec(i, y.At(p, 0))
	}
	var s mat.VecDense
	if err := s.SolveVec(a, b); err != nil {
		t.Fatal(err)
	}
	return func(x []float64) float64 {
		f := s.AtVec(n)
		for j, q := range rows {
			f += s.AtVec(j) * k(x, xs.At(q))
		}
		return f
	}
}

// plainMetric is M = Gˢ of central differences, scaled so that the variance of the rows is kept.
// Beside a row, where laplace has a corner, its own term is left out of both differences by
// symmetry.
func plainMetric(t testing.TB, xs data.Vectors, rows []int, f func([]float64) float64, power float64, diagonal bool) *mat.Dense {
	const h = 1e-5
	d, n := xs.Dim(), float64(len(rows))
	g, mean, cov := mat.NewSymDense(d, nil), make([]float64, d), mat.NewSymDense(d, nil)
	for _, i := range rows {
		v := mat.NewVecDense(d, nil)
		for j := range d {
			x := append([]float64(nil), xs.At(i)...)
			x[j] += h
			up := f(x)
			x[j] -= 2 * h
			v.SetVec(j, (up-f(x))/(2*h))
			mean[j] += xs.At(i)[j] / n
		}
		g.SymRankOne(g, 1/n, v)
	}
	for _, i := range rows {
		v := mat.NewVecDense(d, nil)
		for j := range d {
			v.SetVec(j, xs.At(i)[j]-mean[j])
		}
		cov.SymRankOne(cov, 1/n, v)
	}
	if diagonal {
		for i := range d {
			for j := range i {
				g.SetSym(i, j, 0)
			}
		}
	}
	var eigen mat.EigenSym
	eigen.Factorize(g, true)
	var u mat.Dense
	eigen.VectorsTo(&u)
	m := mat.NewDense(d, d, nil)
	for i, lambda := range eigen.Values(nil) {
		var one mat.Dense
		one.Outer(math.Pow(math.Max(0, lambda), power), u.ColView(i), u.ColView(i))
		m.Add(m, &one)
	}
	var mc mat.Dense
	mc.Mul(m, cov)
	m.Scale(mat.Trace(cov)/mat.Trace(&mc), m)
	return m
}

func all(n int) []int { return data.Range(0, n) }

// A round is the textbook: a dense system, gradients by differences, the power of their outer
// product, and a dense system again with distances (x−z)ᵀM(x−z). Differences of a step h are
// right to h² beside no corner: 1e-6 of values near 1.
func TestARoundIsTheFormula(t *testing.T) {
	xs, y := problem(t, 30)
	const ridge, sigma = 0.05, 1.5
	identity := mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
	for _, c := range []struct {
		shape mahalanobis.Shape
		power float64
	}{{mahalanobis.Full, 1}, {mahalanobis.Full, 0.5}, {mahalanobis.Diagonal, 1}, {mahalanobis.Diagonal, 0.5}} {
		k := vec.Laplace{Sigma: sigma}
		m, r := fit(t, k, xs, y, rfm.Options{Ridge: ridge, Shape: c.shape, Power: c.power, Rounds: 1, Judges: []int{}})
		first := plainRidge(t, xs, y, all(30), identity, ridge, sigma)
		metric := plainMetric(t, xs, all(30), first, c.power, c.shape == mahalanobis.Diagonal)
		want := plainRidge(t, xs, y, all(30), metric, ridge, sigma)
		images := m.Metric.Images(xs)
		for i := range 3 {
			for j := range 3 {
				testkit.Close(t, "M", m.Metric.M().At(i, j), metric.At(i, j), 1e-6)
			}
		}
		for i := range 30 {
			got := m.Bias[0]
			for j := range 30 {
				got += m.Coef.At(j, 0) * k.Eval(images.At(i), images.At(j))
			}
			testkit.Close(t, "f", got, want(xs.At(i)), 1e-5)
		}
		if r.Best != 1 || len(r.Scores) != 2 || r.Judge != "the rows themselves" {
			t.Errorf("%+v", r)
		}
	}
}

// The score of a round is the error of rows that were left out: of the judges, learned without,
// or of every row, each learned without.
func TestScoresAreErrorsOfRowsLeftOut(t *testing.T) {
	xs, y := problem(t, 25)
	const ridge, sigma = 0.1, 2.0
	identity := mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
	judges := []int{1, 4, 9, 16, 24}
	var others []int
	next := 0
	for i := range 25 {
		if next < len(judges) && judges[next] == i {
			next++
			continue
		}
		others = append(others, i)
	}
	left := plainRidge(t, xs, y, others, identity, ridge, sigma)
	square := 0.0
	for _, i := range judges {
		square += math.Pow(left(xs.At(i))-y.At(i, 0), 2) / 5
	}
	m, r := fit(t, vec.Laplace{Sigma: sigma}, xs, y, rfm.Options{Ridge: ridge, Judges: judges})
	testkit.Close(t, "judges", r.Scores[0], math.Sqrt(square), 1e-9)
	if n, _ := m.Coef.Dims(); n != 25 || r.Judges != 5 {
		t.Errorf("the last fit has %d rows, %d judged", n, r.Judges)
	}
	square = 0
	for i := range 25 {
		var rest []int
		for j := range 25 {
			if j != i {
				rest = append(rest, j)
			}
		}
		f := plainRidge(t, xs, y, rest, identity, ridge, sigma)
		square += math.Pow(f(xs.At(i))-y.At(i, 0), 2) / 25
	}
	_, r = fit(t, vec.Laplace{Sigma: sigma}, xs, y, rfm.Options{Ridge: ridge})
	testkit.Close(t, "leave-one-out", r.Scores[0], math.Sqrt(square), 1e-9)
}

// The columns that the target depends on are found, and the report says so.
func TestTheReportNamesTheLargestColumns(t *testing.T) {
	xs, y := problem(t, 300)
	_, r := fit(t, vec.RBF{Sigma: 1.5}, xs, y, rfm.Options{Ridge: 1e-2})
	if r.Best == 0 || r.Relevance[0]+r.Relevance[1] < 0.95 {
		t.Errorf("round %d, relevance %v", r.Best, r.Relevance)
	}
	r.Columns = []string{"a", "b", "c"}
	var text strings.Builder
	for _, line := range r.Lines() {
		text.WriteString(line.Name + " " + line.Text + "\n")
	}
	for _, want := range []string{"columns a 0.", "rounds RMSE of leave-one-out", "metric diagonal, power 1"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not said in:\n%s", want, text.String())
		}
	}
}

// Noise of an airfoil, 1503 rows of five standardised columns: a full metric takes the error of
// every third row, which nothing has seen, from 2.34 to 2.09 dB for rbf.
func TestAirfoil(t *testing.T) {
	raw, err := os.ReadFile(testkit.Shared(t, "csv/airfoil_self_noise.dat"))
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]float64
	for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
		var row []float64
		for _, cell := range strings.Fields(line) {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	for j := range 5 {
		column := make([]float64, len(rows))
		for i := range rows {
			column[i] = rows[i][j]
		}
		mean, deviation := stat.PopMeanStdDev(column, nil)
		for i := range rows {
			rows[i][j] = (rows[i][j] - mean) / deviation
		}
	}
	xs, test, y := data.MakeVectors(1002, 5), data.MakeVectors(501, 5), mat.NewDense(1002, 1, nil)
	truth, at := make([]float64, 501), 0
	for i, row := range rows {
		if i%3 == 0 {
			copy(test.At(i/3), row)
			truth[i/3] = row[5]
			continue
		}
		copy(xs.At(at), row)
		y.Set(at, 0, row[5])
		at++
	}
	k := vec.RBF{Sigma: 1.5}
	error := func(under func(data.Vectors) data.Vectors, m *rfm.Model) float64 {
		sum, at, seen := 0.0, under(test), under(xs)
		for i := range truth {
			f := m.Bias[0] - truth[i]
			for j := range xs.Len() {
				f += m.Coef.At(j, 0) * k.Eval(at.At(i), seen.At(j))
			}
			sum += f * f / float64(len(truth))
		}
		return math.Sqrt(sum)
	}
	plain, _, err := krr.Fit(t.Context(), k, xs, y, krr.Options{Ridge: 1e-2})
	if err != nil {
		t.Fatal(err)
	}
	e := plain.(*model.Expansion[[]float64])
	before := error(func(v data.Vectors) data.Vectors { return v }, &rfm.Model{Coef: e.Coef, Bias: e.Bias})
	m, r := fit(t, k, xs, y, rfm.Options{Ridge: 1e-2, Shape: mahalanobis.Full})
	after := error(func(v data.Vectors) data.Vectors { return m.Metric.Images(v) }, m)
	t.Logf("%.3f dB, with the metric of round %d of %.3f: %.3f", before, r.Best, r.Scores, after)
	if !(after < 0.95*before) {
		t.Errorf("error %.3f with the columns as they are, and %.3f with the metric", before, after)
	}
}

func TestWhatCannotBeMeant(t *testing.T) {
	xs, y := problem(t, 10)
	slope, err := vec.SlopeOf(vec.RBF{})
	if err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]rfm.Options{
		"ridge":            {Ridge: -1},
		"judges[1] = 3":    {Judges: []int{4, 3}},
		"two at least":     {Judges: all(10)},
		"weights":          {Judges: []int{0}, Weights: []float64{0, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		"is not known":     {Shape: "round"},
		"not in (0, 2]":    {Power: 3},
		"as many targets ": {},
	} {
		of := y
		if strings.HasPrefix(want, "as many") {
			of = mat.NewDense(3, 1, nil)
		}
		o.Ridge = math.Min(o.Ridge+0.1, o.Ridge*2+0.1)
		if _, _, err := rfm.Fit(t.Context(), vec.RBF{}, gradients.Pairwise(slope), xs, of, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, _, err := rfm.Fit(ctx, vec.RBF{}, gradients.Pairwise(slope), xs, y, rfm.Options{Ridge: 1, Compute: compute.Options{}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
