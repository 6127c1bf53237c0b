package erm

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/loss"
	"example.org/mercer/space"
	"example.org/mercer/supervised/newton"
)

// rescaled minimises a convex loss with the scale at which 1.4826 times the median of
// the residuals' absolute values is the scale itself: from that of the least absolute
// deviations the two are found in turn.
func (j *job) rescaled(ctx context.Context, l loss.Scalable) (*space.Function, error) {
	f, scale, err := j.deviations(ctx)
	if err != nil {
		return nil, err
	}
	const turns, settled = 50, 1e-9
	for range turns {
		j.loss = l.WithScale(scale)
		if f, err = j.smooth(ctx, j.loss, f); err != nil {
			return nil, err
		}
		j.report.Scale = scale
		next := j.mad(f)
		if err := positive(next); err != nil {
			return nil, err
		}
		if math.Abs(next-scale) <= settled*scale {
			return f, nil
		}
		scale = next
	}
	j.report.Warn("the scale of the residuals has not settled after %d turns; it is %.6g now", turns, scale)
	return f, nil
}

// positive refuses a scale of zero.
func positive(scale float64) error {
	if scale > 0 {
		return nil
	}
	return fmt.Errorf("erm: the scale of the residuals is estimated as 0, because half of the rows are fitted exactly: give the scale, or a larger λ")
}

// mad is 1.4826 times the median of |y − f − b − o|.
func (j *job) mad(f *space.Function) float64 {
	return madFactor * median(absolutes(j.residuals(f)), j.o.Weights)
}

// deviations fits least absolute deviations, with the slope that Huber's loss has at the
// scale of the targets around their median, and returns the scale of its residuals.
// Those that are exactly zero, because f goes through the row, do not count.
func (j *job) deviations(ctx context.Context) (*space.Function, float64, error) {
	around := j.targets()
	middle := median(around, j.o.Weights)
	for i := range around {
		around[i] = math.Abs(around[i] - middle)
	}
	size := madFactor * median(around, j.o.Weights)
	if size == 0 {
		size = slices.Max(around)
	}
	if size == 0 {
		return j.zero(), 1, j.constant()
	}
	f, err := j.piecewise(ctx, loss.Absolute{}, 1.345*size)
	if err != nil {
		return nil, 0, err
	}
	rest, weights := absolutes(j.residuals(f)), make([]float64, len(j.y))
	for i := range weights {
		if rest[i] > 1e-7*size {
			weights[i] = j.weight(i)
		}
	}
	scale := madFactor * median(rest, weights)
	return f, scale, positive(scale)
}

// constant refuses targets that do not vary, whose scale is zero.
func (j *job) constant() error {
	return fmt.Errorf("erm: all targets are equal, so that the scale of the residuals cannot be estimated: give the scale, or use another loss")
}

// majorizedOnly makes every step a majorization: it goes down from where it starts and
// does not jump to another valley.
type majorizedOnly struct {
	*newton.Rows
	by loss.Nonconvex
}

func (m majorizedOnly) Weigh(v []float64, eta *mat.Dense) {
	m.Model().(newton.Majorizer).Majorize(v, eta)
}

// nonconvex minimises from the best trimmed fit, at the scale of its residuals, as
// MM-estimators do (Yohai 1987).
func (j *job) nonconvex(ctx context.Context, l loss.Nonconvex) (*space.Function, error) {
	j.report.Local = true
	t := &trimming{job: j, y: j.targets()}
	start, err := t.best(ctx)
	if err != nil {
		return nil, err
	}
	if s, ok := l.(loss.Scalable); ok {
		scale := s.Scaled()
		if scale == 0 {
			scale = j.mad(start)
			if err := positive(scale); err != nil {
				return nil, err
			}
			l = s.WithScale(scale).(loss.Nonconvex)
		}
		j.report.Scale, j.loss = scale, l
	}
	f, trace, err := newton.Minimize(ctx, j.s, j.ridge, majorizedOnly{j.rows(l), l}, start, newton.Options{Iterations: 1000, Tolerance: 1e-14, Progress: j.o.Compute.Progress, Step: j.o.Compute.Step})
	if err != nil {
		return nil, err
	}
	j.keep(trace)
	return f, nil
}

// trimming looks for the half of the rows with the best ridge regression: concentration
// steps, which fit a subset and keep the rows with the smallest residuals, from many
// small random subsets (Rousseeuw and Van Driessen, Computing LTS regression for large
// data sets, 2006).
type trimming struct {
	*job
	y []float64 // y − o
}

// trimmed is a fit and its objective over the half.
type trimmed struct {
	f     *space.Function
	value float64
}

const (
	// trimmingWork bounds the multiplications of the random starts.
	trimmingWork = 1e11
	fewestStarts = 10
	mostStarts   = 200
	// finalists are followed until their subset does not change any more.
	finalists    = 5
	concentrated = 30
)

// starts is the number of random subsets for n rows and d coordinates.
func starts(n, d int) int {
	cost := float64(n) * float64(d) * float64(d) / 3
	return max(fewestStarts, min(mostStarts, int(trimmingWork/cost/2)))
}

