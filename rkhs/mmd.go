package rkhs

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Statistic names an estimate of MMD² = ‖μ_X − μ_Y‖².
type Statistic string

const (
	// Quadratic is unbiased: the means of k over the pairs of different rows of X, of Y, and
	// between them. It may be negative.
	Quadratic Statistic = "quadratic"
	// Biased is ‖μ_X − μ_Y‖² of the two samples themselves. With either null it gives the
	// same test as [Quadratic], up to the approximation of the gamma distribution.
	Biased Statistic = "biased"
	// Linear is the mean of k(x,x') + k(y,y') − k(x,y') − k(x',y) over disjoint pairs of rows:
	// [Block] with blocks of two rows.
	Linear Statistic = "linear"
	// Block is the mean of the same over all pairs within blocks of rows (W. Zaremba, A.
	// Gretton and M. Blaschko, B-tests, NIPS 2013): n·BlockSize kernel values.
	Block Statistic = "block"
)

// Statistics and Nulls are all of them, the default first.
var (
	Statistics = []Statistic{Quadratic, Biased, Linear, Block}
	Nulls      = []Null{Permutation, Gamma, Normal}
)

// MMDOptions say how two samples are compared. The zero value is the unbiased quadratic
// statistic with 1000 permutations.
type MMDOptions struct {
	Statistic Statistic // "" is [Quadratic]
	// Null is [Permutation] or [Gamma] for the quadratic statistics, "" being the former, and
	// [Normal] for the others.
	Null         Null
	Permutations int    // 0 means 1000
	BlockSize    int    // rows of each sample in a block of [Block]; 0 means √min(m, n)
	Seed         uint64 // of permutations, and of the order of rows in pairs and blocks
	// Compute says how to compute: workers, memory limit, progress.
	Compute compute.Options
}

// TwoSample is the result of [MMD].
type TwoSample struct {
	M         int       `json:"m"` // rows of X
	N         int       `json:"n"` // rows of Y
	Statistic Statistic `json:"statistic"`
	MMD2      float64   `json:"mmd2"`   // by the statistic
	Biased    float64   `json:"biased"` // ‖μ_X − μ_Y‖² of the samples; 0 for linear and block
	Null      Null      `json:"null"`
	P         float64   `json:"p"` // probability of such a statistic, or a larger one, under the null
	// Permuted are the statistics of the permutations.
	Permuted []float64 `json:"-"`
	// Law is the gamma distribution of Biased·mn/(m+n).
	Law *GammaLaw `json:"gamma,omitempty"`
	// Blocks is the number of terms of a linear or block statistic, Deviation the standard
	// error of their mean.
	Blocks    int     `json:"blocks,omitempty"`
	BlockSize int     `json:"block_size,omitempty"`
	Deviation float64 `json:"deviation,omitempty"`
	Stored    bool    `json:"stored"` // the Gram matrix was stored, and not computed again for every batch

	model.Run
}

// MMD compares the samples xs and ys in the space of a kernel, by [SolveMMD]. The witness
// f = μ_X − μ_Y is the direction in which they differ most: f(x) is large where X has more
// mass than Y, and ‖f‖² is the biased statistic. The Gram matrix is stored where it takes at
// most 512 MiB, and at most half of Compute.MaxMemory.
func MMD[T any](ctx context.Context, k kernel.Kernel[T], xs, ys data.Set[T], o MMDOptions) (witness *Function[T], r *TwoSample, err error) {
	all := joined[T]{xs, ys}
	if err := o.validate(all.Len(), xs.Len()); err != nil {
		return nil, nil, err
	}
	if err := kernel.Validate(k, all); err != nil {
		return nil, nil, fmt.Errorf("rkhs: %w", err)
	}
	matrix, err := matrixOf(ctx, k, data.Set[T](all), o.Compute)
	if err != nil {
		return nil, nil, err
	}
	if r, err = SolveMMD(ctx, matrix, xs.Len(), o); err != nil {
		return nil, nil, err
	}
	return &Function[T]{Kernel: k, Points: all, Coef: WitnessCoef(xs.Len(), ys.Len())}, r, nil
}

// WitnessCoef returns the coefficients of μ_X − μ_Y: 1/m for the m rows of X, then −1/n.
func WitnessCoef(m, n int) []float64 {
	coef := make([]float64, m+n)
	for i := range coef {
		coef[i] = 1 / float64(m)
		if i >= m {
			coef[i] = -1 / float64(n)
		}
	}
	return coef
}

