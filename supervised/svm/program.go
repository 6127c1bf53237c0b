package svm

import (
	"cmp"
	"math"
	"slices"
)

// program is the form that all problems share, in signed coefficients:
//
//	minimise  ½ βᵀKβ + qᵀβ   subject to   lo ≤ β ≤ hi,   Σ_{t in group} βₜ = const for each group,
//
// where f = Σₜ βₜ k(·, x_t) over the rows of the variables. Writing β = y∘α makes a
// classifier's yᵀα = 0 the plain sum of its only group, and its Q = yyᵀ∘K the kernel
// matrix itself. ν-problems have two groups, regression has two variables to a row. The
// gradient is gₜ = f(x_t) + qₜ.
//
// Bounds are one-sided: the first variables go from 0 up, the others from 0 down.
type program struct {
	segments []segment
	groups   int
	width    []float64  // hi − lo of each variable
	rising   int        // how many variables go up
	levels   [2]float64 // q of the variables that go up, and of the others,
	linear   []float64  // or of each; nil where it is the same for all of a kind
	amounts  []float64  // what the variables of a segment are away from 0, in all
	sums     []float64  // of the groups
}

// segment says that the variables from ≤ t < to belong to a group and act on the rows
// from row on, in order.
type segment struct{ from, to, row, group int }

// newProgram returns the program of the given segments, all of it zero, of which so many variables
// go up.
func newProgram(rising int, segments ...segment) *program {
	p := &program{segments: segments, rising: rising, width: make([]float64, segments[len(segments)-1].to), amounts: make([]float64, len(segments))}
	for _, s := range segments {
		p.groups = max(p.groups, s.group+1)
	}
	p.sums = make([]float64, p.groups)
	return p
}

// size returns the number of variables.
func (p *program) size() int { return len(p.width) }

// lo returns the lower bound of a variable.
func (p *program) lo(t int) float64 {
	if t < p.rising {
		return 0
	}
	return -p.width[t]
}

// hi returns the upper bound of a variable.
func (p *program) hi(t int) float64 {
	if t < p.rising {
		return p.width[t]
	}
	return 0
}

// q returns the linear term of a variable.
func (p *program) q(t int) float64 {
	switch {
	case p.linear != nil:
		return p.linear[t]
	case t < p.rising:
		return p.levels[0]
	}
	return p.levels[1]
}

// fill says that the variables of a segment add up to total in absolute value.
func (p *program) fill(segment int, total float64) {
	p.amounts[segment] = total
	for _, by := range p.moved(segment) {
		p.sums[p.segments[segment].group] += by
	}
}

// moved yields the variables of a segment that are away from 0 at the feasible point to begin with,
// and how far: in their order they go to their bounds until their amount is spent.
func (p *program) moved(segment int) func(yield func(t int, by float64) bool) {
	return func(yield func(t int, by float64) bool) {
		left := p.amounts[segment]
		for s, t := p.segments[segment], p.segments[segment].from; t < s.to && left > 0; t++ {
			by := min(left, p.hi(t))
			if t >= p.rising {
				by = max(-left, p.lo(t))
			}
			if left -= math.Abs(by); !yield(t, by) {
				return
			}
		}
	}
}

// feasiblePoint returns a feasible point.
func (p *program) feasiblePoint() []float64 {
	beta := make([]float64, p.size())
	for segment := range p.segments {
		for t, by := range p.moved(segment) {
			beta[t] = by
		}
	}
	return beta
}

// project gives the sums of the groups their exact values, by the variables that have room: those
// between their bounds first, then those whose slopes say that they may leave theirs. move adds to
// a coefficient.
func (p *program) project(beta []float64, slope func(t int) float64, move func(t int, by float64)) {
	for group, sum := range p.sums {
		off := 0.0
		for t := range p.of(group) {
			off += beta[t]
		}
		off -= sum
		use := func(t int) {
			by := min(max(beta[t]-off, p.lo(t)), p.hi(t)) - beta[t]
			move(t, by)
			off += by
		}
		for t := range p.of(group) {
			if off != 0 && beta[t] > p.lo(t) && beta[t] < p.hi(t) {
				use(t)
			}
		}
		if off == 0 {
			continue
		}
		type bound struct {
			t    int
			rank float64
		}
		var bounds []bound
		for t := range p.of(group) {
			bounds = append(bounds, bound{t, -off * slope(t)})
		}
		// A rise of the least slope and a fall of the largest violate no condition of the optimum.
		slices.SortStableFunc(bounds, func(a, b bound) int { return cmp.Compare(a.rank, b.rank) })
		for _, b := range bounds {
			if off != 0 {
				use(b.t)
			}
		}
	}
}

