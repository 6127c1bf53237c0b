package nystrom

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Selection holds the landmarks that were chosen.
type Selection[T any] struct {
	Points data.Set[T]
	// Rows are the numbers of the landmarks among the points, in the order of their
	// choice; nil where they are not among them, see [KMeans].
	Rows []int
}

// Landmarks chooses landmarks from the points xs. Cost and errors are those of [Select],
// of points outside the domain of the kernel, and of [KMeans] with points that are no
// vectors.
func Landmarks[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], o Options) (*Selection[T], *Report, error) {
	if err := o.validate(xs.Len()); err != nil {
		return nil, nil, err
	}
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("nystrom: %w", err)
	}
	if o.Scheme == KMeans {
		return centres(ctx, k, xs, o)
	}
	rows, r, err := Select(ctx, gram.On(k, xs), o)
	if err != nil {
		return nil, nil, err
	}
	return &Selection[T]{Points: data.Subset(xs, rows), Rows: rows}, r, nil
}

// Select chooses the rows of landmarks, in the order of their choice. There are fewer
// than asked for where those chosen explain all points up to rounding.
//
// Pivoted, Greedy and every choice to a tolerance compute m columns of the Gram matrix
// and hold them, 8nm bytes in nm² multiplications; Uniform costs nothing, Leverage
// R·d² multiplications for R rows that it looks at and the effective dimension d. With
// n replaced by [Options].Among all of them work on huge sets. What would exceed
// Compute.MaxMemory is refused with a [*compute.TooLarge] error. The bits are the same for
// any number of workers.
func Select(ctx context.Context, p gram.Source, o Options) (rows []int, r *Report, err error) {
	n := p.Len()
	if err := o.validate(n); err != nil {
		return nil, nil, err
	}
	if o.Scheme == KMeans {
		return nil, nil, fmt.Errorf("nystrom: scheme %q makes means of vectors, and index space has none: use Landmarks, or another scheme", KMeans)
	}
	watch := model.NewStopwatch()
	r = &Report{N: n, Scheme: o.scheme(), Seed: o.Seed, Candidates: n}
	rng := rand.New(rand.NewPCG(o.Seed, 0x6e79737472c3b6))
	var candidates []int // nil: all rows
	if 0 < o.Among && o.Among < n {
		candidates = draw(rng, o.weights(n), o.Among)
		r.Candidates = len(candidates)
		p = gram.Subset(p, candidates)
		o.Weights = nil // they have decided already
	}
	if rows, err = o.recalled(ctx, p, rng, r); err != nil {
		return nil, nil, err
	}
	if rank, _ := o.affordable(p.Len()); o.Tolerance > 0 && r.TraceError > o.Tolerance && len(rows) == rank {
		r.Warn("%d landmarks leave %.3g of the trace, more than the tolerance %g: allow more (rank, or memory)", len(rows), r.TraceError, o.Tolerance)
	}
	if candidates != nil {
		for i, row := range rows {
			rows[i] = candidates[row]
		}
	}
	r.Landmarks = len(rows)
	watch.Lap(&r.Run, "landmarks")
	return rows, r, nil
}

// choose chooses rows by the scheme.
func (o *Options) choose(ctx context.Context, p gram.Source, rng *rand.Rand, r *Report) (rows []int, err error) {
	switch o.scheme() {
	case Leverage:
		rows, err = byLeverage(ctx, p, *o, rng, r)
	case Uniform:
		rows = draw(rng, o.weights(p.Len()), cmp.Or(o.Rank, p.Len()))
	}
	if err == nil && o.factors() {
		rows, err = byPivots(ctx, p, rows, *o, r)
	}
	return rows, err
}

// recalled is choose as one step of a checkpoint: the rows, and what is reported of them.
func (o *Options) recalled(ctx context.Context, p gram.Source, rng *rand.Rand, r *Report) ([]int, error) {
	kept, told := slices.Repeat([]float64{-1}, min(p.Len(), cmp.Or(o.Rank, p.Len()))), make([]float64, 4)
	within := *o
	within.Compute = o.Compute.Within("landmarks") // their columns, where these are kept
	err := o.Compute.Step(ctx, "landmarks", [][]float64{kept, told}, func() error {
		rows, err := within.choose(ctx, p, rng, r)
		for i, row := range rows {
			kept[i] = float64(row)
		}
		copy(told, []float64{float64(r.Candidates), r.TraceError, r.Lambda, r.Dimension})
		return err
	})
	r.Candidates, r.TraceError, r.Lambda, r.Dimension = int(told[0]), told[1], told[2], told[3]
	r.Traced = o.factors()
	var rows []int
	for _, row := range kept {
		if row >= 0 {
			rows = append(rows, int(row))
		}
	}
	return rows, err
}

// weights returns the weights of n points, ones where there are none.
func (o *Options) weights(n int) []float64 {
	if o.Weights != nil {
		return o.Weights
	}
	return slices.Repeat([]float64{1}, n)
}

// draw draws up to count different numbers without replacement, each time with
// probabilities proportional to the weights of those left: those with the smallest of
// independent exponential times of rates wᵢ, in the order of these times (P. S.
// Efraimidis and P. G. Spirakis, Weighted random sampling with a reservoir, Information
// Processing Letters 97, 2006). Weights of zero are never drawn. It holds a few times as many
// numbers as it draws, not one for each weight.
func draw(rng *rand.Rand, weights []float64, count int) []int {
	type arrival struct {
		time float64
		i    int
	}
	var first []arrival
	keep := func() {
		slices.SortFunc(first, func(a, b arrival) int { return cmp.Or(cmp.Compare(a.time, b.time), a.i-b.i) })
		first = first[:min(count, len(first))]
	}
	for i, w := range weights {
		time := rng.ExpFloat64() / w
		if w > 0 && !math.IsInf(time, 1) {
			first = append(first, arrival{time, i})
		}
		if len(first) >= 2*count+drawnAtOnce {
			keep()
		}
	}
	keep()
	out := make([]int, len(first))
	for k, a := range first {
		out[k] = a.i
	}
	return out
}

// drawnAtOnce is how many arrivals are gathered before the late ones among them are dropped.
const drawnAtOnce = 1024
