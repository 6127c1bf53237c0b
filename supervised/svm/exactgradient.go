package svm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// rounding returns a bound on the error of an element of the matrix in memory, relative
// to the largest: a few units in the last place from the kernel, with room.
func rounding[F float32 | float64]() float64 {
	var one F
	if _, single := any(one).(float32); single {
		return 0x1p-18
	}
	return 0x1p-46
}

const (
	// errorRoom is how much larger the error of a gradient may be than the largest that was found
	// at the rows with a coefficient. checkStep is the step of the rows far from the margin at
	// which that is checked.
	errorRoom = 16
	checkStep = 64
)

// exact computes the gradients of all problems afresh, in double precision from the kernel itself
// or its values in memory, and notes which problems have converged by them. Only the rows that
// matter are computed:
//
//  1. The rows with a coefficient. They say how wrong the gradient of the search was.
//  2. That bounds the error elsewhere: [errorRoom] times the largest that was found, and no more
//     than the error of an element of the matrix in memory times Σ|β|.
//  3. The rows without a coefficient whose gradient is within this bound of that of a variable they
//     could make a violating pair with. The others add nothing to the violation or to the gap.
//  4. One of [checkStep] of those that are left out. Where any row of 3 or 4 is off by more than a
//     quarter of the bound, all rows are computed.
//
// Why: the search reads single precision, and what a report says must not depend on it.
func (j *job) exact(ctx context.Context, rounding float64) error {
	e := j.newExact(rounding)
	if len(e.support) > 0 {
		if err := e.compute(ctx); err != nil {
			return err
		}
	}
	return j.checkKKT()
}

// checkKKT notes which problems have converged by their gradients.
func (j *job) checkKKT() error {
	for _, m := range j.problems {
		m.violation = m.p.violation(m.beta, m.g)
		if math.IsNaN(m.violation) || math.IsInf(m.violation, 0) {
			return m.notFinite()
		}
		m.converged = m.violation <= j.o.Tolerance
	}
	return nil
}

// exact is one computation of the gradients.
type exact struct {
	j       *job
	bound   []float64  // of each problem, on the error of its gradient
	least   []float64  // what that is in double precision
	found   []float64  // of each problem, the largest error of its gradient
	support []int      // rows with a coefficient
	x       *mat.Dense // their coefficients
	known   []bool     // rows whose gradient is exact
}

// newExact finds the rows with a coefficient.
func (j *job) newExact(most float64) *exact {
	problems := len(j.problems)
	e := &exact{j: j, bound: make([]float64, problems), least: make([]float64, problems), found: make([]float64, problems), known: make([]bool, len(j.order))}
	coefs, in := j.coefs(), make([]bool, len(j.order))
	for c, m := range j.problems {
		sum := 0.0
		for local, row := range m.each() {
			in[row] = in[row] || coefs[c][local] != 0
			sum += math.Abs(coefs[c][local])
		}
		e.bound[c], e.least[c] = most*m.longest*m.longest*sum, rounding[float64]()*m.longest*m.longest*sum
	}
	e.support, e.x = j.columns(coefs, in)
	return e
}

// compute stores the exact gradient at the rows that matter.
func (e *exact) compute(ctx context.Context) error {
	if err := e.take(ctx, e.support); err != nil {
		return err
	}
	for c, found := range e.found {
		if !math.IsInf(e.bound[c], 1) {
			e.bound[c] = min(e.bound[c], max(e.least[c], errorRoom*found))
		}
	}
	if err := e.take(ctx, e.near()); err != nil {
		return err
	}
	for c, found := range e.found {
		if found > 0.25*e.bound[c] {
			return e.take(ctx, e.unknown(1))
		}
	}
	return nil
}

// near returns the rows that could hide a violation or a part of the gap, and some of the others.
func (e *exact) near() []int {
	in := make([]bool, len(e.known))
	for c, m := range e.j.problems {
		matters := m.matters(e.bound[c])
		for local, row := range m.each() {
			in[row] = in[row] || matters[local]
		}
	}
	for _, row := range e.unknown(checkStep) {
		in[row] = true
	}
	for row, known := range e.known {
		in[row] = in[row] && !known
	}
	return chosenRows(in)
}

// unknown returns one of step rows whose gradient is not exact yet.
func (e *exact) unknown(step int) []int {
	var out []int
	count := 0
	for row, known := range e.known {
		if known {
			continue
		}
		if count%step == 0 {
			out = append(out, row)
		}
		count++
	}
	return out
}

// rows returns the original rows at the given places of the order.
func (j *job) rows(at []int) []int {
	out := make([]int, len(at))
	for i, row := range at {
		out[i] = j.order[row]
	}
	return out
}

// take computes the exact gradient at the given rows, which are all of those with a
// coefficient or none of them.
func (e *exact) take(ctx context.Context, at []int) error {
	if len(at) == 0 {
		return nil
	}
	j, support := e.j, len(e.support)
	symmetric := &at[0] == &e.support[0]
	src, rows, cols := j.double, at, e.support
	if src == nil {
		src, rows, cols = multiplierOf(j.src), j.rows(at), j.rows(e.support)
		if j.report.Certified += int64(len(at)) * int64(support); symmetric {
			j.report.Certified -= int64(support) * int64(support-1) / 2
		}
	}
	product, err := src.product(ctx, rows, cols, symmetric, e.x, j.o.Compute)
	if err != nil {
		return err
	}
	f := make([][]float64, len(j.order))
	for i, row := range at {
		f[row], e.known[row] = product.RawRowView(i), true
	}
	for c, m := range j.problems {
		e.store(c, m, f)
	}
	return nil
}

// store takes the exact gradient of problem c over, where it was computed, and notes how
// far off the known one was.
func (e *exact) store(c int, m *binaryProblem, f [][]float64) {
	rows := make([][]float64, rowsOf(m.spans))
	for local, row := range m.each() {
		rows[local] = f[row]
	}
	for _, s := range m.p.segments {
		for t := s.from; t < s.to; t++ {
			row := rows[s.row+t-s.from]
			if row == nil {
				continue
			}
			g := row[c] + m.p.q(t)
			e.found[c] = max(e.found[c], math.Abs(g-m.g[t]))
			m.g[t] = g
		}
	}
}

// matters reports for each row of the problem whether a gradient that is wrong by at
// most bound could hide a violation there, or a part of the gap.
func (m *binaryProblem) matters(bound float64) []bool {
	out := make([]bool, rowsOf(m.spans))
	for group := range m.p.groups {
		least, most, free := math.Inf(1), math.Inf(-1), false
		for t := range m.p.of(group) {
			rises, falls := m.beta[t] < m.p.hi(t), m.beta[t] > m.p.lo(t)
			if rises {
				least = min(least, m.g[t])
			}
			if falls {
				most = max(most, m.g[t])
			}
			free = free || rises && falls
		}
		for _, s := range m.p.segments {
			if s.group != group {
				continue
			}
			for t := s.from; t < s.to; t++ {
				beyond := m.beta[t] <= m.p.lo(t) && m.g[t]-bound > most+bound || m.beta[t] >= m.p.hi(t) && m.g[t]+bound < least-bound
				if !free || !beyond {
					out[s.row+t-s.from] = true
				}
			}
		}
	}
	return out
}
