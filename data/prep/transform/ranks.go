package transform

import (
	"cmp"
	"errors"
	"math"
	"slices"
)

// ranks are normal scores: Φ⁻¹ of the share of the training targets that are below, and of half of
// those that are equal, at up to [mostKnots] targets, which straight lines join. Beyond the least
// and the largest target the first and the last line go on. The parameters are the pairs (y, z) of
// the knots.
//
// van der Waerden's scores, 1952; they make the law of any target normal.
type ranks struct{}

// mostKnots bounds how many targets are kept.
const mostKnots = 500

func (ranks) defined(y float64) bool { return !math.IsNaN(y) && !math.IsInf(y, 0) }
func (ranks) few() bool              { return false }
func (ranks) needs() string          { return "that are finite" }

func (ranks) fit(y, w []float64) []float64 {
	order := make([]int, len(y))
	total := 0.0
	for i := range order {
		order[i] = i
		total += w[i]
	}
	slices.SortFunc(order, func(i, k int) int { return cmp.Compare(y[i], y[k]) })
	var knots [][2]float64
	below := 0.0
	for from := 0; from < len(order); {
		to, equal := from, 0.0
		for ; to < len(order) && y[order[to]] == y[order[from]]; to++ {
			equal += w[order[to]]
		}
		if equal > 0 {
			knots = append(knots, [2]float64{y[order[from]], normalQuantile((below + equal/2) / total)})
		}
		below, from = below+equal, to
	}
	if len(knots) == 1 { // all are equal: any slope will do
		knots = append(knots, [2]float64{knots[0][0] + 1, knots[0][1] + 1})
	}
	var p []float64
	count := min(len(knots), mostKnots)
	for k := range count {
		knot := knots[k*(len(knots)-1)/(count-1)]
		p = append(p, knot[0], knot[1])
	}
	return p
}

// normalQuantile is Φ⁻¹.
func normalQuantile(q float64) float64 { return math.Sqrt2 * math.Erfinv(2*q-1) }

func (ranks) forward(p []float64, y float64) float64 { return line(p, 0, 1, y) }
func (ranks) inverse(p []float64, z float64) float64 { return line(p, 1, 0, z) }

// without leaves the knots that a target has, and two at least.
func (ranks) without(p, z []float64) []float64 {
	var out []float64
	for i := 0; i < len(p); i += 2 {
		if slices.Contains(z, p[i+1]) {
			out = append(out, p[i], p[i+1])
		}
	}
	if len(out) == 2 { // the line through it goes on as it did
		slope := (p[len(p)-2] - p[0]) / (p[len(p)-1] - p[1])
		out = append(out, out[0]+slope, out[1]+1)
	}
	if len(out) == 0 {
		return p
	}
	return out
}

// line joins knots by straight lines: from their coordinate at one place of a pair to that at the
// other.
func line(p []float64, from, to int, at float64) float64 {
	last := len(p)/2 - 1
	low, high := 0, last // the knots low < high are around it
	for high-low > 1 {
		if mid := (low + high) / 2; p[2*mid+from] <= at {
			low = mid
		} else {
			high = mid
		}
	}
	x0, x1, y0, y1 := p[2*low+from], p[2*high+from], p[2*low+to], p[2*high+to]
	switch at {
	case x0:
		return y0
	case x1:
		return y1
	}
	return y0 + (at-x0)*((y1-y0)/(x1-x0))
}

func (ranks) check(p []float64) error {
	if len(p) < 4 || len(p) > 2*mostKnots || len(p)%2 != 0 {
		return errors.New("its knots are not from two to 500 pairs")
	}
	for i := 2; i < len(p); i++ {
		if !(p[i] > p[i-2]) {
			return errors.New("its knots do not rise")
		}
	}
	return nil
}
