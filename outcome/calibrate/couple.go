package calibrate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

const (
	// coupleBound keeps the probabilities of pairs away from 0 and 1, where the problem
	// of [Couple] has more than one solution.
	coupleBound      = 1e-7
	coupleTolerance  = 1e-13
	coupleIterations = 1000
)

// Couple joins the probabilities of pairs, r(i, j) of class i against class j with
// r(j, i) = 1 − r(i, j), to probabilities of the classes: p minimises
//
//	Σ_i Σ_{j≠i} (r(j, i) pᵢ − r(i, j) pⱼ)²,  Σ p = 1,
//
// the second method of Wu, Lin and Weng (2004). Where r(i, j) = pᵢ/(pᵢ+pⱼ) for some p
// that p is found. r is kept in [1e-7, 1−1e-7]; the diagonal is not read. Their
// fixed-point iteration keeps p positive and falls to the only minimum; it stops where
// the optimality conditions hold to 1e-13, or after 1000 rounds of O(m²).
func Couple(r *mat.Dense) []float64 {
	m, _ := r.Dims()
	at := func(i, j int) float64 { return min(max(r.At(i, j), coupleBound), 1-coupleBound) }
	q := mat.NewDense(m, m, nil)
	for i := range m {
		for j := range m {
			if i != j {
				q.Set(i, i, q.At(i, i)+at(j, i)*at(j, i))
				q.Set(i, j, -at(j, i)*at(i, j))
			}
		}
	}
	p := slices.Repeat([]float64{1 / float64(m)}, m)
	qp := make([]float64, m)
	for range coupleIterations {
		if coupleResidual(q, p, qp) <= coupleTolerance {
			break
		}
		for t := range m {
			row, value, dot := q.RawRowView(t), 0.0, 0.0
			for j, v := range row {
				dot += v * p[j]
			}
			for i := range m { // pᵀQp with the p of this moment
				value += p[i] * qp[i]
			}
			step := (value - dot) / row[t]
			p[t] = max(p[t]+step, 0)
			sum := 1 + step
			for i := range m {
				qp[i] = (qp[i] + step*q.At(i, t)) / sum
				p[i] /= sum
			}
		}
	}
	return p
}

// coupleResidual stores Qp and returns how far its elements are from being equal: the
// optimality condition of Σ p = 1, relative to what each is a sum of.
func coupleResidual(q *mat.Dense, p, qp []float64) float64 {
	sum, value, worst := 0.0, 0.0, 0.0
	for _, v := range p {
		sum += v
	}
	for i := range p {
		p[i] /= sum
	}
	for i := range p {
		qp[i] = 0
		for j, v := range q.RawRowView(i) {
			qp[i] += v * p[j]
		}
		value += p[i] * qp[i]
	}
	for i := range p {
		worst = max(worst, math.Abs(qp[i]-value)/q.At(i, i))
	}
	return worst
}

// Favour makes p[class] the largest, or one of the largest, by the smallest change in
// the sum of squares that keeps Σ p: the projection onto {p : p[class] ≥ p[c] for all c}.
// The classes above the mean of class and themselves, largest first, all take that mean.
// A p that has its largest at class stays as it is.
func Favour(p []float64, class int) {
	above := make([]int, 0, len(p))
	for c, v := range p {
		if c != class && v > p[class] {
			above = append(above, c)
		}
	}
	if len(above) == 0 {
		return
	}
	slices.SortStableFunc(above, func(a, b int) int {
		switch {
		case p[a] > p[b]:
			return -1
		case p[a] < p[b]:
			return 1
		}
		return 0
	})
	sum, mean, count := p[class], p[class], 1
	for _, c := range above {
		if p[c] <= mean {
			break
		}
		sum, count = sum+p[c], count+1
		mean = sum / float64(count)
	}
	for _, c := range above[:count-1] {
		p[c] = mean
	}
	p[class] = mean
}
