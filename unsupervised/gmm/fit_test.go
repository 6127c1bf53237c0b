package gmm_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/unsupervised/gmm"
)

// waves are the points of the reference values: see "origin" in testdata/sklearn.json.
func waves(n, d int) data.Vectors {
	x := data.MakeVectors(n, d)
	for i := range n {
		for j := range d {
			x.At(i)[j] = 4*math.Cos(2.4*float64(i%5+1)*float64(j+1)) + math.Sin(12.9898*float64(i+1)*float64(j+1)+0.5*float64(j))
		}
	}
	return x
}

// begin is a mixture around the first rows, with the variance 4.
func begin(x data.Vectors, shape gmm.Shape, weights []float64) *gmm.Mixture {
	k, d, index := len(weights), x.Dim(), make([]int, len(weights))
	for j := range index {
		index[j] = j
	}
	m := &gmm.Mixture{Shape: shape, Weights: weights, Means: x.Gather(index)}
	for range map[gmm.Shape]int{gmm.Full: k, gmm.Tied: 1}[shape] {
		c := mat.NewSymDense(d, nil)
		for a := range d {
			c.SetSym(a, a, 4)
		}
		m.Covariances = append(m.Covariances, c)
	}
	if wide := map[gmm.Shape]int{gmm.Diagonal: d, gmm.Spherical: 1}[shape]; wide > 0 {
		m.Variances = data.MakeVectors(k, wide)
		for i := range m.Variances.Raw() {
			m.Variances.Raw()[i] = 4
		}
	}
	return m
}

// spread lists the numbers of the covariances.
func spread(m *gmm.Mixture) []float64 {
	out := slices.Clone(m.Variances.Raw())
	for _, c := range m.Covariances {
		for a := range c.SymmetricDim() {
			for b := range c.SymmetricDim() {
				out = append(out, c.At(a, b))
			}
		}
	}
	return out
}

