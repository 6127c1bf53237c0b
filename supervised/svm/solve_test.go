package svm_test

import (
	"context"
	"encoding/json"
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
	"example.org/mercer/supervised/svm"
)

// blobs returns n points of count overlapping classes in the plane, and their classes.
func blobs(t testing.TB, seed uint64, n, count int) (data.Vectors, []int) {
	t.Helper()
	rng := testkit.Rand(t, seed)
	xs, y := data.MakeVectors(n, 2), make([]int, n)
	for i := range n {
		y[i] = rng.IntN(count)
		angle := 2 * math.Pi * float64(y[i]) / float64(count)
		xs.At(i)[0], xs.At(i)[1] = math.Cos(angle)+0.7*rng.NormFloat64(), math.Sin(angle)+0.7*rng.NormFloat64()
	}
	return xs, y
}

// predict returns the values of a fit at the points.
func predict(t testing.TB, f interface {
	Predict(context.Context, data.Set[[]float64], compute.Options) (*mat.Dense, error)
}, xs data.Set[[]float64]) *mat.Dense {
	t.Helper()
	values, err := f.Predict(t.Context(), xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// TestWeightTwoIsTheRowTwice fits every type with a weight of 2, and with the row written
// twice, and with a weight of 0 and without the row.
func TestWeightTwoIsTheRowTwice(t *testing.T) {
	xs, y := blobs(t, 1, 80, 2)
	targets := make([]float64, len(y))
	for i := range targets {
		targets[i] = math.Sin(2*xs.At(i)[0]) + float64(y[i])
	}
	weights, index := make([]float64, len(y)), []int{}
	for i := range weights {
		weights[i] = float64(i % 3)
		for range i % 3 {
			index = append(index, i)
		}
	}
	var twiceY []int
	var twiceTargets []float64
	for _, i := range index {
		twiceY, twiceTargets = append(twiceY, y[i]), append(twiceTargets, targets[i])
	}
	twice := data.Subset(xs, index)
	for _, o := range []svm.Options{
		{Type: svm.CSVC, C: 2}, {Type: svm.NuSVC, Nu: 0.4}, {Type: svm.EpsilonSVR, C: 2}, {Type: svm.NuSVR, C: 2}, {Type: svm.OneClass, Nu: 0.3},
	} {
		t.Run(string(o.Type), func(t *testing.T) {
			o.Tolerance = 1e-10
			weighted := o
			weighted.Weights = weights
			a, ra := fitAny(t, xs, y, targets, weighted)
			b, rb := fitAny(t, twice, twiceY, twiceTargets, o)
			testkit.Close(t, "objective", ra.Problems[0].Objective, rb.Problems[0].Objective, 1e-9)
			// The objective is strongly convex in f: a gap of 1e-8 fixes values to 1e-4 at
			// worst; free support vectors make it far better in fact.
			testkit.CloseSlice(t, "values", a.RawMatrix().Data, b.RawMatrix().Data, 1e-6)
		})
	}
}

// fitAny fits what suits the type, and returns the values at the first 40 points of blobs.
func fitAny(t testing.TB, xs data.Set[[]float64], y []int, targets []float64, o svm.Options) (*mat.Dense, *svm.Report) {
	t.Helper()
	return fitWith(t, vec.RBF{}, xs, y, targets, o)
}

// fitWith is fitAny for any kernel.
func fitWith(t testing.TB, k vec.Kernel, xs data.Set[[]float64], y []int, targets []float64, o svm.Options) (*mat.Dense, *svm.Report) {
	t.Helper()
	at, _ := blobs(t, 1, 80, 2)
	test := data.Subset(at, []int{1, 2, 4, 5, 7, 8, 10, 11, 13, 14})
	switch o.Type {
	case svm.CSVC, svm.NuSVC:
		f, r, err := svm.Fit(t.Context(), k, xs, y, o)
		if err != nil {
			t.Fatal(err)
		}
		return predict(t, f, test), r
	case svm.OneClass:
		f, r, err := svm.FitOneClass(t.Context(), k, xs, o)
		if err != nil {
			t.Fatal(err)
		}
		return predict(t, f, test), r
	default:
		f, r, err := svm.FitRegression(t.Context(), k, xs, targets, o)
		if err != nil {
			t.Fatal(err)
		}
		return predict(t, f, test), r
	}
}

// TestNuIsC takes the C that ν-SVC reports and wants the same function from C-SVC
// (Chang & Lin 2001).
func TestNuIsC(t *testing.T) {
	xs, y := blobs(t, 2, 120, 2)
	a, ra := fitAny(t, xs, y, nil, svm.Options{Type: svm.NuSVC, Nu: 0.35, Tolerance: 1e-11})
	b, _ := fitAny(t, xs, y, nil, svm.Options{Type: svm.CSVC, C: 1 / ra.Problems[0].Rho, Tolerance: 1e-11})
	testkit.CloseSlice(t, "values", a.RawMatrix().Data, b.RawMatrix().Data, 1e-6)
}

// TestHardMargin separates two points on a line, whose margin is known: f(x) = x, and the
// dual minimum −½‖w‖² = −½.
func TestHardMargin(t *testing.T) {
	xs := data.Slice[[]float64]{{-1}, {1}, {-3}, {2}}
	f, r, err := svm.Fit(t.Context(), vec.Linear{}, xs, []int{0, 1, 0, 1}, svm.Options{C: math.Inf(1), Tolerance: 1e-12})
	if err != nil {
		t.Fatal(err)
	}
	values := predict(t, f, data.Slice[[]float64]{{0.5}, {-2}})
	testkit.CloseSlice(t, "values", values.RawMatrix().Data, []float64{0.5, -2}, 1e-10)
	testkit.Close(t, "objective", r.Problems[0].Objective, -0.5, 1e-10)
	if gap := r.Problems[0].Gap; !(gap >= -1e-12 && gap < 1e-9) || r.Problems[0].Support != 2 {
		t.Errorf("gap %g, %d support vectors", gap, r.Problems[0].Support)
	}
}

// TestHardMarginRefuses wants an error where the hulls meet: interleaved points, and a
// point in both classes.
func TestHardMarginRefuses(t *testing.T) {
	for name, xs := range map[string]data.Slice[[]float64]{"interleaved": {{-1}, {1}, {2}, {0.5}}, "equal": {{1}, {1}, {1}, {1}}} {
		_, _, err := svm.Fit(t.Context(), vec.Linear{}, xs, []int{0, 1, 0, 1}, svm.Options{C: math.Inf(1)})
		var refused *svm.NotSeparable
		if !errors.As(err, &refused) || refused.Positive != 1 || refused.Negative != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestIndefinite wants an end and a finite report with a kernel that is not positive
// definite, and with one that is negative definite.
func TestIndefinite(t *testing.T) {
	xs, y := blobs(t, 3, 150, 2)
	for _, k := range []vec.Kernel{vec.Tanh{Scale: 2, Offset: 1}, vec.Tanh{Scale: -1, Offset: -2}} {
		_, r, err := svm.Fit(t.Context(), k, xs, y, svm.Options{C: 5})
		if err != nil {
			t.Fatal(err)
		}
		if m := r.Problems[0]; !r.Converged || math.IsNaN(m.Gap) || !(m.Violation <= 1e-3) {
			t.Errorf("%s: %+v", k, m)
		}
	}
}

// TestSameBitsForAnyWorkers compares coefficients of many problems, of a large problem
// with its matrix in memory, and with a cache.
func TestSameBitsForAnyWorkers(t *testing.T) {
	for _, tc := range []struct {
		name       string
		n, classes int
		memory     int64
	}{{"problems", 300, 4, 0}, {"one by one", 300, 4, 800 << 10}, {"large", 2300, 2, 0}, {"cache", 2300, 2, 48 << 20}} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.n > 1000 && testing.Short() {
				t.Skip("large")
			}
			xs, y := blobs(t, 4, tc.n, tc.classes)
			var first *mat.Dense
			for _, workers := range []int{1, 2, 3, 8} {
				o := svm.Options{C: 1, Compute: compute.Options{Workers: workers, MaxMemory: tc.memory}}
				sol, r, err := svm.Solve(t.Context(), matrixOf(t, gram.Of(kernel.Bind(vec.Kernel(vec.RBF{}), xs, xs), compute.Options{})), y, o)
				if err != nil {
					t.Fatal(err)
				}
				if !r.Converged {
					t.Fatalf("not converged: %+v", r.Problems[0])
				}
				if first == nil {
					first = sol.Coef
				} else if !mat.Equal(first, sol.Coef) {
					t.Errorf("%d workers: other bits", workers)
				}
			}
		})
	}
}

// TestMatrixCacheAndDoubleAgree solves one problem with the matrix in float64, in
// float32, and in a cache that holds a part of it, to the same objective: whichever way
// it was searched, the certificate is exact.
func TestMatrixCacheAndDoubleAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	xs, y := blobs(t, 5, 2100, 2)
	var objective []float64
	for _, memory := range []int64{0, 44 << 20} {
		_, r, err := svm.Fit(t.Context(), vec.RBF{}, xs, y, svm.Options{C: 3, Tolerance: 1e-6, Compute: compute.Options{MaxMemory: memory}})
		if err != nil {
			t.Fatal(err)
		}
		m := r.Problems[0]
		if !r.Converged || !(m.Gap >= 0 && m.Gap < 1e-5*-m.Objective) {
			t.Errorf("memory %d: %+v", memory, m)
		}
		objective = append(objective, m.Objective)
	}
	testkit.Close(t, "objective", objective[1], objective[0], 1e-9)
}

