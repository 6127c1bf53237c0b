package svm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
	"example.org/mercer/internal/parallel"
)

const (
	// fewFeatures is how many times as many rows as features there must be for a search in
	// the features.
	fewFeatures = 4
	// mostPasses bounds the work of a descent, in passes over all variables of a problem.
	mostPasses = 300
	// inexact is the part of what is left of the constraints to which they are descended
	// between two steps of their multipliers.
	inexact = 0.1
)

// descent searches one coefficient at a time where rows have few features, K = ΦΦᵀ. The gradient of
// a variable is ⟨w, φ(x)⟩ + q for w = Φᵀβ, as many multiplications as there are features and no
// kernel value. The sum s of each group of coefficients must be c:
//
//  1. Minimise ½‖Φᵀβ‖² + qᵀβ + Σ (μ(s − c) + ρ/2 (s − c)²) over one coefficient after the other, in
//     random order. Those that stay at their bound are left out until the others have come to rest
//     (shrinking).
//  2. μ ← μ + ρ(s − c). Go on with 1 until neither a coefficient nor a sum is off.
//  3. Give the sums their exact values, and store the gradient.
//
// Why: the penalty alone would need ρ → ∞; with the multiplier a fixed ρ will do. In the primal the
// steps of 2 are proximal points of the intercept.
//
// Dual coordinate descent: Hsieh, Chang, Lin, Keerthi and Sundararajan, ICML 2008. Method of
// multipliers: Hestenes, Powell 1969; Bertsekas, Constrained Optimization and Lagrange Multiplier
// Methods, 1982.
type descent struct {
	j   *job
	phi *mat.Dense // of the rows in the order of the job
}

// UsesCoordinateDescent reports whether n rows with an explicit map of so many features (0: there
// is none) are searched in these, 8·n·features bytes, and not in their matrix: where features are
// few, the rows more than a few, and the memory limit allows it. A hard margin never is.
func UsesCoordinateDescent(n, features int, o compute.Options) bool {
	return n > doubleRows && features > 0 && features*fewFeatures <= n && 8*int64(features)*int64(n) <= memory(o)
}

// newDescent computes the features of the rows; nil where the search is not in them.
func newDescent(ctx context.Context, j *job) (*descent, error) {
	n := len(j.order)
	src, ok := j.src.(featured)
	if !ok {
		return nil, nil
	}
	of, ok := src.Design(nil)
	if !ok || !UsesCoordinateDescent(n, of.Dim, j.o.Compute) {
		return nil, nil
	}
	of, _ = src.Design(j.order)
	for _, m := range j.problems {
		if !m.p.bounded() {
			return nil, nil // of a hard margin nothing bounds the coefficients on the way
		}
	}
	phi, err := gram.FeatureOperatorOf(ctx, n, of.Dim, of.Fill, j.o.Compute)
	if err != nil {
		return nil, err
	}
	j.watch.Lap(&j.report.Run, "features")
	return &descent{j: j, phi: phi.Phi()}, nil
}

// searching descends, and where that does not come to its end begins anew by an interior point in
// the features, whose iterations hardly depend on C. What rounding keeps from the tolerance there
// goes on by pairs of coefficients.
func (d *descent) searching() *searching {
	if d == nil {
		return nil
	}
	d.j.double = d
	s := &searching{rounding: rounding[float64](), leave: func() {}}
	s.run = func(ctx context.Context) error {
		ended, err := d.run(ctx)
		if err != nil || ended {
			return err
		}
		ip, err := d.interior(ctx)
		if err != nil {
			return err
		}
		tries := 0
		s.rounding = math.Inf(1) // its w is not Φᵀβ of the coefficients that it leaves
		s.run = func(ctx context.Context) error {
			if tries++; tries <= mostTightened {
				return ip.run(ctx)
			}
			return d.inPairs(ctx, s)
		}
		return s.run(ctx)
	}
	return s
}

