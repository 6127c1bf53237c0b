package svm_test

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
	"example.org/mercer/gram/design"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/pass/passtest"
	"example.org/mercer/supervised/svm"
)

// TestFeaturesAreTheSearch solves problems of every type in the features of a kernel by the
// interior point and, as [svm.Fit] does, by coordinate descent. Both are certified: their
// objectives differ by no more than their gaps. The features are held, or made in every pass, by 1,
// 2, 3 and 8 workers, here or where a driver has them, to the same bits.
func TestFeaturesAreTheSearch(t *testing.T) {
	const n = 2100
	xs, y := blobs(t, 41, n, 3)
	two, targets, weights := make([]int, n), make([]float64, n), make([]float64, n)
	for i := range n {
		two[i] = min(y[i], 1)
		targets[i] = math.Sin(xs.At(i)[0]) + 0.1*float64(y[i])
		weights[i] = float64(i % 4)
	}
	k, err := vec.Parse("poly(degree=2, offset=1)")
	if err != nil {
		t.Fatal(err)
	}
	phi, ok := design.Of(k, xs)
	rows, driver := passtest.Apart(xs)
	apart, also := design.Of(k, rows)
	if !ok || !also {
		t.Fatal("no features")
	}
	for _, tc := range []struct {
		name string
		y    []int
		o    svm.Options
	}{
		{"pairs of classes", y, svm.Options{Type: svm.CSVC, C: 3}},
		{"a large C", two, svm.Options{Type: svm.CSVC, C: 300}},
		{"each against the others", y, svm.Options{Type: svm.CSVC, C: 0.5, Scheme: svm.OneVsRest, Weights: weights}},
		{"nu-svc", two, svm.Options{Type: svm.NuSVC, Nu: 0.6}},
		{"epsilon-svr", nil, svm.Options{Type: svm.EpsilonSVR, C: 0.01, Epsilon: 0.05, Weights: weights}},
		{"nu-svr", nil, svm.Options{Type: svm.NuSVR, C: 0.01, Nu: 0.3}},
		{"one-class", nil, svm.Options{Type: svm.OneClass, Nu: 0.1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, other := fitWith(t, k, xs, tc.y, targets, tc.o)
			var first *svm.Solution
			hows := []made{{phi, compute.Options{Workers: 1}}, {phi, compute.Options{Workers: 3, MaxMemory: 1 << 10}}, {apart, compute.Options{Workers: 2}},
				{phi, compute.Options{Workers: 2}}, {phi, compute.Options{Workers: 8}}}
			if testing.Short() {
				hows = hows[:3]
			}
			driver.Passes = 0
			for _, how := range hows {
				tc.o.Compute = how.Options
				f, r, err := solvePrimal(t, how.of, tc.y, targets, tc.o)
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = f
				}
				if !slices.Equal(f.W.RawMatrix().Data, first.W.RawMatrix().Data) || !slices.Equal(f.Bias, first.Bias) {
					t.Errorf("%+v: other bits", how.Options)
				}
				for i, m := range r.Problems {
					with := other.Problems[i]
					if !m.Converged {
						t.Errorf("problem %d: a violation of %g", i, m.Violation)
					}
					at, other := scaleOf(m), scaleOf(with)
					if d := at*m.Objective - other*with.Objective; d > at*m.Gap || -d > other*with.Gap {
						t.Errorf("problem %d: objectives %g and %g, with gaps %g and %g", i, m.Objective, with.Objective, m.Gap, with.Gap)
					}
				}
			}
			if driver.Passes < 20 {
				t.Errorf("the driver made %d passes", driver.Passes)
			}
		})
	}
}

