package kmeans

import (
	"context"
	"math"
	"math/rand/v2"

	"example.org/mercer/compute"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/pass"
)

// innerProducts is what k-means++ needs of the points: inner products, which make distances.
type innerProducts interface {
	// inner returns a visit to ⟨φ(xᵢ), φ(x_c)⟩ for all i and c = rows[t], for which it may use
	// scratch.
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
		return parallel.Each(ctx, workers, pass.Blocks(n), func(_, b int) {
			from, to := pass.BlockRange(n, b)
			use(b, products[from*candidates:to*candidates])
		})
	}
}

// seeding is the state of k-means++: for each row the squared distance to the nearest
// centre so far, and, if that is asked for, which it is.
type seeding struct {
	products innerProducts
	diag, w  []float64 // ‖φ(xᵢ)‖² and weights
	nearest  []float64
	labels   []int // nil: not asked for
	scratch  []float64
	workers  int
	random   *rand.Rand
	compute  compute.Options // the zero value: the choice is no part of a checkpoint
	pending  []choice        // centres whose distances are not computed yet
}

// choice is a centre: that of some candidates.
type choice struct {
	candidates []int
	best       int
}

func newSeeding(s innerProducts, diag, w []float64, workers int, random *rand.Rand) *seeding {
	return &seeding{products: s, diag: diag, w: w, nearest: make([]float64, len(diag)), workers: workers, random: random}
}

// plusPlus chooses k rows as centres by greedy k-means++:
//
//  1. Draw the first centre with probability proportional to the weight.
//  2. Draw 2 + ⌊ln k⌋ candidates with probability proportional to the weight times the squared
//     distance to the nearest centre.
//  3. Take the candidate that leaves the least Σ wᵢ minⱼ d²ᵢⱼ; repeat from step 2.
//
// Arthur and Vassilvitskii, k-means++, SODA 2007.
func (g *seeding) plusPlus(ctx context.Context, k int) (rows []int, err error) {
	for i := range g.nearest {
		g.nearest[i] = math.Inf(1)
	}
	rows = make([]int, 0, k)
	for j := range k {
		trials := 1
		if j > 0 {
			trials = 2 + int(math.Log(float64(k)))
		}
		c, err := g.choose(ctx, trials, j)
		if err != nil {
			return nil, err
		}
		rows = append(rows, c.candidates[c.best])
	}
	return rows, nil
}

// choose makes the best of so many candidates centre j: a step of a checkpoint.
func (g *seeding) choose(ctx context.Context, trials, j int) (choice, error) {
	levels := make([]float64, trials) // which a known step takes from the stream, too
	for t := range levels {
		levels[t] = g.random.Float64()
	}
	c, known, kept := choice{candidates: make([]int, trials)}, true, make([]float64, trials+1)
	err := g.compute.Step(ctx, "centre", [][]float64{kept}, func() error {
		known = false
		if err := g.computePending(ctx, j); err != nil {
			return err
		}
		candidates := g.draw(levels)
		best, err := g.chooseBest(ctx, candidates, j)
		for t, row := range candidates {
			kept[t] = float64(row)
		}
		kept[trials] = float64(best)
		return err
	})
	for t := range c.candidates {
		c.candidates[t] = int(kept[t])
	}
	if c.best = int(kept[trials]); known {
		g.pending = append(g.pending, c)
	}
	return c, err
}

// computePending computes the distances to the last of j centres, which came from a checkpoint:
// from the same products as when they were chosen.
func (g *seeding) computePending(ctx context.Context, j int) error {
	for t, c := range g.pending {
		visit, err := g.visit(ctx, c.candidates)
		if err != nil {
			return err
		}
		if err := g.updateNearest(visit, c, j-len(g.pending)+t); err != nil {
			return err
		}
	}
	g.pending = nil
	return nil
}

// mass is wᵢ·nearestᵢ, or wᵢ before there are centres.
func (g *seeding) mass(i int) float64 {
	if math.IsInf(g.nearest[i], 1) {
		return g.w[i]
	}
	return g.w[i] * g.nearest[i]
}

// draw returns rows with probability proportional to their mass, by random numbers from 0 to 1;
// where all of that is zero, all rows being centres, those of the largest weight.
func (g *seeding) draw(levels []float64) []int {
	n, total := len(g.w), 0.0
	sums := make([]float64, pass.Blocks(n))
	for b := range sums {
		for i, to := pass.BlockRange(n, b); i < to; i++ {
			sums[b] += g.mass(i)
		}
		total += sums[b]
	}
	rows := make([]int, len(levels))
	for t, level := range levels {
		rows[t] = g.find(sums, level*total)
	}
	return rows
}

// find returns the row at which the running sum of the masses passes the level.
func (g *seeding) find(sums []float64, level float64) int {
	b := 0
	for b < len(sums)-1 && level >= sums[b] {
		level -= sums[b]
		b++
	}
	from, to := pass.BlockRange(len(g.w), b)
	last := -1
	for i := from; i < to; i++ {
		mass := g.mass(i)
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
		if g.mass(i) > g.mass(best) || g.w[best] == 0 && g.w[i] > 0 {
			best = i
		}
	}
	return best
}

// chooseBest makes the best of the candidates centre j, and returns which it is.
func (g *seeding) chooseBest(ctx context.Context, candidates []int, j int) (best int, err error) {
	visit, err := g.visit(ctx, candidates)
	if err != nil {
		return 0, err
	}
	if len(candidates) > 1 {
		if best, err = g.best(candidates, visit); err != nil {
			return 0, err
		}
	}
	return best, g.updateNearest(visit, choice{candidates, best}, j)
}

// visit returns one to the products of all rows with the candidates.
func (g *seeding) visit(ctx context.Context, candidates []int) (visit, error) {
	if all := len(g.diag) * len(candidates); g.products.holdsProducts() && all > len(g.scratch) {
		g.scratch = make([]float64, all)
	}
	return g.products.inner(ctx, candidates, g.scratch)
}

// updateNearest notes which rows are nearer to a choice, centre j, than to any before.
func (g *seeding) updateNearest(visit visit, c choice, j int) error {
	width, row := len(c.candidates), c.candidates[c.best]
	return visit(func(b int, inner []float64) {
		from, to := pass.BlockRange(len(g.diag), b)
		for i := from; i < to; i++ {
			if d := g.squared(i, row, inner[(i-from)*width+c.best]); d < g.nearest[i] {
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
	parts := make([]float64, pass.Blocks(n)*width)
	err := visit(func(b int, inner []float64) {
		from, to := pass.BlockRange(n, b)
		for i := from; i < to; i++ {
			for t, c := range candidates {
				parts[b*width+t] += g.w[i] * min(g.nearest[i], g.squared(i, c, inner[(i-from)*width+t]))
			}
		}
	})
	best, least := 0, math.Inf(1)
	for t := range candidates {
		left := 0.0
		for b := range pass.Blocks(n) {
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
