package sparsegp_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/sparsegp"
)

// parse returns a kernel on vectors.
func parse(t testing.TB, text string) kernel.Kernel[[]float64] {
	t.Helper()
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// wave is a noisy function of random points, as one column.
func wave(rng *rand.Rand, n, d int) (data.Vectors, *mat.Dense) {
	xs, y := data.MakeVectors(n, d), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range d {
			xs.At(i)[j] = rng.NormFloat64()
		}
		y.Set(i, 0, 3+math.Sin(2*xs.At(i)[0])+0.3*xs.At(i)[d-1]+0.2*rng.NormFloat64())
	}
	return xs, y
}

// positive are n numbers between 0.2 and 1.2.
func positive(rng *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 0.2 + rng.Float64()
	}
	return out
}

func between(k kernel.Kernel[[]float64], xs, ys data.Vectors) *mat.Dense {
	a := mat.NewDense(xs.Len(), ys.Len(), nil)
	for i := range xs.Len() {
		for j := range ys.Len() {
			a.Set(i, j, k.Eval(xs.At(i), ys.At(j)))
		}
	}
	return a
}

// inverse is that of Gauss, and the logarithm of the determinant.
func inverse(t testing.TB, a *mat.Dense) (*mat.Dense, float64) {
	t.Helper()
	var lu mat.LU
	lu.Factorize(a)
	logDet, sign := lu.LogDet()
	out := new(mat.Dense)
	if err := out.Inverse(a); err != nil || sign <= 0 {
		t.Fatalf("no inverse: %v, sign %v", err, sign)
	}
	return out, logDet
}

// slow is the process of the definitions, with n×n matrices and their inverses: the formulas of
// the package comment before any is rearranged.
type slow struct {
	objective      float64
	mean, variance []float64 // at some points
	covariance     *mat.Dense
}

func slowly(t testing.TB, k kernel.Kernel[[]float64], xs, at, news data.Vectors, y *mat.Dense, o sparsegp.Options, jitter float64) slow {
	t.Helper()
	n := xs.Len()
	kmm := between(k, at, at)
	trace := mat.Trace(kmm)
	for j := range at.Len() {
		kmm.Set(j, j, kmm.At(j, j)+jitter*trace/float64(at.Len()))
	}
	inner, _ := inverse(t, kmm)
	project := func(a, b data.Vectors) *mat.Dense {
		out := new(mat.Dense)
		out.Product(between(k, a, at), inner, between(k, at, b))
		return out
	}
	a, lambda, sum := project(xs, xs), make([]float64, n), 0.0
	var rows []int
	constants := 0.0
	for i := range n {
		w, s := model.Weight(o.Weights, i), o.Noise
		if w == 0 {
			continue
		}
		if o.RowNoise != nil {
			s += o.RowNoise[i]
		}
		left := k.Eval(xs.At(i), xs.At(i)) - a.At(i, i)
		switch o.Approximation {
		case sparsegp.FITC:
			s += left
		case sparsegp.Variational, "":
			sum += left * w / s
		}
		lambda[i] = s / w
		rows = append(rows, i)
		constants += (math.Log(2*math.Pi*s/w) - w*math.Log(2*math.Pi*s)) / 2
	}
	whole, targets, ones := mat.NewDense(len(rows), len(rows), nil), mat.NewDense(len(rows), 1, nil), mat.NewDense(len(rows), 1, nil)
	for r, i := range rows {
		for c, j := range rows {
			whole.Set(r, c, a.At(i, j))
		}
		whole.Set(r, r, whole.At(r, r)+lambda[i])
		targets.Set(r, 0, y.At(i, 0))
		ones.Set(r, 0, 1)
	}
	inv, logDet := inverse(t, whole)
	form := func(x, y mat.Matrix) float64 {
		return mat.Inner(mat.DenseCopyOf(x).ColView(0), inv, mat.DenseCopyOf(y).ColView(0))
	}
	mu, mass := 0.0, form(ones, ones)
	if o.Mean != gp.Zero {
		mu = form(ones, targets) / mass
	}
	for r := range rows {
		targets.Set(r, 0, targets.At(r, 0)-mu)
	}
	out := slow{objective: -form(targets, targets)/2 - logDet/2 - float64(len(rows))/2*math.Log(2*math.Pi) + constants - sum/2}
	cross := project(news, xs)
	used := mat.NewDense(news.Len(), len(rows), nil)
	for c, i := range rows {
		used.SetCol(c, mat.Col(nil, i, cross))
	}
	var mean, explained mat.Dense
	mean.Product(used, inv, targets)
	explained.Product(used, inv, used.T())
	out.covariance = between(k, news, news)
	if o.Approximation == sparsegp.SoR {
		out.covariance = project(news, news)
	}
	out.covariance.Sub(out.covariance, &explained)
	if o.Mean != gp.Zero {
		var pull mat.Dense
		pull.Product(used, inv, ones)
		for i := range news.Len() {
			for j := range news.Len() {
				out.covariance.Set(i, j, out.covariance.At(i, j)+(1-pull.At(i, 0))*(1-pull.At(j, 0))/mass)
			}
		}
	}
	for i := range news.Len() {
		out.mean, out.variance = append(out.mean, mu+mean.At(i, 0)), append(out.variance, out.covariance.At(i, i))
	}
	return out
}

func fit(t testing.TB, k kernel.Kernel[[]float64], xs, at data.Vectors, y *mat.Dense, o sparsegp.Options) (*sparsegp.Process[[]float64], *sparsegp.Report) {
	t.Helper()
	p, r, err := sparsegp.Fit(t.Context(), k, xs, at, y, o)
	if err != nil {
		t.Fatal(err)
	}
	return p, r
}

func marginals(t testing.TB, p *gp.Process[[]float64], xs data.Vectors) *gp.Marginals {
	t.Helper()
	m, err := p.Marginals(t.Context(), xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// exactly is the process of package gp.
func exactly(t testing.TB, k kernel.Kernel[[]float64], xs data.Vectors, y *mat.Dense, o sparsegp.Options) (*gp.Process[[]float64], *gp.Report) {
	t.Helper()
	p, r, err := gp.Fit(t.Context(), k, xs, mat.Col(nil, 0, y), gp.Options{Noise: o.Noise, RowNoise: o.RowNoise, Mean: o.Mean, Weights: o.Weights})
	if err != nil {
		t.Fatal(err)
	}
	return p, r
}

var means = []gp.Mean{gp.Zero, gp.Constant}
