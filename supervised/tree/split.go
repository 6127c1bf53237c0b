package tree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/data"
	"example.org/mercer/model"
)

// Split sends x to its left branch where ⟨v, x⟩ ≤ b.
type Split struct {
	Direction []float64 `json:"direction"` // v
	Bound     float64   `json:"bound"`     // b
	Scale     float64   `json:"scale"`     // s > 0, the unit of the temperature
	// Below and Above are the left and the right branch: the number of a split, or −1−ℓ for leaf ℓ.
	Below int `json:"below"`
	Above int `json:"above"`
}

// at is how far x lies to the right.
func (s *Split) at(x []float64) float64 { return floats.Dot(s.Direction, x) - s.Bound }

// Splits are a tree. The first is the root, and branches come after what they branch from; leaves
// are numbered from the left. No split is a tree of one leaf.
type Splits []Split

// Leaves is the number of leaves.
func (t Splits) Leaves() int { return len(t) + 1 }

// Leaf returns the number of the leaf that x belongs to, by as many inner products as there are
// splits above it.
func (t Splits) Leaf(x []float64) int {
	if len(t) == 0 {
		return 0
	}
	for node := 0; ; {
		s := &t[node]
		if node = s.Below; s.at(x) > 0 {
			node = s.Above
		}
		if node < 0 {
			return -1 - node
		}
	}
}

// Shares stores in dst the w_ℓ(x) of all leaves at a temperature; they sum to 1.
func (t Splits) Shares(dst []float64, x []float64, temperature float64) {
	clear(dst)
	if len(t) == 0 || temperature == 0 {
		dst[t.Leaf(x)] = 1
		return
	}
	share := make([]float64, len(t)) // of what comes to a split
	share[0] = 1
	give := func(node int, w float64) {
		if node < 0 {
			dst[-1-node] = w
		} else {
			share[node] = w
		}
	}
	for i := range t {
		right := 1 / (1 + math.Exp(-t[i].at(x)/(temperature*t[i].Scale)))
		give(t[i].Below, share[i]*(1-right))
		give(t[i].Above, share[i]*right)
	}
}

// Check returns what is wrong with a tree for rows of d coordinates.
func (t Splits) Check(d int) error {
	leaf, reached := 0, 0
	var walk func(node int) error
	walk = func(node int) error {
		switch {
		case node < 0 && -1-node != leaf:
			return fmt.Errorf("leaf %d stands where leaf %d must", -1-node, leaf)
		case node < 0:
			leaf++
			return nil
		case node >= len(t):
			return fmt.Errorf("a branch leads to split %d of %d", node, len(t))
		}
		s := &t[node]
		reached++
		if reached > len(t) || s.Below >= 0 && s.Below <= node || s.Above >= 0 && s.Above <= node {
			return fmt.Errorf("split %d branches to one that does not come after it", node)
		}
		if len(s.Direction) != d || !finite(append([]float64{s.Bound, s.Scale}, s.Direction...)) || !(s.Scale > 0) {
			return fmt.Errorf("split %d has a direction of %d numbers, the bound %v and the scale %v: there must be %d finite numbers, and a positive scale", node, len(s.Direction), s.Bound, s.Scale, d)
		}
		return errors.Join(walk(s.Below), walk(s.Above))
	}
	if len(t) == 0 {
		return nil
	}
	if err := walk(0); err != nil {
		return fmt.Errorf("tree: %w", err)
	}
	if leaf != t.Leaves() {
		return fmt.Errorf("tree: %d leaves are reached from the root, of %d", leaf, t.Leaves())
	}
	return nil
}

