package sparsegp_test

import (
	"context"
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
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/sparsegp"
)

// One row and one landmark, K_mm = a, K_nm = b, kₙₙ = c: φ = b/√a, q = b²/a, and all else
// follows by hand.
func TestOneRowOneLandmark(t *testing.T) {
	const a, b, c, s, y = 2.0, 1.2, 1.5, 0.4, 1.7
	const cross, prior = 0.9, 1.8 // of a new point
	g := &gram.Landmarks{Rows: gram.TallSkinnyOf(pairs{mat.NewDense(1, 1, []float64{b})}, compute.Options{}),
		Self: pairs{mat.NewDense(1, 1, []float64{a})}, Diagonal: func(_ context.Context, dst []float64) error {
			dst[0] = c
			return nil
		}}
	q := b * b / a
	for _, tc := range []struct {
		approximation sparsegp.Approximation
		lambda, trace float64
		prior         float64
	}{
		{sparsegp.Variational, s, (c - q) / (2 * s), prior},
		{sparsegp.DTC, s, 0, prior},
		{sparsegp.SoR, s, 0, cross * cross / a},
		{sparsegp.FITC, s + c - q, 0, prior},
	} {
		o := sparsegp.Options{Approximation: tc.approximation, Noise: s, Mean: gp.Zero, Jitter: 1e-18}
		p, r, err := sparsegp.Solve(t.Context(), g, mat.NewDense(1, 1, []float64{y}), o)
		if err != nil {
			t.Fatal(err)
		}
		name, total := string(tc.approximation), q+tc.lambda
		testkit.Close(t, name+" evidence", r.LogEvidence[0], -y*y/(2*total)-math.Log(2*math.Pi*total)/2-tc.trace, 1e-14)
		testkit.Close(t, name+" mean", cross*p.Coef.At(0, 0), cross*b/a*y/total, 1e-14)
		v := []float64{prior}
		if _, err := p.VariancesAt(t.Context(), v, mat.NewDense(1, 1, []float64{cross})); err != nil {
			t.Fatal(err)
		}
		pull := cross * b / a
		testkit.Close(t, name+" variance", v[0], tc.prior-pull*pull/total, 1e-14)
	}
}

// pairs are the elements of a matrix.
type pairs struct{ *mat.Dense }

func (p pairs) Tile(dst kernel.Tile, row, col int) {
	for i := range dst.Rows {
		for j := range dst.Cols {
			dst.Row(i)[j] = p.At(row+i, col+j)
		}
	}
}

// TestAgreesWithTheDefinition: mean, covariance and objective are those of n×n matrices and
// their inverses, with noise of rows, weights, and either mean.
func TestAgreesWithTheDefinition(t *testing.T) {
	rng := testkit.Rand(t, 1)
	xs, y := wave(rng, 40, 2)
	news, _ := wave(rng, 7, 2)
	at, _ := wave(rng, 9, 2) // no rows
	copy(at.At(3), xs.At(5)) // but one
	noise, weights := positive(rng, 40), positive(rng, 40)
	weights[7] = 0
	k := parse(t, "1.7*rbf(sigma=1.1)")
	for _, approximation := range append(sparsegp.Approximations, "") {
		for _, mean := range means {
			for _, o := range []sparsegp.Options{{Noise: 0.3}, {Noise: 0.1, RowNoise: noise, Weights: weights}} {
				// The jitter is large enough to be seen.
				o.Approximation, o.Mean, o.Jitter = approximation, mean, 1e-3
				name := string(approximation) + " " + string(mean)
				p, r := fit(t, k, xs, at, y, o)
				want := slowly(t, k, xs, at, news, y, o, 1e-3)
				// Conditions are below 1e5.
				testkit.Close(t, name+" objective", r.LogEvidence[0], want.objective, 1e-11)
				m := marginals(t, p.Target(0), news)
				testkit.CloseSlice(t, name+" mean", m.Mean, want.mean, 1e-10)
				testkit.CloseSlice(t, name+" variance", m.Variance, want.variance, 1e-10)
				_, cov, err := p.Target(0).Covariance(t.Context(), news, compute.Options{})
				if err != nil {
					t.Fatal(err)
				}
				testkit.CloseSlice(t, name+" covariance", mat.DenseCopyOf(cov).RawMatrix().Data, want.covariance.RawMatrix().Data, 1e-10)
			}
		}
	}
}

