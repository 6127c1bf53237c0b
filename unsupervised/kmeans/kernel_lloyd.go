package kmeans

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// kernelRun is one run from one start.
type kernelRun struct {
	*kernelProblem
	labels           []int
	sums             kernelSums
	norms, distances []float64
	mass             []float64
	trace            []float64 // the objective at the labels of each iteration
	relocated        int
	converged        bool
}

func (c *kernelRun) objective() float64 { return c.trace[len(c.trace)-1] }

// run is Lloyd's iteration in feature space, from one start:
//
//  1. Update the sums Σ w_l k(xᵢ, x_l) over the rows l of each cluster, and with them all
//     distances.
//  2. Give each row the label of the nearest mean.
//  3. Refill clusters that lost all weight.
//  4. Stop when no label changes, the objective hardly falls, or the limit is reached.
//
// The distances and norms are those of the final labels.
func (m *kernelProblem) run(ctx context.Context, start int, o Options) (*kernelRun, error) {
	n := len(m.diag)
	c := &kernelRun{kernelProblem: m, norms: make([]float64, m.k), distances: make([]float64, n), mass: make([]float64, m.k)}
	if o.StartLabels != nil {
		c.labels = append([]int(nil), o.StartLabels...)
	} else {
		g := newSeeding(m, m.diag, m.w, m.compute.WorkerCount(), rand.New(rand.NewPCG(o.Seed, uint64(start))))
		g.labels = make([]int, n)
		if _, err := g.plusPlus(ctx, m.k); err != nil {
			return nil, err
		}
		c.labels = g.labels
	}
	c.sums = kernelSums{Dense: new(mat.Dense)}
	told := m.compute.Meter("iterations", int64(o.iterations()))
	defer told.End(ctx)
	for range o.iterations() {
		if err := c.updateSums(ctx); err != nil {
			return nil, err
		}
		if t := c.trace; o.Tolerance > 0 && len(t) > 1 && t[len(t)-2]-t[len(t)-1] <= o.Tolerance*m.scatter {
			c.converged = true
			return c, nil
		}
		next, changed := c.nearest()
		moved := c.refill(next)
		if !changed && moved == 0 {
			c.converged = true
			return c, nil
		}
		told.Add(1)
		c.labels = next
		c.relocated += moved
	}
	return c, c.updateSums(ctx)
}

// updateSums computes Σ_{l∈j} w_l k(xᵢ, x_l) for all i and j. From it follow the norms of the
// means, the distances of the rows to their own means, and the objective.
func (c *kernelRun) updateSums(ctx context.Context) error {
	clear(c.mass)
	for i, j := range c.labels {
		c.mass[j] += c.w[i]
	}
	if err := c.sums.update(ctx, c); err != nil {
		return err
	}
	clear(c.norms)
	for i, j := range c.labels {
		if c.mass[j] > 0 {
			c.norms[j] += c.w[i] * c.sums.At(i, j) / (c.mass[j] * c.mass[j])
		}
	}
	total := 0.0
	for i, j := range c.labels {
		if c.mass[j] == 0 { // its rows weigh nothing and are measured from the origin
			c.distances[i] = c.diag[i]
			continue
		}
		c.distances[i] = c.diag[i] - 2*c.sums.At(i, j)/c.mass[j] + c.norms[j]
		total += c.w[i] * c.distances[i]
	}
	if math.IsNaN(total) || math.IsInf(total, 0) {
		return fmt.Errorf("kmeans: the sum of the squared distances is %v: the matrix has elements that are not finite, or too large", total)
	}
	c.trace = append(c.trace, total)
	return nil
}

// nearest returns the mean nearest to every row, and whether any label is new.
func (c *kernelRun) nearest() (next []int, changed bool) {
	next = make([]int, len(c.labels))
	for i, was := range c.labels {
		row := c.sums.RawRowView(i)
		best, least := was, c.distances[i]
		if c.mass[was] == 0 {
			least = math.Inf(1)
		}
		for j, s := range row {
			if c.mass[j] == 0 {
				continue
			}
			d := c.diag[i] - 2*s/c.mass[j] + c.norms[j]
			if d < least-c.tie*(math.Abs(c.diag[i])+c.norms[j]) || math.IsInf(least, 1) {
				best, least = j, d
			}
		}
		next[i] = best
		changed = changed || best != was
	}
	return next, changed
}

// refill puts into each cluster without weight the row of positive weight that is
// farthest from its mean, of those that are not alone in their cluster, and returns
// how many it found. Rows at the mean itself (equal rows) are left where they are.
func (c *kernelRun) refill(labels []int) (moved int) {
	rows := make([]int, c.k)
	for i, j := range labels {
		if c.w[i] > 0 {
			rows[j]++
		}
	}
	for j := range rows {
		if rows[j] > 0 {
			continue
		}
		far := -1
		for i, from := range labels {
			if c.w[i] > 0 && rows[from] > 1 && c.distances[i] > c.tie*math.Abs(c.diag[i]) && (far < 0 || c.distances[i] > c.distances[far]) {
				far = i
			}
		}
		if far < 0 {
			return moved
		}
		rows[labels[far]]--
		rows[j], labels[far] = 1, j
		moved++
	}
	return moved
}