// matrixOf is the rows of an operator.
func matrixOf(t *testing.T, op gram.Operator) svm.Dual {
	t.Helper()
	src, err := gram.SourceOf(t.Context(), op, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return svm.Dual{Source: src}
}

// TestSolveIsFit compares index space, where rows are picked out of a bound matrix, with
// points; and a bare operator with both.
func TestSolveIsFit(t *testing.T) {
	xs, y := blobs(t, 6, 90, 3)
	stream := gram.Of(kernel.Bind(vec.Kernel(vec.RBF{}), xs, xs), compute.Options{})
	for _, scheme := range []svm.Scheme{svm.OneVsOne, svm.OneVsRest} {
		o := svm.Options{C: 2, Scheme: scheme, Tolerance: 1e-9}
		f, r, err := svm.Fit(t.Context(), vec.RBF{}, xs, y, o)
		if err != nil {
			t.Fatal(err)
		}
		want := predict(t, f, xs)
		for _, op := range []gram.Operator{stream, bare{stream}} {
			sol, _, err := svm.Solve(t.Context(), matrixOf(t, op), y, o)
			if err != nil {
				t.Fatal(err)
			}
			var got mat.Dense
			if err := stream.Mul(t.Context(), &got, sol.All(len(y))); err != nil {
				t.Fatal(err)
			}
			for i := range y {
				for j, b := range sol.Bias {
					testkit.Close(t, "value", got.At(i, j)+b, want.At(i, j), 1e-8)
				}
			}
		}
		right := 0
		for i, c := range r.Decision.Classes(want) {
			if c == y[i] {
				right++
			}
		}
		// A guess is right 30 times of 90; these blobs overlap a little.
		if right < 60 {
			t.Errorf("%s: %d of 90 right", scheme, right)
		}
	}
}

// bare hides what an operator is made of.
type bare struct{ gram.Operator }

// TestConstantTarget wants the constant back: no support vector is needed.
func TestConstantTarget(t *testing.T) {
	xs, _ := blobs(t, 7, 30, 2)
	y := make([]float64, 30)
	for i := range y {
		y[i] = 4
	}
	f, r, err := svm.FitRegression(t.Context(), vec.RBF{}, xs, y, svm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v := predict(t, f, xs).At(3, 0); math.Abs(v-4) > 0.1 || r.SupportVectors != 0 {
		t.Errorf("value %v with %d support vectors, want 4 within the tube and none", v, r.SupportVectors)
	}
}

func TestBadInput(t *testing.T) {
	xs, y := blobs(t, 8, 20, 2)
	same, none := make([]int, 20), make([]float64, 20)
	lame := make([]float64, 20)
	for i := range lame {
		lame[i] = float64(y[i])
	}
	for _, tc := range []struct {
		name string
		y    []int
		o    svm.Options
		want string
	}{
		{"one class", same, svm.Options{}, "svm: all rows that have a weight are of class 0: a classifier needs two classes; for rows of one kind use one-class"},
		{"a class without weight", y, svm.Options{Weights: lame}, "svm: all rows that have a weight are of class 1: a classifier needs two classes; for rows of one kind use one-class"},
		{"no weights", y, svm.Options{Weights: none}, "svm: all weights are zero: nothing to learn from"},
		{"many problems", y, svm.Options{C: -1, Nu: 2, Type: svm.NuSVR, Scheme: "all"},
			"svm: type \"nu-svr\" does not suit these targets; [\"c-svc\" \"nu-svc\"] do\nsvm: C = -1 is not a number above 0\nsvm: nu = 2 is not in (0, 1]\nsvm: scheme \"all\" is not known; \"one-vs-one\" and \"one-vs-rest\" are"},
		{"few targets", y[:3], svm.Options{}, "svm: 3 targets for 20 rows: one is needed for each"},
		{"negative class", append([]int{-1}, y[1:]...), svm.Options{}, "svm: row 0 is of class -1: classes are numbered from 0"},
		{"hard margin", y, svm.Options{Type: svm.NuSVC, C: math.Inf(1)}, "svm: C = ∞ is the hard margin of c-svc, and nu-svc has none: give a finite C"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, _, err := svm.Fit(t.Context(), vec.RBF{}, xs, tc.y, tc.o)
			if err == nil || err.Error() != tc.want {
				t.Errorf("got  %v\nwant %s", err, tc.want)
			}
		})
	}
	unbalanced := make([]int, 20)
	unbalanced[0] = 1
	if _, _, err := svm.Fit(t.Context(), vec.RBF{}, xs, unbalanced, svm.Options{Type: svm.NuSVC}); err == nil || !strings.Contains(err.Error(), "can be at most 0.1") {
		t.Errorf("infeasible nu: %v", err)
	}
	if _, _, err := svm.FitRegression(t.Context(), vec.RBF{}, xs, append([]float64{math.NaN()}, lame[1:]...), svm.Options{}); err == nil || !strings.Contains(err.Error(), "y[0] = NaN") {
		t.Errorf("NaN target: %v", err)
	}
	nan := mat.NewSymDense(3, []float64{1, math.NaN(), 0, 0, 1, 0, 0, 0, 1})
	if _, _, err := svm.Solve(t.Context(), svm.Dual{Source: gram.RowsOf(gram.FromMatrix(nan).Pairs())}, []int{0, 1, 1}, svm.Options{}); err == nil || !strings.Contains(err.Error(), "finite") {
		t.Errorf("NaN kernel value: %v", err)
	}
}

// TestClassWithoutWeight leaves a class out and says so.
func TestClassWithoutWeight(t *testing.T) {
	xs, y := blobs(t, 9, 60, 3)
	weights := make([]float64, len(y))
	for i, c := range y {
		if c != 1 {
			weights[i] = 1
		}
	}
	_, r, err := svm.Fit(t.Context(), vec.RBF{}, xs, y, svm.Options{Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Problems) != 1 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "class 1") {
		t.Errorf("%d problems, warnings %q", len(r.Problems), r.Warnings)
	}
	if text, err := json.Marshal(r); err != nil || !strings.Contains(string(text), `"scheme":"one-vs-one"`) {
		t.Errorf("report as JSON: %v, %s", err, text)
	}
}

func TestCancelled(t *testing.T) {
	xs, y := blobs(t, 10, 60, 2)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := svm.Fit(ctx, vec.RBF{}, xs, y, svm.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled fit: %v", err)
	}
}

func TestWeightsOfClasses(t *testing.T) {
	y := []int{0, 0, 0, 1}
	w, err := svm.Balanced(y, nil)
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "balanced", w, []float64{2. / 3, 2. / 3, 2. / 3, 2}, 1e-15)
	if w, err = svm.PerClass(y, []float64{2, 5}, w); err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "priced", w, []float64{4. / 3, 4. / 3, 4. / 3, 10}, 1e-15)
	if _, err := svm.PerClass(y, []float64{1}, nil); err == nil {
		t.Error("a class without a weight has no error")
	}
	if _, err := svm.Balanced(y, []float64{1}); err == nil {
		t.Error("one weight for four rows has no error")
	}
}

