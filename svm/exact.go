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

// exact computes the gradients of all machines afresh, in double precision from the
// kernel itself or its values in memory, and notes which machines have converged by them.
//
// Only the rows that matter are computed: those with a coefficient, and those near
// enough to the margin. A row without a coefficient is left out where its gradient is
// beyond that of every variable it could make a violating pair with, by more than an
// element of the matrix in memory can be wrong times Σ|β|; it then adds nothing to the
// violation or to the gap. That the bound holds is checked on the rows that are computed:
// where one is off by more than a quarter of it, all rows are.
func (j *job) exact(ctx context.Context, rounding float64) error {
	e := j.newExact(rounding)
	if len(e.support) > 0 {
		if err := e.compute(ctx); err != nil {
			return err
		}
		if e.off > 0.25 {
			e.everything()
			if err := e.compute(ctx); err != nil {
				return err
			}
		}
	}
	for _, m := range j.machines {
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
	coef    [][]float64 // of each machine, over all rows
	bound   []float64   // of each machine, on the error of its gradient
	support []int       // rows with a coefficient
	near    []int       // other rows that matter
	off     float64     // the largest error found, in units of its bound
}

// newExact finds the rows that matter.
func (j *job) newExact(rounding float64) *exact {
	n := len(j.order)
	e := &exact{j: j, coef: make([][]float64, len(j.machines)), bound: make([]float64, len(j.machines))}
	support, near := make([]bool, n), make([]bool, n)
	for c, m := range j.machines {
		e.coef[c] = make([]float64, n)
		values, sum := m.coef(), 0.0
		for local, row := range m.each() {
			e.coef[c][row] = values[local]
			support[row] = support[row] || values[local] != 0
			sum += math.Abs(values[local])
		}
		e.bound[c] = rounding * m.longest * m.longest * sum
		matters := m.matters(e.bound[c])
		for local, row := range m.each() {
			near[row] = near[row] || matters[local]
		}
	}
	for row := range n {
		switch {
		case support[row]:
			e.support = append(e.support, row)
		case near[row]:
			e.near = append(e.near, row)
		}
	}
	return e
}

// everything makes all rows matter.
func (e *exact) everything() {
	in := make([]bool, len(e.j.order))
	for _, row := range e.support {
		in[row] = true
	}
	e.near = e.near[:0]
	for row, support := range in {
		if !support {
			e.near = append(e.near, row)
		}
	}
}

// compute stores the exact gradient at the rows that matter.
func (e *exact) compute(ctx context.Context) error {
	j := e.j
	coef := mat.NewDense(len(e.support), len(j.machines), nil)
	for i, row := range e.support {
		for c := range j.machines {
			coef.Set(i, c, e.coef[c][row])
		}
	}
	f := make([][]float64, len(j.order))
	src, support, near := j.double, e.support, e.near
	if src == nil {
		src, support, near = multiplier(j.src), j.rows(support), j.rows(near)
		j.report.Certified += int64(len(support)) * (int64(len(support)+1) + 2*int64(len(near))) / 2
	}
	if err := e.take(ctx, f, e.support, src, support, support, coef); err != nil {
		return err
	}
	if len(near) > 0 {
		if err := e.take(ctx, f, e.near, src, near, support, coef); err != nil {
			return err
		}
	}
	for c, m := range j.machines {
		e.store(c, m, f)
	}
	return nil
}

// rows returns the original rows at the given places of the order.
func (j *job) rows(at []int) []int {
	out := make([]int, len(at))
	for i, row := range at {
		out[i] = j.order[row]
	}
	return out
}

// take gives every row of the product of a matrix and the coefficients of its columns its
// place.
func (e *exact) take(ctx context.Context, f [][]float64, at []int, k multiplier, rows, cols []int, coef *mat.Dense) error {
	product, err := k.product(ctx, rows, cols, &at[0] == &e.support[0], coef, e.j.o.Compute)
	if err != nil {
		return err
	}
	for i, row := range at {
		f[row] = product.RawRowView(i)
	}
	return nil
}

// store takes the exact gradient of machine c over, where it was computed, and notes how
// far off the known one was.
func (e *exact) store(c int, m *machine, f [][]float64) {
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
			g := row[c] + m.p.q[t]
			if d := math.Abs(g - m.g[t]); d > e.off*e.bound[c] {
				e.off = d / e.bound[c]
			}
			m.g[t] = g
		}
	}
}

// matters reports for each row of the machine whether a gradient that is wrong by at
// most bound could hide a violation there, or a part of the gap.
func (m *machine) matters(bound float64) []bool {
	out := make([]bool, rowsOf(m.spans))
	for group := range m.p.groups {
		least, most, free := math.Inf(1), math.Inf(-1), false
		for t := range m.p.of(group) {
			rises, falls := m.beta[t] < m.p.hi[t], m.beta[t] > m.p.lo[t]
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
				beyond := m.beta[t] <= m.p.lo[t] && m.g[t]-bound > most+bound || m.beta[t] >= m.p.hi[t] && m.g[t]+bound < least-bound
				if !free || !beyond {
					out[s.row+t-s.from] = true
				}
			}
		}
	}
	return out
}
