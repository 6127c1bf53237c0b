package gp_test

import (
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
	"example.org/mercer/kernel"
	"example.org/mercer/supervised/gp"
)

// thirds are random points of three overlapping classes.
func thirds(t testing.TB, stream uint64, n int) (data.Vectors, []int) {
	rng := testkit.Rand(t, stream)
	xs, y := data.MakeVectors(n, 2), make([]int, n)
	for i := range y {
		y[i] = i % 3
		angle := 2 * math.Pi * float64(y[i]) / 3
		xs.At(i)[0] = 1.2*math.Cos(angle) + rng.NormFloat64()
		xs.At(i)[1] = 1.2*math.Sin(angle) + rng.NormFloat64()
	}
	return xs, y
}

func variances(covs []*mat.SymDense, c int) []float64 {
	var out []float64
	for _, cov := range covs {
		out = append(out, cov.At(c, c))
	}
	return out
}

// full is the same approximation by brute force: Newton's method on all nm latent values at
// once, with K ⊗ I and the dense W, which is singular. Value (i, c) has the place i·m + c.
type full struct {
	n, m       int
	k          *mat.Dense // K ⊗ I
	f, w       *mat.Dense
	likelihood float64
	residual   *mat.Dense // w(e_y − p)
}

func newFull(t *testing.T, k *mat.SymDense, y []int, weights []float64, m int) *full {
	n := len(y)
	b := &full{n: n, m: m, k: mat.NewDense(n*m, n*m, nil), f: mat.NewDense(n*m, 1, nil)}
	for i := range n {
		for j := range n {
			for c := range m {
				b.k.Set(i*m+c, j*m+c, k.At(i, j))
			}
		}
	}
	for range 60 {
		b.at(y, weights)
		// f = (I + KW)⁻¹K(Wf + residual), R&W (3.17) without K⁻¹.
		var right, left mat.Dense
		right.Mul(b.w, b.f)
		right.Add(&right, b.residual)
		right.Mul(b.k, &right)
		left.Mul(b.k, b.w)
		for i := range n * m {
			left.Set(i, i, left.At(i, i)+1)
		}
		if err := b.f.Solve(&left, &right); err != nil {
			t.Fatal(err)
		}
	}
	b.at(y, weights)
	return b
}

// at computes the derivatives of the likelihood.
func (b *full) at(y []int, weights []float64) {
	b.w, b.residual, b.likelihood = mat.NewDense(b.n*b.m, b.n*b.m, nil), mat.NewDense(b.n*b.m, 1, nil), 0
	for i := range b.n {
		sum, w := 0.0, 1.0
		if weights != nil {
			w = weights[i]
		}
		for c := range b.m {
			sum += math.Exp(b.f.At(i*b.m+c, 0))
		}
		b.likelihood += w * (b.f.At(i*b.m+y[i], 0) - math.Log(sum))
		for c := range b.m {
			p := math.Exp(b.f.At(i*b.m+c, 0)) / sum
			b.residual.Set(i*b.m+c, 0, -w*p)
			if c == y[i] {
				b.residual.Set(i*b.m+c, 0, w*(1-p))
			}
			for d := range b.m {
				q := math.Exp(b.f.At(i*b.m+d, 0)) / sum
				v := -w * p * q
				if c == d {
					v += w * p
				}
				b.w.Set(i*b.m+c, i*b.m+d, v)
			}
		}
	}
}

// inverse returns (I + WK)⁻¹W = (K + W⁻¹)⁻¹, and evidence ln q(y) with the determinant of
// the whole I + KW.
func (b *full) inverse(t *testing.T) (*mat.Dense, float64) {
	var left, out mat.Dense
	left.Mul(b.w, b.k)
	for i := range b.n * b.m {
		left.Set(i, i, left.At(i, i)+1)
	}
	if err := out.Solve(&left, b.w); err != nil {
		t.Fatal(err)
	}
	determinant, sign := mat.LogDet(&left)
	if sign < 0 {
		t.Fatal("the determinant is negative")
	}
	return &out, b.likelihood - mat.Dot(b.f.ColView(0), b.residual.ColView(0))/2 - determinant/2
}