// TestVotes wants the first class in order of those with the most votes.
func TestVotes(t *testing.T) {
	d := svm.Decision{Scheme: svm.OneVsOne, Positive: []int{0, 0, 1}, Negative: []int{1, 2, 2}, Order: []int{2, 0, 1}}
	for _, tc := range []struct {
		values []float64
		want   int
	}{{[]float64{1, 1, 1}, 0}, {[]float64{1, -1, 1}, 2}, {[]float64{-1, -1, 1}, 1}, {[]float64{0, 0, 0}, 2}} {
		if got := d.Class(tc.values); got != tc.want {
			t.Errorf("values %v: class %d, want %d", tc.values, got, tc.want)
		}
	}
	rest := svm.Decision{Scheme: svm.OneVsRest, Positive: []int{4, 6}, Negative: []int{-1, -1}, Order: []int{4, 6}}
	if got := rest.Class([]float64{-3, -2}); got != 6 {
		t.Errorf("one-vs-rest: class %d, want 6", got)
	}
}

// TestPathIsSolve compares a path with a fit for each C; up and down.
func TestPathIsSolve(t *testing.T) {
	xs, y := blobs(t, 11, 150, 3)
	cs, o := []float64{0.1, 1, 10, 0.5}, svm.Options{Tolerance: 1e-8}
	fits, reports, err := svm.FitPath(t.Context(), vec.RBF{}, xs, y, cs, o)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cs {
		o.C = c
		f, r, err := svm.Fit(t.Context(), vec.RBF{}, xs, y, o)
		if err != nil {
			t.Fatal(err)
		}
		for j, m := range r.Problems {
			testkit.Close(t, "objective", reports[i].Problems[j].Objective, m.Objective, 1e-8)
			if got := reports[i].Problems[j]; !got.Converged || !(got.Gap >= -1e-9) {
				t.Errorf("C = %v: %+v", c, got)
			}
		}
		testkit.CloseSlice(t, "values", predict(t, fits[i], xs).RawMatrix().Data, predict(t, f, xs).RawMatrix().Data, 1e-5)
	}
	for _, bad := range [][]float64{nil, {1, -1}, {math.Inf(1)}} {
		if _, _, err := svm.FitPath(t.Context(), vec.RBF{}, xs, y, bad, o); err == nil {
			t.Errorf("a path over %v has no error", bad)
		}
	}
	stream := gram.Of(kernel.Bind(vec.Kernel(vec.RBF{}), xs, xs), compute.Options{})
	if _, _, err := svm.Path(t.Context(), gram.RowsOf(stream.Pairs()), y, cs, svm.Options{Type: svm.NuSVC}); err == nil {
		t.Error("a path of a type without C has no error")
	}
}