func finite(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// Options say how a tree grows.
type Options struct {
	// Most is the number of rows that a leaf has at most. Leaves of equal rows may have more.
	Most int
	// Weights are the wᵢ ≥ 0 of the rows, of which b is the weighted median; nil: all 1.
	Weights []float64
	// Direction returns v for the rows that come to a split, given by their numbers.
	Direction func(ctx context.Context, rows []int) ([]float64, error)
}

// Grow divides rows until no leaf has too many, and returns the tree and the rows of every leaf, in
// their order. Rows of the weight 0 go where they belong, and are not counted. A bound lies in the
// middle between two rows. Errors are those of the options and of Direction.
//
// For n rows of d coordinates it takes O(nd) for every level, O(n log n) to sort, and the
// directions.
func Grow(ctx context.Context, xs data.Set[[]float64], o Options) (Splits, [][]int, error) {
	c := model.NewChecks("tree")
	if o.Most < 1 {
		c.Add("a leaf of at most %d rows: there must be 1 at least", o.Most)
	}
	if xs.Len() == 0 {
		c.Add("there are no rows")
	}
	c.Weights(xs.Len(), o.Weights)
	if err := c.Err(); err != nil {
		return nil, nil, err
	}
	g := &growing{Options: o, xs: xs}
	if _, err := g.grow(ctx, data.Range(0, xs.Len())); err != nil {
		return nil, nil, err
	}
	return g.splits, g.leaves, nil
}

// growing is a tree that grows, from the left.
type growing struct {
	Options
	xs     data.Set[[]float64]
	splits Splits
	leaves [][]int
}

// grow makes a branch of some rows, and returns its number.
func (g *growing) grow(ctx context.Context, rows []int) (int, error) {
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	heavy := slices.DeleteFunc(slices.Clone(rows), func(i int) bool { return model.Weight(g.Weights, i) == 0 })
	if len(heavy) > g.Most {
		v, err := g.Direction(ctx, heavy)
		if err != nil {
			return 0, err
		}
		if s, ok := g.split(v, heavy); ok {
			return g.branch(ctx, s, rows)
		}
	}
	g.leaves = append(g.leaves, rows)
	return -len(g.leaves), nil
}

// branch grows both branches of a split.
func (g *growing) branch(ctx context.Context, s Split, rows []int) (int, error) {
	var left, right []int
	for _, i := range rows {
		if s.at(g.xs.At(i)) > 0 {
			right = append(right, i)
		} else {
			left = append(left, i)
		}
	}
	node := len(g.splits)
	g.splits = append(g.splits, s)
	for _, side := range []struct {
		rows []int
		to   func(s *Split) *int
	}{{left, func(s *Split) *int { return &s.Below }}, {right, func(s *Split) *int { return &s.Above }}} {
		to, err := g.grow(ctx, side.rows)
		if err != nil {
			return 0, err
		}
		*side.to(&g.splits[node]) = to
	}
	return node, nil
}

// projected is ⟨v, x⟩ of a row, and its weight.
type projected struct{ value, weight float64 }

// split puts the bound nearest to the median at which rows differ; ok is false where none do.
func (g *growing) split(v []float64, rows []int) (s Split, ok bool) {
	line := make([]projected, len(rows))
	total := 0.0
	for at, i := range rows {
		line[at] = projected{floats.Dot(v, g.xs.At(i)), model.Weight(g.Weights, i)}
		total += line[at].weight
	}
	slices.SortFunc(line, func(a, b projected) int { return cmp.Compare(a.value, b.value) })
	best, below := math.Inf(1), 0.0
	var quartiles [2]float64
	for at := range line {
		before := below
		below += line[at].weight
		for q, share := range []float64{0.25, 0.75} {
			if before < share*total && below >= share*total {
				quartiles[q] = line[at].value
			}
		}
		if at+1 == len(line) || line[at+1].value == line[at].value {
			continue
		}
		bound := line[at].value + (line[at+1].value-line[at].value)/2
		if off := math.Abs(below - total/2); off < best && bound > line[at].value && bound < line[at+1].value {
			best, s, ok = off, Split{Direction: v, Bound: bound}, true
		}
	}
	if s.Scale = quartiles[1] - quartiles[0]; s.Scale <= 0 { // half of the rows are alike
		s.Scale = line[len(line)-1].value - line[0].value
	}
	return s, ok && finite([]float64{s.Bound, s.Scale}) && s.Scale > 0
}