// SolveMMD compares the first m rows of a Gram matrix with the others, n = N − m.
//
// With K_c the matrix centred at the barycentre of all rows, d its diagonal, s ∈ {0, 1}ᴺ the
// rows of X and a = sᵀK_c s, the two quadratic statistics are
//
//	biased      a·(1/m + 1/n)²
//	unbiased    (a − Σ_X d)/(m(m−1)) + (a − Σ_Y d)/(n(n−1)) + 2a/(mn)
//
// because neither changes when the origin of H moves. So P permutations are a product of
// K with P columns s − m/N, 2N²P flops on a stored matrix. The gamma null reads the matrix
// in tiles and stores nothing. Of a product of features, [gram.FeatureOperator], everything is
// computed in these: P permutations take 2NDP flops for D of them, the gamma null 2ND². There are
// no weights: permutations need rows that are exchangeable, and a row that counts twice is not.
//
// Results have the same bits for any number of workers. Errors: fewer than two rows in a
// sample (for the permutation and gamma null fewer than four in all), options that
// contradict each other, kernel values that are not finite, the end of ctx.
func SolveMMD(ctx context.Context, k Gram, m int, o MMDOptions) (*TwoSample, error) {
	rows, cols := k.Dims()
	if rows != cols {
		return nil, fmt.Errorf("rkhs: a Gram matrix is square, this one is %d×%d", rows, cols)
	}
	if err := o.validate(rows, m); err != nil {
		return nil, err
	}
	r, watch := &TwoSample{M: m, N: rows - m, Statistic: o.statistic(), Null: o.null()}, model.NewStopwatch()
	if o.blocked() {
		err := r.blocks(ctx, k.Pairs(), o)
		watch.Lap(&r.Run, "blocks")
		return r, err
	}
	k, r.Stored = o.chooseStorage(k)
	if r.Stored {
		stored, err := gram.Materialize(ctx, k, o.Compute)
		if err != nil {
			return nil, err
		}
		k = gram.FromMatrix(stored)
		watch.Lap(&r.Run, "gram")
	}
	b, err := BarycentreOf(ctx, k, nil)
	if err != nil {
		return nil, err
	}
	if b.constant() {
		return nil, fmt.Errorf("rkhs: all %d rows have the same features in the space of the kernel: there is nothing to compare", rows)
	}
	t := twoSamples{k: k, b: b, m: m, r: r, o: o}
	if err := t.test(ctx); err != nil {
		return nil, err
	}
	watch.Lap(&r.Run, string(r.Null))
	if r.Biased < 0 && r.Biased < -1e-12*b.Variance {
		r.Warn("‖μ_X − μ_Y‖² is %.4g, which is negative: the kernel is not positive definite on these rows, and MMD is not a distance", r.Biased)
	}
	return r, nil
}

func (o *MMDOptions) statistic() Statistic {
	if o.Statistic == "" {
		return Quadratic
	}
	return o.Statistic
}

func (o *MMDOptions) blocked() bool { return o.statistic() == Linear || o.statistic() == Block }

func (o *MMDOptions) null() Null {
	switch {
	case o.Null != "":
		return o.Null
	case o.blocked():
		return Normal
	}
	return Permutation
}

func permutationsOf(n int) int {
	if n == 0 {
		return 1000
	}
	return n
}

// validate reports every problem of the options for m of all rows.
func (o *MMDOptions) validate(all, m int) error {
	var problems []error
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf("rkhs: "+format, args...)) }
	if n := all - m; m < 2 || n < 2 {
		add("samples of %d and %d rows cannot be compared: each needs at least two", m, n)
	}
	if !slices.Contains(Statistics, o.statistic()) {
		add("statistic %q is not known; one of %q is", o.Statistic, Statistics)
	}
	switch null := o.null(); {
	case !slices.Contains(Nulls, null):
		add("null %q is not known; one of %q is", o.Null, Nulls)
	case o.blocked() && null != Normal:
		add("the %s statistic is a mean of independent terms: its null is %q, not %q", o.Statistic, Normal, null)
	case !o.blocked() && null == Normal:
		add("the %s statistic is not normal under the hypothesis: its null is %q or %q", o.statistic(), Permutation, Gamma)
	}
	if o.Permutations < 0 {
		add("permutations = %d: give a positive number, or 0 for 1000", o.Permutations)
	}
	if o.BlockSize < 0 || o.BlockSize == 1 || o.BlockSize > 0 && o.Statistic != Block {
		add("block size %d: a block of the statistic %q has at least two rows of each sample", o.BlockSize, Block)
	}
	return errors.Join(problems...)
}

// storedBytes is the size up to which a matrix that permutations multiply is stored.
const storedBytes = 1 << 29

