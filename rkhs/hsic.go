package rkhs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// HSICOptions say how independence is tested. The zero value is a test with 1000
// permutations.
type HSICOptions struct {
	Null         Null // [Permutation] or [Gamma]; "" is the former
	Permutations int  // 0 means 1000
	Seed         uint64
	// Compute says how to compute: workers, memory limit, progress.
	Compute compute.Options
}

// Dependence is the result of [HSIC].
type Dependence struct {
	N    int     `json:"n"`
	HSIC float64 `json:"hsic"` // (1/n²) Σᵢⱼ (K_c)ᵢⱼ(L_c)ᵢⱼ
	// Alignment is HSIC/√(HSIC of x with itself · HSIC of y with itself), from 0 to 1.
	Alignment float64 `json:"alignment"`
	Null      Null    `json:"null"`
	P         float64 `json:"p"`
	// Permuted are the HSIC of the permutations.
	Permuted []float64 `json:"-"`
	Law      *GammaLaw `json:"gamma,omitempty"` // of HSIC

	model.Run
}

// HSIC tests whether the points xs and ys of the same rows, of two types and with two
// kernels, are independent; see [SolveHSIC], which works in features where both kernels are on
// landmarks or features.
func HSIC[T, U any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], l kernel.Kernel[U], ys data.Set[U], o HSICOptions) (*Dependence, error) {
	if xs.Len() != ys.Len() {
		return nil, fmt.Errorf("rkhs: %d points of x and %d of y: there is one of each in every row", xs.Len(), ys.Len())
	}
	if err := errors.Join(kernel.Validate(k, xs), kernel.Validate(l, ys)); err != nil {
		return nil, fmt.Errorf("rkhs: %w", err)
	}
	low, first := k.(reduced[T])
	other, second := l.(reduced[U])
	if !first || !second {
		return SolveHSIC(ctx, gram.Of(kernel.Bind(k, xs, xs), o.Compute), gram.Of(kernel.Bind(l, ys, ys), o.Compute), o)
	}
	phi, err := low.Operator(ctx, xs, o.Compute)
	if err != nil {
		return nil, err
	}
	psi, err := other.Operator(ctx, ys, o.Compute)
	if err != nil {
		return nil, err
	}
	return SolveHSIC(ctx, phi, psi, o)
}

// SolveHSIC computes the Hilbert–Schmidt independence criterion
//
//	HSIC = ‖C_xy‖² = (1/n²) tr K_c L_c
//
// of two kernels bound to the same rows (A. Gretton, O. Bousquet, A. Smola and B. Schölkopf,
// ALT 2005), where C_xy is the covariance of φ(x) and ψ(y). For characteristic kernels it is 0 in
// the limit if and only if x and y are independent.
//
// A permutation takes the rows of L in another order: n²/2 multiplications. The two centred
// matrices take 16n² bytes, and the P orders 4nP; without that memory the test is refused. The
// gamma null reads both matrices in tiles, twice, and stores nothing.
//
// Where both are products of features, K = ΦΦᵀ and L = ΨΨᵀ of p and q features about their means,
// it is the squared norm of their covariance, (1/n²) ‖Φ_cᵀΨ_c‖²_F: 2n·p·q flops for a permutation,
// on 8n(p + q) bytes beside the features. These must be chosen independently: landmarks that are
// drawn with one seed are the same rows on both sides, which makes them depend on each other.
//
// Results have the same bits for any number of workers. Errors: fewer than four rows, a
// matrix that is constant (its centred one is zero), options that are not known, kernel
// values that are not finite, the end of ctx.
func SolveHSIC(ctx context.Context, of, with gram.Symmetric, o HSICOptions) (*Dependence, error) {
	phi, first := of.(*gram.FeatureOperator)
	psi, second := with.(*gram.FeatureOperator)
	if first && second {
		return solveInFeatures(ctx, phi, psi, o)
	}
	k, l := of.Pairs(), with.Pairs()
	if err := samePoints(k, l); err != nil {
		return nil, err
	}
	n, _ := k.Dims()
	need := 16*int64(n)*int64(n) + 4*int64(n)*int64(permutationsOf(o.Permutations))
	if err := o.validate(n, need, "Gram matrices"); err != nil {
		return nil, err
	}
	r, watch := &Dependence{N: n, Null: o.null()}, model.NewStopwatch()
	kc, lc, bk, bl, err := centre(ctx, k, l, nil, o.Compute)
	if err != nil {
		return nil, err
	}
	var a, b square
	if r.Null == Permutation {
		if a, err = storeCentred(ctx, kc, o.Compute); err != nil {
			return nil, err
		}
		if b, err = storeCentred(ctx, lc, o.Compute); err != nil {
			return nil, err
		}
		kc, lc = a, b
	}
	watch.Lap(&r.Run, "centre")
	f, err := frobenius(ctx, kc, lc, ones(n), o.Compute)
	if err != nil {
		return nil, err
	}
	return r, r.test(ctx, f, [2]*Barycentre{bk, bl}, watch, o, func(ctx context.Context, order []int32) float64 {
		return innerPermuted(ctx, a.of, b.of, order)
	})
}