// Machines of one class have slopes as large as the sum of their coefficients times the squares of
// the rows, of which the problem says nothing before: the search of long rows begins at these.
func TestOneClassOfLongRows(t *testing.T) {
	const n = 5000
	rng := testkit.Rand(t, 61)
	xs := data.MakeVectors(n, 3)
	for i := range n {
		for j := range 3 {
			xs.At(i)[j] = 3 * rng.NormFloat64()
		}
	}
	k, err := vec.Parse("poly(degree=3, offset=1)")
	if err != nil {
		t.Fatal(err)
	}
	phi, _ := design.Of(k, xs)
	for _, nu := range []float64{0.01, 0.1, 0.5} {
		_, r, err := solvePrimal(t, phi, nil, nil, svm.Options{Type: svm.OneClass, Nu: nu})
		if err != nil {
			t.Fatal(err)
		}
		if m := r.Problems[0]; !m.Converged || m.Iterations > 50 {
			t.Errorf("ν = %g: %+v", nu, m)
		}
	}
}

// made is a way in which features are made.
type made struct {
	of design.Matrix
	compute.Options
}

// TestFeaturesOfManyPieces has rows that are several pieces, each of several blocks: the bits are
// those of rows in memory where the features are made in every pass, and where a driver makes it.
func TestFeaturesOfManyPieces(t *testing.T) {
	const n, columns, features = 17000, 4, 15
	rng := testkit.Rand(t, 59)
	xs, y, targets := data.MakeVectors(n, columns), make([]int, n), make([]float64, n)
	for i := range n {
		for j := range columns {
			xs.At(i)[j] = rng.NormFloat64() / 2
		}
		targets[i] = math.Sin(2*xs.At(i)[0]) + 0.3*rng.NormFloat64()
		y[i] = min(2, int(2+targets[i]))
	}
	copy(xs.At(n-1), xs.At(3)) // which share a variable
	k, err := vec.Parse("poly(degree=2, offset=1)")
	if err != nil {
		t.Fatal(err)
	}
	rows, driver := passtest.Apart(xs)
	here, _ := design.Of(k, xs)
	apart, ok := design.Of(k, rows)
	if !ok || here.Dim != features {
		t.Fatalf("%d features", here.Dim)
	}
	for _, tc := range []struct {
		y []int
		o svm.Options
	}{{y, svm.Options{Type: svm.CSVC, C: 0.1}}, {nil, svm.Options{Type: svm.EpsilonSVR, C: 0.1, Epsilon: 0.1}}} {
		driver.Passes = 0
		var first *svm.Solution
		var iterations int
		for _, how := range []made{{here, compute.Options{}}, {here, compute.Options{MaxMemory: 1 << 20}}, {apart, compute.Options{}}} {
			tc.o.Compute = how.Options
			s, r, err := solvePrimal(t, how.of, tc.y, targets, tc.o)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first, iterations = s, 0
				for _, m := range r.Problems {
					iterations = max(iterations, m.Iterations)
				}
			}
			if !r.Converged || !slices.Equal(s.W.RawMatrix().Data, first.W.RawMatrix().Data) || !slices.Equal(s.Bias, first.Bias) {
				t.Errorf("type %v, %+v: converged %v, to other bits", tc.o.Type, how.Options, r.Converged)
			}
		}
		// Problems share the driver's passes: an iteration is three, and at most four searches have
		// three more, beside one at the beginning.
		if driver.Passes < 3*iterations || driver.Passes > 3*iterations+4*3+1 {
			t.Errorf("type %v: %d passes of the driver for %d iterations", tc.o.Type, driver.Passes, iterations)
		}
	}
	driver.Fails = errors.New("a machine is on fire")
	if _, _, err := svm.Solve(t.Context(), svm.Primal{Matrix: apart}, y, svm.Options{C: 1}); !errors.Is(err, driver.Fails) {
		t.Errorf("a pass that failed ends with %v", err)
	}
}

// scaleOf is what the objective of ν-SVC was divided by.
func scaleOf(m svm.BinaryProblem) float64 {
	if m.Rho == 0 {
		return 1
	}
	return m.Rho * m.Rho
}

func solvePrimal(t *testing.T, phi design.Matrix, y []int, targets []float64, o svm.Options) (*svm.Solution, *svm.Report, error) {
	t.Helper()
	switch {
	case y != nil:
		return svm.Solve(t.Context(), svm.Primal{Matrix: phi}, y, o)
	case o.Type == svm.OneClass:
		return svm.SolveOneClass(t.Context(), svm.Primal{Matrix: phi}, o)
	}
	return svm.SolveRegression(t.Context(), svm.Primal{Matrix: phi}, targets, o)
}

