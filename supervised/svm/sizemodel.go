package svm

import "math"

// workingSetModel is what the size of the working sets of a search for support vectors depends on.
type workingSetModel struct {
	Rows     int // of the table
	Problems int // on half of the rows or more: others have few rows to join
	// Expect returns how many of n rows get a coefficient in a search on these alone, and how many
	// of these are between their bounds.
	Expect func(n int) (support, free float64)
}

// maxRows predicts the rows of the largest matrix of a search on working sets, see [Report.Matrix].
// It begins with a sample of k rows, or with all rows where more than mostSupport of the sample get
// a coefficient. The working set that replaces it has the coefficients between their bounds, f, and
// the rows that join at a time,
//
//	m = f + problems · max(leastJoin, joinShare · (n − f)).
//
// A working set of k rows is extended to s rather than replaced as long as that costs less, see
// [search.renews]:
//
//	(½ + touchCost)(s² − k²) < ½m² + ½mn,
//
// so that s² is at most k² + m(m + n)/(1 + 2·touchCost), or m² where that is more. A working set of
// wholeShare of all rows takes all of them.
func (p workingSetModel) maxRows() float64 {
	n := float64(p.Rows)
	if p.Rows <= doubleRows {
		return n
	}
	sample := sampleRows(p.Rows)
	if support, _ := p.Expect(sample); support > mostSupport*float64(sample) {
		return n
	}
	_, free := p.Expect(p.Rows)
	next := min(n, free+float64(p.Problems)*max(leastJoin, joinShare*(n-free)))
	first := float64(sample)
	largest := max(next, math.Sqrt(first*first+next*(next+n)/(1+2*touchCost)))
	if largest >= wholeShare*n {
		return n
	}
	return largest
}

// sampleRows is how many of n rows the sample has, where memory is no limit.
func sampleRows(n int) int { return blockCount(n, sampleEach(n)) }

// sampleEach is the step of the sample of n rows.
func sampleEach(n int) int { return min(sampleStep, max(leastStep, n/leastSample)) }