// TestAllRowsAreExact: with every row a landmark, each approximation is the process of package
// gp; SoR at the rows and not between them. With the jitter ε, K − Q ≤ εI, which moves the
// evidence by no more than n·ε/σ² times a few, and so do mean and variance.
func TestAllRowsAreExact(t *testing.T) {
	rng := testkit.Rand(t, 2)
	xs, y := wave(rng, 50, 3)
	news, _ := wave(rng, 6, 3)
	k := parse(t, "2*matern(nu=2.5, lengthscale=1.3)")
	tolerance := 1e-10 * 2 * 50 / 0.2 * 5
	for _, approximation := range sparsegp.Approximations {
		for _, mean := range means {
			o := sparsegp.Options{Approximation: approximation, Noise: 0.2, Mean: mean, Weights: positive(rng, 50)}
			p, r := fit(t, k, xs, xs, y, o)
			exact, want := exactly(t, k, xs, y, o)
			name := string(approximation) + " " + string(mean)
			testkit.Close(t, name+" evidence", r.LogEvidence[0], want.LogEvidence, tolerance)
			testkit.Close(t, name+" constant", r.Constant[0], want.Constant, tolerance)
			testkit.Close(t, name+" RMSE", r.RMSE[0], want.RMSE, tolerance)
			points := news
			if approximation == sparsegp.SoR {
				points = xs
			}
			a, b := marginals(t, p.Target(0), points), marginals(t, exact, points)
			testkit.CloseSlice(t, name+" mean", a.Mean, b.Mean, tolerance)
			testkit.CloseSlice(t, name+" variance", a.Variance, b.Variance, tolerance)
			if r.TraceLeft > 1e-9 {
				t.Errorf("%s: %v of the trace is left", name, r.TraceLeft)
			}
			if w := r.Within; w != nil && (w[0].Least > want.LogEvidence+tolerance || w[0].Most < want.LogEvidence-tolerance || r.Gap(0) > tolerance) {
				t.Errorf("%s: log evidence %v within %+v", name, want.LogEvidence, w)
			}
		}
	}
}

// TestBounds: the bound is below the exact log evidence, rises with every landmark that is
// added, and the upper bound falls; both for noise of rows and weights.
func TestBounds(t *testing.T) {
	rng := testkit.Rand(t, 3)
	xs, y := wave(rng, 60, 2)
	o := sparsegp.Options{Noise: 0.1, RowNoise: positive(rng, 60), Weights: positive(rng, 60)}
	o.Weights[2] = 0
	for _, text := range []string{"rbf(sigma=0.8)", "3*matern(nu=0.5, lengthscale=2)", "linear() + 0.5*rbf(sigma=0.3)"} {
		k := parse(t, text)
		for _, o.Mean = range means {
			_, exact := exactly(t, k, xs, y, o)
			least, most := math.Inf(-1), math.Inf(1)
			for m := 1; m <= 60; m += 3 {
				_, r := fit(t, k, xs, xs.Gather(span(m)), y, o)
				w := r.Within[0]
				if w.Least != r.LogEvidence[0] {
					t.Fatalf("the bound is %v and the lower end %v", r.LogEvidence[0], w.Least)
				}
				// Rounding of sums of 60 terms of about 100.
				if slack := 1e-8; w.Least > exact.LogEvidence+slack || w.Most < exact.LogEvidence-slack || w.Least < least-slack || w.Most > most+slack {
					t.Fatalf("%s: %d landmarks: %v within %+v, after %v and %v", text, m, exact.LogEvidence, w, least, most)
				}
				least, most = w.Least, w.Most
			}
		}
	}
}