// bounded reports whether all bounds are finite, as in everything but the hard margin.
func (p *program) bounded() bool {
	return !slices.ContainsFunc(p.width, func(u float64) bool { return math.IsInf(u, 1) })
}

// violation returns the largest of max g over {β > lo} − min g over {β < hi} in any
// group, and 0 if that is negative: what SMO makes small (Keerthi et al., Neural
// Computation 13, 2001; the stopping rule of LIBSVM).
func (p *program) violation(beta, g []float64) float64 {
	worst := 0.0
	for group := range p.groups {
		least, most := math.Inf(1), math.Inf(-1)
		for t := range p.of(group) {
			if beta[t] < p.hi(t) {
				least = min(least, g[t])
			}
			if beta[t] > p.lo(t) {
				most = max(most, g[t])
			}
		}
		worst = max(worst, most-least)
	}
	return worst
}

// of yields the variables of a group.
func (p *program) of(group int) func(yield func(t int) bool) {
	return func(yield func(t int) bool) {
		for _, s := range p.segments {
			if s.group != group {
				continue
			}
			for t := s.from; t < s.to; t++ {
				if !yield(t) {
					return
				}
			}
		}
	}
}

// multiplier returns λ of the constraint of a group: the mean gradient of the free
// variables, which at the optimum are all equal, or the middle of the interval that the
// others leave, as LIBSVM chooses it. The intercept is −λ.
func (p *program) multiplier(beta, g []float64, group int) float64 {
	sum, free := 0.0, 0
	above, below := math.Inf(1), math.Inf(-1)
	for t := range p.of(group) {
		switch {
		case beta[t] <= p.lo(t):
			above = min(above, g[t])
		case beta[t] >= p.hi(t):
			below = max(below, g[t])
		default:
			sum += g[t]
			free++
		}
	}
	switch {
	case free > 0:
		return sum / float64(free)
	case math.IsInf(above, 1):
		return below
	case math.IsInf(below, -1):
		return above
	}
	return (above + below) / 2
}

// multipliers returns λ of every group.
func (p *program) multipliers(beta, g []float64) []float64 {
	lambda := make([]float64, p.groups)
	for group := range lambda {
		lambda[group] = p.multiplier(beta, g, group)
	}
	return lambda
}

// gap returns the difference of the primal objective at (f, λ) and the dual one at β,
// an upper bound of how far either is from the optimum:
//
//	Σₜ max((gₜ−λ)(βₜ−loₜ), (gₜ−λ)(βₜ−hiₜ)),
//
// each term what the complementarity of one variable lacks. It needs finite bounds.
func (p *program) gap(beta, g, lambda []float64) float64 {
	sum := 0.0
	for group, l := range lambda {
		for t := range p.of(group) {
			if slope := g[t] - l; slope > 0 {
				sum += slope * (beta[t] - p.lo(t))
			} else {
				sum += slope * (beta[t] - p.hi(t))
			}
		}
	}
	return sum
}

// energy returns βᵀKβ and qᵀβ, given the gradient g = Kβ + q.
func (p *program) energy(beta, g []float64) (quadratic, linear float64) {
	for t, b := range beta {
		if b != 0 {
			quadratic += b * (g[t] - p.q(t))
			linear += b * p.q(t)
		}
	}
	return quadratic, linear
}

// separation returns the gap of the hard margin: f + b is feasible once it is divided
// by its smallest margin m, where it has the primal objective ½‖f‖²/m². It is infinite
// if a row is on the wrong side.
func (p *program) separation(beta, g []float64, lambda float64) float64 {
	margin := math.Inf(1)
	for t := range g {
		q := p.q(t)
		margin = min(margin, -q*(g[t]-q-lambda))
	}
	if !(margin > 0) {
		return math.Inf(1)
	}
	quadratic, linear := p.energy(beta, g)
	return 0.5*quadratic*(1/(margin*margin)+1) + linear
}
