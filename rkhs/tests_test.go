package rkhs_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs"
)

// mmdByDefinition returns the biased and the unbiased MMD² from means of kernel values.
func mmdByDefinition(k *mat.Dense, first []int) (biased, unbiased float64) {
	n, _ := k.Dims()
	in := make([]bool, n)
	for _, i := range first {
		in[i] = true
	}
	m := len(first)
	var xx, yy, xy, dx, dy float64
	for i := range n {
		for j := range n {
			v := k.At(i, j)
			switch {
			case in[i] && in[j]:
				if xx += v; i == j {
					dx += v
				}
			case !in[i] && !in[j]:
				if yy += v; i == j {
					dy += v
				}
			default:
				xy += v
			}
		}
	}
	x, y := float64(m), float64(n-m)
	biased = xx/(x*x) + yy/(y*y) - xy/(x*y)
	unbiased = (xx-dx)/(x*(x-1)) + (yy-dy)/(y*(y-1)) - xy/(x*y)
	return biased, unbiased
}

func upTo(m int) []int {
	out := make([]int, m)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestMMDByItsDefinition(t *testing.T) {
	for _, text := range append(mapped, "rbf(sigma=1)", "linear + 1e6") {
		k, xs, ys := parse(t, text), normal(t, 21, 40, 2, 0), normal(t, 22, 25, 2, 0.4)
		var all data.Slice[[]float64]
		for i := range 40 {
			all = append(all, xs.At(i))
		}
		for i := range 25 {
			all = append(all, ys.At(i))
		}
		kk := full(k, all, all)
		biased, unbiased := mmdByDefinition(kk, upTo(40))
		tol := 1e-12 * math.Max(1, math.Abs(kk.At(0, 0)))
		for _, null := range []rkhs.Null{rkhs.Permutation, rkhs.Gamma} {
			witness, r, err := rkhs.MMD(t.Context(), k, xs, ys, rkhs.MMDOptions{Null: null, Permutations: 20})
			if err != nil {
				t.Fatal(err)
			}
			testkit.Close(t, text+" unbiased", r.MMD2, unbiased, tol)
			testkit.Close(t, text+" biased", r.Biased, biased, tol)
			norm2 := must(witness.Norm2(t.Context(), compute.Options{}))(t)
			testkit.Close(t, text+" ‖witness‖²", norm2, biased, tol)
			_, b, err := rkhs.MMD(t.Context(), k, xs, ys, rkhs.MMDOptions{Statistic: rkhs.Biased, Null: null, Permutations: 20})
			if err != nil {
				t.Fatal(err)
			}
			if b.MMD2 != r.Biased || b.P != r.P && null == rkhs.Gamma {
				t.Errorf("%s: biased %g beside %g", text, b.MMD2, r.Biased)
			}
		}
	}
	// With an explicit map it is the distance of the means of features.
	k, xs, ys := parse(t, mapped[2]), normal(t, 23, 12, 3, 0), normal(t, 24, 9, 3, 1)
	mx, my := make([]float64, 12), make([]float64, 9)
	for i := range mx {
		mx[i] = 1. / 12
	}
	for i := range my {
		my[i] = 1. / 9
	}
	_, r, err := rkhs.MMD(t.Context(), k, xs, ys, rkhs.MMDOptions{Null: rkhs.Gamma})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "explicit", r.Biased, squared(minus(mean(maps(t, k, xs), mx), mean(maps(t, k, ys), my))), 1e-12)
}

// A constant added to a kernel moves the origin of nothing: a test with offset 10⁶ gives
// the same p-value, and the statistic loses no more than the kernel values themselves.
func TestMMDDoesNotCancel(t *testing.T) {
	xs, ys := normal(t, 25, 50, 2, 0), normal(t, 26, 50, 2, 0.3)
	plain, shifted := parse(t, "rbf(sigma=1)"), parse(t, "rbf(sigma=1) + 1e6")
	o := rkhs.MMDOptions{Permutations: 200}
	_, a, err := rkhs.MMD(t.Context(), plain, xs, ys, o)
	if err != nil {
		t.Fatal(err)
	}
	_, b, err := rkhs.MMD(t.Context(), shifted, xs, ys, o)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(a.MMD2-b.MMD2) > 1e-9 || a.P != b.P {
		t.Errorf("%g with p %g; shifted %g with p %g", a.MMD2, a.P, b.MMD2, b.P)
	}
}

