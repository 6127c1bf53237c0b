package svm

import "math"

// program is the problem that all machines share, in signed coefficients:
//
//	minimise  ½ βᵀKβ + qᵀβ   subject to   lo ≤ β ≤ hi,   Σ_{t in g} βₜ = const for each group g,
//
// where variable t acts on the kernel through row[t]: f = Σₜ βₜ k(·, x_row[t]). Writing
// β = y∘α makes a classifier's yᵀα = 0 the plain sum of its only group, and its Q = yyᵀ∘K
// the kernel matrix itself. ν-problems have two groups, regression has two variables to
// a row. The gradient is gₜ = f(x_row[t]) + qₜ.
type program struct {
	row    []int
	lo, hi []float64
	q      []float64
	groups []int     // group g holds the variables groups[g] ≤ t < groups[g+1]
	start  []float64 // feasible
	rows   int       // the number of kernel rows
}

// newProgram returns the program of size variables over rows rows, all of it zero.
func newProgram(rows, size int, groups ...int) *program {
	return &program{row: make([]int, size), lo: make([]float64, size), hi: make([]float64, size), q: make([]float64, size),
		start: make([]float64, size), groups: groups, rows: rows}
}

// set gives variable t its place.
func (p *program) set(t, row int, lo, hi, q float64) {
	p.row[t], p.lo[t], p.hi[t], p.q[t] = row, lo, hi, q
}

// size returns the number of variables.
func (p *program) size() int { return len(p.row) }

// coef adds up the coefficients of each kernel row.
func (p *program) coef(beta []float64) []float64 {
	out := make([]float64, p.rows)
	for t, b := range beta {
		out[p.row[t]] += b
	}
	return out
}

// objective returns ½ βᵀKβ + qᵀβ, given f = Kβ at the rows.
func (p *program) objective(beta, f []float64) float64 {
	sum := 0.0
	for t, b := range beta {
		if b != 0 {
			sum += b * (0.5*f[p.row[t]] + p.q[t])
		}
	}
	return sum
}

// norm2 returns βᵀKβ, given f = Kβ.
func (p *program) norm2(beta, f []float64) float64 {
	sum := 0.0
	for t, b := range beta {
		sum += b * f[p.row[t]]
	}
	return sum
}

// violation returns the largest of max g over {β > lo} − min g over {β < hi} in any
// group, and 0 if that is negative: what SMO makes small (Keerthi et al. 2001; the
// stopping rule of LIBSVM).
func (p *program) violation(beta, f []float64) float64 {
	worst := 0.0
	for g := range len(p.groups) - 1 {
		least, most := math.Inf(1), math.Inf(-1)
		for t := p.groups[g]; t < p.groups[g+1]; t++ {
			v := f[p.row[t]] + p.q[t]
			if beta[t] < p.hi[t] {
				least = min(least, v)
			}
			if beta[t] > p.lo[t] {
				most = max(most, v)
			}
		}
		worst = max(worst, most-least)
	}
	return worst
}

// multiplier returns λ of the constraint of group g: the mean gradient of the free
// variables, which at the optimum are all equal, or the middle of the interval that the
// others leave, as LIBSVM chooses it. The intercept is −λ.
func (p *program) multiplier(beta, f []float64, g int) float64 {
	sum, free := 0.0, 0
	above, below := math.Inf(1), math.Inf(-1)
	for t := p.groups[g]; t < p.groups[g+1]; t++ {
		v := f[p.row[t]] + p.q[t]
		switch {
		case beta[t] <= p.lo[t]:
			above = min(above, v)
		case beta[t] >= p.hi[t]:
			below = max(below, v)
		default:
			sum += v
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

// gap returns the difference of the primal objective at (f, λ) and the dual one at β,
// an upper bound of how far either is from the optimum:
//
//	Σₜ max((gₜ−λ)(βₜ−loₜ), (gₜ−λ)(βₜ−hiₜ)),
//
// each term what the complementarity of one variable lacks. It needs finite bounds.
func (p *program) gap(beta, f, lambda []float64) float64 {
	sum := 0.0
	for g := range len(p.groups) - 1 {
		for t := p.groups[g]; t < p.groups[g+1]; t++ {
			slope := f[p.row[t]] + p.q[t] - lambda[g]
			if slope > 0 {
				sum += slope * (beta[t] - p.lo[t])
			} else {
				sum += slope * (beta[t] - p.hi[t])
			}
		}
	}
	return sum
}

// fill raises the variables of group g from their lower towards their upper bounds, or
// with sign −1 the other way round, in their order, until their sum is total. It
// returns what did not fit.
func (p *program) fill(g int, total, sign float64) (rest float64) {
	rest = total
	for t := p.groups[g]; t < p.groups[g+1] && rest > 0; t++ {
		step := min(rest, max(p.hi[t], -p.lo[t]))
		p.start[t] = sign * step
		rest -= step
	}
	return rest
}
