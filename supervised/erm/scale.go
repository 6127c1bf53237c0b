package erm

import (
	"math"
	"slices"
)

// madFactor makes the median of |r| the standard deviation of normal residuals:
// 1/Φ⁻¹(3/4).
const madFactor = 1.482602218505602

// absolutes returns |x|.
func absolutes(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = math.Abs(v)
	}
	return out
}

// median returns a number with half of the weight on either side: the mean of the two
// in the middle where there are two. nil weights are ones.
func median(x, weights []float64) float64 {
	order := make([]int, 0, len(x))
	total := 0.0
	for i := range x {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		if w > 0 {
			order = append(order, i)
			total += w
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return a - b
	})
	below := 0.0
	for at, i := range order {
		if weights == nil {
			below++
		} else {
			below += weights[i]
		}
		switch {
		case below > total/2:
			return x[i]
		case below == total/2:
			return (x[i] + x[order[at+1]]) / 2
		}
	}
	return 0
}
