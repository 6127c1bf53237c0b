package metric

import (
	"math"
	"slices"
)

// table returns the masses of the pairs of a label and a cluster, both numbered from 0,
// and their sums by label, by cluster and over all.
func table(labels, clusters []int, w []float64) (pairs [][]float64, rows, columns []float64, total float64) {
	if len(labels) == 0 {
		return nil, nil, nil, 0
	}
	rows, columns = make([]float64, slices.Max(labels)+1), make([]float64, slices.Max(clusters)+1)
	pairs = make([][]float64, len(rows))
	for a := range pairs {
		pairs[a] = make([]float64, len(columns))
	}
	for i, a := range labels {
		v := weight(w, i)
		pairs[a][clusters[i]] += v
		rows[a] += v
		columns[clusters[i]] += v
		total += v
	}
	return pairs, rows, columns, total
}

// AdjustedRand returns the adjusted Rand index of two partitions of the same rows, each
// given by numbers from 0: with C(m) = m(m − 1)/2 pairs among m rows, n_ab the rows of label
// a in cluster b, and P = Σₐ C(nₐ), Q = Σᵦ C(nᵦ), E = PQ/C(n),
//
//	(Σₐᵦ C(nₐᵦ) − E) / ((P + Q)/2 − E):
//
// 1 for the same partition under other names, 0 in the mean for one drawn at random. NaN
// where both are trivial. Hubert and Arabie, Journal of Classification 2 (1985).
func AdjustedRand(labels, clusters []int, w []float64) float64 {
	pairs, rows, columns, n := table(labels, clusters, w)
	choose := func(ms ...float64) (sum float64) {
		for _, m := range ms {
			sum += m * (m - 1) / 2
		}
		return sum
	}
	both := 0.0
	for _, row := range pairs {
		both += choose(row...)
	}
	p, q := choose(rows...), choose(columns...)
	expected := p * q / choose(n)
	return (both - expected) / ((p+q)/2 - expected)
}

// NormalizedInformation returns the mutual information of two partitions of the same rows
// over the mean of their entropies,
//
//	Σₐᵦ pₐᵦ ln(pₐᵦ/(pₐpᵦ)) / (½H(p_a) + ½H(p_b)):
//
// 1 for the same partition under other names, 0 for independent ones. NaN where both have
// one part only.
func NormalizedInformation(labels, clusters []int, w []float64) float64 {
	pairs, rows, columns, n := table(labels, clusters, w)
	entropy := func(masses []float64) (h float64) {
		for _, m := range masses {
			if m > 0 {
				h -= m / n * math.Log(m/n)
			}
		}
		return h
	}
	information := 0.0
	for a, row := range pairs {
		for b, m := range row {
			if m > 0 {
				information += m / n * math.Log(m*n/(rows[a]*columns[b]))
			}
		}
	}
	return 2 * information / (entropy(rows) + entropy(columns))
}
