package falkon

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Fit learns f from the points xs, the targets y (len(xs)×p) and landmarks, which
// package nystrom chooses. The result is an expansion over them. Landmarks that are the same point
// for the kernel are used once, with a warning. Cost and errors are those of [Solve], and of points
// outside the domain of the kernel.
func Fit[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], l *nystrom.Selection[T], y *mat.Dense, o Options) (*model.Expansion[T], *Report, error) {
	fits, reports, err := Path(ctx, k, xs, l, y, nil, o)
	if err != nil {
		return nil, nil, err
	}
	return fits[0], reports[0], nil
}

// Path is [Fit] for several λ, in the order of the largest first, each from where the one
// before ended: one K_mm and, where kernel values are held, one evaluation of the kernel
// serve all. Lambda and Ridge of the options are ignored; nil lambdas mean them.
func Path[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], l *nystrom.Selection[T], y *mat.Dense, lambdas []float64, o Options) ([]*model.Expansion[T], []*Report, error) {
	if err := check(l, xs.Len()); err != nil {
		return nil, nil, err
	}
	if len(lambdas) > 0 {
		o.Lambda, o.Ridge = slices.Min(lambdas), 0
	}
	if err := o.validate(xs.Len(), l.Points.Len(), y); err != nil {
		return nil, nil, err
	}
	for _, points := range []data.Set[T]{xs, l.Points} {
		if err := kernel.Validate(k, points); err != nil {
			return nil, nil, fmt.Errorf("falkon: %w", err)
		}
	}
	asked := l.Points.Len()
	l, used, kmm, err := distinct(ctx, k, l, o.Compute)
	if err != nil {
		return nil, nil, err
	}
	on := inPrecision(kernel.Bind(k, data.Run(xs, 0, 1), l.Points), o.Compute)
	j, err := newJob(ctx, gram.OnLandmarks(k, xs, l.Points, l.Rows, on), kmm, y, o)
	if err != nil {
		return nil, nil, err
	}
	if j.report.ResidualKernel, err = Unexplained(ctx, k, xs, l, j.s.l, o.Compute); err != nil {
		return nil, nil, err
	}
	if used != nil {
		j.report.Used, j.report.Repeated = used, asked-len(used)
		j.report.Warn("%d of %d landmarks are the same point as another for this kernel; %d are used", j.report.Repeated, asked, len(used))
	}
	ridges := []float64{j.ridge(o.Lambda, o.Ridge)}
	if len(lambdas) > 0 {
		ridges = ridges[:0]
		for _, lambda := range lambdas {
			ridges = append(ridges, j.ridge(lambda, 0))
		}
	}
	return along(ctx, k, l, j, ridges)
}

// along minimises at several ridges, the largest first.
func along[T any](ctx context.Context, k kernel.Kernel[T], l *nystrom.Selection[T], j *job, ridges []float64) ([]*model.Expansion[T], []*Report, error) {
	n, m := j.k.Dims()
	limit, need := j.o.Compute.MaxMemory, 3*gram.PackedBytes(m, compute.Double)
	if need += passBytes(n, m, j.report.Targets, j.o.Compute.WorkerCount()); j.report.Held {
		need += gram.TallBytes(n, m, j.k.Precision())
	}
	j.keepsFlat = j.quadratic && len(ridges) > 1 && (limit == 0 || need <= limit)
	order := make([]int, len(ridges))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return -compare(ridges[a], ridges[b]) })
	fits, reports := make([]*model.Expansion[T], len(ridges)), make([]*Report, len(ridges))
	common := *j.report
	var at *point
	for _, i := range order {
		r := common
		r.Warnings, r.Stages = slices.Clone(common.Warnings), slices.Clone(common.Stages)
		j.report = &r
		var err error
		if at, err = j.minimize(ctx, ridges[i], at); err != nil {
			return nil, nil, err
		}
		sol, err := j.solution(ctx, at)
		if err != nil {
			return nil, nil, err
		}
		fits[i], reports[i] = &model.Expansion[T]{Kernel: k, Points: l.Points, Coef: sol.Coef, Bias: sol.Bias}, &r
	}
	return fits, reports, nil
}

func compare(a, b float64) int {
	if a < b {
		return -1
	}
	return 1
}

// inPrecision leaves single precision to kernels that have it.
func inPrecision(p kernel.Pairs, o compute.Options) compute.Options {
	if _, ok := p.(kernel.Single); !ok {
		o.Precision = compute.Double
	}
	return o
}

// leftRows is the number of rows on which the error of the approximation is measured.
const leftRows = 256

// leftSeed is that of their choice.
const leftSeed = 1

// Whitener multiplies rows by L⁻¹, LLᵀ = K_mm: a Cholesky factor of package linalg.
type Whitener interface {
	Whiten(ctx context.Context, x *mat.Dense) error
}

// Unexplained measures K − K_nm K_mm⁻¹ K_mn on a sample of rows that are no landmarks; nil where
// there are none.
func Unexplained[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], l *nystrom.Selection[T], kmm Whitener, o compute.Options) (*ResidualKernel, error) {
	sample := others(xs.Len(), l.Rows)
	if len(sample) == 0 {
		return nil, ctx.Err()
	}
	rows := data.Subset(xs, sample)
	o.Precision, o.Store = compute.Double, nil
	var block, cross mat.Dense
	if err := gram.Rect(ctx, &block, kernel.Bind(k, rows, rows), o); err != nil {
		return nil, err
	}
	if err := gram.Rect(ctx, &cross, kernel.Bind(k, rows, l.Points), o); err != nil {
		return nil, err
	}
	if err := kmm.Whiten(ctx, &cross); err != nil {
		return nil, err
	}
	var explained mat.Dense
	explained.Mul(&cross, cross.T())
	trace, norm := mat.Trace(&block), mat.Norm(&block, 2)
	block.Sub(&block, &explained)
	out := &ResidualKernel{Rows: len(sample)}
	if trace > 0 && norm > 0 {
		out.Trace, out.Frobenius = max(0, mat.Trace(&block)/trace), mat.Norm(&block, 2)/norm
	}
	return out, nil
}

// others returns a sample of the n rows without those of an index.
func others(n int, index []int) []int {
	known := make(map[int]bool, len(index))
	for _, i := range index {
		known[i] = true
	}
	sample := choose(n, min(n, leftRows+len(index)), leftSeed)
	rand.New(rand.NewPCG(leftSeed, 0)).Shuffle(len(sample), func(a, b int) { sample[a], sample[b] = sample[b], sample[a] })
	var out []int
	for _, i := range sample {
		if !known[i] && len(out) < leftRows {
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return out
}

// choose returns m of the numbers below n, ascending, each set of m with the same
// probability (Floyd's algorithm; Bentley and Floyd, Programming pearls, CACM 30, 1987).
func choose(n, m int, seed uint64) []int {
	rng, taken := rand.New(rand.NewPCG(seed, 0)), make(map[int]bool, m)
	out := make([]int, 0, m)
	for top := n - m; top < n; top++ {
		i := rng.IntN(top + 1)
		if taken[i] {
			i = top
		}
		taken[i] = true
		out = append(out, i)
	}
	slices.Sort(out)
	return out
}
