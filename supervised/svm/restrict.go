package svm

import (
	"slices"
	"sort"
)

// restrict returns the job on a working set of the rows, block after block, on which coefficients
// and gradients begin as they are, and the variables of each problem that are left.
func (j *job) restrict(blocks [][]int) (part *job, variables [][]int) {
	part = &job{o: j.o, n: j.n, src: j.src, report: j.report, watch: j.watch}
	for _, rows := range blocks {
		for _, row := range rows {
			part.order, part.diag = append(part.order, j.order[row]), append(part.diag, j.diag[row])
		}
	}
	for _, m := range j.problems {
		restricted, left := m.restrict(blocks)
		part.problems, variables = append(part.problems, restricted), append(variables, left)
	}
	return part, variables
}

// restrict is that of one problem. Its rows stay in the order of its spans, and within a
// span in that of the blocks; a segment, which covers whole spans, stays one.
func (m *binaryProblem) restrict(blocks [][]int) (part *binaryProblem, variables []int) {
	part = &binaryProblem{positive: m.positive, negative: m.negative, steps: m.steps, converged: m.converged, p: &program{groups: m.p.groups}}
	var locals []int // of each row that is left, its place among all of the problem
	before := 0
	for _, s := range m.spans {
		first := 0
		for _, rows := range blocks {
			from, _ := slices.BinarySearch(rows, s.from)
			to, _ := slices.BinarySearch(rows, s.to)
			if from < to {
				part.spans = append(part.spans, span{first + from, first + to})
			}
			for _, row := range rows[from:to] {
				locals = append(locals, before+row-s.from)
			}
			first += len(rows)
		}
		before += s.rows()
	}
	for _, s := range m.p.segments {
		out := segment{from: len(variables), row: len(locals), group: s.group}
		for k, local := range locals {
			if t := s.from + local - s.row; s.from <= t && t < s.to {
				out.row = min(out.row, k)
				variables = append(variables, t)
			}
		}
		out.to = len(variables)
		part.p.segments = append(part.p.segments, out)
	}
	choose := func(x []float64) []float64 {
		out := make([]float64, len(variables))
		for k, t := range variables {
			out[k] = x[t]
		}
		return out
	}
	part.p.width, part.p.levels = choose(m.p.width), m.p.levels
	part.p.rising = sort.Search(len(variables), func(k int) bool { return variables[k] >= m.p.rising }) // those that go up stand first
	if m.p.linear != nil {
		part.p.linear = choose(m.p.linear)
	}
	part.beta, part.g = choose(m.beta), choose(m.g)
	return part, variables
}
