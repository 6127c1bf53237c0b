package structured

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Distance names a loss between two rankings.
type Distance string

const (
	Spearman Distance = "spearman" // Σ (yⱼ − zⱼ)², decoded by sorting
	Footrule Distance = "footrule" // Σ |yⱼ − zⱼ|, decoded as an assignment problem
)

// Ranking is an order of Items items, y[j] the rank of item j, from 0. Both distances
// are decoded exactly: [Spearman] from φ(z) = z, by sorting; [Footrule] from the
// indicators of (item, rank), by an assignment problem of O(q³).
type Ranking struct {
	Items    int
	Distance Distance // "" is [Spearman]
}

// Dim returns q, or q² for the footrule.
func (r Ranking) Dim() int {
	if r.Distance == Footrule {
		return r.Items * r.Items
	}
	return r.Items
}

// Embed stores ranks, or indicators of ranks.
func (r Ranking) Embed(dst []float64, z []int) error {
	if err := checkRanks(z, r.Items); err != nil {
		return err
	}
	clear(dst)
	for j, rank := range z {
		if r.Distance == Footrule {
			dst[j*r.Items+rank] = 1
		} else {
			dst[j] = float64(rank)
		}
	}
	return nil
}

// checkRanks wants every rank once.
func checkRanks(z []int, items int) error {
	if len(z) != items {
		return fmt.Errorf("it ranks %d items, and there are %d", len(z), items)
	}
	seen := make([]bool, items)
	for j, rank := range z {
		if rank < 0 || rank >= items || seen[rank] {
			return fmt.Errorf("item %d has rank %d: every rank from 0 to %d is given once", j, rank, items-1)
		}
		seen[rank] = true
	}
	return nil
}

// Decode minimises the expected distance.
func (r Ranking) Decode(theta []float64) []int {
	if r.Distance != Footrule {
		return ranksOf(theta)
	}
	cost := make([][]float64, r.Items)
	for j := range cost {
		cost[j] = make([]float64, r.Items)
		for to := range cost[j] {
			for from := range r.Items {
				cost[j][to] += theta[j*r.Items+from] * math.Abs(float64(to-from))
			}
		}
	}
	return assign(cost)
}

// ranksOf returns the rank of every number, the smallest first.
func ranksOf(v []float64) []int {
	order, ranks := make([]int, len(v)), make([]int, len(v))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(v[a], v[b]) })
	for rank, j := range order {
		ranks[j] = rank
	}
	return ranks
}

// Loss returns the distance.
func (r Ranking) Loss(y, z []int) float64 {
	sum := 0.0
	for j := range y {
		d := math.Abs(float64(y[j] - z[j]))
		if r.Distance != Footrule {
			d *= d
		}
		sum += d
	}
	return sum
}

// assign returns the column of every row in the assignment of least total cost, by
// shortest augmenting paths with potentials (Kuhn 1955; Jonker and Volgenant 1987).
func assign(cost [][]float64) []int {
	n := len(cost)
	u, v := make([]float64, n+1), make([]float64, n+1)
	owner, from := make([]int, n+1), make([]int, n+1) // of columns, from 1; 0: none
	for row := 1; row <= n; row++ {
		owner[0] = row
		least, used := slices.Repeat([]float64{math.Inf(1)}, n+1), make([]bool, n+1)
		col := 0
		for owner[col] != 0 {
			used[col] = true
			at, next, step := owner[col], 0, math.Inf(1)
			for c := 1; c <= n; c++ {
				if used[c] {
					continue
				}
				if d := cost[at-1][c-1] - u[at] - v[c]; d < least[c] {
					least[c], from[c] = d, col
				}
				if least[c] < step {
					step, next = least[c], c
				}
			}
			for c := range used {
				if used[c] {
					u[owner[c]] += step
					v[c] -= step
				} else {
					least[c] -= step
				}
			}
			col = next
		}
		for col != 0 {
			owner[col] = owner[from[col]]
			col = from[col]
		}
	}
	out := make([]int, n)
	for c := 1; c <= n; c++ {
		out[owner[c]-1] = c - 1
	}
	return out
}
