package gp_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/supervised/gp"
)

// scikit-learn averages σ by a sum of five error functions (Williams and Barber 1998), whose
// error is about 1e-4 here; everything else is the same formula.
func TestClassifierAgreesWithScikitLearn(t *testing.T) {
	for _, r := range readReference(t).Classification {
		t.Run(r.Kernel, func(t *testing.T) {
			var train, fresh [][]string
			var y []int
			rows := slices.DeleteFunc(fields(t, r.File), func(row []string) bool { return !slices.Contains(r.Pair, row[4]) })
			train = every(rows, 0, 2, len(rows))
			fresh = every(rows, 1, 12, len(rows))
			for _, row := range train {
				y = append(y, slices.Index(r.Pair, row[4]))
			}
			xs, news := vectors(t, train, fresh, []int{0, 1, 2, 3})
			k := parse(t, r.Kernel)
			c, report, err := gp.FitClasses(t.Context(), k, xs, y, gp.ClassOptions{})
			if err != nil {
				t.Fatal(err)
			}
			testkit.Close(t, "log evidence", report.LogEvidence, r.Value, 1e-8)
			testkit.CloseSlice(t, "mode", mat.Col(nil, 0, c.Laplace.Mode)[:10], r.Mode, 1e-8)
			m, err := c.Marginals(t.Context(), news, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			testkit.CloseSlice(t, "latent mean", mat.Col(nil, 0, m.Mean), r.Latent, 1e-8)
			testkit.CloseSlice(t, "latent variance", variances(m.Covariance, 0), r.Variance, 1e-8)
			p, err := c.Probabilities(t.Context(), news, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			testkit.CloseSlice(t, "probability", mat.Col(nil, 1, p), r.Probability, 2e-4)
			s, err := gp.GradientClasses(t.Context(), matrix(k, xs), y, gp.ClassOptions{})
			if err != nil {
				t.Fatal(err)
			}
			testkit.CloseSlice(t, "gradient", gradientOf(t, k, xs, s.DK), r.Gradient, 1e-8)
		})
	}
}

// One row: the mode is f = kσ(−f), by bisection, and the approximation follows by hand.
// Laplace's evidence of one row is within a few per cent of the true ½.
func TestOneRowOfEachClass(t *testing.T) {
	// Two independent rows, so that both classes are there.
	const k = 1.5
	l, r, err := gp.SolveClasses(t.Context(), rowsOf(t, gram.FromMatrix(mat.NewSymDense(2, []float64{k, 0, 0, k})), &gp.ClassOptions{}), []int{0, 1}, gp.ClassOptions{})
	if err != nil {
		t.Fatal(err)
	}
	low, high := 0.0, k
	for range 60 {
		if f := (low + high) / 2; f < k/(1+math.Exp(f)) {
			low = f
		} else {
			high = f
		}
	}
	testkit.CloseSlice(t, "mode", mat.Col(nil, 0, l.Mode), []float64{-low, low}, 1e-12)
	p := 1 / (1 + math.Exp(-low))
	each := math.Log(p) - low*low/(2*k) - math.Log(1+k*p*(1-p))/2
	testkit.Close(t, "log evidence", r.LogEvidence, 2*each, 1e-12)
	testkit.Close(t, "evidence beside the integral", math.Exp(each), 0.5, 0.05)
	v, _, err := l.Covariances(t.Context(), []float64{k, k}, mat.NewDense(2, 2, []float64{k, 0, 0, k}))
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "variance", v[1].At(0, 0), 1/(1/k+p*(1-p)), 1e-13)
	again, err := gp.ConditionClasses(t.Context(), rowsOf(t, gram.FromMatrix(mat.NewSymDense(2, []float64{k, 0, 0, k})), &gp.ClassOptions{}), l.Coef, gp.ClassOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := again.Covariances(t.Context(), []float64{k}, mat.NewDense(1, 2, []float64{0, k}))
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "variance again", w[0].At(0, 0), v[1].At(0, 0), 1e-13)
}

// The slow twin is Simpson's rule with 200 000 steps, exact to 1e-12 here.
func TestProbability(t *testing.T) {
	for _, mean := range []float64{-30, -3, -0.5, 0, 1e-3, 1, 4, 25} {
		for _, variance := range []float64{0, 1e-6, 0.3, 0.99, 1, 1.01, 9, 400} {
			s, want := math.Sqrt(variance), 1/(1+math.Exp(-mean))
			if s > 0 {
				const steps, reach = 200000, 10.0
				h := 2 * reach / steps
				want = 0
				for i := range steps + 1 {
					z := -reach + h*float64(i)
					w := 2.0 + 2*float64(i%2)
					if i == 0 || i == steps {
						w = 1
					}
					want += w * h / 3 * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) / (1 + math.Exp(-mean-s*z))
				}
			}
			got := gp.Probability(mean, variance)
			testkit.Close(t, "probability", got, want, 1e-11)
			if (got-0.5)*mean < 0 || mean == 0 && got != 0.5 {
				t.Errorf("N(%g, %g): probability %v on the other side of ½", mean, variance, got)
			}
		}
	}
}