// best goes on from all random subsets, and then from the best of these. Where rows are read in
// passes, searches share them.
func (t *trimming) best(ctx context.Context) (*space.Function, error) {
	subsets := t.subsets()
	found, err := t.together(ctx, len(subsets), "start", func(t *trimming, i int) (trimmed, error) {
		v := make([]float64, len(t.y))
		for _, row := range subsets[i] {
			v[row] = t.weight(row)
		}
		return t.concentrate(ctx, v, 2)
	})
	if err != nil {
		return nil, err
	}
	byValue := func(a, b trimmed) int { return cmp.Compare(a.value, b.value) }
	slices.SortStableFunc(found, byValue)
	last, err := t.together(ctx, min(finalists, len(found)), "finalist", func(t *trimming, i int) (trimmed, error) {
		return t.concentrate(ctx, t.half(found[i].f), concentrated)
	})
	if err != nil {
		return nil, err
	}
	return slices.MinFunc(append(found[:1:1], last...), byValue).f, nil
}

// subsets draws the rows of the random starts.
func (t *trimming) subsets() (out [][]int) {
	var active []int
	for i := range t.y {
		if t.weight(i) > 0 {
			active = append(active, i)
		}
	}
	n, d := t.s.Dims()
	rng := rand.New(rand.NewPCG(t.o.Seed, 0x6c7473))
	for start := range starts(n, d) {
		var rows []int
		for _, at := range rng.Perm(len(active))[:t.subset(start, len(active), d)] {
			rows = append(rows, active[at])
		}
		out = append(out, rows)
	}
	return out
}

// together makes searches, side by side where they share passes.
func (t *trimming) together(ctx context.Context, count int, name string, search func(t *trimming, i int) (trimmed, error)) ([]trimmed, error) {
	found, iterations := make([]trimmed, count), make([]int, count)
	n, _ := t.s.Dims()
	most := space.Concurrent(t.s, 8*rowNumbers*int64(n))
	err := space.Together(t.s, count, most, func(i int, s space.Space) (err error) {
		j, o, report := *t.job, *t.o, Report{}
		o.Compute = o.Compute.Within(fmt.Sprintf("%s %d", name, i+1))
		j.s, j.o, j.report = s, &o, &report
		found[i], err = search(&trimming{&j, t.y}, i)
		iterations[i] = report.Iterations
		return err
	})
	for _, more := range iterations {
		t.report.Iterations += more
	}
	return found, err
}

// subset is the number of rows of a random start: one more than there are features, or
// for a kernel without a map a few of several sizes.
func (t *trimming) subset(start, rows, d int) int {
	size := []int{3, 6, max(3, rows/4)}[start%3]
	if d < rows {
		size = d + 1
	}
	return max(1, min(size, rows))
}

// concentrate fits the rows of weight v and moves to the best half, at most steps times.
func (t *trimming) concentrate(ctx context.Context, v []float64, steps int) (trimmed, error) {
	best := trimmed{value: math.Inf(1)}
	for range steps {
		f, err := t.fit(ctx, v)
		if err != nil {
			return best, err
		}
		t.report.Iterations++
		v = t.half(f)
		value := t.ridge / 4 * t.s.Inner(f.Theta, f.Theta, f.Values) // half of the weight has half of the ridge
		for i, r := range t.residuals(f) {
			value += v[i] * r * r / 2
		}
		if !(value < best.value*(1-1e-12)) {
			break
		}
		best = trimmed{f, value}
	}
	return best, nil
}

// half returns the weights of the rows with the smallest residuals that have half of all
// weight, and 0 for the others.
func (t *trimming) half(f *space.Function) []float64 {
	rest := absolutes(t.residuals(f))
	middle := median(rest, t.o.Weights)
	v := make([]float64, len(rest))
	for i, r := range rest {
		if r <= middle {
			v[i] = t.weight(i)
		}
	}
	return v
}

// fit is the ridge regression with weights v at the same λ.
func (t *trimming) fit(ctx context.Context, v []float64) (*space.Function, error) {
	f := t.zero()
	return f, t.o.Compute.Step(ctx, "trimmed", coordinatesOf(f), func() error { return t.solve(ctx, f, v) })
}

// solve stores the fit with weights v in f.
func (t *trimming) solve(ctx context.Context, f *space.Function, v []float64) error {
	n, sum := len(v), 0.0
	for _, w := range v {
		sum += w
	}
	g, scaled := mat.NewDense(n, 1, nil), make([]float64, n)
	for i, w := range v {
		scaled[i] = w * t.total / sum
		g.Set(i, 0, scaled[i]*t.y[i])
	}
	factor, covector, err := t.s.Weigh(ctx, scaled, t.ridge, f.Bias != nil, g)
	if err != nil {
		return err
	}
	var beta []float64
	if f.Bias != nil {
		beta = []float64{mat.Sum(g)}
	}
	return solveFor(ctx, f, t.s, factor, covector, beta)
}

// solveFor stores the function at which the Hessian gives a covector in f.
func solveFor(ctx context.Context, f *space.Function, s space.Space, factor space.Factor, covector *mat.Dense, beta []float64) error {
	theta, bias, err := factor.Solve(ctx, covector, beta)
	if err != nil {
		return err
	}
	f.Theta.Copy(theta)
	copy(f.Bias, bias)
	return s.Values(ctx, f.Values, f.Theta)
}

// coordinatesOf returns the numbers of a function for a step of a checkpoint.
func coordinatesOf(f *space.Function) [][]float64 {
	return [][]float64{f.Theta.RawMatrix().Data, f.Values.RawMatrix().Data, f.Bias}
}