func TestSoftmaxIsTheFullNewtonMethod(t *testing.T) {
	const n, m = 14, 3
	xs, y := thirds(t, 31, n+2)
	k := parse(t, "2*rbf(sigma=1)")
	all := matrix(k, xs)
	part := all.SliceSym(0, n).(*mat.SymDense)
	for _, weights := range [][]float64{nil, positive(testkit.Rand(t, 32), n)} {
		b := newFull(t, part, y[:n], weights, m)
		inverse, evidence := b.inverse(t)
		l, r, err := gp.SolveClasses(t.Context(), rowsOf(t, gram.FromMatrix(part), &gp.ClassOptions{}), y[:n], gp.ClassOptions{Weights: weights})
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, "mode", l.Mode.RawMatrix().Data, b.f.RawMatrix().Data, 1e-8)
		testkit.CloseSlice(t, "coefficients", l.Coef.RawMatrix().Data, b.residual.RawMatrix().Data, 1e-8)
		testkit.Close(t, "likelihood", r.Likelihood, b.likelihood, 1e-10)
		testkit.Close(t, "log evidence", r.LogEvidence, evidence, 1e-10)
		if r.Classes != m || !r.Newton.Converged {
			t.Errorf("%+v", r)
		}
		// Two new points: k** − K*ᵀ(K + W⁻¹)⁻¹K*, all functions at once.
		prior, cross := make([]float64, 2), mat.NewDense(2, n, nil)
		for i := range prior {
			prior[i] = all.At(n+i, n+i)
			for j := range n {
				cross.Set(i, j, all.At(n+i, j))
			}
		}
		covs, clipped, err := l.Covariances(t.Context(), prior, cross)
		if err != nil || clipped != 0 {
			t.Fatal(clipped, err)
		}
		for i, cov := range covs {
			star := mat.NewDense(n*m, m, nil)
			for j := range n {
				for c := range m {
					star.Set(j*m+c, c, cross.At(i, j))
				}
			}
			var want mat.Dense
			want.Product(star.T(), inverse, star)
			for c := range m {
				for d := range m {
					v := -want.At(c, d)
					if c == d {
						v += prior[i]
					}
					testkit.Close(t, "covariance", cov.At(c, d), v, 1e-9)
				}
			}
		}
	}
}

// The coefficients are the residuals w(e_y − p) of the mode, and the mode is K times them.
func TestSoftmaxModeIsStationary(t *testing.T) {
	xs, y := thirds(t, 33, 90)
	weights := positive(testkit.Rand(t, 34), 90)
	for _, text := range []string{"rbf(sigma=1)", "1e-6*linear()", "1e8*rbf(sigma=0.01)", "1e6*rbf(sigma=5)"} {
		k := matrix(parse(t, text), xs)
		l, r, err := gp.SolveClasses(t.Context(), rowsOf(t, gram.FromMatrix(k), &gp.ClassOptions{}), y, gp.ClassOptions{Weights: weights})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Newton.Converged || math.IsNaN(r.LogEvidence) || math.IsInf(r.LogEvidence, 0) {
			t.Errorf("%s: %+v", text, r)
		}
		var f mat.Dense
		f.Mul(k, l.Coef)
		size := mat.Max(k)
		for i := range y {
			p := slices.Clone(l.Mode.RawRowView(i))
			sum := 0.0
			for c := range p {
				p[c] = math.Exp(p[c] - slices.Max(l.Mode.RawRowView(i)))
				sum += p[c]
			}
			for c := range p {
				want := -weights[i] * p[c] / sum
				if c == y[i] {
					want += weights[i]
				}
				// The decrement of the last step bounds K-norms: 1e-6/√k for a coefficient.
				testkit.Close(t, text+": residual", l.Coef.At(i, c), want, 1e-6)
				testkit.Close(t, text+": mode", l.Mode.At(i, c)/size, f.At(i, c)/size, 1e-10)
			}
		}
	}
}