// inPairs goes on by pairs of coefficients.
func (d *descent) inPairs(ctx context.Context, s *searching) error {
	pairs, err := d.j.pairs(ctx)
	if err != nil {
		return err
	}
	_, features := d.phi.Dims()
	d.j.report.Warn("the search in %d features did not come to the tolerance, neither by coordinate descent in %d passes nor by an interior point: it goes on by pairs of coefficients", features, mostPasses)
	d.j.double, s.rounding, s.leave, s.run = d, pairs.rounding, pairs.leave, pairs.run
	return s.run(ctx)
}

// interior prepares a search of the problems that have not converged, on the features as they are.
func (d *descent) interior(ctx context.Context) (*interior, error) {
	rows, dim := d.phi.Dims()
	places := make([]int, rows)
	for i := range places {
		places[i] = i
	}
	for _, m := range d.j.problems {
		if !m.converged {
			m.reset()
		}
	}
	return interiorOn(ctx, d.j, design.HeldBlocks(d.phi, blockHeight(dim)), places)
}

// product is that of the matrix with x by way of the features.
func (d *descent) product(_ context.Context, rows, cols []int, _ bool, x *mat.Dense, _ compute.Options) (*mat.Dense, error) {
	_, features := d.phi.Dims()
	_, outputs := x.Dims()
	w := mat.NewDense(outputs, features, nil)
	for i, col := range cols {
		for c, v := range x.RawRowView(i) {
			blas64.Axpy(v, vector(d.phi.RawRowView(col)), vector(w.RawRowView(c)))
		}
	}
	out := mat.NewDense(len(rows), outputs, nil)
	for i, row := range rows {
		for c := range outputs {
			out.Set(i, c, floats.Dot(w.RawRowView(c), d.phi.RawRowView(row)))
		}
	}
	return out, nil
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// run improves all problems that have not converged, side by side. It reports whether all
// of them came to their end.
func (d *descent) run(ctx context.Context) (bool, error) {
	j := d.j
	ended, errs := make([]bool, len(j.problems)), make([]error, len(j.problems))
	err := parallel.Each(ctx, j.o.Compute.WorkerCount(), len(j.problems), func(_, i int) {
		m := j.problems[i]
		if ended[i] = m.converged || m.p.size() == 0; ended[i] {
			return
		}
		came, err := m.step(ctx, j.problemOptions(i), func() (float64, error) {
			if ended, err := d.newFall(m).run(ctx, toleranceMargin*j.o.Tolerance); err != nil || !ended {
				return 0, err
			}
			return 1, nil
		})
		ended[i], errs[i] = came == 1, err
	})
	all := true
	for _, e := range ended {
		all = all && e
	}
	return all, errors.Join(append(errs, err)...)
}

// fall is the descent of one problem.
type fall struct {
	m          *binaryProblem
	phi        *mat.Dense
	row, group []int     // of each variable
	w          []float64 // Φᵀβ
	mu, off    []float64 // of each group: the multiplier, and s − c
	rho        float64
	curve      []float64 // ‖φ‖² + ρ of each variable
	rng        *rand.Rand
}

// newFall begins at the coefficients of the problem, with the multipliers that these suggest.
func (d *descent) newFall(m *binaryProblem) *fall {
	_, features := d.phi.Dims()
	size := m.p.size()
	f := &fall{m: m, phi: d.phi, row: make([]int, size), group: make([]int, size), w: make([]float64, features),
		off: make([]float64, m.p.groups), curve: make([]float64, size), rng: rand.New(rand.NewPCG(1, uint64(size)))}
	places := make([]int, rowsOf(m.spans))
	for local, row := range m.each() {
		places[local] = row
	}
	for _, s := range m.p.segments {
		for t := s.from; t < s.to; t++ {
			f.row[t], f.group[t] = places[s.row+t-s.from], s.group
			f.off[s.group] += m.beta[t]
			f.curve[t] = d.j.diag[f.row[t]]
			blas64.Axpy(m.beta[t], vector(d.phi.RawRowView(f.row[t])), vector(f.w))
		}
	}
	floats.Sub(f.off, m.p.sums)
	m.longest = math.Sqrt(floats.Max(f.curve))
	f.rho = floats.Sum(f.curve) / float64(size)
	floats.AddConst(f.rho, f.curve)
	f.mu = m.p.multipliers(m.beta, m.g)
	floats.Scale(-1, f.mu)
	return f
}

// run descends until neither a coefficient nor the sum of a group is off by more than a
// quarter of the tolerance, which leaves room for [fall.project], and then stores the
// gradient. It returns false where that takes too many passes.
func (f *fall) run(ctx context.Context, tolerance float64) (ended bool, err error) {
	size := f.m.p.size()
	active := make([]int, size)
	for t := range active {
		active[t] = t
	}
	least := tolerance / 4
	goal, highest, lowest := math.Inf(1), math.Inf(1), math.Inf(-1)
	for looks := 0; looks < mostPasses*size; looks += len(active) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		var most, fewest float64
		active, most, fewest = f.epoch(active, highest, lowest)
		f.m.steps++
		if goal == math.Inf(1) {
			goal = max(least, inexact*(most-fewest))
		}
		highest, lowest = above(most), -above(-fewest)
		f.m.nearing.tell(max(most-fewest, f.rho*longest(f.off)), tolerance)
		if most-fewest > goal {
			continue
		}
		if len(active) < size { // look at those that were left out
			active = active[:size]
			highest, lowest = math.Inf(1), math.Inf(-1)
			continue
		}
		left := f.lead()
		if goal <= least && left <= least {
			ended = true
			break
		}
		goal = max(least, min(goal, inexact*left))
	}
	f.project()
	return ended, nil
}

