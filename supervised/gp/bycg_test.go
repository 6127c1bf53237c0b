package gp_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/gp"
)

// byProducts is the same fit by conjugate gradients.
func byProducts(o gp.Options) gp.Options {
	o.Solver = gp.CG
	return o
}

// agree compares a fit by products with one by a factor: coefficients and means, variances,
// covariances and the evidence within what the report says of it.
func agree(t *testing.T, k string, xs, news data.Vectors, y []float64, o gp.Options) *gp.Report {
	t.Helper()
	direct := o
	direct.Compute.MaxMemory = 0
	exact, want, err := gp.Fit(t.Context(), parse(t, k), xs, y, direct)
	if err != nil {
		t.Fatal(err)
	}
	p, r, err := gp.Fit(t.Context(), parse(t, k), xs, y, byProducts(o))
	if err != nil {
		t.Fatal(err)
	}
	// Residuals of 1e-10 leave errors of 1e-10·‖y‖ over the least noise, which is above 1e-3.
	testkit.CloseSlice(t, "α", p.Posterior.Coef.RawMatrix().Data, exact.Posterior.Coef.RawMatrix().Data, 1e-6)
	testkit.Close(t, "constant", p.Posterior.Mean, exact.Posterior.Mean, 1e-8)
	a, b := marginals(t, p, news), marginals(t, exact, news)
	testkit.CloseSlice(t, "mean", a.Mean, b.Mean, 1e-7)
	testkit.CloseSlice(t, "variance", a.Variance, b.Variance, 1e-7)
	_, ca, err := p.Covariance(t.Context(), news, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, cb, err := exact.Covariance(t.Context(), news, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "covariance", flat(ca), flat(cb), 1e-7)
	testkit.Close(t, "fit", r.Fit, want.Fit, 1e-9)
	testkit.Close(t, "RMSE", r.RMSE, want.RMSE, 1e-8)
	it := r.CG
	// Student's t with 15 degrees of freedom exceeds 6 once in 40 000.
	if off := math.Abs(r.LogEvidence - want.LogEvidence); off > 6*it.StandardError+it.Quadrature+1e-9*math.Abs(want.LogEvidence) {
		t.Errorf("log evidence %.6f ± %.2g, exact %.6f", r.LogEvidence, it.StandardError, want.LogEvidence)
	}
	if rounding := 1e-9 * math.Abs(want.LogEvidence); it.Least != nil && !(*it.Least-rounding <= want.LogEvidence && want.LogEvidence <= *it.Most+rounding) {
		t.Errorf("log evidence %.9f is not between %.9f and %.9f", want.LogEvidence, *it.Least, *it.Most)
	}
	if r.Residual > 1e-8 || r.Active != want.Active || it.Quadrature > 1e-4 {
		t.Errorf("report %+v, %+v", r, it)
	}
	return r
}

// On shared data, as the factor has it and scikit-learn has that.
func TestByCGOnSharedData(t *testing.T) {
	for _, c := range readReference(t).Regression {
		t.Run(c.Kernel, func(t *testing.T) {
			rows := fields(t, c.File)
			train, fresh := every(rows, 0, c.Step, c.Rows), every(rows, 1, c.Step, 8)
			xs, news := vectors(t, train, fresh, c.Columns)
			y := column(t, train, c.Target)
			standardise(y, nil)
			o := gp.Options{RowNoise: c.Noise}
			if len(c.Noise) == 1 {
				o = gp.Options{Noise: c.Noise[0]}
			}
			for _, o.Mean = range []gp.Mean{gp.Zero, gp.Constant} {
				agree(t, c.Kernel, xs, news, y, o)
			}
		})
	}
}

// With more rows than the preconditioner has columns, and a kernel of which it leaves much.
func TestByCGBeyondThePreconditioner(t *testing.T) {
	rng := testkit.Rand(t, 21)
	xs, y := wave(rng, 400, 3)
	news, _ := wave(rng, 30, 3)
	o := gp.Options{Noise: 0.05, RowNoise: positive(rng, 400), Weights: positive(rng, 400)}
	o.Weights[3], o.Weights[399] = 0, 0
	for _, mean := range []gp.Mean{gp.Zero, gp.Constant} {
		o.Mean = mean
		r := agree(t, "2*laplace(sigma=1)", xs, news, y, o)
		if it := r.CG; it.Rank != 180 || !(it.StandardError > 0.01 && it.StandardError < 2) || !(*it.Most-*it.Least > 1) || it.Storage != gram.InTriangle {
			t.Errorf("%+v", it)
		}
	}
	// The same with a stream, and with a matrix.
	o.Compute.MaxMemory = 1 << 20
	if it := agree(t, "2*laplace(sigma=1)", xs, news, y, o).CG; it.Storage != gram.InStream {
		t.Errorf("with 1 MiB the elements are in %q", it.Storage)
	}
	_, r := solve(t, matrix(parse(t, "2*laplace(sigma=1)"), xs), y, byProducts(o))
	if r.CG.Storage != "matrix" {
		t.Errorf("the elements are in %q", r.CG.Storage)
	}
}

// Solved to a hundredth only, the variances are still between the bounds, and the errors are
// of the size of its square.
func TestByCGBounds(t *testing.T) {
	rng := testkit.Rand(t, 22)
	xs, y := wave(rng, 300, 3)
	news, _ := wave(rng, 40, 3)
	o := gp.Options{Noise: 0.1, Mean: gp.Zero, Tolerance: 1e-2}
	p := fit(t, "laplace(sigma=1)", xs, y, byProducts(o))
	exact := marginals(t, fit(t, "laplace(sigma=1)", xs, y, o), news).Variance
	prior, cross := slices.Repeat([]float64{1}, 40), mat.NewDense(40, 300, nil)
	for i := range 40 {
		for j := range 300 {
			cross.Set(i, j, p.Kernel.Eval(news.At(i), xs.At(j)))
		}
	}
	low, high, err := p.Posterior.PosteriorCovariance.(*gp.ByCG).Bounds(t.Context(), prior, cross)
	if err != nil {
		t.Fatal(err)
	}
	widest := 0.0
	for i, v := range exact {
		const rounding = 1e-13
		if !(low[i]-rounding <= v && v <= high[i]+rounding) {
			t.Errorf("variance %d, %.9f, is not between %.9f and %.9f", i, v, low[i], high[i])
		}
		widest = math.Max(widest, high[i]-low[i])
	}
	if !(widest > 1e-9 && widest < 1e-2) {
		t.Errorf("the bounds are %g apart", widest)
	}
}

func TestByCGSameBits(t *testing.T) {
	rng := testkit.Rand(t, 23)
	xs, y := wave(rng, 300, 2)
	news, _ := wave(rng, 20, 2)
	var first []float64
	for _, workers := range []int{1, 2, 3, 8} {
		o := gp.Options{Noise: 0.1, Solver: gp.CG, Compute: compute.Options{Workers: workers}}
		p, r, err := gp.Fit(t.Context(), parse(t, "laplace(sigma=1)"), xs, y, o)
		if err != nil {
			t.Fatal(err)
		}
		all := append(mat.Col(nil, 0, p.Coef), marginals(t, p, news).Variance...)
		all = append(all, r.LogEvidence, r.CG.StandardError, *r.CG.Least)
		if first == nil {
			first = all
		}
		if !slices.Equal(all, first) {
			t.Errorf("%d workers give other bits", workers)
		}
	}
}

// A diagonal kernel has no other rows: the mean is y/(1+s), the evidence that of independent
// numbers, and exact for all probes.
func TestByCGClosedForm(t *testing.T) {
	k, y := mat.NewSymDense(50, nil), make([]float64, 50)
	want := -25 * math.Log(2*math.Pi*1.5)
	for i := range y {
		k.SetSym(i, i, 1)
		y[i] = float64(i%7) - 3
		want -= y[i] * y[i] / 3
	}
	p, r := solve(t, k, y, gp.Options{Noise: 0.5, Mean: gp.Zero, Solver: gp.CG})
	for i, v := range y {
		testkit.Close(t, "α", p.Coef.At(i, 0), v/1.5, 1e-9)
	}
	testkit.Close(t, "log evidence", r.LogEvidence, want, 1e-9)
}

func TestByCGRefuses(t *testing.T) {
	rng := testkit.Rand(t, 24)
	xs, y := wave(rng, 30, 2)
	k := matrix(parse(t, "rbf(sigma=1)"), xs)
	for want, o := range map[string]gp.Options{
		"row 0 has no noise":          {Solver: gp.CG},
		`solver "lu" is not known`:    {Solver: "lu", Noise: 1},
		"tolerance = 1 is not":        {Solver: gp.CG, Noise: 1, Tolerance: 1},
		"probes = -1":                 {Solver: gp.CG, Noise: 1, Probes: -1},
		"did not reach its tolerance": {Solver: gp.CG, Noise: 1e-3, Tolerance: 1e-30},
	} {
		if _, _, err := gp.Fit(t.Context(), parse(t, "rbf(sigma=1)"), xs, y, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	k.SetSym(3, 3, -5)
	if _, _, err := gp.Solve(t.Context(), rowsOf(t, gram.FromMatrix(k), &gp.Options{Solver: gp.CG}), y, gp.Options{Noise: 0.1}); err == nil || !strings.Contains(err.Error(), "not positive definite") {
		t.Errorf("an indefinite matrix: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	k.SetSym(3, 3, 1)
	if _, _, err := gp.Solve(ctx, rowsOf(t, gram.FromMatrix(k), &gp.Options{Solver: gp.CG}), y, gp.Options{Noise: 0.1}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that had ended: %v", err)
	}
}
