package kmeans

import (
	"context"
	"math"
	"math/rand/v2"

	"mercer/internal/parallel"
)

// blockRows is the number of rows in a piece of work.
const blockRows = 256

// cut returns the rows [from, to) of block b.
func cut(n, b int) (from, to int) { return b * blockRows, min(n, (b+1)*blockRows) }

func blocks(n int) int { return (n + blockRows - 1) / blockRows }

// slab returns the blocks [from, to) of slab s of so many.
func slab(n, s, slabs int) (from, to int) {
	return s * blocks(n) / slabs, (s + 1) * blocks(n) / slabs
}

// space is what k-means++ needs of the points: inner products, which make distances.
type space interface {
	// inner stores ⟨φ(xᵢ), φ(x_c)⟩ in dst[i·len(rows)+t] for every i and c = rows[t].
	inner(ctx context.Context, dst []float64, rows []int) error
}

// seeding is the state of k-means++: for each row the squared distance to the nearest
// centre so far, and which it is.
type seeding struct {
	space   space
	diag, w []float64 // ‖φ(xᵢ)‖² and weights
	nearest []float64
	labels  []int
	inner   []float64 // of the rows with the candidates
	workers int
	random  *rand.Rand
}

// plusPlus chooses k rows as centres by greedy k-means++: the first with probability
// proportional to the weight, each further one, of 2 + ⌊ln k⌋ candidates drawn with
// probability proportional to the weight times the squared distance to the nearest
// centre, the one that leaves the least Σ wᵢ minⱼ d²ᵢⱼ. It returns the rows and the nearest
// centre of every row. Arthur and Vassilvitskii, k-means++, SODA 2007.
func plusPlus(ctx context.Context, s space, diag, w []float64, k, workers int, random *rand.Rand) (rows, labels []int, err error) {
	n := len(diag)
	g := &seeding{space: s, diag: diag, w: w, nearest: make([]float64, n), labels: make([]int, n), workers: workers, random: random}
	for i := range g.nearest {
		g.nearest[i] = 1
	}
	trials := 2 + int(math.Log(float64(k)))
	first := g.draw(1)
	for i := range g.nearest {
		g.nearest[i] = math.Inf(1)
	}
	rows = make([]int, 0, k)
	for j := range k {
		candidates := first
		if j > 0 {
			candidates = g.draw(trials)
		}
		row, err := g.take(ctx, candidates, j)
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, row)
	}
	return rows, g.labels, nil
}

// draw returns rows with probability proportional to wᵢ·nearestᵢ; where all of that is
// zero, all rows being centres, those of the largest weight.
func (g *seeding) draw(count int) []int {
	n, total := len(g.w), 0.0
	sums := make([]float64, blocks(n))
	for b := range sums {
		for i, to := cut(n, b); i < to; i++ {
			sums[b] += g.w[i] * g.nearest[i]
		}
		total += sums[b]
	}
	rows := make([]int, count)
	for t := range rows {
		rows[t] = g.find(sums, g.random.Float64()*total)
	}
	return rows
}

// find returns the row at which the running sum of wᵢ·nearestᵢ passes the level.
func (g *seeding) find(sums []float64, level float64) int {
	b := 0
	for b < len(sums)-1 && level >= sums[b] {
		level -= sums[b]
		b++
	}
	from, to := cut(len(g.w), b)
	last := -1
	for i := from; i < to; i++ {
		mass := g.w[i] * g.nearest[i]
		if mass > 0 {
			last = i
			if level < mass {
				return i
			}
		}
		level -= mass
	}
	if last >= 0 {
		return last
	}
	// Rounding has carried the level past the last mass, or there is none.
	best := 0
	for i := range g.w {
		if g.w[i]*g.nearest[i] > g.w[best]*g.nearest[best] || g.w[best] == 0 && g.w[i] > 0 {
			best = i
		}
	}
	return best
}

// take makes the best of the candidates centre j.
func (g *seeding) take(ctx context.Context, candidates []int, j int) (int, error) {
	n, width := len(g.diag), len(candidates)
	if n*width > len(g.inner) {
		g.inner = make([]float64, n*width)
	}
	inner := g.inner[:n*width]
	if err := g.space.inner(ctx, inner, candidates); err != nil {
		return 0, err
	}
	parts := make([]float64, blocks(n)*width)
	err := parallel.Each(ctx, g.workers, blocks(n), func(_, b int) {
		for i, to := cut(n, b); i < to; i++ {
			for t, c := range candidates {
				parts[b*width+t] += g.w[i] * min(g.nearest[i], g.squared(i, c, inner[i*width+t]))
			}
		}
	})
	if err != nil {
		return 0, err
	}
	best, least := 0, math.Inf(1)
	for t := range candidates {
		left := 0.0
		for b := range blocks(n) {
			left += parts[b*width+t]
		}
		if left < least {
			best, least = t, left
		}
	}
	return candidates[best], parallel.Each(ctx, g.workers, blocks(n), func(_, b int) {
		for i, to := cut(n, b); i < to; i++ {
			if d := g.squared(i, candidates[best], inner[i*width+best]); d < g.nearest[i] {
				g.nearest[i], g.labels[i] = d, j
			}
		}
	})
}

// squared is d² = kᵢᵢ + k_cc − 2kᵢ_c, or 0 where that is no more than rounding: equal rows
// must not be drawn twice.
func (g *seeding) squared(i, c int, inner float64) float64 {
	sum := g.diag[i] + g.diag[c]
	if d := sum - 2*inner; i != c && d > 1e-14*math.Abs(sum) {
		return d
	}
	return 0
}
