package nystrom_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/seq"
	"example.org/mercer/model"
	"example.org/mercer/supervised/krr"
)

// approximate returns k̃ on the first m of the points.
func approximate[T any](t testing.TB, k kernel.Kernel[T], xs data.Set[T], m int, o compute.Options) *nystrom.Kernel[T] {
	t.Helper()
	first := make([]int, m)
	for i := range first {
		first[i] = i
	}
	n, err := nystrom.New(background, k, data.Subset(xs, first), o)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestKernelIsThatOfTheNormalEquations compares tiles, the operator, and its products
// with K_XC·K_CC⁻¹·K_CX from dense matrices.
func TestKernelIsThatOfTheNormalEquations(t *testing.T) {
	xs, k := cloud(t, 11, 300, 4), parse(t, "rbf(sigma=0.7) + 0.1*linear")
	n := approximate(t, k, xs, 40, compute.Options{})
	want := nystromOf(t, k, xs, points(n))
	got := new(mat.Dense)
	if err := gram.Rect(background, got, kernel.Bind(n, xs, xs), compute.Options{}); err != nil {
		t.Fatal(err)
	}
	// Both sides round in units of the condition of K_CC, about 1e5 here.
	testkit.CloseSlice(t, "tiles", got.RawMatrix().Data, want.RawMatrix().Data, 1e-10)
	op, err := n.Operator(background, xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	again := new(mat.Dense)
	if err := gram.Rect(background, again, op.Pairs(), compute.Options{}); err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "elements of the operator", again.RawMatrix().Data, got.RawMatrix().Data, 1e-14)
	rng := testkit.Rand(t, 12)
	x, product, plain := mat.NewDense(300, 3, nil), new(mat.Dense), new(mat.Dense)
	for i := range x.RawMatrix().Data {
		x.RawMatrix().Data[i] = rng.NormFloat64()
	}
	if err := op.Mul(background, product, x); err != nil {
		t.Fatal(err)
	}
	plain.Mul(got, x)
	testkit.CloseSlice(t, "product", product.RawMatrix().Data, plain.RawMatrix().Data, 1e-13)
}

// TestKernelSuite: k̃ is a kernel like any other, on vectors and on words.
func TestKernelSuite(t *testing.T) {
	xs := cloud(t, 13, 60, 3)
	var vectors [][]float64
	for i := range 30 {
		vectors = append(vectors, xs.At(i))
	}
	var on kernel.Kernel[[]float64] = approximate(t, parse(t, "rbf(sigma=1)"), xs, 20, compute.Options{})
	kerneltest.Run(t, on, vectors, kerneltest.Options[[]float64]{})
	words := data.Slice[string]{"banana", "bandana", "cabana", "ananas", "mercer", "merchant", "kernel", "kennel", "colonel", "an"}
	var spelled kernel.Kernel[string] = approximate[string](t, seq.Spectrum{K: 2}, words, 6, compute.Options{})
	kerneltest.Run(t, spelled, []string(words), kerneltest.Options[string]{})
}

// TestDependentLandmarks: points that are there twice and more points than dimensions are
// left out, and k̃ is then k itself on the span.
func TestDependentLandmarks(t *testing.T) {
	xs := cloud(t, 14, 80, 3)
	twice := append(slices.Repeat([]int{4, 5}, 3), 6, 7, 8)
	n, err := nystrom.New(background, parse(t, "linear"), data.Subset(xs, twice), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n.Rank() != 3 {
		t.Errorf("%d of %d landmarks of a kernel with three dimensions are kept, want 3", n.Rank(), len(twice))
	}
	for i := range 20 {
		k := parse(t, "linear")
		testkit.Close(t, "k̃", n.Eval(xs.At(i), xs.At(i+20)), k.Eval(xs.At(i), xs.At(i+20)), 1e-12)
	}
	equal := data.MakeVectors(5, 2)
	if n, err = nystrom.New(background, parse(t, "rbf(sigma=1)"), equal, compute.Options{}); err != nil || n.Rank() != 1 {
		t.Errorf("equal landmarks: %v, %v", n, err)
	}
}

// TestAllPointsAreExact: with every point a landmark, ridge regression in the features is
// that on the Gram matrix, and so is the function collapsed on the landmarks.
func TestAllPointsAreExact(t *testing.T) {
	xs, k := cloud(t, 15, 120, 3), parse(t, "rbf(sigma=0.5)")
	rng, y := testkit.Rand(t, 16), mat.NewDense(120, 2, nil)
	weights := ones(120)
	for i := range 120 {
		y.Set(i, 0, xs.At(i)[0]+0.1*rng.NormFloat64())
		y.Set(i, 1, xs.At(i)[1]*xs.At(i)[2])
		weights[i] = float64(1 + i%2)
	}
	n := approximate(t, k, xs, 120, compute.Options{})
	o := krr.Options{Lambda: 1e-3, LOO: true, Weights: weights, Solver: krr.Cholesky}
	exact, exactReport, err := krr.Fit(background, k, xs, y, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Solver = krr.Primal
	low, lowReport, err := krr.Fit(background, n, xs, y, o)
	if err != nil {
		t.Fatal(err)
	}
	o.LOO = false // the training residuals then come from the landmarks
	if _, quick, err := krr.Fit(background, n, xs, y, o); err != nil {
		t.Error(err)
	} else {
		testkit.CloseSlice(t, "training errors", quick.Train.RMSE, lowReport.Train.RMSE, 1e-10)
	}
	collapsed, err := nystrom.Collapse(background, low)
	if err != nil {
		t.Fatal(err)
	}
	if e, ok := collapsed.(*model.Expansion[[]float64]); !ok || e.Points.Len() != 120 || e.Kernel.String() != k.String() {
		t.Errorf("collapsed to %T", collapsed)
	}
	at := cloud(t, 17, 50, 3)
	want := predict(t, exact, at)
	testkit.CloseSlice(t, "values", predict(t, low, at), want, 1e-8)
	testkit.CloseSlice(t, "values on the landmarks", predict(t, collapsed, at), want, 1e-8)
	testkit.CloseSlice(t, "leave-one-out residuals", lowReport.Point.LOOResiduals.RawMatrix().Data, exactReport.Point.LOOResiduals.RawMatrix().Data, 1e-8)
}

func predict(t *testing.T, f model.Predictor[[]float64], at data.Vectors) []float64 {
	t.Helper()
	p, err := f.Predict(background, at, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p.RawMatrix().Data
}

// TestCollapse: an expansion of k̃ over many points is one of k over the landmarks, and
// other functions stay as they are.
func TestCollapse(t *testing.T) {
	xs, k := cloud(t, 18, 200, 3), parse(t, "rbf(sigma=1)")
	n := approximate(t, k, xs, 25, compute.Options{})
	rng, coef := testkit.Rand(t, 19), mat.NewDense(200, 2, nil)
	for i := range coef.RawMatrix().Data {
		coef.RawMatrix().Data[i] = rng.NormFloat64()
	}
	f := &model.Expansion[[]float64]{Kernel: n, Points: xs, Coef: coef, Bias: []float64{1, -1}}
	low, err := nystrom.Collapse(background, f)
	if err != nil {
		t.Fatal(err)
	}
	if e := low.(*model.Expansion[[]float64]); e.Points.Len() != 25 {
		t.Errorf("%d points, want 25", e.Points.Len())
	}
	at := cloud(t, 20, 40, 3)
	testkit.CloseSlice(t, "values", predict(t, low, at), predict(t, f, at), 1e-10)
	f.Kernel = k
	if same, err := nystrom.Collapse(background, f); err != nil || same != f {
		t.Errorf("an expansion of another kernel became %v (%v)", same, err)
	}
}

// TestErrors compares with dense matrices on all points: those of 60 are fewer than a
// block, and all are compared.
func TestErrors(t *testing.T) {
	xs, k := cloud(t, 21, 60, 3), parse(t, "rbf(sigma=1)")
	n := approximate(t, k, xs, 12, compute.Options{})
	e, err := n.Errors(background, xs, 1, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var rest mat.Dense
	rest.Sub(dense(k, xs, xs), nystromOf(t, k, xs, points(n)))
	var svd mat.SVD
	svd.Factorize(&rest, mat.SVDNone)
	testkit.Close(t, "spectral norm", e.Spectral, svd.Values(nil)[0]/60, 1e-9)
	whole := mat.Norm(&rest, 2) / mat.Norm(dense(k, xs, xs), 2)
	if e.Points != 60 || e.Block < whole/2 || e.Block > 2*whole {
		t.Errorf("errors %+v; the relative error of all elements is %v", e, whole)
	}
	for _, weights := range [][]float64{nil, slices.Repeat([]float64{0, 1, 3}, 20)} {
		held := weights
		if held == nil {
			held = ones(60)
		}
		got, err := n.TraceError(background, xs, weights, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		testkit.Close(t, "trace error", got, traceError(t, k, xs, points(n), held), 1e-10)
	}
}

// TestKernelBits: features and products do not depend on the number of workers.
func TestKernelBits(t *testing.T) {
	xs, k := cloud(t, 22, 500, 4), parse(t, "rbf(sigma=1)")
	var first []float64
	for _, w := range []int{1, 2, 3, 8} {
		op, err := approximate(t, k, xs, 300, workers(w)).Operator(background, xs, workers(w))
		if err != nil {
			t.Fatal(err)
		}
		product := new(mat.Dense)
		if err := op.Mul(background, product, mat.NewDense(500, 1, ones(500))); err != nil {
			t.Fatal(err)
		}
		got := append(slices.Clone(op.Phi().RawMatrix().Data), product.RawMatrix().Data...)
		if first == nil {
			first = got
		}
		if !slices.Equal(got, first) {
			t.Errorf("other bits with %d workers", w)
		}
	}
}

func TestKernelRefuses(t *testing.T) {
	xs, k := cloud(t, 23, 30, 2), parse(t, "rbf(sigma=1)")
	if _, err := nystrom.New(background, k, data.MakeVectors(0, 2), compute.Options{}); err == nil || !strings.Contains(err.Error(), "no landmarks") {
		t.Errorf("no landmarks: error %v", err)
	}
	n := approximate(t, k, xs, 10, compute.Options{})
	var large *compute.TooLarge
	if _, err := n.Operator(background, xs, compute.Options{MaxMemory: 1000}); !errors.As(err, &large) {
		t.Errorf("too much memory: error %v", err)
	}
	if err := n.Contains([]float64{1, 2}); err != nil {
		t.Errorf("a point of the domain: %v", err)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := n.Operator(ctx, xs, compute.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("operator: error %v after the context ended", err)
	}
	if _, err := n.TraceError(ctx, xs, nil, compute.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("trace error: error %v after the context ended", err)
	}
	if got, want := n.String(), fmt.Sprintf("nystrom(of=%s, landmarks=10)", k); got != want {
		t.Errorf("it is called %s, want %s", got, want)
	}
}