// A softmax of two functions with the kernel k depends on their difference alone, whose
// kernel is 2k: everything is that of the logistic likelihood.
func TestTwoClassesAreTheLogisticLimit(t *testing.T) {
	xs, y := thirds(t, 35, 40)
	for i := range y {
		y[i] = min(y[i], 1)
	}
	once, twice := matrix(parse(t, "rbf(sigma=1)"), xs), matrix(parse(t, "2*rbf(sigma=1)"), xs)
	cross, prior := mat.DenseCopyOf(once), slices.Repeat([]float64{1}, 40)
	soft, softReport, err := gp.SolveSoftmax(t.Context(), once, y, gp.ClassOptions{})
	if err != nil {
		t.Fatal(err)
	}
	logistic, report, err := gp.SolveClasses(t.Context(), rowsOf(t, gram.FromMatrix(twice), &gp.ClassOptions{}), y, gp.ClassOptions{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "log evidence", softReport.LogEvidence, report.LogEvidence, 1e-9)
	a, err := soft.Probabilities(t.Context(), soft.Mode, prior, cross, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	covs, _, err := soft.Covariances(t.Context(), prior, cross)
	if err != nil {
		t.Fatal(err)
	}
	twoCross := new(mat.Dense)
	twoCross.Scale(2, cross)
	other, _, err := logistic.Covariances(t.Context(), slices.Repeat([]float64{2}, 40), twoCross)
	if err != nil {
		t.Fatal(err)
	}
	for i := range y {
		testkit.Close(t, "difference", soft.Mode.At(i, 1)-soft.Mode.At(i, 0), logistic.Mode.At(i, 0), 1e-7)
		v := covs[i].At(0, 0) + covs[i].At(1, 1) - 2*covs[i].At(0, 1)
		testkit.Close(t, "variance", v, other[i].At(0, 0), 1e-8)
		testkit.Close(t, "probability", a.At(i, 1), gp.Probability(logistic.Mode.At(i, 0), v), 1e-4)
	}
}

// Classes under other names have the same approximation; of the average, whose points
// are not symmetric, up to its error.
func TestSoftmaxPermutationOfClasses(t *testing.T) {
	xs, y := thirds(t, 36, 60)
	fresh, _ := thirds(t, 37, 20)
	k, to := parse(t, "2*rbf(sigma=1)"), []int{2, 0, 1}
	renamed := make([]int, len(y))
	for i, c := range y {
		renamed[i] = to[c]
	}
	fit := func(y []int) (*gp.Classifier[[]float64], float64, *mat.Dense) {
		c, r, err := gp.FitClasses(t.Context(), k, xs, y, gp.ClassOptions{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.Probabilities(t.Context(), fresh, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return c, r.LogEvidence, p
	}
	a, evidence, p := fit(y)
	b, same, q := fit(renamed)
	testkit.Close(t, "log evidence", same, evidence, 1e-9)
	for c := range 3 {
		testkit.CloseSlice(t, "coefficients", mat.Col(nil, to[c], b.Coef), mat.Col(nil, c, a.Coef), 1e-8)
		testkit.CloseSlice(t, "probabilities", mat.Col(nil, to[c], q), mat.Col(nil, c, p), 5e-4)
	}
	for i := range 20 {
		testkit.Close(t, "sum", p.At(i, 0)+p.At(i, 1)+p.At(i, 2), 1, 1e-12)
	}
}

// A weight of 2 is the row twice, and 0 no row.
func TestSoftmaxWeightsAreRepetitions(t *testing.T) {
	xs, y := thirds(t, 38, 30)
	weights := make([]float64, 30)
	var rows, many []int
	for i := range y {
		weights[i] = float64(i / 3 % 3)
		for range i / 3 % 3 {
			rows, many = append(rows, i), append(many, y[i])
		}
	}
	k, repeated := parse(t, "2*rbf(sigma=1)"), xs.Gather(rows)
	a, err := gp.GradientClasses(t.Context(), matrix(k, xs), y, gp.ClassOptions{Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	b, err := gp.GradientClasses(t.Context(), matrix(k, repeated), many, gp.ClassOptions{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "log evidence", a.LogEvidence, b.LogEvidence, 1e-10)
	testkit.CloseSlice(t, "gradient", gradientOf(t, k, xs, a.DK), gradientOf(t, k, repeated, b.DK), 1e-7)
	fresh, _ := thirds(t, 39, 10)
	probabilities := func(xs data.Vectors, y []int, o gp.ClassOptions) []float64 {
		c, _, err := gp.FitClasses(t.Context(), k, xs, y, o)
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.Probabilities(t.Context(), fresh, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return p.RawMatrix().Data
	}
	testkit.CloseSlice(t, "probabilities", probabilities(xs, y, gp.ClassOptions{Weights: weights}), probabilities(repeated, many, gp.ClassOptions{}), 1e-7)
}

// The gradient is that of central differences; see TestClassGradientByDifferences.
func TestSoftmaxGradientByDifferences(t *testing.T) {
	const step = 1e-4
	xs, y := thirds(t, 40, 27)
	o := gp.ClassOptions{Weights: positive(testkit.Rand(t, 41), 27)}
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

// One row of each class, independent: each has the probability 1/3 by symmetry, and
// Laplace's evidence is near to it and not equal.
func TestSoftmaxEvidenceOfIndependentRows(t *testing.T) {
	k := mat.NewSymDense(3, []float64{1.5, 0, 0, 0, 1.5, 0, 0, 0, 1.5})
	_, r, err := gp.SolveClasses(t.Context(), rowsOf(t, gram.FromMatrix(k), &gp.ClassOptions{}), []int{0, 1, 2}, gp.ClassOptions{})
	if err != nil {
		t.Fatal(err)
	}
	each := math.Exp(r.LogEvidence / 3)
	if d := math.Abs(each - 1.0/3); d > 0.03 || d < 1e-6 {
		t.Errorf("the evidence of one row is %g, the probability 1/3", each)
	}
}

func TestSoftmaxSameBits(t *testing.T) {
	xs, y := thirds(t, 43, 150)
	k := parse(t, "2*rbf(sigma=1)")
	var first []float64
	for _, workers := range []int{1, 2, 3, 8} {
		o := gp.ClassOptions{Compute: compute.Options{Workers: workers}}
		s, err := gp.GradientClasses(t.Context(), matrix(k, xs), y, o)
		if err != nil {
			t.Fatal(err)
		}
		c, _, err := gp.FitClasses(t.Context(), k, xs, y, o)
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.Probabilities(t.Context(), xs, o.Compute)
		if err != nil {
			t.Fatal(err)
		}
		got := append(flat(s.DK), p.RawMatrix().Data...)
		if first == nil {
			first = got
		}
		if !slices.Equal(first, got) {
			t.Errorf("%d workers give other bits than one", workers)
		}
	}
}

func TestSoftmaxRefuses(t *testing.T) {
	xs, y := thirds(t, 44, 30)
	k := matrix(parse(t, "rbf(sigma=1)"), xs)
	o := gp.ClassOptions{Compute: compute.Options{MaxMemory: 20 * 30 * 30}}
	_, _, err := gp.SolveClasses(t.Context(), rowsOf(t, gram.FromMatrix(k), &o), y, o)
	var large *compute.TooLarge
	if !errors.As(err, &large) || large.Need != 36*30*30 {
		t.Errorf("too little memory: %v", err)
	}
	y[0] = 4
	if _, _, err := gp.SolveClasses(t.Context(), rowsOf(t, gram.FromMatrix(k), &gp.ClassOptions{}), y, gp.ClassOptions{}); err == nil || !strings.Contains(err.Error(), "class 3 has no rows") {
		t.Errorf("a gap: %v", err)
	}
	for _, coef := range []*mat.Dense{mat.NewDense(30, 2, nil), mat.NewDense(29, 3, nil)} {
		if _, err := gp.ConditionClasses(t.Context(), rowsOf(t, gram.FromMatrix(k), &gp.ClassOptions{}), coef, gp.ClassOptions{}); err == nil {
			t.Error("coefficients of another shape were accepted")
		}
	}
}
