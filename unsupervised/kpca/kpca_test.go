package kpca_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/unsupervised/kpca"
)

func parse(t *testing.T, text string) vec.Kernel {
	t.Helper()
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func points(t *testing.T, seed uint64, n, d int) data.Vectors {
	t.Helper()
	rnd, xs := testkit.Rand(t, seed), data.MakeVectors(n, d)
	for i := range xs.Raw() {
		xs.Raw()[i] = rnd.NormFloat64() / (1 + float64(i%d))
	}
	for i := range n {
		xs.At(i)[0] += 2 // a mean that matters
	}
	return xs
}

func fit(t *testing.T, k vec.Kernel, xs data.Vectors, o kpca.Options) (*model.Expansion[[]float64], *kpca.Report) {
	t.Helper()
	e, report, err := kpca.Fit(t.Context(), k, xs, o)
	if err != nil {
		t.Fatal(err)
	}
	return e, report
}

func scores(t *testing.T, e *model.Expansion[[]float64], xs data.Vectors) *mat.Dense {
	t.Helper()
	z, err := e.Predict(t.Context(), xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// gramOf is the matrix of kernel values by definition.
func gramOf(k vec.Kernel, xs, ys data.Vectors) *mat.Dense {
	out := mat.NewDense(xs.Len(), ys.Len(), nil)
	out.Apply(func(i, j int, _ float64) float64 { return k.Eval(xs.At(i), ys.At(j)) }, out)
	return out
}

// closeColumns compares matrices up to the signs of their columns.
func closeColumns(t *testing.T, what string, got, want *mat.Dense, tol float64) {
	t.Helper()
	n, k := want.Dims()
	for j := range k {
		a, b := mat.Col(nil, j, got), mat.Col(nil, j, want)
		if mat.Dot(mat.NewVecDense(n, a), mat.NewVecDense(n, b)) < 0 {
			for i := range b {
				b[i] = -b[i]
			}
		}
		testkit.CloseSlice(t, what, a, b, tol)
	}
}

// The definition, for several kernels: components are orthonormal, and scores are
// centred, uncorrelated, and of the variances that are reported.
func TestComponentsByDefinition(t *testing.T) {
	xs := points(t, 1, 60, 3)
	for _, text := range []string{"rbf(sigma=1)", "poly(degree=3)", "laplace(sigma=2)"} {
		k := parse(t, text)
		e, report := fit(t, k, xs, kpca.Options{Components: 8})
		if report.Components != 8 || report.Solver != kpca.Exact {
			t.Fatalf("%s: %d components by %s", text, report.Components, report.Solver)
		}
		var norms, cov mat.Dense
		norms.Product(e.Coef.T(), gramOf(k, xs, xs), e.Coef)
		z := scores(t, e, xs)
		cov.Mul(z.T(), z)
		for a := range 8 {
			testkit.Close(t, "sum of coefficients", mat.Sum(e.Coef.ColView(a)), 0, 1e-10)
			testkit.Close(t, "mean score", mat.Sum(z.ColView(a))/60, 0, 1e-10)
			for b := range 8 {
				unit, variance := 0.0, 0.0
				if a == b {
					unit, variance = 1, report.Variances[a]
				}
				testkit.Close(t, "inner product of components", norms.At(a, b), unit, 1e-9)
				testkit.Close(t, "covariance of scores", cov.At(a, b)/60, variance, 1e-10)
			}
		}
	}
}

// New points are centred with the mean of the training points: the scores of the
// expansion are Σ aᵢ k_c(x, xᵢ) with gram's centring of rectangular matrices.
func TestNewPointsAreCentredWithTrainingMeans(t *testing.T) {
	xs, zs, k := points(t, 2, 50, 2), points(t, 3, 20, 2), parse(t, "rbf(sigma=1)")
	e, _ := fit(t, k, xs, kpca.Options{Components: 4})
	c, err := gram.CentringWith(t.Context(), gram.Of(kernel.Bind(k, xs, xs), compute.Options{}), nil)
	if err != nil {
		t.Fatal(err)
	}
	cross := gramOf(k, zs, xs)
	if err := c.Cross(cross); err != nil {
		t.Fatal(err)
	}
	var want mat.Dense
	want.Mul(cross, e.Coef)
	testkit.CloseSlice(t, "scores", scores(t, e, zs).RawMatrix().Data, want.RawMatrix().Data, 1e-11)
}

// The lecture notes print K − 2·1ₙK + 1ₙK1ₙ: that matrix is not symmetric. (Its
// symmetric part is the right one, but a routine for symmetric matrices reads one of its
// triangles, and finds other variances.)
func TestMisprintedCentringDiffers(t *testing.T) {
	xs, k, n := points(t, 4, 40, 2), parse(t, "rbf(sigma=1)"), 40
	gramMatrix, one := gramOf(k, xs, xs), mat.NewDense(n, n, nil)
	one.Apply(func(int, int, float64) float64 { return 1 / float64(n) }, one)
	var left, right, both, good, bad mat.Dense
	left.Mul(one, gramMatrix)
	right.Mul(gramMatrix, one)
	both.Product(one, gramMatrix, one)
	good.Sub(gramMatrix, &left)
	good.Sub(&good, &right)
	good.Add(&good, &both)
	bad.Sub(gramMatrix, &left)
	bad.Sub(&bad, &left)
	bad.Add(&bad, &both)
	largest := func(m *mat.Dense) float64 {
		sym := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				sym.SetSym(i, j, m.At(i, j)/float64(n))
			}
		}
		e, err := linalg.EigenSym(t.Context(), sym, linalg.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return e.Values[n-1]
	}
	_, report := fit(t, k, xs, kpca.Options{Components: 1})
	testkit.Close(t, "variance by the right centring", report.Variances[0], largest(&good), 1e-12)
	if d := math.Abs(largest(&bad) - report.Variances[0]); d < 1e-3 {
		t.Errorf("the misprinted centring gives the same variance within %g", d)
	}
	asymmetry := 0.0
	for i := range n {
		for j := range n {
			asymmetry = max(asymmetry, math.Abs(bad.At(i, j)-bad.At(j, i)))
		}
	}
	if asymmetry < 1e-2 {
		t.Errorf("the misprinted matrix is symmetric to %g", asymmetry)
	}
}

// With the linear kernel it is principal component analysis: the eigenvectors of the
// covariance, and no more components than dimensions.
func TestLinearKernelIsPCA(t *testing.T) {
	xs, k := points(t, 5, 50, 4), parse(t, "linear()")
	e, report := fit(t, k, xs, kpca.Options{})
	if report.Components != 4 || report.Dropped != 46 {
		t.Fatalf("%d components, %d dropped; want 4 and 46", report.Components, report.Dropped)
	}
	mean, cov := make([]float64, 4), mat.NewSymDense(4, nil)
	for i := range 50 {
		for j, v := range xs.At(i) {
			mean[j] += v / 50
		}
	}
	centred := mat.NewDense(50, 4, nil)
	centred.Apply(func(i, j int, _ float64) float64 { return xs.At(i)[j] - mean[j] }, centred)
	cov.SymOuterK(1./50, centred.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(cov, true) {
		t.Fatal("no eigenvectors")
	}
	var vectors, want mat.Dense
	eigen.VectorsTo(&vectors)
	want.Mul(centred, &vectors)
	for j := range 4 {
		testkit.Close(t, "variance", report.Variances[j], eigen.Values(nil)[3-j], 1e-12)
	}
	reversed := mat.NewDense(50, 4, nil)
	reversed.Apply(func(i, j int, _ float64) float64 { return want.At(i, 3-j) }, reversed)
	closeColumns(t, "scores", scores(t, e, xs), reversed, 1e-10)
	total := 0.0
	for _, r := range report.Ratio {
		total += r
	}
	testkit.Close(t, "sum of ratios", total, 1, 1e-12)
}

func TestLanczosIsExact(t *testing.T) {
	xs, k := points(t, 6, 300, 2), parse(t, "rbf(sigma=1)")
	weights := make([]float64, 300)
	for i := range weights {
		weights[i] = float64(i%4) / 2
	}
	exact, want := fit(t, k, xs, kpca.Options{Components: 5, Solver: kpca.Exact, Weights: weights})
	for _, how := range []compute.Options{{}, {MaxMemory: 1 << 20}, {Workers: 3}} {
		top, report := fit(t, k, xs, kpca.Options{Components: 5, Solver: kpca.Lanczos, Tolerance: 1e-13, Weights: weights, Compute: how})
		testkit.CloseSlice(t, "variances", report.Variances, want.Variances, 1e-12)
		testkit.CloseSlice(t, "coefficients", top.Coef.RawMatrix().Data, exact.Coef.RawMatrix().Data, 1e-8)
		testkit.Close(t, "total", report.Total, want.Total, 1e-12)
		storage := "packed"
		if how.MaxMemory > 0 {
			storage = "stream"
		}
		if report.Storage != storage || report.Lanczos == nil || !report.Lanczos.Converged {
			t.Errorf("storage %q, iteration %+v", report.Storage, report.Lanczos)
		}
	}
	_, report := fit(t, k, xs, kpca.Options{Components: 5, Solver: kpca.Lanczos, Tolerance: 1e-6, Weights: weights, Compute: compute.Options{Precision: compute.Single}})
	testkit.CloseSlice(t, "variances in single precision", report.Variances, want.Variances, 1e-5)
	if report.Storage != "packed single" {
		t.Errorf("storage %q", report.Storage)
	}
}

func TestSameBitsForAnyNumberOfWorkers(t *testing.T) {
	xs, k := points(t, 7, 400, 2), parse(t, "rbf(sigma=1)")
	for _, solver := range []kpca.Solver{kpca.Exact, kpca.Lanczos} {
		var first *mat.Dense
		for _, workers := range []int{1, 2, 3, 8} {
			e, _ := fit(t, k, xs, kpca.Options{Components: 3, Solver: solver, Compute: compute.Options{Workers: workers}})
			if first == nil {
				first = e.Coef
			}
			if !mat.Equal(first, e.Coef) {
				t.Errorf("%s: other bits for %d workers", solver, workers)
			}
		}
	}
}

// A weight of 2 is the row twice, a weight of 0 no row.
func TestWeightsAreRepetitions(t *testing.T) {
	xs, zs, k := points(t, 8, 40, 2), points(t, 9, 10, 2), parse(t, "rbf(sigma=1)")
	weights, index := make([]float64, 40), []int{}
	for i := range weights {
		weights[i] = 3 * float64(i%3)
		for range i % 3 {
			index = append(index, i)
		}
	}
	weighted, a := fit(t, k, xs, kpca.Options{Components: 4, Weights: weights})
	repeated, b := fit(t, k, xs.Gather(index), kpca.Options{Components: 4})
	testkit.CloseSlice(t, "variances", a.Variances, b.Variances, 1e-12)
	testkit.Close(t, "total", a.Total, b.Total, 1e-12)
	closeColumns(t, "scores", scores(t, weighted, zs), scores(t, repeated, zs), 1e-9)
}

// The coefficient of largest magnitude of every component is positive.
func TestSigns(t *testing.T) {
	e, _ := fit(t, parse(t, "rbf(sigma=1)"), points(t, 10, 30, 2), kpca.Options{Components: 6})
	for j := range 6 {
		col := e.Coef.ColView(j)
		if mat.Max(col) < -mat.Min(col)*(1-1e-7) {
			t.Errorf("component %d: coefficients from %g to %g", j, mat.Min(col), mat.Max(col))
		}
	}
}

// multiplied hides everything of an operator but its products.
type multiplied struct{ of gram.Operator }

func (m multiplied) Dims() (rows, cols int) { return m.of.Dims() }
func (m multiplied) Mul(ctx context.Context, dst, x *mat.Dense) error {
	return m.of.Mul(ctx, dst, x)
}

func TestSolveOnAnyOperator(t *testing.T) {
	xs, k := points(t, 11, 70, 2), parse(t, "rbf(sigma=1)")
	stream := gram.Of(kernel.Bind(k, xs, xs), compute.Options{})
	o := kpca.Options{Components: 3}
	want, report, err := kpca.Solve(t.Context(), kpca.Gram{Operator: stream}, o)
	if err != nil {
		t.Fatal(err)
	}
	full, err := gram.Materialize(t.Context(), stream, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	before := mat.DenseCopyOf(full)
	for _, op := range []gram.Operator{multiplied{stream}, gram.FromMatrix(full)} {
		got, r, err := kpca.Solve(t.Context(), kpca.Gram{Operator: op}, o)
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, "coefficients", got.Coef.RawMatrix().Data, want.Coef.RawMatrix().Data, 1e-10)
		testkit.Close(t, "total", r.Total, report.Total, 1e-13)
	}
	if !mat.Equal(before, full) {
		t.Error("the caller's matrix was changed")
	}
}

func TestIndefiniteKernelIsReported(t *testing.T) {
	_, report := fit(t, parse(t, "tanh(scale=2, offset=-1)"), points(t, 12, 30, 2), kpca.Options{Components: 2})
	if len(report.Warnings) == 0 || !strings.Contains(report.Warnings[0], "negative") {
		t.Errorf("warnings %q", report.Warnings)
	}
}

func TestRefusals(t *testing.T) {
	xs, k := points(t, 13, 20, 2), parse(t, "rbf(sigma=1)")
	same := data.MakeVectors(5, 2)
	for want, f := range map[string]func() error{
		"at most 19":   func() error { _, _, err := kpca.Fit(t.Context(), k, xs, kpca.Options{Components: 21}); return err },
		"at least two": func() error { _, _, err := kpca.Fit(t.Context(), k, xs.Gather([]int{0}), kpca.Options{}); return err },
		"3 weights": func() error {
			_, _, err := kpca.Fit(t.Context(), k, xs, kpca.Options{Weights: make([]float64, 3)})
			return err
		},
		"all weights are zero": func() error {
			_, _, err := kpca.Fit(t.Context(), k, xs, kpca.Options{Weights: make([]float64, 20)})
			return err
		},
		"fewer than two": func() error {
			_, _, err := kpca.Fit(t.Context(), k, xs, kpca.Options{Weights: append(make([]float64, 19), 1)})
			return err
		},
		"say how many": func() error {
			_, _, err := kpca.Fit(t.Context(), k, xs, kpca.Options{Solver: kpca.Lanczos})
			return err
		},
		"not known": func() error { _, _, err := kpca.Fit(t.Context(), k, xs, kpca.Options{Solver: "qr"}); return err },
		"tolerance": func() error {
			_, _, err := kpca.Fit(t.Context(), k, xs, kpca.Options{Tolerance: math.NaN()})
			return err
		},
		"all points of positive weig": func() error { _, _, err := kpca.Fit(t.Context(), k, same, kpca.Options{}); return err },
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
	_, _, err := kpca.Fit(t.Context(), k, xs, kpca.Options{Solver: kpca.Exact, Compute: compute.Options{MaxMemory: 1000}})
	var large *compute.TooLarge
	if !errors.As(err, &large) {
		t.Errorf("error %v, want *gram.TooLarge", err)
	}
	_, report := fit(t, parse(t, "linear()"), xs, kpca.Options{Components: 5})
	if report.Components != 2 || report.Dropped != 3 || len(report.Warnings) != 1 {
		t.Errorf("%d components, %d dropped, warnings %q", report.Components, report.Dropped, report.Warnings)
	}
}

func TestContextEndsTheAnalysis(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, solver := range []kpca.Solver{kpca.Exact, kpca.Lanczos} {
		_, _, err := kpca.Fit(ctx, parse(t, "rbf(sigma=1)"), points(t, 16, 200, 2), kpca.Options{Components: 2, Solver: solver})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want context.Canceled", solver, err)
		}
	}
}

// About the origin: orthonormal components, scores without a constant whose second
// moments are reported, and projections that exhaust the points.
func TestComponentsAboutTheOrigin(t *testing.T) {
	xs, k := points(t, 21, 60, 3), parse(t, "rbf(sigma=1)")
	weights := make([]float64, 60)
	for i := range weights {
		weights[i] = 1 + float64(i%3)
	}
	for _, solver := range []kpca.Solver{kpca.Exact, kpca.Lanczos} {
		e, report := fit(t, k, xs, kpca.Options{Components: 5, Origin: true, Weights: weights, Solver: solver, Tolerance: 1e-13})
		if e.Bias != nil || !report.Origin {
			t.Fatalf("%s: biases %v, origin %v", solver, e.Bias, report.Origin)
		}
		testkit.Close(t, "total", report.Total, 1, 1e-12)
		var norms mat.Dense
		norms.Product(e.Coef.T(), gramOf(k, xs, xs), e.Coef)
		z := scores(t, e, xs)
		for a := range 5 {
			for b := range 5 {
				unit, moment, got := 0.0, 0.0, 0.0
				if a == b {
					unit, moment = 1, report.Variances[a]
				}
				for i, w := range weights {
					got += w / 120 * z.At(i, a) * z.At(i, b)
				}
				testkit.Close(t, "inner product of components", norms.At(a, b), unit, 1e-9)
				testkit.Close(t, "second moment of scores", got, moment, 1e-10)
			}
		}
	}
	all, _ := fit(t, k, xs, kpca.Options{Origin: true})
	z := scores(t, all, xs)
	for i := range 60 {
		row := z.RawRowView(i)
		testkit.Close(t, "norm of the projection", mat.Dot(mat.NewVecDense(len(row), row), mat.NewVecDense(len(row), row)), 1, 1e-9)
	}
}
