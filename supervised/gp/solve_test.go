package gp_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/supervised/gp"
)

func solve(t testing.TB, k *mat.SymDense, y []float64, o gp.Options) (*gp.Posterior, *gp.Report) {
	t.Helper()
	p, r, err := gp.Solve(t.Context(), rowsOf(t, gram.FromMatrix(k), &o), y, o)
	if err != nil {
		t.Fatal(err)
	}
	return p, r
}

// One row: mean k*y/(k+s), variance k** − k*²/(k+s), evidence that of N(y; 0, k+s).
func TestOneRow(t *testing.T) {
	const k, s, y, cross, prior = 2.0, 0.5, 1.7, 1.3, 2.4
	p, r := solve(t, mat.NewSymDense(1, []float64{k}), []float64{y}, gp.Options{Noise: s, Mean: gp.Zero})
	testkit.Close(t, "mean", p.Coef.At(0, 0)*cross, cross*y/(k+s), 1e-15)
	v := []float64{prior}
	if _, err := p.VariancesAt(t.Context(), v, mat.NewDense(1, 1, []float64{cross})); err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "variance", v[0], prior-cross*cross/(k+s), 1e-15)
	testkit.Close(t, "evidence", r.LogEvidence, -y*y/(2*(k+s))-math.Log(2*math.Pi*(k+s))/2, 1e-15)
	// With a constant mean one row says where the constant is, and nothing else.
	p, r = solve(t, mat.NewSymDense(1, []float64{k}), []float64{y}, gp.Options{Noise: s})
	testkit.Close(t, "constant", p.Mean, y, 0)
	testkit.Close(t, "coefficient", p.Coef.At(0, 0), 0, 0)
	v = []float64{prior}
	if _, err := p.VariancesAt(t.Context(), v, mat.NewDense(1, 1, []float64{cross})); err != nil {
		t.Fatal(err)
	}
	// f* − y = (f* − m) − (y − m): the variance of a difference.
	testkit.Close(t, "variance with a constant", v[0], prior-2*cross+k+s, 1e-15)
	testkit.Close(t, "evidence of the best constant", r.LogEvidence, -math.Log(2*math.Pi*(k+s))/2, 1e-15)
}

// Two rows, by the explicit inverse of a 2×2 matrix; the constant by its definition.
func TestTwoRows(t *testing.T) {
	const a, b, c, y0, y1, s = 1.5, 0.6, 1.1, 2.0, -0.5, 0.2
	A, C := a+s, c+s
	det := A*C - b*b
	k := mat.NewSymDense(2, []float64{a, b, b, c})
	p, r := solve(t, k, []float64{y0, y1}, gp.Options{Noise: s, Mean: gp.Zero})
	testkit.CloseSlice(t, "α", mat.Col(nil, 0, p.Coef), []float64{(C*y0 - b*y1) / det, (A*y1 - b*y0) / det}, 1e-14)
	testkit.Close(t, "evidence", r.LogEvidence, -(C*y0*y0-2*b*y0*y1+A*y1*y1)/(2*det)-math.Log(det)/2-math.Log(2*math.Pi), 1e-14)
	p, _ = solve(t, k, []float64{y0, y1}, gp.Options{Noise: s})
	m := ((C-b)*y0 + (A-b)*y1) / (A + C - 2*b)
	testkit.Close(t, "constant", p.Mean, m, 1e-14)
	testkit.CloseSlice(t, "α", mat.Col(nil, 0, p.Coef), []float64{(C*(y0-m) - b*(y1-m)) / det, (A*(y1-m) - b*(y0-m)) / det}, 1e-13)
}

// A flat prior over the constant is the limit of a constant kernel of growing size.
func TestConstantMeanIsTheLimitOfAConstantKernel(t *testing.T) {
	rng := testkit.Rand(t, 1)
	xs, y := wave(rng, 30, 2)
	news, _ := wave(rng, 6, 2)
	flat := fit(t, "rbf(sigma=1)", xs, y, gp.Options{Noise: 0.1})
	wide := fit(t, "rbf(sigma=1) + 1e6*constant()", xs, y, gp.Options{Noise: 0.1, Mean: gp.Zero})
	a, b := marginals(t, flat, news), marginals(t, wide, news)
	// The prior adds 1e-6 to 1ᵀA⁻¹1, and the sum of kernel values loses six digits.
	testkit.CloseSlice(t, "mean", a.Mean, b.Mean, 1e-6)
	testkit.CloseSlice(t, "variance", a.Variance, b.Variance, 1e-6)
}