// permute calls f with all orders of n numbers.
func permute(n int, f func(order []int)) {
	order := upTo(n)
	var rec func(k int)
	rec = func(k int) {
		if k == n {
			f(order)
			return
		}
		for i := k; i < n; i++ {
			order[k], order[i] = order[i], order[k]
			rec(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	rec(0)
}

// The gamma law has the mean and the variance of the statistic over all 7! permutations.
func TestGammaHasTheExactMoments(t *testing.T) {
	const n, m = 7, 3
	xs, ys := normal(t, 27, n, 2, 0), normal(t, 28, n, 1, 0)
	k, l := parse(t, "rbf(sigma=1)"), parse(t, "rbf(sigma=0.5)")
	kk := full(k, xs, xs)
	kc, lc := centred(kk), centred(full(l, ys, ys))
	var mmd, hsic []float64
	permute(n, func(order []int) {
		biased, _ := mmdByDefinition(kk, order[:m])
		mmd = append(mmd, biased*m*(n-m)/n)
		sum := 0.0
		for i := range n {
			for j := range n {
				sum += kc.At(i, j) * lc.At(order[i], order[j]) / (n * n)
			}
		}
		hsic = append(hsic, sum)
	})
	a := must(rkhs.SolveMMD(t.Context(), stream(k, xs, compute.Options{}), m, rkhs.MMDOptions{Null: rkhs.Gamma}))(t)
	b := must(rkhs.HSIC(t.Context(), k, xs, l, ys, rkhs.HSICOptions{Null: rkhs.Gamma}))(t)
	for _, c := range []struct {
		name   string
		law    *rkhs.GammaLaw
		values []float64
	}{{"MMD", a.Law, mmd}, {"HSIC", b.Law, hsic}} {
		mean, variance := 0.0, 0.0
		for _, v := range c.values {
			mean += v / float64(len(c.values))
		}
		for _, v := range c.values {
			variance += (v - mean) * (v - mean) / float64(len(c.values))
		}
		testkit.Close(t, c.name+" mean", c.law.Shape*c.law.Scale/mean, 1, 1e-11)
		testkit.Close(t, c.name+" variance", c.law.Shape*c.law.Scale*c.law.Scale/variance, 1, 1e-10)
	}
	// Density and survival belong together.
	const h = 1e-5
	x := a.Law.Shape * a.Law.Scale
	testkit.Close(t, "density", a.Law.Density(x)*a.Law.Scale, (a.Law.Survival(x-h*a.Law.Scale)-a.Law.Survival(x+h*a.Law.Scale))/(2*h), 1e-6)
}

func TestPermutedStatisticsAreThoseOfTheRows(t *testing.T) {
	const n = 9
	xs, ys := normal(t, 29, n, 2, 0), normal(t, 30, n, 2, 0)
	k, l := parse(t, "rbf(sigma=1)"), parse(t, "poly(degree=2, offset=1)")
	kk := full(k, xs, xs)
	near := func(v float64, all []float64) bool {
		for _, w := range all {
			if math.Abs(v-w) <= 1e-12*math.Max(1, math.Abs(w)) {
				return true
			}
		}
		return false
	}
	var mmd, hsic []float64
	kc, lc := centred(kk), centred(full(l, ys, ys))
	permute(n, func(order []int) {
		if order[0] < order[1] && order[1] < order[2] && order[2] < order[3] {
			_, unbiased := mmdByDefinition(kk, order[:4])
			mmd = append(mmd, unbiased)
		}
		sum := 0.0
		for i := range n {
			for j := range n {
				sum += kc.At(i, j) * lc.At(order[i], order[j])
			}
		}
		hsic = append(hsic, sum/(n*n))
	})
	a := must(rkhs.SolveMMD(t.Context(), stream(k, xs, compute.Options{}), 4, rkhs.MMDOptions{Permutations: 300}))(t)
	b := must(rkhs.HSIC(t.Context(), k, xs, l, ys, rkhs.HSICOptions{Permutations: 20}))(t)
	different := map[string]bool{}
	for _, v := range a.Permuted {
		different[fmt.Sprintf("%.9g", v)] = true
		if !near(v, mmd) {
			t.Fatalf("MMD² %g is that of no choice of rows", v)
		}
	}
	if len(different) < 80 { // of 126: about 126(1 − (125/126)^300) = 114 are met
		t.Errorf("%d different statistics in 300 permutations", len(different))
	}
	for _, v := range b.Permuted {
		if !near(v, hsic) {
			t.Fatalf("HSIC %g is that of no order of rows", v)
		}
	}
}

// tr K_c L_c/n², and ‖C_xy‖² of explicit features.
func TestHSICByItsDefinition(t *testing.T) {
	const n = 90
	xs, ys := normal(t, 31, n, 2, 0), normal(t, 32, n, 3, 1)
	k, l := parse(t, mapped[1]), parse(t, mapped[2])
	kc, lc := centred(full(k, xs, xs)), centred(full(l, ys, ys))
	want, kk, ll := 0.0, 0.0, 0.0
	for i, v := range kc.RawMatrix().Data {
		w := lc.RawMatrix().Data[i]
		want, kk, ll = want+v*w/(n*n), kk+v*v, ll+w*w
	}
	phi, psi, c := maps(t, k, xs), maps(t, l, ys), new(mat.Dense)
	even := make([]float64, n)
	for i := range even {
		even[i] = 1. / n
	}
	mx, my := mean(phi, even), mean(psi, even)
	phi.Apply(func(_, j int, v float64) float64 { return v - mx[j] }, phi)
	psi.Apply(func(_, j int, v float64) float64 { return v - my[j] }, psi)
	c.Mul(phi.T(), psi)
	for _, null := range []rkhs.Null{rkhs.Permutation, rkhs.Gamma} {
		r := must(rkhs.HSIC(t.Context(), k, xs, l, ys, rkhs.HSICOptions{Null: null, Permutations: 10}))(t)
		testkit.Close(t, "HSIC", r.HSIC/want, 1, 1e-11)
		testkit.Close(t, "‖C_xy‖²", r.HSIC/(squared(c.RawMatrix().Data)/(n*n)), 1, 1e-10)
		testkit.Close(t, "alignment", r.Alignment, want*n*n/math.Sqrt(kk*ll), 1e-11)
	}
}

// Two types of points: numbers and words.
func TestHSICOnTwoTypes(t *testing.T) {
	r, words, xs := testkit.Rand(t, 33), data.Slice[string]{}, data.MakeVectors(60, 1)
	for i := range 60 {
		words = append(words, [...]string{"low", "high"}[i%2])
		xs.At(i)[0] = 2*float64(i%2) + r.NormFloat64()
	}
	got := must(rkhs.HSIC(t.Context(), parse(t, "rbf(sigma=1)"), xs, same{}, words, rkhs.HSICOptions{Permutations: 200}))(t)
	if got.P > 0.01 {
		t.Errorf("p = %g for groups two deviations apart", got.P)
	}
}

// same is 1 for equal words.
type same struct{}

func (same) String() string { return "same" }
func (same) Eval(x, y string) float64 {
	if x == y {
		return 1
	}
	return 0
}

// binomial fails the test unless count is within 4.5 standard deviations of its mean under
// B(n, p): a fair test fails so with probability below 10⁻⁵.
func binomial(t *testing.T, what string, count, n int, p float64) {
	t.Helper()
	mean, deviation := float64(n)*p, math.Sqrt(float64(n)*p*(1-p))
	if math.Abs(float64(count)-mean) > 4.5*deviation {
		t.Errorf("%s: %d of %d, want %.1f ± %.1f", what, count, n, mean, 4.5*deviation)
	}
}

// Where the hypothesis holds p is uniform: with 99 permutations it is at most j/100 with
// probability j/100 exactly, as no two statistics are equal. The gamma law and the normal
// law are close.
func TestLevel(t *testing.T) {
	testkit.SkipUnderRace(t)
	rounds := 400
	if testing.Short() {
		rounds = 60 // the bounds below are those of the binomial law of so many rounds
	}
	counts := map[string]map[float64]int{}
	count := func(name string, p float64) {
		if counts[name] == nil {
			counts[name] = map[float64]int{}
		}
		for _, level := range []float64{0.05, 0.5, 0.9} {
			if p <= level+1e-12 {
				counts[name][level]++
			}
		}
	}
	k, l := parse(t, "rbf(sigma=1)"), parse(t, "rbf(sigma=2)")
	r := testkit.Rand(t, 34)
	draw := func(n, d int) data.Vectors {
		xs := data.MakeVectors(n, d)
		for i := range n {
			for j := range d {
				xs.At(i)[j] = r.NormFloat64()
			}
		}
		return xs
	}
	for round := range rounds {
		seed := uint64(round)
		xs, ys := draw(20, 1), draw(30, 1)
		for _, o := range []rkhs.MMDOptions{{Permutations: 99}, {Statistic: rkhs.Biased, Permutations: 99}, {Null: rkhs.Gamma}} {
			o.Seed = seed
			_, m, err := rkhs.MMD(t.Context(), k, xs, ys, o)
			if err != nil {
				t.Fatal(err)
			}
			count(fmt.Sprintf("MMD %s %s", m.Statistic, m.Null), m.P)
		}
		xs, ys = draw(400, 1), draw(400, 1)
		for _, o := range []rkhs.MMDOptions{{Statistic: rkhs.Linear}, {Statistic: rkhs.Block, BlockSize: 5}} {
			o.Seed = seed
			_, m, err := rkhs.MMD(t.Context(), k, xs, ys, o)
			if err != nil {
				t.Fatal(err)
			}
			count("MMD "+string(m.Statistic), m.P)
		}
		us, vs := draw(25, 1), draw(25, 2)
		for _, null := range []rkhs.Null{rkhs.Permutation, rkhs.Gamma} {
			h, err := rkhs.HSIC(t.Context(), k, us, l, vs, rkhs.HSICOptions{Null: null, Permutations: 99, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			count("HSIC "+string(null), h.P)
		}
	}
	for name, levels := range counts {
		for level, got := range levels {
			binomial(t, fmt.Sprintf("%s: p ≤ %g", name, level), got, rounds, level)
		}
	}
}

// Where it does not hold the tests say so: a shift, another spread with the same mean,
// a dependence without correlation.
func TestPower(t *testing.T) {
	k := parse(t, "rbf(sigma=1)")
	r := testkit.Rand(t, 35)
	draw := func(n int, mean, deviation float64) data.Vectors {
		xs := data.MakeVectors(n, 2)
		for i := range n {
			xs.At(i)[0], xs.At(i)[1] = mean+deviation*r.NormFloat64(), r.NormFloat64()
		}
		return xs
	}
	for name, other := range map[string]data.Vectors{"shift": draw(200, 1, 1), "spread": draw(200, 0, 3)} {
		for _, o := range []rkhs.MMDOptions{{}, {Statistic: rkhs.Biased}, {Null: rkhs.Gamma}, {Statistic: rkhs.Block, BlockSize: 5}} {
			_, m, err := rkhs.MMD(t.Context(), k, draw(200, 0, 1), other, o)
			if err != nil {
				t.Fatal(err)
			}
			if m.P > 0.01 {
				t.Errorf("%s: p = %g by %s, %s", name, m.P, m.Statistic, m.Null)
			}
			if m.Null == rkhs.Permutation && m.P != 1./1001 {
				t.Errorf("%s: p = %g, want the smallest of 1000 permutations", name, m.P)
			}
		}
	}
	_, m, err := rkhs.MMD(t.Context(), k, draw(2000, 0, 1), draw(2000, 1, 1), rkhs.MMDOptions{Statistic: rkhs.Linear})
	if err != nil || m.P > 0.01 || m.Blocks != 1000 {
		t.Errorf("linear: %+v, %v", m, err)
	}
	xs, ys := data.MakeVectors(150, 1), data.MakeVectors(150, 1)
	for i := range 150 {
		xs.At(i)[0] = r.NormFloat64()
		ys.At(i)[0] = xs.At(i)[0]*xs.At(i)[0] + 0.3*r.NormFloat64()
	}
	for _, null := range []rkhs.Null{rkhs.Permutation, rkhs.Gamma} {
		h := must(rkhs.HSIC(t.Context(), k, xs, k, ys, rkhs.HSICOptions{Null: null}))(t)
		if h.P > 0.01 {
			t.Errorf("a parabola: p = %g by %s", h.P, null)
		}
	}
}

// The block statistic by its definition, when there is one way to fill the blocks: with
// rows that are equal in pairs the order does not matter.
func TestBlockStatistic(t *testing.T) {
	const n = 40
	k, xs, ys := parse(t, "linear"), data.MakeVectors(n, 1), data.MakeVectors(n, 1)
	for i := range n {
		xs.At(i)[0], ys.At(i)[0] = float64(i%2), 3
	}
	// For a linear kernel a term is the mean over i ≠ j of (xᵢ − yᵢ)(xⱼ − yⱼ); with blocks of
	// all rows of one kind its expectation over orders is that of two rows without
	// replacement: ((Σd)² − Σd²)/(n(n−1)), d = −2 or −3.
	sum, squares := n/2*-2.+n/2*-3., n/2*4.+n/2*9.
	want := (sum*sum - squares) / (n * (n - 1))
	mean := 0.0
	const orders = 300
	for seed := range uint64(orders) {
		_, r, err := rkhs.MMD(t.Context(), k, xs, ys, rkhs.MMDOptions{Statistic: rkhs.Block, BlockSize: 4, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		mean += r.MMD2 / orders
		if r.Blocks != 10 || r.BlockSize != 4 || len(r.Warnings) != 1 {
			t.Fatalf("%d blocks of %d, warnings %q", r.Blocks, r.BlockSize, r.Warnings)
		}
	}
	// A term lies in [4, 9] and their mean over ten blocks is within 2.5/√10 of its
	// expectation in root mean square, so that 300 of them are within 5·0.8/√300 = 0.23.
	if math.Abs(mean-want) > 0.23 {
		t.Errorf("mean %g, want %g", mean, want)
	}
}

func TestTestsRefuse(t *testing.T) {
	k, xs := parse(t, "rbf(sigma=1)"), normal(t, 36, 10, 2, 0)
	one, constant := xs.Gather([]int{0}), data.MakeVectors(10, 2)
	mmd := func(a, b data.Vectors, o rkhs.MMDOptions) error {
		_, _, err := rkhs.MMD(t.Context(), k, a, b, o)
		return err
	}
	hsic := func(a, b data.Vectors, o rkhs.HSICOptions) error {
		_, err := rkhs.HSIC(t.Context(), k, a, k, b, o)
		return err
	}
	for want, err := range map[string]error{
		"at least two":        mmd(one, xs, rkhs.MMDOptions{}),
		"statistic \"cubic\"": mmd(xs, xs, rkhs.MMDOptions{Statistic: "cubic"}),
		"null \"t\"":          mmd(xs, xs, rkhs.MMDOptions{Null: "t"}),
		"independent terms":   mmd(xs, xs, rkhs.MMDOptions{Statistic: rkhs.Linear, Null: rkhs.Gamma}),
		"not normal":          mmd(xs, xs, rkhs.MMDOptions{Null: rkhs.Normal}),
		"permutations = -1":   mmd(xs, xs, rkhs.MMDOptions{Permutations: -1}),
		"block size 1":        mmd(xs, xs, rkhs.MMDOptions{Statistic: rkhs.Block, BlockSize: 1}),
		"make 1 blocks":       mmd(xs, xs, rkhs.MMDOptions{Statistic: rkhs.Block, BlockSize: 9}),
		"nothing to compare":  mmd(constant, constant, rkhs.MMDOptions{Null: rkhs.Gamma}),
		"all rows alike":      mmd(constant, constant, rkhs.MMDOptions{Statistic: rkhs.Linear}),
		"same features in y":  hsic(xs, constant, rkhs.HSICOptions{}),
		"at least four":       hsic(one, one, rkhs.HSICOptions{}),
		"one of each":         hsic(one, xs, rkhs.HSICOptions{}),
		"null \"normal\"":     hsic(xs, xs, rkhs.HSICOptions{Null: rkhs.Normal}),
		"stores nothing":      hsic(xs, xs, rkhs.HSICOptions{Compute: compute.Options{MaxMemory: 100}}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
	var large *compute.TooLarge
	if err := hsic(xs, xs, rkhs.HSICOptions{Compute: compute.Options{MaxMemory: 100}}); !errors.As(err, &large) {
		t.Errorf("error %v, want *gram.TooLarge", err)
	}
}

// An indefinite kernel gives a negative MMD², which is reported as it is.
func TestIndefiniteKernelInATest(t *testing.T) {
	xs, ys := normal(t, 37, 40, 1, 0), normal(t, 38, 40, 1, 1)
	for i := range 40 {
		// tanh(xy + 2) = tanh 2 + 0.07xy − 0.07x²y² …: samples that differ in x² alone are apart
		// in a direction of negative norm.
		xs.At(i)[0], ys.At(i)[0] = float64(1-2*(i%2)), 0.1*ys.At(i)[0]
	}
	_, r, err := rkhs.MMD(t.Context(), vec.Tanh{Scale: 1, Offset: 2}, xs, ys, rkhs.MMDOptions{Permutations: 10})
	if err != nil {
		t.Fatal(err)
	}
	if r.Biased >= 0 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "negative") {
		t.Errorf("MMD² %g, warnings %q", r.Biased, r.Warnings)
	}
}

func TestStreamedPermutations(t *testing.T) {
	xs, ys, k := normal(t, 39, 60, 2, 0), normal(t, 40, 50, 2, 1), parse(t, "rbf(sigma=1)")
	_, a, err := rkhs.MMD(t.Context(), k, xs, ys, rkhs.MMDOptions{Permutations: 30})
	if err != nil {
		t.Fatal(err)
	}
	_, b, err := rkhs.MMD(t.Context(), k, xs, ys, rkhs.MMDOptions{Permutations: 30, Compute: compute.Options{MaxMemory: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	if !a.Stored || b.Stored || a.P != b.P {
		t.Errorf("stored %v with p %g, %v with p %g", a.Stored, a.P, b.Stored, b.P)
	}
	testkit.CloseSlice(t, "permuted", b.Permuted, a.Permuted, 1e-10)
	var _ kernel.Pairs = stream(k, xs, compute.Options{}).Pairs()
}