// A weight of 2 is the row twice, and 0 no row.
func TestClassWeightsAreRepetitions(t *testing.T) {
	rng := testkit.Rand(t, 21)
	xs, target := wave(rng, 30, 2)
	y, weights := make([]int, 30), make([]float64, 30)
	var rows, many []int
	for i, v := range target {
		if v > 3 {
			y[i] = 1
		}
		weights[i] = float64(i % 3)
		for range i % 3 {
			rows, many = append(rows, i), append(many, y[i])
		}
	}
	k := parse(t, "2*rbf(sigma=1)")
	a, err := gp.GradientClasses(t.Context(), matrix(k, xs), y, gp.ClassOptions{Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	b, err := gp.GradientClasses(t.Context(), matrix(k, xs.Gather(rows)), many, gp.ClassOptions{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "log evidence", a.LogEvidence, b.LogEvidence, 1e-12)
	testkit.CloseSlice(t, "gradient", gradientOf(t, k, xs, a.DK), gradientOf(t, k, xs.Gather(rows), b.DK), 1e-10)
}

func TestTuneClasses(t *testing.T) {
	rng := testkit.Rand(t, 22)
	xs, target := wave(rng, 60, 2)
	y := make([]int, 60)
	for i, v := range target {
		if v > 3 {
			y[i] = 1
		}
	}
	k, r, err := gp.TuneClasses(t.Context(), parse(t, "1.5*rbf(sigma=[1,1])"), xs, y, gp.TuneOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := gp.GradientClasses(t.Context(), matrix(k, xs), y, gp.ClassOptions{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "log evidence", s.LogEvidence, r.LogEvidence, 1e-9)
	if !(r.LogEvidence > r.Start) || r.Gradient > 1e-3 {
		t.Errorf("%+v", r)
	}
}

func TestClassesRefuse(t *testing.T) {
	k := gram.FromMatrix(mat.NewSymDense(2, []float64{1, 0, 0, 1}))
	for _, c := range []struct {
		want string
		y    []int
		o    gp.ClassOptions
	}{
		{"all rows are of class 0", []int{0, 0}, gp.ClassOptions{}},
		{"class 0 all have weight zero", []int{0, 1}, gp.ClassOptions{Weights: []float64{0, 1}}},
		{"is 2: number the classes", []int{0, 2}, gp.ClassOptions{}},
		{"is -1", []int{0, -1}, gp.ClassOptions{}},
		{"3 targets for 2 rows", []int{0, 1, 0}, gp.ClassOptions{}},
		{"weight 0 = -1", []int{0, 1}, gp.ClassOptions{Weights: []float64{-1, 1}}},
	} {
		if _, _, err := gp.SolveClasses(t.Context(), rowsOf(t, k, &gp.ClassOptions{}), c.y, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

// The gradient is that of central differences in one parameter at a time: at a step of 1e-4
// the truncation is 1e-8 of the third derivative, and rounding 1e-9.
func TestClassGradientByDifferences(t *testing.T) {
	const step = 1e-4
	rng := testkit.Rand(t, 23)
	xs, target := wave(rng, 25, 2)
	y, o := make([]int, 25), gp.ClassOptions{Weights: positive(rng, 25)}
	for i, v := range target {
		if v > 3 {
			y[i] = 1
		}
	}
	value := func(logScale, logSigma float64) (*gp.Sensitivity, kernel.Kernel[[]float64]) {
		k, err := parse(t, "2*rbf(sigma=1)").(kernel.Tunable[[]float64]).With([]float64{2 * math.Exp(logScale), math.Exp(logSigma)})
		if err != nil {
			t.Fatal(err)
		}
		s, err := gp.GradientClasses(t.Context(), matrix(k, xs), y, o)
		if err != nil {
			t.Fatal(err)
		}
		return s, k
	}
	at := func(a, b float64) float64 { s, _ := value(a, b); return s.LogEvidence }
	s, k := value(0, 0)
	want := []float64{(at(step, 0) - at(-step, 0)) / (2 * step), (at(0, step) - at(0, -step)) / (2 * step)}
	testkit.CloseSlice(t, "gradient", gradientOf(t, k, xs, s.DK), want, 1e-6)
}

// Two correlated rows: the evidence is an integral over the plane, by the midpoint rule on a
// grid of 800² that leaves out less than 1e-6. Laplace's approximation of it is known to be
// close where the prior is not wide, and is not exact: both sides are asked for.
func TestEvidenceByQuadrature(t *testing.T) {
	const a, b = 1.5, 0.9
	_, r, err := gp.SolveClasses(t.Context(), rowsOf(t, gram.FromMatrix(mat.NewSymDense(2, []float64{a, b, b, a})), &gp.ClassOptions{}), []int{0, 1}, gp.ClassOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const steps, reach = 800, 7.0
	h, det, sum := 2*reach/steps, a*a-b*b, 0.0
	for i := range steps {
		for j := range steps {
			f, g := -reach+h*(float64(i)+0.5), -reach+h*(float64(j)+0.5)
			prior := math.Exp(-(a*f*f-2*b*f*g+a*g*g)/(2*det)) / (2 * math.Pi * math.Sqrt(det))
			sum += h * h * prior / (1 + math.Exp(f)) / (1 + math.Exp(-g))
		}
	}
	if d := math.Abs(r.LogEvidence - math.Log(sum)); d > 0.05 || d < 1e-6 {
		t.Errorf("log evidence %g, by quadrature %g", r.LogEvidence, math.Log(sum))
	}
}

func TestClassifierSameBits(t *testing.T) {
	rng := testkit.Rand(t, 24)
	xs, target := wave(rng, 300, 2)
	y := make([]int, 300)
	for i, v := range target {
		if v > 3 {
			y[i] = 1
		}
	}
	k := parse(t, "2*rbf(sigma=1)")
	var first []float64
	for _, workers := range []int{1, 2, 3, 8} {
		o := gp.ClassOptions{Compute: compute.Options{Workers: workers}}
		s, err := gp.GradientClasses(t.Context(), matrix(k, xs), y, o)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = flat(s.DK)
		}
		if !slices.Equal(first, flat(s.DK)) {
			t.Errorf("%d workers give other bits than one", workers)
		}
	}
}