// What has no bounds, no two classes or no finite features says so, and a search ends with its
// context.
func TestFeaturesThatAreNone(t *testing.T) {
	const n = 600
	xs, y := blobs(t, 43, n, 2)
	k, err := vec.Parse("poly(degree=2, offset=1)")
	if err != nil {
		t.Fatal(err)
	}
	phi, _ := design.Of(k, xs)
	if _, _, err := svm.Solve(t.Context(), svm.Primal{Matrix: phi}, y, svm.Options{C: math.Inf(1)}); err == nil || !strings.Contains(err.Error(), "finite C") {
		t.Errorf("a hard margin: %v", err)
	}
	if _, _, err := svm.Solve(t.Context(), svm.Primal{Matrix: phi}, make([]int, n), svm.Options{}); err == nil || !strings.Contains(err.Error(), "two classes") {
		t.Errorf("one class: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := svm.Solve(ctx, svm.Primal{Matrix: phi}, y, svm.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	bad := phi
	bad.Fill = func(ctx context.Context, dst *mat.Dense, from int) error {
		err := phi.Fill(ctx, dst, from)
		if from == 256 {
			dst.Set(3, 0, math.NaN())
		}
		return err
	}
	if _, _, err := svm.Solve(t.Context(), svm.Primal{Matrix: bad}, y, svm.Options{}); err == nil || !strings.Contains(err.Error(), "row 259") {
		t.Errorf("a feature that is no number: %v", err)
	}
}

// Where coordinate descent does not end, as with a large C and features of very different lengths,
// the interior point in the same features does: no search by pairs follows, and the problem is
// certified.
func TestDescentEndsByAnInteriorPoint(t *testing.T) {
	const n = 2200
	xs, y := blobs(t, 47, n, 2)
	for i := range n {
		xs.At(i)[0] *= 30
	}
	k, err := vec.Parse("poly(degree=2, offset=1)")
	if err != nil {
		t.Fatal(err)
	}
	f, r, err := svm.Fit(t.Context(), k, xs, y, svm.Options{C: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if m := r.Problems[0]; !m.Converged || m.Iterations < 20 || len(r.Warnings) > 0 || f == nil || r.Matrix > 0 {
		t.Errorf("%+v; warnings %q, a matrix of %d bytes", m, r.Warnings, r.Matrix)
	}
}

// TestFeaturesCostCountsIterations compares the flops that are planned with those of the iterations
// that were made: a problem multiplies the rows of its two classes.
func TestFeaturesCostCountsIterations(t *testing.T) {
	const n = 2100
	k, err := vec.Parse("poly(degree=2, offset=1)")
	if err != nil {
		t.Fatal(err)
	}
	for _, classes := range []int{2, 6} {
		xs, y := blobs(t, 43, n, classes)
		phi, ok := design.Of(k, xs)
		if !ok {
			t.Fatal("no features")
		}
		_, r, err := svm.Solve(t.Context(), svm.Primal{Matrix: phi}, y, svm.Options{C: 1})
		if err != nil {
			t.Fatal(err)
		}
		iterations := 0.0
		for _, m := range r.Problems {
			iterations += float64(m.Iterations)
		}
		dim := float64(phi.Dim)
		rows := float64(2 * n / classes)
		counted := iterations * (rows*dim*dim + dim*dim*dim/3 + 17*rows*dim) // three functions, five sides and a scaling
		cost := svm.FeaturesCost(n, phi.Dim, classes-1, len(r.Problems), compute.Machine{Workers: 1, GemmRate: 1})
		if ratio := cost.Flops / counted; !(ratio > 0.5 && ratio < 2) {
			t.Errorf("%d problems of %d rows: %.3g flops planned, %.3g counted", len(r.Problems), n, cost.Flops, counted)
		}
	}
}