// TestGapIsPrimalMinusDual computes the primal objective of every type by its definition
// from predicted values, and compares its distance from the dual one with the gap that is
// reported, at a loose tolerance where both are far from 0.
func TestGapIsPrimalMinusDual(t *testing.T) {
	xs, y := blobs(t, 12, 90, 2)
	rng := testkit.Rand(t, 13)
	targets, weights, total := make([]float64, len(y)), make([]float64, len(y)), 0.0
	for i := range y {
		targets[i], weights[i] = xs.At(i)[0]+rng.NormFloat64(), 0.5+rng.Float64()
		total += weights[i]
	}
	const nu, c, epsilon = 0.4, 1.5, 0.2
	for _, typ := range []svm.Type{svm.CSVC, svm.NuSVC, svm.EpsilonSVR, svm.NuSVR, svm.OneClass} {
		t.Run(string(typ), func(t *testing.T) {
			o := svm.Options{Type: typ, C: c, Nu: nu, Epsilon: epsilon, Weights: weights, Tolerance: 0.2}
			stream := gram.Of(kernel.Bind(vec.Kernel(vec.RBF{}), xs, xs), compute.Options{})
			var sol *svm.Solution
			var r *svm.Report
			var err error
			switch typ {
			case svm.CSVC, svm.NuSVC:
				sol, r, err = svm.Solve(t.Context(), matrixOf(t, stream), y, o)
			case svm.OneClass:
				sol, r, err = svm.SolveOneClass(t.Context(), matrixOf(t, stream), o)
			default:
				sol, r, err = svm.SolveRegression(t.Context(), matrixOf(t, stream), targets, o)
			}
			if err != nil {
				t.Fatal(err)
			}
			m := r.Problems[0]
			f, coef := mat.Dense{}, sol.All(len(y))
			if err := stream.Mul(t.Context(), &f, coef); err != nil {
				t.Fatal(err)
			}
			norm, loss := 0.0, 0.0
			for i := range y {
				norm += coef.At(i, 0) * f.At(i, 0)
				value, sign := f.At(i, 0)+sol.Bias[0], float64(2*y[i]-1)
				switch typ {
				case svm.CSVC:
					loss += c * weights[i] * max(0, 1-sign*value)
				case svm.NuSVC: // divided by ρ²: the margin is 1
					loss += weights[i] / m.Rho * max(0, 1-sign*value)
				case svm.EpsilonSVR:
					loss += c * weights[i] * max(0, math.Abs(targets[i]-value)-epsilon)
				case svm.NuSVR:
					loss += c * weights[i] * max(0, math.Abs(targets[i]-value)-m.Tube)
				case svm.OneClass: // the value is f − ρ
					loss += weights[i] * max(0, -value)
				}
			}
			switch typ {
			case svm.NuSVC:
				loss -= nu * total / m.Rho
			case svm.NuSVR:
				loss += c * nu * total * m.Tube
			case svm.OneClass:
				loss += nu * total * sol.Bias[0]
			}
			primal := norm/2 + loss
			if !(m.Gap > 1e-6) {
				t.Errorf("gap %g: the tolerance leaves nothing to compare", m.Gap)
			}
			testkit.Close(t, "gap", m.Gap, primal+m.Objective, 1e-9)
		})
	}
}
