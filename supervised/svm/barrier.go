package svm

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
)

// barrier is the primal-dual system of one problem: 0 ≤ x = β − lo ≤ u = hi − lo with the
// multipliers z of x ≥ 0 and t of x ≤ u, λ of the groups, and w, which is Φᵀβ in the end. Equal
// rows share a variable ([barrier.mergeEqual]).
type barrier struct {
	m       *binaryProblem
	of      []int32   // of each coefficient of the problem, its variable
	first   []int32   // of each variable, its first coefficient
	row     []int32   // of each variable, among all rows; of each coefficient until they are merged
	byRow   []int32   // the variables, by their rows
	eachRow int       // the most variables of a row
	group   []uint8   // of each variable
	width   []float64 // u

	near       []float64 // x where that is at most the slack, else −(u − x): the smaller keeps its digits
	z, t       []float64
	aimed, dx  []float64 // the step of the predictor, and that of the corrector, which has the memory of β until [barrier.snapToBounds]
	w, dw      []float64
	lambda, dl []float64
	miss       []float64 // of each group, what its sum lacks
	target     float64   // σμ, for which the corrector aims
	spread     float64   // size of the first slopes, what a multiplier is compared with
	size       float64   // what a coefficient is compared with
	square     float64   // mean ‖φ‖²

	sums    []float64     // of the last pass of the system
	moments *mat.SymDense // I + ΦᵀVΦ without the identity, in these
	factor  *linalg.Cholesky
	h       *mat.Dense    // ΦᵀV1, a column for each group
	off     *mat.VecDense // Φᵀβ − w, which rounding leaves
	u       *mat.Dense    // (I + ΦᵀVΦ)⁻¹h
	totals  []float64     // Σ v of each group
	stiff   stiff         // the rows that are not in these

	state  progress
	least  [2]float64 // complementarity and what the sums lack, so far, and
	wasted int        // how many steps lowered neither
	passed passed
}

// snapToBounds puts the coefficients that are at a bound by their multipliers there, and gives the
// sums of the groups their exact values.
func (b *barrier) snapToBounds() {
	p, beta := b.m.p, b.m.beta
	for t, v := range b.of {
		switch low, high := b.bound(v); {
		case low:
			beta[t] = p.lo(t)
		case high:
			beta[t] = p.hi(t)
		default:
			beta[t] = min(max(b.coef(v)/b.width[v]*p.width[t], p.lo(t)), p.hi(t))
		}
	}
	p.project(beta, func(t int) float64 { return b.m.g[b.of[t]] }, func(t int, by float64) { beta[t] += by })
}

// bound says at which bound a variable is, by its multipliers: a coefficient of 0 is smaller than
// others are, one at its other bound is nearer to it than that is wide.
func (b *barrier) bound(v int32) (low, high bool) {
	fromZero, fromBound := min(b.width[v], b.size), b.width[v]
	if b.rising(v) {
		return b.x(v)*b.spread < b.z[v]*fromZero, b.slack(v)*b.spread < b.t[v]*fromBound
	}
	return b.x(v)*b.spread < b.z[v]*fromBound, b.slack(v)*b.spread < b.t[v]*fromZero
}

// rising reports whether the coefficients of a variable go from 0 up.
func (b *barrier) rising(v int32) bool { return int(b.first[v]) < b.m.p.rising }

// q is the linear term of a variable.
func (b *barrier) q(v int32) float64 { return b.m.p.q(int(b.first[v])) }

// progress is how a search stands.
type progress int

const (
	iterating progress = iota
	converged          // at the tolerance
	stalled            // by rounding
)

// passed is what a pass over the rows adds up for a problem.
type passed struct {
	sums    *mat.Dense // ΦᵀR, for right-hand sides R of the rows
	totals  []float64  // Σ of the right-hand sides of each group, one after the other
	reach   float64    // the step at which the first number is zero
	product [3]float64 // complementarity after a step α, (p₀ + p₁α + p₂α²)
	// The state before a step: the slopes of the variables that may rise or fall, and what is left
	// of the variables at a bound.
	least, most, left float64

	counts []float64 // the numbers of these
}

// store and recall keep the numbers that a pass finds where a checkpoint sees them.
func (p *passed) store() {
	copy(p.counts, []float64{p.reach, p.product[0], p.product[1], p.product[2], p.least, p.most, p.left})
}

