package svm

import (
	"cmp"
	"context"
	"math"
	"slices"
)

const (
	// blockSize is the number of variables in a working set: their part of the matrix,
	// 4 MiB in float32, stays in the third-level cache.
	blockSize = 1024
	// updateSide is the number of rows whose gradient one task updates.
	updateSide = 2048
)

// rows is a kernel matrix as the search wants it.
type rows[F float32 | float64] interface {
	// load makes the given rows available to the other methods.
	load(ctx context.Context, rows []int) error
	// gather stores the block of the given rows against themselves in dst.
	gather(dst []F, rows []int)
	// add adds Σ delta[a]·K(·, rows[a]) to f for the rows from ≤ r < to.
	add(f []float64, rows []int, delta []float64, from, to int)
}

// search improves the coefficients of one machine block by block: a working set of the
// variables that violate the optimality conditions most is solved by [smo] with all
// others fixed, then the gradient of all is brought up to date (Osuna, Freund, Girosi
// 1997; Joachims 1999).
type search[F float32 | float64] struct {
	m       *machine
	k       rows[F]
	workers int
	smo     *smo[F]
	set     []int // the working set, in the order of the variables
	rows    []int // their kernel rows
	before  []float64
	in      []bool
	order   []int
}

// newSearch returns the search for machine m on its matrix.
func newSearch[F float32 | float64](m *machine, k rows[F], workers int) *search[F] {
	n := m.p.size()
	return &search[F]{m: m, k: k, workers: workers, smo: newSMO[F](min(n, blockSize)), before: make([]float64, min(n, blockSize)), in: make([]bool, n)}
}

// run improves the machine until the violation, by the gradient as this search knows
// it, is at most tolerance, or ctx ends.
func (s *search[F]) run(ctx context.Context, tolerance float64) error {
	for {
		violation := s.m.p.violation(s.m.beta, s.m.f)
		if !(violation > tolerance) || s.m.exhausted() {
			return ctx.Err()
		}
		s.choose()
		if err := s.k.load(ctx, s.rows); err != nil {
			return err
		}
		s.m.steps += s.solve(max(tolerance, violation/10))
		if err := s.update(ctx); err != nil {
			return err
		}
	}
}

// choose fills the working set: all variables if they fit, else half of it the worst
// violators, as many of those that can rise as of those that can fall in each group, and
// the rest from the working set before, whose rows are at hand.
func (s *search[F]) choose() {
	p, n := s.m.p, s.m.p.size()
	if n <= blockSize {
		s.take(nil)
		return
	}
	old := slices.Clone(s.set)
	clear(s.in)
	fresh := blockSize
	if len(old) > 0 {
		fresh = blockSize / 2
	}
	set := s.set[:0]
	groups := len(p.groups) - 1
	for g := range groups {
		from, to := p.groups[g], p.groups[g+1]
		set = s.steepest(set, from, to, fresh/(2*groups), 1)
		set = s.steepest(set, from, to, fresh/(2*groups), -1)
	}
	for _, t := range old {
		if len(set) == blockSize {
			break
		}
		if !s.in[t] {
			s.in[t] = true
			set = append(set, t)
		}
	}
	slices.Sort(set)
	s.take(set)
}

// steepest appends to set at most count variables of a group that can move in the
// direction of sign, those with the most to gain first.
func (s *search[F]) steepest(set []int, from, to, count int, sign float64) []int {
	p, beta, f := s.m.p, s.m.beta, s.m.f
	s.order = s.order[:0]
	for t := from; t < to; t++ {
		if movable := sign > 0 && beta[t] < p.hi[t] || sign < 0 && beta[t] > p.lo[t]; movable && !s.in[t] {
			s.order = append(s.order, t)
		}
	}
	slices.SortFunc(s.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(sign*(f[p.row[a]]+p.q[a]), sign*(f[p.row[b]]+p.q[b])), cmp.Compare(a, b))
	})
	for _, t := range s.order[:min(count, len(s.order))] {
		s.in[t] = true
		set = append(set, t)
	}
	return set
}

// take makes set the working set; nil is all variables.
func (s *search[F]) take(set []int) {
	if set == nil && len(s.set) == 0 {
		for t := range s.m.p.size() {
			s.set = append(s.set, t)
		}
	} else if set != nil {
		s.set = set
	}
	s.rows = s.rows[:0]
	for _, t := range s.set {
		s.rows = append(s.rows, s.m.p.row[t])
	}
}

// solve runs SMO on the working set and stores its coefficients. It returns the number
// of steps.
func (s *search[F]) solve(tolerance float64) int {
	p, b := s.m.p, s.smo
	b.size, b.groups = len(s.set), b.groups[:0]
	s.k.gather(b.k[:b.size*b.size], s.rows)
	for a, t := range s.set {
		b.lo[a], b.hi[a], b.beta[a], b.g[a] = p.lo[t], p.hi[t], s.m.beta[t], s.m.f[p.row[t]]+p.q[t]
		s.before[a] = s.m.beta[t]
	}
	for _, bound := range p.groups {
		at, _ := slices.BinarySearch(s.set, bound)
		b.groups = append(b.groups, at)
	}
	steps := b.run(tolerance, 100*blockSize)
	for a, t := range s.set {
		s.m.beta[t] = b.beta[a]
	}
	return steps
}

// update brings f up to date with the coefficients of the working set, in fixed parts.
func (s *search[F]) update(ctx context.Context) error {
	var changed []int
	var delta []float64
	for a, t := range s.set {
		if d := s.m.beta[t] - s.before[a]; d != 0 {
			changed, delta = append(changed, s.m.p.row[t]), append(delta, d)
		}
	}
	n := s.m.p.rows
	return each(ctx, s.workers, parts(n, updateSide), func(_, i int) {
		from, to := cut(i, updateSide, n)
		s.k.add(s.m.f, changed, delta, from, to)
	})
}

// mostSteps is the number of steps after which a machine is given up, as LIBSVM has it.
func mostSteps(n int) int { return max(10_000_000, 100*n) }

// exhausted reports whether the search has no more to hope for: too many steps, or
// coefficients that run away to infinity.
func (m *machine) exhausted() bool {
	return m.steps >= mostSteps(m.p.size()) || m.apart() < leastApart
}

// leastApart is the relative distance of two convex hulls at which they count as
// touching: the root of what single precision can resolve of its square.
const leastApart = 1e-3

// apart returns the distance of the two points of the convex hulls of the classes that
// the coefficients of a hard margin are proportional to, relative to the longest point
// that is known; +Inf for every other machine. With s = Σα/2 these points are
// Σ αᵢφ(xᵢ)/s over each class, and their distance is √(βᵀKβ)/s.
func (m *machine) apart() float64 {
	if m.p.bounded() {
		return math.Inf(1)
	}
	sum := 0.0
	for _, b := range m.beta {
		sum += math.Abs(b)
	}
	if sum == 0 {
		return math.Inf(1)
	}
	return 2 * math.Sqrt(max(0, m.p.norm2(m.beta, m.f))) / sum / m.longest
}
