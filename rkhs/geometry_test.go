package rkhs_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/rkhs"
	"example.org/mercer/supervised/krr"
)

func must[V any](v V, err error) func(testing.TB) V {
	return func(t testing.TB) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// Every identity of the lectures' "computations in feature space", with weights, against
// vectors φ(x) that are written out.
func TestIdentitiesAgainstExplicitFeatures(t *testing.T) {
	const n = 23
	xs, zs, r := normal(t, 1, n, 3, 0.3), normal(t, 2, 9, 3, -0.2), testkit.Rand(t, 3)
	weights, alpha := make([]float64, n), mat.NewDense(n, 2, nil)
	for i := range weights {
		weights[i] = float64(i % 4)
		alpha.Set(i, 0, r.NormFloat64())
		alpha.Set(i, 1, r.NormFloat64())
	}
	p := make([]float64, n)
	floats.ScaleTo(p, 1/floats.Sum(weights), weights)
	for _, text := range mapped {
		k := parse(t, text)
		phi, others := maps(t, k, xs), maps(t, k, zs)
		op := stream(k, xs, compute.Options{})
		mu := mean(phi, p)

		b := must(rkhs.BarycentreOf(t.Context(), op, weights))(t)
		testkit.Close(t, text+" ‖μ‖²", b.Norm2, squared(mu), 1e-12)
		variance := 0.0
		for i := range n {
			d := squared(minus(phi.RawRowView(i), mu))
			testkit.Close(t, text+" ‖φ(x) − μ‖²", b.Distances2[i], d, 1e-11)
			testkit.Close(t, text+" ‖φ(x)‖²", b.Diagonal[i], squared(phi.RawRowView(i)), 1e-12)
			testkit.Close(t, text+" ⟨φ(x), μ⟩", b.Inner[i], floats.Dot(phi.RawRowView(i), mu), 1e-12)
			variance += p[i] * d
		}
		testkit.Close(t, text+" expected distance", b.Variance, variance, 1e-11)
		pairs := 0.0
		for i := range n {
			for j := range n {
				pairs += p[i] * p[j] * squared(minus(phi.RawRowView(i), phi.RawRowView(j)))
			}
		}
		testkit.Close(t, text+" half the distance of two points", b.Variance, pairs/2, 1e-11)

		d2 := must(rkhs.Distances2(t.Context(), op.Pairs(), []int{3, 0}, []int{5, 3, 22}, compute.Options{}))(t)
		for i, a := range []int{3, 0} {
			for j, c := range []int{5, 3, 22} {
				testkit.Close(t, text+" ‖φ(x) − φ(y)‖²", d2.At(i, j), squared(minus(phi.RawRowView(a), phi.RawRowView(c))), 1e-11)
			}
		}

		v := combined(phi, alpha)
		norms := must(rkhs.Norms2(t.Context(), op, alpha))(t)
		inner := must(rkhs.Inner(t.Context(), op, alpha, alpha))(t)
		along := must(rkhs.ProjectedVariances(t.Context(), op, alpha, weights))(t)
		for j := range 2 {
			testkit.Close(t, text+" ‖Φα‖²", norms[j], squared(v[j]), 1e-11)
			testkit.Close(t, text+" ⟨Φα, Φβ⟩", inner.At(0, j), floats.Dot(v[0], v[j]), 1e-11)
			centre, spread := floats.Dot(v[j], mu), 0.0
			for i := range n {
				d := floats.Dot(v[j], phi.RawRowView(i)) - centre
				spread += p[i] * d * d
			}
			testkit.Close(t, text+" projected variance", along[j].Variance, spread, 1e-10)
			testkit.Close(t, text+" along a unit vector", along[j].Unit, spread/squared(v[j]), 1e-10)
		}

		even := must(rkhs.BarycentreOf(t.Context(), op, nil))(t)
		self := make([]float64, zs.Len())
		for i := range self {
			self[i] = k.Eval(zs.At(i), zs.At(i))
		}
		to := must(rkhs.DistancesTo(t.Context(), kernel.Bind(k, zs, xs), self, even.Diagonal, even.Norm2, compute.Options{}))(t)
		centre := mean(phi, even.Shares)
		for i := range self {
			z := others.RawRowView(i)
			nearest, at, average := math.Inf(1), -1, 0.0
			for j := range n {
				d := squared(minus(z, phi.RawRowView(j)))
				if average += d / n; d < nearest {
					nearest, at = d, j
				}
			}
			testkit.Close(t, text+" to the barycentre", to.Barycentre[i], squared(minus(z, centre)), 1e-11)
			testkit.Close(t, text+" to the nearest", to.Nearest[i], nearest, 1e-10)
			testkit.Close(t, text+" on average", to.Mean[i], average, 1e-11)
			if to.At[i] != at {
				t.Errorf("%s: nearest to %d is %d, want %d", text, i, to.At[i], at)
			}
		}
	}
}

// combined returns Φα for the columns of alpha.
func combined(phi, alpha *mat.Dense) [2][]float64 {
	return [2][]float64{mean(phi, mat.Col(nil, 0, alpha)), mean(phi, mat.Col(nil, 1, alpha))}
}

// The lectures print tr(C) = tr(K)/n for the total variance, which is that of centred
// data; far from the origin it is another number.
func TestTotalVarianceTakesTheBarycentreOff(t *testing.T) {
	xs := normal(t, 4, 50, 2, 10)
	k := parse(t, "linear")
	b := must(rkhs.BarycentreOf(t.Context(), stream(k, xs, compute.Options{}), nil))(t)
	trace := 0.0
	for i := range 50 {
		trace += k.Eval(xs.At(i), xs.At(i)) / 50
	}
	phi, want := maps(t, k, xs), 0.0
	for i := range 50 {
		want += squared(minus(phi.RawRowView(i), mean(phi, b.Shares))) / 50
	}
	testkit.Close(t, "variance", b.Variance, want, 1e-12)
	testkit.Close(t, "trace less ‖μ‖²", trace-b.Norm2, b.Variance, 1e-12)
	if trace < 10*b.Variance {
		t.Errorf("tr(K)/n = %g and the variance %g should differ here", trace, b.Variance)
	}
}

func TestFunctions(t *testing.T) {
	for _, text := range append(mapped, "rbf(sigma=1.5)") {
		k, xs, ys := parse(t, text), normal(t, 5, 12, 2, 0), normal(t, 6, 7, 2, 1)
		f := &rkhs.Function[[]float64]{Kernel: k, Points: xs, Coef: normal(t, 7, 1, 12, 0).At(0)}
		g := must(rkhs.Mean(k, ys, nil))(t)
		a, b := mat.NewDense(12, 1, f.Coef), mat.NewDense(7, 1, g.Coef)
		var inner, ff, gg mat.Dense
		inner.Product(a.T(), full(k, xs, ys), b)
		ff.Product(a.T(), full(k, xs, xs), a)
		gg.Product(b.T(), full(k, ys, ys), b)
		testkit.Close(t, text+" inner", must(f.Inner(t.Context(), g, compute.Options{}))(t), inner.At(0, 0), 1e-12)
		testkit.Close(t, text+" inner, the other way", must(g.Inner(t.Context(), f, compute.Options{}))(t), inner.At(0, 0), 1e-12)
		testkit.Close(t, text+" norm", must(f.Norm2(t.Context(), compute.Options{}))(t), ff.At(0, 0), 1e-12)
		testkit.Close(t, text+" distance", must(f.Distance2(t.Context(), g, compute.Options{}))(t), ff.At(0, 0)+gg.At(0, 0)-2*inner.At(0, 0), 1e-12)

		// f(x) = ⟨f, φ(x)⟩, the reproducing property, for f + 3g.
		sum := must(f.Plus(g.Scale(3)))(t)
		values := must(sum.Values(t.Context(), ys, compute.Options{}))(t)
		for i := range ys.Len() {
			x := ys.At(i)
			want := f.Eval(x) + 3*g.Eval(x)
			testkit.Close(t, text+" sum", values[i], want, 1e-12)
			testkit.Close(t, text+" reproducing", must(sum.Inner(t.Context(), rkhs.Section(k, x), compute.Options{}))(t), want, 1e-12)
		}
	}
}

func TestFunctionsOfTwoSpacesAndOfNoPoint(t *testing.T) {
	xs := normal(t, 8, 4, 2, 0)
	f := must(rkhs.Mean(parse(t, "rbf(sigma=1)"), xs, nil))(t)
	g := must(rkhs.Mean(parse(t, "rbf(sigma=2)"), xs, nil))(t)
	if _, err := f.Inner(t.Context(), g, compute.Options{}); err == nil || !strings.Contains(err.Error(), "two spaces") {
		t.Errorf("error %v", err)
	}
	if _, err := f.Plus(g); err == nil {
		t.Error("a sum of functions of two spaces")
	}
	for _, weights := range [][]float64{{1, 1}, {1, -1, 1, 1}, {0, 0, 0, 0}, {1, math.NaN(), 1, 1}, {1, math.Inf(1), 1, 1}} {
		if _, err := rkhs.Mean(parse(t, "linear"), xs, weights); err == nil {
			t.Errorf("weights %v accepted", weights)
		}
	}
	if _, err := rkhs.Mean(parse(t, "linear"), data.MakeVectors(0, 2), nil); err == nil {
		t.Error("the mean of no point")
	}
}

// A fitted model is an element of H and a constant: ‖f‖² is αᵀKα, no pair rises faster
// than ‖f‖, and along the whole set of pairs the steepest is the brute-force one.
func TestModelsAndTheSteepestPair(t *testing.T) {
	const n = 150
	xs, k := normal(t, 9, n, 2, 0), parse(t, "rbf(sigma=1)")
	copy(xs.At(40), xs.At(41)) // at distance 0: cannot be compared
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		y.Set(i, 0, math.Sin(2*xs.At(i)[0])+5)
	}
	fitted, _, err := krr.Fit(t.Context(), k, xs, y, krr.Options{Lambda: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	e := fitted.(*model.Expansion[[]float64])
	f := must(rkhs.Of(e, 0))(t)
	norm2 := must(f.Norm2(t.Context(), compute.Options{}))(t)
	values := must(f.Values(t.Context(), xs, compute.Options{}))(t)
	s := must(rkhs.LargestSlope(t.Context(), kernel.Bind(k, xs, xs), values, compute.Options{}))(t)
	best, bi, bj := 0.0, 0, 0
	for i := range n {
		for j := range i {
			d := math.Sqrt(2 - 2*k.Eval(xs.At(i), xs.At(j)))
			if r := math.Abs(values[i]-values[j]) / d; d > 1e-3 && r > best {
				best, bi, bj = r, j, i
			}
		}
	}
	if s.I != bi || s.J != bj || s.Close != 1 {
		t.Errorf("steepest pair %+v, want %d and %d, and one pair too close", s, bi, bj)
	}
	testkit.Close(t, "ratio", s.Ratio, best, 1e-9)
	if s.Ratio > math.Sqrt(norm2) || s.Ratio < 0.05*math.Sqrt(norm2) {
		t.Errorf("ratio %g beside ‖f‖ = %g", s.Ratio, math.Sqrt(norm2))
	}
	// f = k(·, x) − k(·, x') attains its bound at (x, x').
	pair := must(rkhs.Section(k, xs.At(3)).Plus(rkhs.Section(k, xs.At(7)).Scale(-1)))(t)
	values = must(pair.Values(t.Context(), xs, compute.Options{}))(t)
	s = must(rkhs.LargestSlope(t.Context(), kernel.Bind(k, xs, xs), values, compute.Options{}))(t)
	testkit.Close(t, "attained", s.Ratio*s.Ratio, must(pair.Norm2(t.Context(), compute.Options{}))(t), 1e-9)
	if s.I != 3 || s.J != 7 {
		t.Errorf("attained at %d and %d", s.I, s.J)
	}
	if _, err := rkhs.Of(e, 1); err == nil {
		t.Error("output 1 of one")
	}
	if got := f.Expansion().Coef; !mat.Equal(got, e.Coef) {
		t.Error("the way back to an expansion changes coefficients")
	}
}

func TestAlignmentByItsDefinition(t *testing.T) {
	const n = 130 // more than a block of rows
	xs, weights := normal(t, 10, n, 3, 1), make([]float64, n)
	for i := range weights {
		weights[i] = float64(1 + i%3)
	}
	a, b := parse(t, "rbf(sigma=2)"), parse(t, "poly(degree=2, offset=1)")
	ka, kb := full(a, xs, xs), full(b, xs, xs)
	cosine := func(a, b *mat.Dense) float64 {
		ab, aa, bb := 0.0, 0.0, 0.0
		for i, x := range a.RawMatrix().Data {
			y := b.RawMatrix().Data[i]
			ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
		}
		return ab / math.Sqrt(aa*bb)
	}
	pa, pb := kernel.Bind(a, xs, xs), kernel.Bind(b, xs, xs)
	testkit.Close(t, "alignment", must(rkhs.Alignment(t.Context(), pa, pb, nil, false, compute.Options{}))(t), cosine(ka, kb), 1e-12)
	testkit.Close(t, "centred", must(rkhs.Alignment(t.Context(), pa, pb, nil, true, compute.Options{}))(t), cosine(centred(ka), centred(kb)), 1e-12)
	testkit.Close(t, "with itself", must(rkhs.Alignment(t.Context(), pa, pa, weights, true, compute.Options{}))(t), 1, 1e-12)
	// A weight of 2 is the row twice.
	var rows []int
	for i, w := range weights {
		for range int(w) {
			rows = append(rows, i)
		}
	}
	twice := xs.Gather(rows)
	testkit.Close(t, "weights", must(rkhs.Alignment(t.Context(), pa, pb, weights, true, compute.Options{}))(t),
		must(rkhs.Alignment(t.Context(), kernel.Bind(a, twice, twice), kernel.Bind(b, twice, twice), nil, true, compute.Options{}))(t), 1e-12)
	same := data.MakeVectors(5, 2)
	zero := kernel.Bind(b, same, same)
	if _, err := rkhs.Alignment(t.Context(), zero, zero, nil, true, compute.Options{}); err == nil {
		t.Error("the alignment of equal points")
	}
	if _, err := rkhs.Alignment(t.Context(), zero, pa, nil, false, compute.Options{}); err == nil {
		t.Error("the alignment of different points")
	}
}

func TestDimensionsByInversion(t *testing.T) {
	const n = 30
	xs, k := normal(t, 11, n, 2, 0), parse(t, "rbf(sigma=1)")
	s := must(rkhs.EffectiveDimensions(t.Context(), stream(k, xs, compute.Options{}), []float64{1e-3, 0.1, 10}, compute.Options{}))(t)
	for _, d := range s.Dimensions {
		var shifted, inverse, product mat.Dense
		kk := full(k, xs, xs)
		shifted.CloneFrom(kk)
		for i := range n {
			shifted.Set(i, i, kk.At(i, i)+n*d.Lambda)
		}
		if err := inverse.Inverse(&shifted); err != nil {
			t.Fatal(err)
		}
		product.Mul(kk, &inverse)
		testkit.Close(t, "effective dimension", d.Effective, mat.Trace(&product), 1e-10)
	}
	linear := must(rkhs.EffectiveDimensions(t.Context(), stream(parse(t, "linear"), xs, compute.Options{}), nil, compute.Options{}))(t)
	if linear.Rank != 2 || linear.Participation > 2 || linear.Participation < 1 || linear.Note != "" {
		t.Errorf("rank %d, participation %g, note %q", linear.Rank, linear.Participation, linear.Note)
	}
	var large *compute.TooLarge
	if _, err := rkhs.EffectiveDimensions(t.Context(), stream(k, xs, compute.Options{}), nil, compute.Options{MaxMemory: 100}); !errors.As(err, &large) {
		t.Errorf("error %v", err)
	}
	if _, err := rkhs.EffectiveDimensions(t.Context(), stream(k, xs, compute.Options{}), []float64{0}, compute.Options{}); err == nil {
		t.Error("λ = 0 accepted")
	}
}

// Herding falls below random choice, its gap is the distance by its definition, and the
// first step is the brute-force one.
func TestHerding(t *testing.T) {
	const n, m = 200, 20
	xs, k := normal(t, 12, n, 2, 0), parse(t, "rbf(sigma=1)")
	op := stream(k, xs, compute.Options{})
	chosen, gap2, err := rkhs.Herding(t.Context(), op, nil, m, true, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	mu := must(rkhs.Mean(k, xs, nil))(t)
	seen := map[int]bool{}
	for i := range chosen {
		some := must(rkhs.Mean(k, data.Subset(xs, chosen[:i+1]), nil))(t)
		testkit.Close(t, "gap", gap2[i], must(mu.Distance2(t.Context(), some, compute.Options{}))(t), 1e-10)
		if seen[chosen[i]] {
			t.Errorf("row %d twice", chosen[i])
		}
		seen[chosen[i]] = true
	}
	r, random := testkit.Rand(t, 13), 0.0
	for range 50 {
		some := must(rkhs.Mean(k, data.Subset(xs, r.Perm(n)[:m]), nil))(t)
		random += must(mu.Distance2(t.Context(), some, compute.Options{}))(t) / 50
	}
	if gap2[m-1] > random/2 {
		t.Errorf("herding leaves %g, rows at random %g", gap2[m-1], random)
	}
	if _, _, err := rkhs.Herding(t.Context(), op, nil, n+1, true, compute.Options{}); err == nil {
		t.Error("more points than there are")
	}
}

// A kernel that is not positive definite gives negative squared norms as they are.
func TestIndefiniteKernel(t *testing.T) {
	k := vec.Tanh{Scale: 1, Offset: -1}
	xs := data.Slice[[]float64]{{0}, {0.5}}
	f := must(rkhs.Mean(k, xs, nil))(t)
	norm2 := must(f.Norm2(t.Context(), compute.Options{}))(t)
	var want float64
	for i := range xs {
		for j := range xs {
			want += k.Eval(xs[i], xs[j]) / 4
		}
	}
	testkit.Close(t, "‖f‖²", norm2, want, 1e-14)
	if norm2 >= 0 {
		t.Fatalf("‖f‖² = %g should be negative", norm2)
	}
	if root, ok := rkhs.NormOf(norm2, norm2); ok || !math.IsNaN(root) {
		t.Errorf("root %g, %v", root, ok)
	}
	if root, ok := rkhs.NormOf(-1e-17, 1); !ok || root != 0 {
		t.Errorf("rounding: root %g, %v", root, ok)
	}
}

func TestSameBitsForAnyWorkers(t *testing.T) {
	xs, k := normal(t, 14, 300, 3, 0), parse(t, "rbf(sigma=1)")
	var first []float64
	for _, workers := range []int{1, 2, 3, 8} {
		o := compute.Options{Workers: workers}
		op := stream(k, xs, o)
		b := must(rkhs.BarycentreOf(t.Context(), op, nil))(t)
		a := must(rkhs.Alignment(t.Context(), op.Pairs(), kernel.Bind(parse(t, "linear"), xs, xs), nil, true, o))(t)
		s := must(rkhs.LargestSlope(t.Context(), op.Pairs(), b.Inner, o))(t)
		got := []float64{b.Norm2, b.Variance, a, s.Ratio, float64(s.I), float64(s.J)}
		for _, null := range []rkhs.Null{rkhs.Permutation, rkhs.Gamma} {
			m := must(rkhs.SolveMMD(t.Context(), op, 120, rkhs.MMDOptions{Null: null, Permutations: 50, Compute: o}))(t)
			h := must(rkhs.SolveHSIC(t.Context(), op, stream(parse(t, "linear"), xs, o), rkhs.HSICOptions{Null: null, Permutations: 50, Compute: o}))(t)
			got = append(append(append(got, m.MMD2, m.P, h.HSIC, h.P), m.Permuted...), h.Permuted...)
		}
		l := must(rkhs.SolveMMD(t.Context(), op, 120, rkhs.MMDOptions{Statistic: rkhs.Block, Compute: o}))(t)
		got = append(got, l.MMD2, l.P)
		if first == nil {
			first = got
		}
		if !floats.Same(first, got) {
			t.Errorf("%d workers give other bits", workers)
		}
	}
}

func TestContextEndsTheWork(t *testing.T) {
	xs, k := normal(t, 15, 100, 2, 0), parse(t, "rbf(sigma=1)")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	op := stream(k, xs, compute.Options{})
	for name, f := range map[string]func() error{
		"barycentre": func() error { _, err := rkhs.BarycentreOf(ctx, op, nil); return err },
		"steepest": func() error {
			_, err := rkhs.LargestSlope(ctx, op.Pairs(), make([]float64, 100), compute.Options{})
			return err
		},
		"alignment": func() error {
			_, err := rkhs.Alignment(ctx, op.Pairs(), op.Pairs(), nil, false, compute.Options{})
			return err
		},
		"herd": func() error { _, _, err := rkhs.Herding(ctx, op, nil, 3, false, compute.Options{}); return err },
		"mmd":  func() error { _, err := rkhs.SolveMMD(ctx, op, 50, rkhs.MMDOptions{}); return err },
		"linear": func() error {
			_, err := rkhs.SolveMMD(ctx, op, 50, rkhs.MMDOptions{Statistic: rkhs.Linear})
			return err
		},
		"hsic": func() error { _, err := rkhs.SolveHSIC(ctx, op, op, rkhs.HSICOptions{}); return err },
	} {
		if err := f(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