// From the same start 15 iterations lead to the mixture of scikit-learn.
func TestAgreesWithScikitLearn(t *testing.T) {
	text, err := os.ReadFile("testdata/sklearn.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Shape                                  gmm.Shape
			Weights, Means, Covariances, Posterior []float64
			Likelihood, BIC, AIC                   float64
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != len(gmm.Shapes) {
		t.Fatalf("%d cases, want one for each shape", len(file.Cases))
	}
	x := waves(300, 3)
	for _, c := range file.Cases {
		t.Run(string(c.Shape), func(t *testing.T) {
			o := gmm.Options{Start: begin(x, c.Shape, []float64{0.1, 0.2, 0.3, 0.4}), MaxIterations: 15, Tolerance: 1e-300, Floor: 1e-12}
			m, r, err := gmm.Fit(context.Background(), x, 4, c.Shape, o)
			if err != nil {
				t.Fatal(err)
			}
			const tol = 1e-9
			testkit.CloseSlice(t, "weights", m.Weights, c.Weights, tol)
			testkit.CloseSlice(t, "means", m.Means.Raw(), c.Means, tol)
			testkit.CloseSlice(t, "covariances", spread(m), c.Covariances, tol)
			testkit.Close(t, "log-likelihood", r.LogLikelihood, c.Likelihood, tol)
			testkit.Close(t, "BIC", r.BIC, c.BIC, tol)
			testkit.Close(t, "AIC", r.AIC, c.AIC, tol)
			q, logs, err := m.Posterior(context.Background(), x, 2)
			if err != nil {
				t.Fatal(err)
			}
			testkit.CloseSlice(t, "posterior", q.RawMatrix().Data[:40], c.Posterior, tol)
			sum := 0.0
			for _, l := range logs {
				sum += l
			}
			entropy := 0.0
			for _, p := range q.RawMatrix().Data {
				if p > 0 {
					entropy -= p * math.Log(p)
				}
			}
			testkit.Close(t, "ICL", r.ICL, r.BIC+2*entropy, 1e-12)
			testkit.Close(t, "sum of log-densities", sum, r.LogLikelihood, 1e-12)
		})
	}
}

// density is the log-density by the definition.
func density(m *gmm.Mixture, j int, x []float64) float64 {
	d := len(x)
	c := mat.NewSymDense(d, nil)
	for a := range d {
		switch m.Shape {
		case gmm.Full:
			for b := range d {
				c.SetSym(a, b, m.Covariances[j].At(a, b))
			}
		case gmm.Tied:
			for b := range d {
				c.SetSym(a, b, m.Covariances[0].At(a, b))
			}
		case gmm.Diagonal:
			c.SetSym(a, a, m.Variances.At(j)[a])
		case gmm.Spherical:
			c.SetSym(a, a, m.Variances.At(j)[0])
		}
	}
	var chol mat.Cholesky
	chol.Factorize(c)
	z, y := mat.NewVecDense(d, nil), mat.NewVecDense(d, nil)
	for a := range d {
		z.SetVec(a, x[a]-m.Means.At(j)[a])
	}
	_ = chol.SolveVecTo(y, z)
	return math.Log(m.Weights[j]) - (float64(d)*math.Log(2*math.Pi)+chol.LogDet()+mat.Dot(y, z))/2
}

// One iteration is the E-step with the π_j and the M-step divided by N_j, as they must
// be. The forms of the lectures, without them, give something else.
func TestOneIterationByDefinition(t *testing.T) {
	x, w := waves(80, 2), make([]float64, 80)
	for i := range w {
		w[i] = float64(i%3) / 2
	}
	for _, shape := range gmm.Shapes {
		s := begin(x, shape, []float64{0.7, 0.1, 0.2})
		m, _, err := gmm.Fit(context.Background(), x, 3, shape, gmm.Options{Start: s, MaxIterations: 1, Floor: 1e-12, Weights: w})
		if err != nil {
			t.Fatal(err)
		}
		mass, sums, slip, slipMass := make([]float64, 3), data.MakeVectors(3, 2), make([]float64, 3), 0.0
		for i := range x.Len() {
			q, total, plain := make([]float64, 3), 0.0, 0.0
			for j := range q {
				q[j] = math.Exp(density(s, j, x.At(i)))
				total += q[j]
				plain += q[j] / s.Weights[j]
			}
			for j := range q {
				mass[j] += w[i] * q[j] / total
				slip[j] += w[i] * q[j] / s.Weights[j] / plain
				for c, v := range x.At(i) {
					sums.At(j)[c] += w[i] * q[j] / total * v
				}
			}
			slipMass += w[i]
		}
		for j := range 3 {
			testkit.Close(t, "weight", m.Weights[j], mass[j]/slipMass, 1e-12)
			for c, v := range m.Means.At(j) {
				testkit.Close(t, "mean", v, sums.At(j)[c]/mass[j], 1e-11)
				if math.Abs(v-sums.At(j)[c]) < 1e-3 {
					t.Error("a mean cannot be told from one without the division by N_j")
				}
			}
			if math.Abs(m.Weights[j]-slip[j]/slipMass) < 1e-3 {
				t.Errorf("%s: component %d cannot be told from an E-step without the π_j", shape, j)
			}
		}
	}
}

// The likelihood never decreases, whatever the rows, the weights, the shape and the floor.
func TestLikelihoodNeverDecreases(t *testing.T) {
	for seed := range uint64(40) {
		rng := testkit.Rand(t, seed)
		n, d, k := 20+rng.IntN(100), 1+rng.IntN(4), 1+rng.IntN(5)
		x, w := data.MakeVectors(n, d), make([]float64, n)
		for i := range x.Raw() {
			x.Raw()[i] = rng.NormFloat64() + float64(i/d%3)
		}
		for i := range w {
			w[i] = 0.1 + rng.Float64()
		}
		for _, shape := range gmm.Shapes {
			_, r, err := gmm.Fit(context.Background(), x, k, shape, gmm.Options{Restarts: 2, Seed: seed, Weights: w, MaxIterations: 60, Floor: []float64{0, 0.3}[seed%2]})
			if err != nil {
				t.Fatal(err)
			}
			for i := 1; i < len(r.Trace); i++ {
				if r.Trace[i] < r.Trace[i-1]-1e-10*math.Abs(r.Trace[i-1]) {
					t.Errorf("seed %d, %s: the likelihood fell from %v to %v", seed, shape, r.Trace[i-1], r.Trace[i])
				}
			}
		}
	}
}

// Old Faithful with three tied components reaches −1126.3, the value of mclust (EEE, 3).
func TestFaithful(t *testing.T) {
	f, err := os.Open(testkit.Shared(t, "small/faithful.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	x := data.MakeVectors(len(lines)-1, 2)
	for i, line := range lines[1:] {
		for c := range 2 {
			if x.At(i)[c], err = strconv.ParseFloat(line[1+c], 64); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, r, err := gmm.Fit(context.Background(), x, 3, gmm.Tied, gmm.Options{Restarts: 20})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "log-likelihood", r.LogLikelihood, -1126.3, 0.05/1126)
	if !r.Converged || len(r.Warnings) > 0 {
		t.Errorf("converged %v, warnings %q", r.Converged, r.Warnings)
	}
}

// A weight of 2 is the row twice, and the same bits come from any number of workers.
func TestWeightsAndWorkers(t *testing.T) {
	x, w, index := waves(1500, 3), make([]float64, 1500), []int{}
	for i := range w {
		w[i] = float64(1 + i%2)
		for range 1 + i%2 {
			index = append(index, i)
		}
	}
	for _, shape := range gmm.Shapes {
		o := gmm.Options{Start: begin(x, shape, []float64{0.1, 0.2, 0.3, 0.4}), Weights: w, MaxIterations: 10, Floor: 1e-9}
		var first []float64
		for _, workers := range []int{1, 2, 3, 8} {
			o.Compute = compute.Options{Workers: workers}
			m, r, err := gmm.Fit(context.Background(), x, 4, shape, o)
			if err != nil {
				t.Fatal(err)
			}
			bits := append(append(slices.Clone(m.Means.Raw()), spread(m)...), r.Trace...)
			if first == nil {
				first = bits
			}
			if !slices.Equal(bits, first) {
				t.Errorf("%s: %d workers give other bits", shape, workers)
			}
		}
		o.Weights = nil
		m, r, err := gmm.Fit(context.Background(), x.Gather(index), 4, shape, o)
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, "written twice", append(append(slices.Clone(m.Means.Raw()), spread(m)...), r.Trace...), first, 1e-9)
	}
}

// Samples have the moments of the mixture, and a fit finds it again.
func TestSample(t *testing.T) {
	m := &gmm.Mixture{Shape: gmm.Full, Weights: []float64{0.3, 0.7}, Means: data.MakeVectors(2, 2),
		Covariances: []*mat.SymDense{mat.NewSymDense(2, []float64{1, 0.5, 0.5, 2}), mat.NewSymDense(2, []float64{2, -1, -1, 1})}}
	m.Means.At(1)[0] = 10
	const n = 20000
	x, labels, err := m.Sample(n, 1)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := gmm.Fit(context.Background(), x, 2, gmm.Full, gmm.Options{Restarts: 1})
	if err != nil {
		t.Fatal(err)
	}
	order := []int{0, 1}
	if got.Means.At(0)[0] > 5 {
		order = []int{1, 0}
	}
	share := 0
	for _, j := range labels {
		share += 1 - j
	}
	testkit.Close(t, "share", float64(share)/n, 0.3, 5*math.Sqrt(0.21/n)/0.3)
	for j, at := range order {
		for a := range 2 {
			// Five standard errors: the components are 10 apart and do not mix.
			if e := math.Abs(got.Means.At(at)[a] - m.Means.At(j)[a]); e > 5*math.Sqrt(2/(0.3*n)) {
				t.Errorf("mean %d is off by %v", j, e)
			}
			for b := range 2 {
				if e := math.Abs(got.Covariances[at].At(a, b) - m.Covariances[j].At(a, b)); e > 5*math.Sqrt(8/(0.3*n)) {
					t.Errorf("covariance %d is off by %v", j, e)
				}
			}
		}
	}
}

// A constant column and repeated rows end at the floor, which is reported.
func TestFloorIsReported(t *testing.T) {
	x := waves(60, 3)
	for i := range x.Len() {
		x.At(i)[2] = 7
	}
	for _, shape := range gmm.Shapes[:3] {
		m, r, err := gmm.Fit(context.Background(), x, 2, shape, gmm.Options{})
		if err != nil {
			t.Fatal(err)
		}
		numbers := spread(m)
		if r.Floored == 0 || len(r.Warnings) == 0 || slices.Min(numbers[len(numbers)-1:]) > r.Floor*(1+1e-6) {
			t.Errorf("%s: floored %d, warnings %q, variance of a constant %v, floor %v", shape, r.Floored, r.Warnings, numbers[len(numbers)-1], r.Floor)
		}
	}
}

// Means far from the origin cost no digits that matter.
func TestShiftInvariance(t *testing.T) {
	x, far := waves(200, 2), waves(200, 2)
	for i := range far.Raw() {
		far.Raw()[i] += 1 << 20
	}
	for _, shape := range gmm.Shapes {
		_, a, err := gmm.Fit(context.Background(), x, 3, shape, gmm.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		_, b, err := gmm.Fit(context.Background(), far, 3, shape, gmm.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		testkit.Close(t, "log-likelihood", b.LogLikelihood, a.LogLikelihood, 1e-6)
	}
}

func TestErrors(t *testing.T) {
	nan := waves(10, 2)
	nan.At(4)[1] = math.NaN()
	for _, c := range []struct {
		x     data.Vectors
		k     int
		shape gmm.Shape
		o     gmm.Options
		want  string
	}{
		{waves(3, 2), 4, gmm.Full, gmm.Options{}, "4 components for 3 rows"},
		{waves(1, 2), 1, gmm.Full, gmm.Options{}, "at least two rows"},
		{data.Vectors{}, 1, gmm.Full, gmm.Options{}, "at least two rows"},
		{data.MakeVectors(3, 0), 1, gmm.Full, gmm.Options{}, "no columns"},
		{data.MakeVectors(3, 2), 1, gmm.Full, gmm.Options{}, "are equal"},
		{nan, 2, gmm.Full, gmm.Options{}, "row 4, column 1 is NaN"},
		{waves(3, 2), 1, "round", gmm.Options{}, "not known"},
		{waves(3, 2), 1, gmm.Full, gmm.Options{Weights: []float64{1}}, "1 weights for 3 rows"},
		{waves(3, 2), 2, gmm.Full, gmm.Options{Weights: []float64{1, 0, 0}}, "positive weight"},
		{waves(3, 2), 1, gmm.Full, gmm.Options{Weights: []float64{1, -1, 0}}, "weight 1 = -1"},
		{waves(3, 2), 1, gmm.Full, gmm.Options{Tolerance: -1}, "tolerance"},
		{waves(9, 2), 3, gmm.Full, gmm.Options{Start: begin(waves(9, 2), gmm.Tied, []float64{0.5, 0.5})}, "the start has 2 tied"},
		{waves(9, 2), 2, gmm.Tied, gmm.Options{Start: begin(waves(9, 2), gmm.Tied, []float64{0.5, 0.6})}, "not to 1"},
	} {
		if _, _, err := gmm.Fit(context.Background(), c.x, c.k, c.shape, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v does not say %q", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := gmm.Fit(ctx, waves(100, 2), 2, gmm.Full, gmm.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context gives %v", err)
	}
}