// TestGapIsADivergence: the exact log evidence less the bound is KL(q‖p) between the posteriors
// of f at the rows, which contain the landmarks.
func TestGapIsADivergence(t *testing.T) {
	rng := testkit.Rand(t, 4)
	const n = 30
	xs, y := wave(rng, n, 1)
	k := parse(t, "1.5*matern(nu=1.5, lengthscale=0.6)")
	o := sparsegp.Options{Noise: 0.1, Mean: gp.Zero}
	exact, want := exactly(t, k, xs, y, o)
	pm, pc, err := exact.Covariance(t.Context(), xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	inv, logP := inverse(t, mat.DenseCopyOf(pc))
	for _, m := range []int{3, 8, 15} {
		p, r := fit(t, k, xs, xs.Gather(span(m)), y, o)
		qm, qc, err := p.Target(0).Covariance(t.Context(), xs, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, logQ := inverse(t, mat.DenseCopyOf(qc))
		var product mat.Dense
		product.Mul(inv, qc)
		d := mat.NewVecDense(n, nil)
		d.SubVec(mat.NewVecDense(n, qm), mat.NewVecDense(n, pm))
		kl := (mat.Trace(&product) + mat.Inner(d, inv, d) - n + logP - logQ) / 2
		// The jitter moves both by n·1e-10/σ², the inverses lose four digits.
		testkit.Close(t, "KL(q‖p)", want.LogEvidence-r.LogEvidence[0], kl, 1e-7)
		if kl < 0.01 {
			t.Errorf("%d landmarks: the divergence is %v, too small to tell", m, kl)
		}
		if kl > r.Gap(0) {
			t.Errorf("%d landmarks: KL %v, at most %v was promised", m, kl, r.Gap(0))
		}
	}
}

func span(m int) []int {
	out := make([]int, m)
	for i := range out {
		out[i] = i
	}
	return out
}

// TestWeightsAreRepetitions: a weight of 2 is the row twice and 0 no row, in mean, variance and
// objective.
func TestWeightsAreRepetitions(t *testing.T) {
	rng := testkit.Rand(t, 5)
	xs, y := wave(rng, 40, 2)
	news, _ := wave(rng, 5, 2)
	at, _ := wave(rng, 8, 2)
	k := parse(t, "2*rbf(sigma=1.2)")
	weights := make([]float64, 40)
	var rows []int
	for i := range weights {
		weights[i] = float64(i % 3)
		for range i % 3 {
			rows = append(rows, i)
		}
	}
	many := mat.NewDense(len(rows), 1, nil)
	for to, from := range rows {
		many.Set(to, 0, y.At(from, 0))
	}
	for _, approximation := range sparsegp.Approximations {
		o := sparsegp.Options{Approximation: approximation, Noise: 0.3}
		b, rb := fit(t, k, xs.Gather(rows), at, many, o)
		o.Weights = weights
		a, ra := fit(t, k, xs, at, y, o)
		ma, mb := marginals(t, a.Target(0), news), marginals(t, b.Target(0), news)
		testkit.CloseSlice(t, "mean", ma.Mean, mb.Mean, 1e-11)
		testkit.CloseSlice(t, "variance", ma.Variance, mb.Variance, 1e-11)
		testkit.Close(t, "objective", ra.LogEvidence[0], rb.LogEvidence[0], 1e-11)
		testkit.Close(t, "trace left", ra.TraceLeft, rb.TraceLeft, 1e-11)
	}
}

// TestTargetsShareOneSystem: each of several targets is what it is alone.
func TestTargetsShareOneSystem(t *testing.T) {
	rng := testkit.Rand(t, 6)
	xs, y := wave(rng, 50, 2)
	_, z := wave(rng, 50, 2)
	news, _ := wave(rng, 5, 2)
	k, o := parse(t, "rbf(sigma=1)"), sparsegp.Options{Approximation: sparsegp.FITC, Noise: 0.1}
	at := xs.Gather(span(12))
	both := new(mat.Dense)
	both.Augment(y, z)
	p, r := fit(t, k, xs, at, both, o)
	for j, target := range []*mat.Dense{y, z} {
		alone, ra := fit(t, k, xs, at, target, o)
		a, b := marginals(t, p.Target(j), news), marginals(t, alone.Target(0), news)
		testkit.CloseSlice(t, "mean", a.Mean, b.Mean, 1e-12)
		testkit.CloseSlice(t, "variance", a.Variance, b.Variance, 1e-12)
		testkit.Close(t, "objective", r.LogEvidence[j], ra.LogEvidence[0], 1e-12)
	}
}

// TestRestore: a process from its state answers with the same bits.
func TestRestore(t *testing.T) {
	rng := testkit.Rand(t, 7)
	xs, y := wave(rng, 30, 2)
	at := xs.Gather(span(10))
	k := parse(t, "rbf(sigma=1)")
	for _, approximation := range sparsegp.Approximations {
		for _, mean := range means {
			p, _ := fit(t, k, xs, at, y, sparsegp.Options{Approximation: approximation, Noise: 0.1, Mean: mean})
			again, err := sparsegp.Restore(t.Context(), kernel.Bind(k, at, at), p.Posterior.State(), compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			of := func(g gp.PosteriorCovariance) []float64 {
				v := slices.Repeat([]float64{1}, 30)
				if _, err := g.VariancesAt(t.Context(), v, between(k, xs, at)); err != nil {
					t.Fatal(err)
				}
				return v
			}
			if a, b := of(p.Posterior), of(again); !slices.Equal(a, b) {
				t.Errorf("%s: variances %v, from the state %v", approximation, a, b)
			}
		}
	}
	p, _ := fit(t, k, xs, at, y, sparsegp.Options{Noise: 0.1})
	if _, err := sparsegp.Restore(t.Context(), pairs{between(k, xs, xs)}, p.Posterior.State(), compute.Options{}); err == nil {
		t.Error("a state of 10 landmarks was taken for 30")
	}
}

// TestSamples: their mean and variance are those of the marginals.
func TestSamples(t *testing.T) {
	rng := testkit.Rand(t, 8)
	xs, y := wave(rng, 60, 1)
	news, _ := wave(rng, 4, 1)
	p, _ := fit(t, parse(t, "rbf(sigma=0.7)"), xs, xs.Gather(span(6)), y, sparsegp.Options{Noise: 0.1})
	const count = 4000
	of := p.Target(0)
	samples, err := of.Sample(t.Context(), news, count, 1, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := marginals(t, of, news)
	for i := range news.Len() {
		sum, squares := 0.0, 0.0
		for j := range count {
			d := samples.At(i, j) - m.Mean[i]
			sum, squares = sum+d/count, squares+d*d/count
		}
		// Four standard errors.
		if v := m.Variance[i]; math.Abs(sum) > 4*math.Sqrt(v/count) || math.Abs(squares-v) > 4*v*math.Sqrt(2.0/count) {
			t.Errorf("point %d: samples are off by %v on average, with variance %v for %v", i, sum, squares, v)
		}
	}
}

func TestSameBitsForAnyWorkers(t *testing.T) {
	rng := testkit.Rand(t, 9)
	xs, y := wave(rng, 1500, 2)
	at := xs.Gather(span(150))
	k := parse(t, "1.3*rbf(sigma=[0.7,0.9])")
	for _, approximation := range []sparsegp.Approximation{sparsegp.Variational, sparsegp.FITC} {
		var first []float64
		for _, workers := range []int{1, 2, 3, 8} {
			// Features are held, and then they are not.
			for _, limit := range []int64{0, 2 << 20} {
				o := sparsegp.Options{Approximation: approximation, Noise: 0.1, Compute: compute.Options{Workers: workers, MaxMemory: limit}}
				p, r := fit(t, k, xs, at, y, o)
				value, theta, noise := slope(t, k, xs, at, y, o)
				all := slices.Concat(mat.Col(nil, 0, p.Coef), r.LogEvidence, p.Bias, p.Posterior.State().Precision.Rows(), []float64{value, noise}, theta)
				if first == nil {
					first = all
				}
				if !slices.Equal(all, first) {
					t.Fatalf("%s with %d workers and %d bytes: other bits than with one", approximation, workers, limit)
				}
			}
		}
	}
}

func TestBadInput(t *testing.T) {
	rng := testkit.Rand(t, 10)
	xs, y := wave(rng, 5, 1)
	bad := mat.DenseCopyOf(y)
	bad.Set(2, 0, math.NaN())
	for _, tc := range []struct {
		want string
		at   data.Vectors
		y    *mat.Dense
		o    sparsegp.Options
	}{
		{"row 0 has no noise", xs, y, sparsegp.Options{}},
		{`approximation "vfe" is not known`, xs, y, sparsegp.Options{Noise: 1, Approximation: "vfe"}},
		{"noise = -1", xs, y, sparsegp.Options{Noise: -1}},
		{"jitter = NaN", xs, y, sparsegp.Options{Noise: 1, Jitter: math.NaN()}},
		{`mean "median"`, xs, y, sparsegp.Options{Noise: 1, Mean: "median"}},
		{"no landmarks", data.MakeVectors(0, 1), y, sparsegp.Options{Noise: 1}},
		{"4 targets for 5 rows", xs, y.Slice(0, 4, 0, 1).(*mat.Dense), sparsegp.Options{Noise: 1}},
		{"y[2,0] = NaN", xs, bad, sparsegp.Options{Noise: 1}},
		{"3 weights for 5 rows", xs, y, sparsegp.Options{Noise: 1, Weights: []float64{1, 1, 1}}},
		{"2 variances of the noise", xs, y, sparsegp.Options{RowNoise: []float64{1, 1}}},
		{"variance of the noise of row 1", xs, y, sparsegp.Options{RowNoise: []float64{1, -1, 1, 1, 1}}},
	} {
		_, _, err := sparsegp.Fit(t.Context(), parse(t, "rbf(sigma=1)"), xs, tc.at, tc.y, tc.o)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want one with %q", err, tc.want)
		}
	}
	_, _, err := sparsegp.Fit(t.Context(), parse(t, "tanh(scale=3, offset=-2)"), xs, xs, y, sparsegp.Options{Noise: 1})
	if err == nil || !strings.Contains(err.Error(), "larger jitter") {
		t.Errorf("an indefinite kernel: %v", err)
	}
}

// TestManyRows go by in blocks: 40 copies of each of 60 rows are 60 rows of weight 40, in the
// objective and in its gradient.
func TestManyRows(t *testing.T) {
	rng := testkit.Rand(t, 11)
	xs, y := wave(rng, 60, 2)
	at, _ := wave(rng, 8, 2)
	var rows []int
	for copied := range 40 {
		for i := range 60 {
			rows = append(rows, (i+copied)%60)
		}
	}
	many := mat.NewDense(len(rows), 1, nil)
	for to, from := range rows {
		many.Set(to, 0, y.At(from, 0))
	}
	k := parse(t, "2*rbf(sigma=[1.2,0.9])")
	for _, approximation := range sparsegp.Approximations {
		o := sparsegp.Options{Approximation: approximation, Noise: 0.3}
		value, theta, noise := slope(t, k, xs.Gather(rows), at, many, o)
		o.Weights = slices.Repeat([]float64{40}, 60)
		want, wantTheta, wantNoise := slope(t, k, xs, at, y, o)
		// Sums of 2400 terms.
		testkit.Close(t, string(approximation), value, want, 1e-10)
		testkit.CloseSlice(t, string(approximation)+" gradient", theta, wantTheta, 1e-9)
		testkit.Close(t, string(approximation)+" noise", noise, wantNoise, 1e-9)
	}
}
