package svm

import (
	"math"
	"slices"
)

// violators marks the rows that violate the conditions of a problem by more than what is left in
// the working set, and those that nearly do. It also marks those of the working set that are not at
// their bound. It says whether there is a violation beyond what the search leaves.
func (s *search[F]) violators() (rows []bool, more bool) {
	in := s.inside()
	rows = make([]bool, len(in))
	for _, m := range s.j.problems {
		if m.converged || m.exhausted() || m.p.violation(m.beta, m.g) <= s.j.o.Tolerance*(1+toleranceMargin)/2 {
			continue
		}
		more = true
		lacks, rest := m.violations(), 0.0
		var outside []float64
		for local, row := range m.each() {
			if in[row] {
				rest = max(rest, lacks[local])
			} else {
				outside = append(outside, lacks[local])
			}
		}
		least := admission(outside, rest)
		for local, row := range m.each() {
			rows[row] = rows[row] || lacks[local] >= least || in[row] && lacks[local] >= 0
		}
	}
	return rows, more
}

// admission returns the violation from which rows outside are taken: below rest for those
// that are next, above it where there are too many.
func admission(lacks []float64, rest float64) float64 {
	if len(lacks) == 0 {
		return 0
	}
	in := 0
	for _, v := range lacks {
		if v >= rest {
			in++
		}
	}
	last := in + max(len(lacks)/leastNext, int(nextShare*float64(in)))
	most := max(leastJoin, int(joinShare*float64(len(lacks))))
	top := largest(lacks, min(last, most)+1)
	return top[len(top)-1]
}

// largest returns the k largest of some numbers in falling order, or all of fewer.
func largest(of []float64, k int) []float64 {
	top, least := make([]float64, 0, 2*k), math.Inf(-1) // numbers below least are none of them
	trim := func() {
		slices.Sort(top)
		slices.Reverse(top)
		top = top[:min(k, len(top))]
	}
	for _, v := range of {
		if v < least {
			continue
		}
		if top = append(top, v); len(top) == 2*k {
			trim()
			least = top[k-1]
		}
	}
	trim()
	return top
}

// violations returns for each row by how much the gradient of a variable of it is on the
// wrong side of the multiplier of its group, below 0 for the right side.
func (m *binaryProblem) violations() []float64 {
	rows := make([]float64, rowsOf(m.spans))
	for i := range rows {
		rows[i] = math.Inf(-1)
	}
	lambda := m.p.multipliers(m.beta, m.g)
	for _, s := range m.p.segments {
		for t := s.from; t < s.to; t++ {
			v := math.Inf(-1)
			if m.beta[t] < m.p.hi(t) {
				v = lambda[s.group] - m.g[t]
			}
			if m.beta[t] > m.p.lo(t) {
				v = max(v, m.g[t]-lambda[s.group])
			}
			row := s.row + t - s.from
			rows[row] = max(rows[row], v)
		}
	}
	return rows
}