// above is the bound of the next pass from the largest slope of the last one.
func above(slope float64) float64 {
	if slope > 0 {
		return slope
	}
	return math.Inf(1)
}

// epoch moves every active variable to the minimum along it, in random order, and leaves out
// those at a bound whose slopes are beyond those of the last pass: they come to stand behind the
// active ones. It returns the largest and the smallest slope of those that could move.
func (f *fall) epoch(active []int, highest, lowest float64) (left []int, most, fewest float64) {
	p, beta := f.m.p, f.m.beta
	for i := 0; i < len(active); i++ {
		at := i + f.rng.IntN(len(active)-i)
		active[i], active[at] = active[at], active[i]
		t := active[i]
		x, group := f.phi.RawRowView(f.row[t]), f.group[t]
		slope := floats.Dot(f.w, x) + p.q(t) + f.mu[group] + f.rho*f.off[group]
		low, high := beta[t] <= p.lo(t), beta[t] >= p.hi(t)
		if low && slope > highest || high && slope < lowest {
			last := len(active) - 1
			active[i], active[last] = active[last], active[i]
			active, i = active[:last], i-1
			continue
		}
		if low && slope > 0 || high && slope < 0 {
			continue
		}
		most, fewest = max(most, slope), min(fewest, slope)
		if by := min(max(beta[t]-slope/f.curve[t], p.lo(t)), p.hi(t)) - beta[t]; by != 0 {
			f.move(t, by)
		}
	}
	return active, most, fewest
}

// move adds to a coefficient.
func (f *fall) move(t int, by float64) {
	f.m.beta[t] = min(max(f.m.beta[t]+by, f.m.p.lo(t)), f.m.p.hi(t))
	f.off[f.group[t]] += by
	blas64.Axpy(by, vector(f.phi.RawRowView(f.row[t])), vector(f.w))
}

// lead takes a step of the multipliers and returns the largest.
func (f *fall) lead() float64 {
	for group, off := range f.off {
		f.mu[group] += f.rho * off
	}
	return f.rho * longest(f.off)
}

// longest is the largest absolute value.
func longest(x []float64) float64 {
	most := 0.0
	for _, v := range x {
		most = max(most, math.Abs(v))
	}
	return most
}

// project gives the sums of the groups their exact values, by the variables that have room,
// those between their bounds first, and stores the gradient.
func (f *fall) project() {
	slope := func(t int) float64 { return floats.Dot(f.w, f.phi.RawRowView(f.row[t])) + f.m.p.q(t) }
	f.m.p.project(f.m.beta, slope, f.move)
	for t := range f.m.beta {
		f.m.g[t] = slope(t)
	}
}
