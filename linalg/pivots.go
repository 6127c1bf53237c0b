package linalg

import (
	"math/rand/v2"
	"sort"
)

// PivotRule chooses the columns of a partial Cholesky factorization.
type PivotRule int

const (
	// Greedy takes the largest remaining diagonal element, one column after another.
	// Outliers come first.
	Greedy PivotRule = iota
	// Random draws rows with probabilities proportional to the remaining diagonal. Its
	// expected trace is near that of the best approximation of a slightly smaller rank, for
	// every matrix. Columns come in blocks, by rejection sampling: proposals of a block are drawn
	// from one diagonal, and each is accepted with the share of its element that those accepted
	// before it leave. That gives the same distribution as one draw after another.
	Random
	// Listed takes the rows of [LowRankOptions].Order, in that order, and leaves out those
	// that the ones before them explain.
	Listed
)

// proposalBlock is the number of rows that Random proposes at once.
const proposalBlock = 96

// proposer returns a function that proposes the next pivots.
func (p *partialCholesky) proposer() func() []proposal {
	switch p.o.Pivots {
	case Random:
		return p.draw(rand.New(rand.NewPCG(p.o.Seed, 0)))
	case Listed:
		return p.listed()
	}
	return func() []proposal {
		at := argmax(p.low.Rest)
		if !(p.low.Rest[at] > 0) {
			return nil
		}
		return []proposal{{row: at}}
	}
}

// listed proposes the rows of the order, a block at a time.
func (p *partialCholesky) listed() func() []proposal {
	left := p.o.Order
	return func() []proposal {
		count := min(proposalBlock, p.rows.Rows-len(p.low.Pivots), len(left))
		proposals := make([]proposal, count)
		for i, row := range left[:count] {
			proposals[i].row = row
		}
		left = left[count:]
		return proposals
	}
}

// draw proposes rows by the remaining diagonal.
func (p *partialCholesky) draw(rng *rand.Rand) func() []proposal {
	sums := make([]float64, len(p.low.Rest))
	return func() []proposal {
		total := 0.0
		for i, v := range p.low.Rest {
			total += v
			sums[i] = total
		}
		if !(total > 0) {
			return nil
		}
		proposals := make([]proposal, 0, proposalBlock)
		for range min(proposalBlock, p.rows.Rows-len(p.low.Pivots)) {
			at := min(sort.SearchFloat64s(sums, rng.Float64()*total), len(sums)-1)
			at = skipZeros(p.low.Rest, at)
			// A row may be proposed twice: once accepted, nothing remains of it.
			proposals = append(proposals, proposal{row: at, threshold: rng.Float64() * p.low.Rest[at]})
		}
		return proposals
	}
}

// skipZeros returns the first index from at on whose element is positive, or the last
// one before it: a draw on the edge of an interval of probability 0 is moved off it.
func skipZeros(x []float64, at int) int {
	for i := at; i < len(x); i++ {
		if x[i] > 0 {
			return i
		}
	}
	for !(x[at] > 0) {
		at--
	}
	return at
}

// argmax returns the first index of a largest element.
func argmax(x []float64) int {
	at := 0
	for i, v := range x {
		if v > x[at] {
			at = i
		}
	}
	return at
}