// chooseStorage says whether the matrix should be stored: only permutations use it often.
func (o *MMDOptions) chooseStorage(k Gram) (Gram, bool) {
	n, _ := k.Dims()
	if _, ok := k.(*gram.FeatureOperator); ok {
		return k, false
	}
	bytes := 8 * int64(n) * int64(n)
	if gram.IsStored(k.Pairs()) {
		return k, true
	}
	return k, o.null() == Permutation && bytes <= storedBytes && (o.Compute.MaxMemory == 0 || bytes <= o.Compute.MaxMemory/2)
}

// twoSamples is a quadratic test in progress.
type twoSamples struct {
	k Gram
	b *Barycentre // of all rows
	m int
	r *TwoSample
	o MMDOptions
}

func (t *twoSamples) test(ctx context.Context) error {
	first := make([]int, t.m)
	for i := range first {
		first[i] = i
	}
	a, err := t.forms(ctx, [][]int{first})
	if err != nil {
		return err
	}
	r := t.r
	r.Biased = t.biased(a[0])
	r.MMD2 = t.value(a[0], first)
	if r.Null == Gamma {
		return t.gamma(ctx, a[0])
	}
	random, order := rand.New(rand.NewPCG(t.o.Seed, 0)), make([]int, len(t.b.Inner))
	for i := range order {
		order[i] = i
	}
	count := permutationsOf(t.o.Permutations)
	told := t.o.Compute.Meter("permutations", int64(count))
	for done := 0; done < count; {
		samples := make([][]int, min(permutationBatch, count-done))
		for p := range samples {
			random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			samples[p] = slices.Clone(order[:t.m])
			slices.Sort(samples[p]) // sums in the order of the rows
		}
		a, err := t.forms(ctx, samples)
		if err != nil {
			return err
		}
		for p, s := range samples {
			r.Permuted = append(r.Permuted, t.value(a[p], s))
		}
		done += len(samples)
		told.Reach(int64(done))
	}
	r.P = exceeding(r.MMD2, t.b.Variance, r.Permuted)
	return nil
}

// permutationBatch is how many permutations are multiplied at once.
const permutationBatch = 256

// forms returns a = sᵀK_c s = (s − m/N)ᵀK(s − m/N) for the rows of X in each sample.
func (t *twoSamples) forms(ctx context.Context, samples [][]int) ([]float64, error) {
	n := len(t.b.Inner)
	s := mat.NewDense(n, len(samples), nil)
	s.Apply(func(_, _ int, _ float64) float64 { return -float64(t.m) / float64(n) }, s)
	for p, rows := range samples {
		for _, i := range rows {
			s.Set(i, p, 1-float64(t.m)/float64(n))
		}
	}
	if f, ok := t.k.(*gram.FeatureOperator); ok { // ‖Φᵀ(s − m/N)‖²
		w := f.Weights(s)
		return columnDots(w, w), ctx.Err()
	}
	ks := new(mat.Dense)
	if err := t.k.Mul(ctx, ks, s); err != nil {
		return nil, err
	}
	return columnDots(s, ks), nil
}

func (t *twoSamples) sizes() (m, n float64) {
	return float64(t.m), float64(len(t.b.Inner) - t.m)
}

func (t *twoSamples) biased(a float64) float64 {
	m, n := t.sizes()
	return a * (1/m + 1/n) * (1/m + 1/n)
}

// value returns the statistic for a = sᵀK_c s and the rows of X.
func (t *twoSamples) value(a float64, rows []int) float64 {
	if t.r.Statistic == Biased {
		return t.biased(a)
	}
	m, n := t.sizes()
	dx, all := 0.0, t.b.Variance*(m+n)
	for _, i := range rows {
		dx += t.b.Distances2[i]
	}
	return (a-dx)/(m*(m-1)) + (a-(all-dx))/(n*(n-1)) + 2*a/(m*n)
}

// gamma compares a with its law over all permutations: a = ⟨K_c, s̃s̃ᵀ⟩, s̃ = s − m/N.
func (t *twoSamples) gamma(ctx context.Context, a float64) error {
	square, err := centredSquare(ctx, t.k, t.b, t.o.Compute)
	if err != nil {
		return err
	}
	m, n := t.sizes()
	diagonal := make([]float64, len(t.b.Inner))
	for i := range diagonal {
		s := -m / (m + n)
		if i < t.m {
			s += 1
		}
		diagonal[i] = s * s
	}
	norm := m * n / (m + n) // s̃ᵀs̃
	law, err := gammaOf(moments(permutationSumsOf(t.b.Distances2, square), permutationSumsOf(diagonal, norm*norm)))
	if err != nil {
		return err
	}
	t.r.P = law.Survival(a)
	law.Scale /= norm
	t.r.Law = law // of a/norm, the biased statistic times mn/(m+n)
	return nil
}