func (p *passed) recall() {
	p.reach, p.product, p.least, p.most, p.left = p.counts[0], [3]float64(p.counts[1:4]), p.counts[4], p.counts[5], p.counts[6]
}

// barrierBytes is what a problem and its barrier hold for a coefficient: width, β, g, u, x, z, t,
// the predictor's step, its variable, the first coefficient of that, the row, the place by rows,
// and the group; q is another 8 for a regression.
const barrierBytes = 8*8 + 4*4 + 1

// newBarrier finds the rows of a problem.
func newBarrier(m *binaryProblem, order []int, dim int) *barrier {
	size := m.p.size()
	b := &barrier{m: m, of: make([]int32, size), row: make([]int32, size), w: make([]float64, dim), lambda: make([]float64, m.p.groups)}
	for _, s := range m.p.segments {
		for t := s.from; t < s.to; t++ {
			b.row[t] = int32(order[m.place(s.row+t-s.from)])
		}
	}
	return b
}

// start begins in the middle of all bounds.
func (b *barrier) start(prints []fingerprint) {
	b.mergeEqual(prints)
	p, size := b.m.p, len(b.first)
	numbers := make([]float64, 5*size)
	b.width, b.near, b.z, b.t, b.aimed = numbers[:size], numbers[size:2*size], numbers[2*size:3*size], numbers[3*size:4*size], numbers[4*size:]
	b.dx, b.group, b.miss = b.m.beta[:size], make([]uint8, size), slices.Clone(p.sums)
	for v, t := range b.first {
		b.row[v] = b.row[t]
	}
	b.row = b.row[:size]
	for _, s := range p.segments {
		for t := s.from; t < s.to; t++ {
			v := b.of[t]
			b.width[v], b.group[v] = b.width[v]+p.width[t], uint8(s.group)
		}
	}
	b.sortByRow()
	for i := range b.near {
		v := int32(i)
		b.near[v] = b.width[v] / 2
		b.miss[b.group[v]] -= b.coef(v)
	}
	b.least = [2]float64{math.Inf(1), math.Inf(1)}
	b.startMultipliers()
}

// sortByRow finds the order of the variables by their rows.
func (b *barrier) sortByRow() {
	b.byRow = make([]int32, len(b.row))
	for v := range b.byRow {
		b.byRow[v] = int32(v)
	}
	slices.SortStableFunc(b.byRow, func(v, u int32) int { return cmp.Compare(b.row[v], b.row[u]) })
	same := 0
	for k, v := range b.byRow {
		if same++; k == 0 || b.row[v] != b.row[b.byRow[k-1]] {
			same = 1
		}
		b.eachRow = max(b.eachRow, same)
	}
}

// in yields the variables of the rows from ≤ i < to, and which of these is theirs.
func (b *barrier) in(from, to int) func(yield func(i int, v int32) bool) {
	return func(yield func(i int, v int32) bool) {
		first, _ := slices.BinarySearchFunc(b.byRow, from, func(v int32, from int) int { return cmp.Compare(int(b.row[v]), from) })
		for _, v := range b.byRow[first:] {
			if i := int(b.row[v]); i >= to || !yield(i-from, v) {
				return
			}
		}
	}
}

// startMultipliers gives z − t = g − λ, both at least the spread of the slopes, where w = 0.
// Those of one class become as large as Σβ‖φ‖²: far smaller multipliers keep steps too short.
func (b *barrier) startMultipliers() {
	counts := make([]float64, len(b.lambda))
	for v, group := range b.group {
		b.lambda[group] += b.q(int32(v))
		counts[group]++
	}
	for group, count := range counts {
		b.lambda[group] /= max(1, count)
	}
	b.spread = 0
	for v := range b.near {
		b.spread += math.Abs(b.q(int32(v))-b.lambda[b.group[v]]) / float64(len(b.near))
	}
	b.spread = cmp.Or(b.spread, max(1, math.Abs(floats.Sum(b.m.p.sums))*b.square)) // no linear term: of one class
	for v := range b.near {
		slope := b.q(int32(v)) - b.lambda[b.group[v]]
		b.z[v], b.t[v] = max(slope, 0)+b.spread, max(-slope, 0)+b.spread
	}
	b.compare()
}

