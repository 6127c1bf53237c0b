package kmeans

import (
	"context"
	"math"
	"math/rand/v2"

	"mercer/data/passes"
	"mercer/internal/parallel"
)

// space is what k-means++ needs of the points: inner products, which make distances.
type space interface {
	// inner returns a visit to ⟨φ(xᵢ), φ(x_c)⟩ for all i and c = rows[t], for which it may use scratch.
	inner(ctx context.Context, rows []int, scratch []float64) (visit, error)
	// holdsProducts says that scratch must have a place for every product.
	holdsProducts() bool
}

// visit passes on, block by block, the inner products of its rows with the candidates, from several
// goroutines: that of the block's row i with candidate t is inner[i·candidates+t].
type visit func(use func(b int, inner []float64)) error

// stored is the visit to products of n rows with so many candidates that are held.
func stored(ctx context.Context, n, candidates, workers int, products []float64) visit {
	return func(use func(b int, inner []float64)) error {
		return parallel.Each(ctx, workers, passes.Blocks(n), func(_, b int) {
			from, to := passes.Cut(n, b)
			use(b, products[from*candidates:to*candidates])
		})
	}
}

// seeding is the state of k-means++: for each row the squared distance to the nearest
// centre so far, and, if that is asked for, which it is.
type seeding struct {
	space   space
	diag, w []float64 // ‖φ(xᵢ)‖² and weights
	nearest []float64
	labels  []int // nil: not asked for
	scratch []float64
	workers int
	random  *rand.Rand
}

func newSeeding(s space, diag, w []float64, workers int, random *rand.Rand) *seeding {
	return &seeding{space: s, diag: diag, w: w, nearest: make([]float64, len(diag)), workers: workers, random: random}
}

// plusPlus chooses k rows as centres by greedy k-means++: the first with probability
// proportional to the weight, each further one, of 2 + ⌊ln k⌋ candidates drawn with
// probability proportional to the weight times the squared distance to the nearest
// centre, the one that leaves the least Σ wᵢ minⱼ d²ᵢⱼ. Arthur and Vassilvitskii,
// k-means++, SODA 2007.
func (g *seeding) plusPlus(ctx context.Context, k int) (rows []int, err error) {
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
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// draw returns rows with probability proportional to wᵢ·nearestᵢ; where all of that is
// zero, all rows being centres, those of the largest weight.
func (g *seeding) draw(count int) []int {
	n, total := len(g.w), 0.0
	sums := make([]float64, passes.Blocks(n))
	for b := range sums {
		for i, to := passes.Cut(n, b); i < to; i++ {
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
	from, to := passes.Cut(len(g.w), b)
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
	if g.space.holdsProducts() && n*width > len(g.scratch) {
		g.scratch = make([]float64, n*width)
	}
	visit, err := g.space.inner(ctx, candidates, g.scratch)
	if err != nil {
		return 0, err
	}
	best := 0
	if width > 1 {
		if best, err = g.best(candidates, visit); err != nil {
			return 0, err
		}
	}
	return candidates[best], visit(func(b int, inner []float64) {
		from, to := passes.Cut(n, b)
		for i := from; i < to; i++ {
			if d := g.squared(i, candidates[best], inner[(i-from)*width+best]); d < g.nearest[i] {
				g.nearest[i] = d
				if g.labels != nil {
					g.labels[i] = j
				}
			}
		}
	})
}

// best returns the candidate that leaves the least sum.
func (g *seeding) best(candidates []int, visit visit) (int, error) {
	n, width := len(g.diag), len(candidates)
	parts := make([]float64, passes.Blocks(n)*width)
	err := visit(func(b int, inner []float64) {
		from, to := passes.Cut(n, b)
		for i := from; i < to; i++ {
			for t, c := range candidates {
				parts[b*width+t] += g.w[i] * min(g.nearest[i], g.squared(i, c, inner[(i-from)*width+t]))
			}
		}
	})
	best, least := 0, math.Inf(1)
	for t := range candidates {
		left := 0.0
		for b := range passes.Blocks(n) {
			left += parts[b*width+t]
		}
		if left < least {
			best, least = t, left
		}
	}
	return best, err
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
