package filters

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"example.org/mercer/internal/parallel"
)

// Different returns the rows of d numbers that are neither 0 nor equal to one before, in place.
func Different(rows []float32, d int) []float32 {
	seen, kept := map[uint64][]int{}, 0
next:
	for i := range len(rows) / d {
		row := rows[i*d : (i+1)*d]
		zero, key := true, uint64(1)
		for j, v := range row {
			row[j] = v + 0 // −0 is 0
			zero = zero && v == 0
			key = bits.RotateLeft64(key*0x9e3779b97f4a7c15, 29) ^ uint64(math.Float32bits(row[j]))
		}
		if zero {
			continue
		}
		for _, j := range seen[key] {
			if slices.Equal(row, rows[j*d:(j+1)*d]) {
				continue next
			}
		}
		copy(rows[kept*d:], row)
		seen[key] = append(seen[key], kept)
		kept++
	}
	return rows[:kept*d]
}

// Centres returns m unit centres of more than m patches of d numbers and length 1 by spherical
// k-means. It takes 40Pdm flops for P patches.
func Centres(ctx context.Context, patches []float32, d, m, workers int, r *rand.Rand) ([]float32, error) {
	c := clustering{d: d, m: m, patches: patches, workers: workers}
	return c.run(ctx, r)
}

// clustering is spherical k-means: unit vectors are shared among the m unit centres with which they
// have the largest inner products, and a centre is the direction of the sum of its own.
type clustering struct {
	d, m, workers int
	patches       []float32
	nearest       []int32
	likeness      []float32 // with the nearest centre
}

// assignRows is the number of patches that are compared together; constant, as bits may
// depend on it.
const assignRows = 1024

// run returns the centres, m×d. A centre that loses all its patches becomes the patch that is the
// least like its own.
func (c *clustering) run(ctx context.Context, r *rand.Rand) ([]float32, error) {
	count := len(c.patches) / c.d
	c.nearest, c.likeness = make([]int32, count), make([]float32, count)
	z := make([]float32, c.m*c.d)
	for i, j := range r.Perm(count)[:c.m] {
		copy(z[i*c.d:(i+1)*c.d], c.patches[j*c.d:(j+1)*c.d])
	}
	for range rounds {
		moved, err := c.assign(ctx, z)
		if err != nil {
			return nil, err
		}
		if !moved {
			break
		}
		if err := c.average(ctx, z); err != nil {
			return nil, err
		}
	}
	return z, nil
}

// assign finds the nearest centres, and reports whether one changed.
func (c *clustering) assign(ctx context.Context, z []float32) (moved bool, err error) {
	count := len(c.nearest)
	blocks := (count + assignRows - 1) / assignRows
	changed := make([]bool, blocks)
	products := make([][]float32, max(1, c.workers))
	err = parallel.Each(ctx, c.workers, blocks, func(worker, b int) {
		from, to := b*assignRows, min((b+1)*assignRows, count)
		products[worker] = grown(products[worker], assignRows*c.m)
		own := products[worker]
		multiply(true, to-from, to-from, c.m, c.d, c.patches[from*c.d:to*c.d], z, 0, own)
		for i := from; i < to; i++ {
			best, at := float32(math.Inf(-1)), 0
			for j, v := range own[(i-from)*c.m : (i-from+1)*c.m] {
				if v > best {
					best, at = v, j
				}
			}
			changed[b] = changed[b] || c.nearest[i] != int32(at)+1
			c.nearest[i], c.likeness[i] = int32(at)+1, best // 0: none yet
		}
	})
	return slices.Contains(changed, true), err
}

// average makes each centre the direction of the sum of its patches. Coordinates are shared
// among goroutines, each of which adds the patches in their order.
func (c *clustering) average(ctx context.Context, z []float32) error {
	const width = 32
	sums := make([]float64, c.m*c.d)
	pieces := (c.d + width - 1) / width
	err := parallel.Each(ctx, c.workers, pieces, func(_, p int) {
		from, to := p*width, min((p+1)*width, c.d)
		for i, own := range c.nearest {
			sum := sums[(int(own)-1)*c.d+from : (int(own)-1)*c.d+to]
			for j, v := range c.patches[i*c.d+from : i*c.d+to] {
				sum[j] += float64(v)
			}
		}
	})
	if err != nil {
		return err
	}
	var lost []int
	for i := range c.m {
		sum, norm := sums[i*c.d:(i+1)*c.d], 0.0
		for _, v := range sum {
			norm += v * v
		}
		if !(norm > 0) {
			lost = append(lost, i)
			continue
		}
		for j, v := range sum {
			z[i*c.d+j] = float32(v / math.Sqrt(norm))
		}
	}
	if lost == nil {
		return nil
	}
	order := make([]int, len(c.likeness))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.likeness[a], c.likeness[b]) })
	for t, i := range lost {
		copy(z[i*c.d:(i+1)*c.d], c.patches[order[t]*c.d:(order[t]+1)*c.d])
	}
	return nil
}
