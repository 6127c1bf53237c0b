package structured

import "math"

// kendallExact is the number of items up to which all orders are searched.
const kendallExact = 12

// Kendall is an order of Items items, y[j] the rank of item j, from 0, with Kendall's
// distance: the number of pairs in another order. φ(z) has the sign of z_k − z_j for
// every pair j < k. Decoding is the order of Kemeny, which is NP-hard: exact by dynamic
// programming over subsets up to 12 items, O(2^q q²); for more a local search that moves
// one item at a time from the order of the sums of pairs (Borda), which ends where no
// move of one item lowers the expected loss, and may not be the minimum.
type Kendall struct{ Items int }

// Dim returns the number of pairs.
func (k Kendall) Dim() int { return k.Items * (k.Items - 1) / 2 }

// Embed stores the sign of every pair.
func (k Kendall) Embed(dst []float64, z []int) error {
	if err := checkRanks(z, k.Items); err != nil {
		return err
	}
	at := 0
	for a := range z {
		for b := a + 1; b < len(z); b++ {
			dst[at] = 1
			if z[b] < z[a] {
				dst[at] = -1
			}
			at++
		}
	}
	return nil
}

// Decode finds the order that agrees best with the pairs.
func (k Kendall) Decode(theta []float64) []int {
	// before[a][b] is what is gained where a comes before b.
	before, at := make([][]float64, k.Items), 0
	for a := range before {
		before[a] = make([]float64, k.Items)
	}
	for a := range k.Items {
		for b := a + 1; b < k.Items; b++ {
			before[a][b], before[b][a] = theta[at], -theta[at]
			at++
		}
	}
	var order []int
	if k.Items <= kendallExact {
		order = kemeny(before)
	} else {
		order = insertions(before)
	}
	ranks := make([]int, k.Items)
	for rank, item := range order {
		ranks[item] = rank
	}
	return ranks
}

// kemeny returns the best order: best(S) = max over its last item of best(S without it)
// plus what the others gain by coming before it.
func kemeny(before [][]float64) []int {
	q := len(before)
	best, last := make([]float64, 1<<q), make([]int8, 1<<q)
	for set := 1; set < 1<<q; set++ {
		best[set] = math.Inf(-1)
		for item := range q {
			if set>>item&1 == 0 {
				continue
			}
			rest := set &^ (1 << item)
			value := best[rest]
			for other := range q {
				if rest>>other&1 == 1 {
					value += before[other][item]
				}
			}
			if value > best[set] {
				best[set], last[set] = value, int8(item)
			}
		}
	}
	order := make([]int, q)
	for set, at := 1<<q-1, q-1; at >= 0; at-- {
		order[at] = int(last[set])
		set &^= 1 << last[set]
	}
	return order
}

// insertions improves the order of Borda by moving single items until none gains.
func insertions(before [][]float64) []int {
	q := len(before)
	score, order, scale := make([]float64, q), make([]int, q), 0.0
	for a := range q {
		for b := range q {
			score[a] -= before[a][b]
			scale = max(scale, math.Abs(before[a][b]))
		}
	}
	for item, rank := range ranksOf(score) {
		order[rank] = item
	}
	for improved := true; improved; {
		improved = false
		for from := range q {
			item := order[from]
			gain, most, to := 0.0, 1e-12*scale, -1
			for p := from + 1; p < q; p++ { // moving back past the item at p
				if gain += before[order[p]][item] - before[item][order[p]]; gain > most {
					most, to = gain, p
				}
			}
			gain = 0
			for p := from - 1; p >= 0; p-- {
				if gain += before[item][order[p]] - before[order[p]][item]; gain > most {
					most, to = gain, p
				}
			}
			if to < 0 {
				continue
			}
			improved = true
			step := 1
			if to < from {
				step = -1
			}
			for p := from; p != to; p += step {
				order[p] = order[p+step]
			}
			order[to] = item
		}
	}
	return order
}

// Loss returns the number of pairs in another order.
func (k Kendall) Loss(y, z []int) float64 {
	pairs := 0
	for a := range y {
		for b := a + 1; b < len(y); b++ {
			if (y[a] < y[b]) != (z[a] < z[b]) {
				pairs++
			}
		}
	}
	return float64(pairs)
}