// compare finds the size of a coefficient: their mean, or what alone changes a slope by their
// spread.
func (b *barrier) compare() {
	sum := 0.0
	for v := range b.near {
		sum += math.Abs(b.coef(int32(v)))
	}
	b.size = sum / float64(len(b.near))
	if square := b.m.longest * b.m.longest; square > 0 {
		b.size = max(b.size, b.spread/square)
	}
}

// x is how far a variable is from its lower bound.
func (b *barrier) x(t int32) float64 {
	if near := b.near[t]; near >= 0 {
		return near
	}
	return b.width[t] + b.near[t]
}

// slack returns u − x.
func (b *barrier) slack(t int32) float64 {
	if near := b.near[t]; near < 0 {
		return -near
	}
	return b.width[t] - b.near[t]
}

// add adds to a variable.
func (b *barrier) add(t int32, by float64) {
	x, slack := b.x(t)+by, b.slack(t)-by
	if x <= slack {
		b.near[t] = x
	} else {
		b.near[t] = -slack
	}
}

// coef is the coefficient that a variable stands for.
func (b *barrier) coef(t int32) float64 {
	if b.rising(t) {
		return b.x(t)
	}
	return -b.slack(t)
}

// give is 1/(z/x + t/(u − x)), the inverse of the curvature of the barriers.
func (b *barrier) give(t int32) float64 { return 1 / (b.z[t]/b.x(t) + b.t[t]/b.slack(t)) }

// pull is the right-hand side of a variable towards the complementarity target, second-order terms
// of the predictor included.
func (b *barrier) pull(t int32, target float64) float64 {
	dz, dt := b.follow(t, b.aimed[t], 0, false)
	return b.lambda[b.group[t]] - b.m.g[t] + (target-b.aimed[t]*dz)/b.x(t) - (target+b.aimed[t]*dt)/b.slack(t)
}

// follow returns the steps of the multipliers for a step of a variable.
func (b *barrier) follow(t int32, dx, target float64, correct bool) (dz, dt float64) {
	x, room := b.x(t), b.slack(t)
	tz, tt := target-x*b.z[t], target-room*b.t[t]
	if correct {
		az, at := b.follow(t, b.aimed[t], 0, false)
		tz -= b.aimed[t] * az
		tt += b.aimed[t] * at
	}
	return (tz - b.z[t]*dx) / x, (tt + b.t[t]*dx) / room
}

// step takes a variable along, for the largest step and the complementarity after it.
func (p *passed) step(x, room, z, t, dx, dz, dt float64) {
	p.reach = min(p.reach, reach(x, dx), reach(room, -dx), reach(z, dz), reach(t, dt))
	p.product[0] += x*z + room*t
	p.product[1] += x*dz + z*dx + room*dt - t*dx
	p.product[2] += dx*dz - dx*dt
}

// reach is the step at which x + step·dx becomes 0.
func reach(x, dx float64) float64 {
	if dx >= 0 {
		return math.Inf(1)
	}
	return -x / dx
}

// complementarity is the mean of xz and (u − x)t after a step.
func (b *barrier) complementarity(step float64) float64 {
	p := b.passed.product
	return (p[0] + step*(p[1]+step*p[2])) / float64(2*len(b.near))
}

// observe looks at a variable before a step: whether it is at a bound, by its multipliers, and how
// far from it, or between its bounds.
func (p *passed) observe(b *barrier, t int32) {
	slope := b.m.g[t] - b.lambda[b.group[t]]
	off, low, high := b.toBound(t)
	if !high {
		p.least = min(p.least, slope)
	}
	if !low {
		p.most = max(p.most, slope)
	}
	p.left += off
}

// toBound is what takes a variable that is at a bound by its multipliers there.
func (b *barrier) toBound(t int32) (off float64, low, high bool) {
	if low, high = b.bound(t); low {
		return -b.x(t), true, false
	} else if high {
		return b.slack(t), false, true
	}
	return 0, false, false
}

// move takes the step of the corrector.
func (b *barrier) move(step float64) {
	for i := range b.near {
		t := int32(i)
		dz, dt := b.follow(t, b.dx[t], b.target, true)
		b.add(t, step*b.dx[i])
		b.z[i] += step * dz
		b.t[i] += step * dt
	}
	floats.AddScaled(b.w, step, b.dw)
	floats.AddScaled(b.lambda, step, b.dl)
	for group := range b.miss {
		b.miss[group] *= 1 - step
	}
	b.m.steps++
	b.compare()
}