func fit(t testing.TB, k string, xs data.Vectors, y []float64, o gp.Options) *gp.Process[[]float64] {
	t.Helper()
	p, _, err := gp.Fit(t.Context(), parse(t, k), xs, y, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func marginals(t testing.TB, p *gp.Process[[]float64], xs data.Vectors) *gp.Marginals {
	t.Helper()
	m, err := p.Marginals(t.Context(), xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A weight of 2 is the row twice and a weight of 0 no row: in the mean, the variance, the
// evidence and its gradient.
func TestWeightsAreRepetitions(t *testing.T) {
	rng := testkit.Rand(t, 2)
	xs, y := wave(rng, 40, 2)
	news, _ := wave(rng, 5, 2)
	noise := positive(rng, 40)
	weights := make([]float64, 40)
	var rows []int
	for i := range weights {
		weights[i] = float64(i % 4)
		for range i % 4 {
			rows = append(rows, i)
		}
	}
	twice, manyNoise := make([]float64, len(rows)), make([]float64, len(rows))
	for to, from := range rows {
		twice[to], manyNoise[to] = y[from], noise[from]
	}
	const text = "2*rbf(sigma=1.2)"
	for _, mean := range []gp.Mean{gp.Zero, gp.Constant} {
		once := gp.Options{Noise: 0.3, RowNoise: noise, Weights: weights, Mean: mean}
		many := gp.Options{Noise: 0.3, RowNoise: manyNoise, Mean: mean}
		a, b := fit(t, text, xs, y, once), fit(t, text, xs.Gather(rows), twice, many)
		ma, mb := marginals(t, a, news), marginals(t, b, news)
		testkit.CloseSlice(t, "mean", ma.Mean, mb.Mean, 1e-12)
		testkit.CloseSlice(t, "variance", ma.Variance, mb.Variance, 1e-12)
		for i, w := range weights {
			if got := a.Coef.At(i, 0); w == 0 && got != 0 {
				t.Errorf("row %d of weight 0 has the coefficient %v", i, got)
			}
		}
		k := parse(t, text)
		sa, err := gp.Gradient(t.Context(), matrix(k, xs), y, once)
		if err != nil {
			t.Fatal(err)
		}
		sb, err := gp.Gradient(t.Context(), matrix(k, xs.Gather(rows)), twice, many)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Close(t, "evidence", sa.LogEvidence, sb.LogEvidence, 1e-12)
		testkit.Close(t, "derivative in the noise", sa.DLogNoise, sb.DLogNoise, 1e-11)
		testkit.CloseSlice(t, "gradient", gradientOf(t, k, xs, sa.DK), gradientOf(t, k, xs.Gather(rows), sb.DK), 1e-11)
	}
}

// Noise of rows is what their own diagonal in the kernel matrix would be.
func TestRowNoiseIsExplicit(t *testing.T) {
	rng := testkit.Rand(t, 3)
	xs, y := wave(rng, 25, 3)
	noise := positive(rng, 25)
	k := matrix(parse(t, "matern(nu=2.5, lengthscale=1)"), xs)
	explicit := mat.NewSymDense(25, nil)
	explicit.CopySym(k)
	for i, v := range noise {
		explicit.SetSym(i, i, explicit.At(i, i)+v+0.1)
	}
	a, ra := solve(t, k, y, gp.Options{Noise: 0.1, RowNoise: noise})
	b, rb := solve(t, explicit, y, gp.Options{})
	testkit.CloseSlice(t, "α", mat.Col(nil, 0, a.Coef), mat.Col(nil, 0, b.Coef), 1e-12)
	testkit.Close(t, "evidence", ra.LogEvidence, rb.LogEvidence, 1e-13)
}

// The gradient is that of central differences, whose error at a step of 1e-5 is that of
// rounding, 1e-11 of a value of about 100, and of a third derivative, 1e-10 of it.
func TestGradientByDifferences(t *testing.T) {
	const step = 1e-5
	rng := testkit.Rand(t, 4)
	xs, y := wave(rng, 30, 3)
	o := gp.Options{Noise: 0.2, RowNoise: positive(rng, 30), Weights: positive(rng, 30)}
	o.Weights[4] = 0
	for _, text := range []string{"1.5*rbf(sigma=[1,2,0.7])", "rq(sigma=1, alpha=1.3) + 0.5*linear()", "matern(nu=1.5, lengthscale=0.8)*rbf(sigma=3) + white(value=0.2)"} {
		for _, mean := range []gp.Mean{gp.Zero, gp.Constant} {
			o.Mean = mean
			k := parse(t, text)
			value := func(k kernel.Kernel[[]float64], o gp.Options) *gp.Sensitivity {
				s, err := gp.Gradient(t.Context(), matrix(k, xs), y, o)
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			s := value(k, o)
			want := kerneltest.Slopes(t, k.(kernel.Tunable[[]float64]), step, func(k kernel.Kernel[[]float64]) float64 {
				return value(k, o).LogEvidence
			})
			testkit.CloseSlice(t, text, gradientOf(t, k, xs, s.DK), want, 1e-7)
			more, less := o, o
			more.Noise, less.Noise = o.Noise*math.Exp(step), o.Noise*math.Exp(-step)
			testkit.Close(t, "noise", s.DLogNoise, (value(k, more).LogEvidence-value(k, less).LogEvidence)/(2*step), 1e-7)
		}
	}
}

func TestSameBitsForAnyWorkers(t *testing.T) {
	rng := testkit.Rand(t, 5)
	xs, y := wave(rng, 300, 2)
	news, _ := wave(rng, 270, 2)
	var first []float64
	for _, workers := range []int{1, 2, 3, 8} {
		o := compute.Options{Workers: workers}
		p := fit(t, "rbf(sigma=0.7)", xs, y, gp.Options{Noise: 0.1, Compute: o})
		m, err := p.Marginals(t.Context(), news, o)
		if err != nil {
			t.Fatal(err)
		}
		samples, err := p.Sample(t.Context(), news, 3, 1, o)
		if err != nil {
			t.Fatal(err)
		}
		s, err := gp.Gradient(t.Context(), matrix(p.Kernel, xs), y, gp.Options{Noise: 0.1, Compute: o})
		if err != nil {
			t.Fatal(err)
		}
		all := append(append(append(mat.Col(nil, 0, p.Coef), m.Variance...), samples.RawMatrix().Data...), flat(s.DK)...)
		if first == nil {
			first = all
		}
		for i, v := range all {
			if v != first[i] {
				t.Fatalf("%d workers: number %d is %v, with one worker %v", workers, i, v, first[i])
			}
		}
	}
}

// TestConstantTargetsWarn: targets that are all equal, of the rows that count, leave the
// noise to the options, and the report says so; with a mean of zero they are data as
// any other.
func TestConstantTargetsWarn(t *testing.T) {
	k := mat.NewSymDense(3, []float64{1, 0.5, 0.2, 0.5, 1, 0.5, 0.2, 0.5, 1})
	for _, tc := range []struct {
		y    []float64
		o    gp.Options
		want bool
	}{
		{[]float64{3, 3, 3}, gp.Options{Noise: 1e-14}, true},
		{[]float64{3, 3, 4}, gp.Options{Noise: 0.1, Weights: []float64{1, 1, 0}}, true},
		{[]float64{3, 3, 4}, gp.Options{Noise: 0.1}, false},
		{[]float64{3, 3, 3}, gp.Options{Noise: 0.1, Mean: gp.Zero}, false},
		{[]float64{3, 4, 5}, gp.Options{Noise: 0.1, Weights: []float64{1, 0, 0}}, false},
	} {
		_, r := solve(t, k, tc.y, tc.o)
		if got := slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "all targets are 3") }); got != tc.want {
			t.Errorf("targets %v, weights %v, mean %q: warnings %q", tc.y, tc.o.Weights, tc.o.Mean, r.Warnings)
		}
	}
}

func TestBadInput(t *testing.T) {
	k := mat.NewSymDense(2, []float64{1, 1, 1, 1}) // the same row twice
	for _, c := range []struct {
		name, want string
		y          []float64
		o          gp.Options
	}{
		{"duplicates without noise", "rows may repeat", []float64{1, 2}, gp.Options{}},
		{"noise", "not a finite number ≥ 0", []float64{1, 2}, gp.Options{Noise: -1}},
		{"row noise", "variance of the noise of row 1", []float64{1, 2}, gp.Options{RowNoise: []float64{1, math.NaN()}}},
		{"numbers of row noise", "1 variances of noise for 2 rows", []float64{1, 2}, gp.Options{RowNoise: []float64{1}}},
		{"targets", "3 targets for 2 rows", []float64{1, 2, 3}, gp.Options{Noise: 1}},
		{"no targets", "0 targets for 2 rows", nil, gp.Options{Noise: 1}},
		{"target", "target 1 = NaN", []float64{1, math.NaN()}, gp.Options{Noise: 1}},
		{"weights", "all weights are zero", []float64{1, 2}, gp.Options{Noise: 1, Weights: []float64{0, 0}}},
		{"weight without noise", "no noise", []float64{1, 2}, gp.Options{Weights: []float64{2, 1}}},
		{"mean", `mean "median" is not known`, []float64{1, 2}, gp.Options{Noise: 1, Mean: "median"}},
	} {
		_, _, err := gp.Solve(t.Context(), rowsOf(t, gram.FromMatrix(k), &c.o), c.y, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	// Constant targets need nothing but the constant.
	p, r := solve(t, k, []float64{7, 7}, gp.Options{Noise: 0.1})
	if p.Mean != 7 || p.Coef.At(0, 0) != 0 || r.Residual != 0 {
		t.Errorf("constant targets: mean %v, coefficient %v, residual %v", p.Mean, p.Coef.At(0, 0), r.Residual)
	}
}