// test fills in what follows from the inner products of two centred matrices; permuted returns
// that between them with the rows of the second in another order.
func (r *Dependence) test(ctx context.Context, f frobeniusProducts, sides [2]*Barycentre, watch *model.Stopwatch, o HSICOptions, permuted func(ctx context.Context, order []int32) float64) error {
	for i, b := range sides {
		if b.constant() {
			return fmt.Errorf("rkhs: all rows have the same features in %s (their variance is %.3g): a constant is independent of everything", [2]string{"x", "y"}[i], b.Variance)
		}
	}
	pairs := float64(r.N) * float64(r.N)
	if r.HSIC = f.ab / pairs; !(f.aa > 0 && f.bb > 0) || math.IsInf(f.aa+f.bb, 1) {
		return fmt.Errorf("rkhs: the centred matrices have the squared norms %v and %v: kernel values are too large or too small to be multiplied", f.aa, f.bb)
	}
	r.Alignment, _ = f.cosine()
	scale := math.Sqrt(f.aa) * math.Sqrt(f.bb) / pairs
	if r.Null == Gamma {
		law, err := gammaOf(moments(permutationSumsOf(sides[0].Distances2, f.aa), permutationSumsOf(sides[1].Distances2, f.bb)))
		if err != nil {
			return err
		}
		r.P = law.Survival(f.ab)
		law.Scale /= pairs
		r.Law = law
	} else if err := r.permute(ctx, scale, o, permuted); err != nil {
		return err
	}
	watch.Lap(&r.Run, string(r.Null))
	if r.HSIC < -1e-12*scale {
		r.Warn("HSIC is %.4g, which is negative: a kernel is not positive definite on these rows, and HSIC is not a squared norm", r.HSIC)
	}
	return nil
}

func (o *HSICOptions) null() Null {
	if o.Null == "" {
		return Permutation
	}
	return o.Null
}

// validate reports every problem of the options for n rows, of which permutations need so many
// bytes.
func (o *HSICOptions) validate(n int, need int64, of string) error {
	var problems []error
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf("rkhs: "+format, args...)) }
	if n < 4 {
		add("%d rows are too few for a test of independence: give at least four", n)
	}
	if null := o.null(); null != Permutation && null != Gamma {
		add("null %q: HSIC has %q and %q", o.Null, Permutation, Gamma)
	}
	if o.Permutations < 0 {
		add("permutations = %d: give a positive number, or 0 for 1000", o.Permutations)
	}
	if limit := o.Compute.MaxMemory; limit > 0 && o.null() == Permutation && need > limit {
		problems = append(problems, fmt.Errorf("rkhs: %w; the null %q stores nothing of it", &compute.TooLarge{What: fmt.Sprintf("permutations of two %s of %d rows", of, n), Need: need, Limit: limit}, Gamma))
	}
	return errors.Join(problems...)
}

// storeCentred computes a matrix with both its triangles.
func storeCentred(ctx context.Context, p kernel.Pairs, o compute.Options) (square, error) {
	full := new(mat.Dense)
	o.MaxMemory = 0 // checked for both
	if err := gram.Rect(ctx, full, p, o); err != nil {
		return square{}, err
	}
	return square{full}, nil
}

// square is a matrix in memory as bound pairs.
type square struct{ of *mat.Dense }

func (s square) Dims() (rows, cols int) { return s.of.Dims() }

func (s square) Tile(dst kernel.Tile, row, col int) {
	for i := range dst.Rows {
		copy(dst.Row(i), s.of.RawRowView(row + i)[col:])
	}
}

// permute computes the statistic of random orders. Workers share these, each of which is summed in
// the order of its rows.
func (r *Dependence) permute(ctx context.Context, scale float64, o HSICOptions, permuted func(ctx context.Context, order []int32) float64) error {
	count, random := permutationsOf(o.Permutations), rand.New(rand.NewPCG(o.Seed, 0))
	orders := make([][]int32, count)
	order := make([]int32, r.N)
	for i := range order {
		order[i] = int32(i)
	}
	for p := range orders {
		random.Shuffle(r.N, func(i, j int) { order[i], order[j] = order[j], order[i] })
		orders[p] = slices.Clone(order)
	}
	r.Permuted = make([]float64, count)
	err := parallel.Each(ctx, o.Compute.WorkerCount(), count, func(_, p int) {
		r.Permuted[p] = permuted(ctx, orders[p]) / float64(r.N) / float64(r.N)
	})
	if err != nil {
		return err
	}
	r.P = exceeding(r.HSIC, scale, r.Permuted)
	return nil
}

// innerPermuted returns Σᵢⱼ aᵢⱼ b_π(i)π(j) from the elements on and left of the diagonal.
func innerPermuted(ctx context.Context, a, b *mat.Dense, order []int32) float64 {
	total := 0.0
	for i, at := range order {
		if i%256 == 0 && ctx.Err() != nil {
			return 0
		}
		x, y := a.RawRowView(i), b.RawRowView(int(at))
		total += 2*dotGathered(x[:i], y, order) + x[i]*y[at]
	}
	return total
}

// dotGathered returns Σ xⱼ y[order[j]]. Four sums side by side take half of the time of one.
func dotGathered(x, y []float64, order []int32) float64 {
	var s0, s1, s2, s3 float64
	order = order[:len(x)]
	for len(x) >= 4 {
		v, at := x[:4:4], order[:4:4]
		s0 += v[0] * y[at[0]]
		s1 += v[1] * y[at[1]]
		s2 += v[2] * y[at[2]]
		s3 += v[3] * y[at[3]]
		x, order = x[4:], order[4:]
	}
	for j, v := range x {
		s0 += v * y[order[j]]
	}
	return (s0 + s1) + (s2 + s3)
}
