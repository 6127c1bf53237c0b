package calibrate

import (
	"fmt"
	"math"
	"slices"
)

// half is the probability at which a decision between two classes changes.
const half = 0.5

// Isotonic is a rising function given by the points (X, P), X rising strictly, P rising:
// linear between them and constant outside; or, with Steps, constant from each X to the
// next.
type Isotonic struct {
	X     []float64 `json:"x"`
	P     []float64 `json:"p"`
	Steps bool      `json:"steps,omitempty"`
}

// At returns the value at f. It lies between those of the neighbouring points, exactly.
func (s *Isotonic) At(f float64) float64 {
	at, found := slices.BinarySearch(s.X, f)
	switch {
	case found:
		return s.P[at]
	case at == 0:
		return s.P[0]
	case at == len(s.X) || s.Steps:
		return s.P[at-1]
	}
	// Halves, because the distance of two finite numbers may not be one.
	x0, x1, p0, p1 := s.X[at-1]/2, s.X[at]/2, s.P[at-1], s.P[at]
	return min(max(p0+(p1-p0)*((f/2-x0)/(x1-x0)), p0), p1)
}

// FitIsotonic minimises Σ wᵢ (tᵢ − p(fᵢ))² over all rising functions p, by pooling
// adjacent violators: O(n log n). Rows with equal f count as one with their mean target.
// The points are the ends of the runs of equal p.
func FitIsotonic(f, t, w []float64) (*Isotonic, error) {
	if err := checkRows(f, len(t), w); err != nil {
		return nil, err
	}
	for i, v := range t {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("calibrate: target %d is %v: a map is fitted to finite targets", i, v)
		}
	}
	return points(pool(f, t, w, func(float64) bool { return true })), nil
}

// FitSigned is isotonic regression bound to the sign of f: p ≤ ½ for f < 0, p = ½ at 0,
// p ≥ ½ for f > 0. As any two such halves rise together, the problem falls into two, each
// isotonic with one constant bound, whose solution is the unbounded one of that side cut
// at the bound. (Cutting the solution for both sides together is not the minimum: it may
// pool rows across 0.) The targets are Platt's, as in [FitSigmoid], so that no
// probability is 0 or 1.
func FitSigned(f []float64, y []bool, w []float64) (*Isotonic, error) {
	if err := checkRows(f, len(y), w); err != nil {
		return nil, err
	}
	t := binaryTargets(y, w)
	s := &Isotonic{}
	for _, b := range pool(f, t, w, func(v float64) bool { return v < 0 }) {
		b.mean = min(b.mean, half)
		s.add(b)
	}
	s.add(block{mean: half})
	for _, b := range pool(f, t, w, func(v float64) bool { return v > 0 }) {
		b.mean = max(b.mean, half)
		s.add(b)
	}
	return s, nil
}

// block is a run of rows with one value.
type block struct{ from, to, mean, mass float64 }

// join takes in the block that follows.
func (b *block) join(next block) {
	b.mass += next.mass
	b.to, b.mean = next.to, b.mean+(next.mean-b.mean)*(next.mass/b.mass)
}

// pool returns the blocks of isotonic regression on the rows that are taken.
func pool(f, t, w []float64, take func(f float64) bool) []block {
	var order []int
	for i, v := range f {
		if take(v) && weight(w, i) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case f[a] < f[b]:
			return -1
		case f[a] > f[b]:
			return 1
		}
		return 0
	})
	var blocks []block
	for k := 0; k < len(order); {
		b := block{from: f[order[k]], to: f[order[k]]}
		for ; k < len(order) && f[order[k]] == b.from; k++ {
			v := weight(w, order[k])
			b.mass += v
			b.mean += (t[order[k]] - b.mean) * (v / b.mass)
		}
		blocks = append(blocks, b)
		for n := len(blocks); n > 1 && blocks[n-2].mean >= blocks[n-1].mean; n = len(blocks) {
			blocks[n-2].join(blocks[n-1])
			blocks = blocks[:n-1]
		}
	}
	return blocks
}

func points(blocks []block) *Isotonic {
	s := &Isotonic{}
	for _, b := range blocks {
		s.add(b)
	}
	return s
}

// add appends the ends of a block. Blocks of one value become one.
func (s *Isotonic) add(b block) {
	if n := len(s.P); n > 0 && s.P[n-1] == b.mean {
		if n > 1 && s.P[n-2] == b.mean {
			s.X, s.P = s.X[:n-1], s.P[:n-1]
		}
		s.X, s.P = append(s.X, b.to), append(s.P, b.mean)
		return
	}
	s.X, s.P = append(s.X, b.from), append(s.P, b.mean)
	if b.to != b.from {
		s.X, s.P = append(s.X, b.to), append(s.P, b.mean)
	}
}

// check returns why s, read from a file, is not a map bound to the sign.
func (s *Isotonic) check() error {
	if len(s.X) == 0 || len(s.X) != len(s.P) {
		return fmt.Errorf("calibrate: an isotonic map of %d points with %d values is none", len(s.X), len(s.P))
	}
	for i, x := range s.X {
		p := s.P[i]
		switch {
		case math.IsNaN(x) || math.IsInf(x, 0) || !(p >= 0 && p <= 1):
			return fmt.Errorf("calibrate: the point (%v, %v) cannot be of a map to probabilities", x, p)
		case i > 0 && (x <= s.X[i-1] || p < s.P[i-1]):
			return fmt.Errorf("calibrate: the point (%v, %v) of an isotonic map does not rise from (%v, %v)", x, p, s.X[i-1], s.P[i-1])
		}
	}
	if s.At(0) != half {
		return fmt.Errorf("calibrate: an isotonic map is %v at 0, where the decision changes: it must be ½ there", s.At(0))
	}
	return nil
}
