package kmeans

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/pass"
)

// lloyd is one run of Lloyd's iteration.
type lloyd struct {
	*problem
	k                 int
	centres, previous []float64 // k×d: now, and before the last step
	labels            []int32
	sums              clusterSums
	exact             exact
	bounds            hamerlyBounds

	inertia                       float64
	iterations, relocated, passes int
	compared                      int   // rows that were compared with the centres
	comparedIn                    []int // those of each block in the last pass
	converged                     bool
	unlabelled                    []float64 // the centres before the last iteration, where its labels are not found yet
}

func newLloyd(p *problem, k int, centres []float64) *lloyd {
	return &lloyd{problem: p, k: k, centres: centres, previous: make([]float64, len(centres)),
		labels: make([]int32, p.n), sums: newClusterSums(p, k), exact: exact{mean: p.mean},
		bounds: newHamerlyBounds(p, k), comparedIn: make([]int, pass.Blocks(p.n))}
}

func (l *lloyd) centre(j int) []float64 { return l.centres[j*l.d : (j+1)*l.d] }

// run iterates until the labels stay, the centres hardly move, or the limit. The labels
// are those of the final centres.
func (l *lloyd) run(ctx context.Context, o Options) error {
	tolerance := o.Tolerance * l.meanVariance
	if o.Tolerance == 0 {
		tolerance = 1e-4 * l.meanVariance
	}
	for l.iterations < o.iterations() {
		l.iterations++
		l.told.Add(1)
		changed, movement, err := l.checkpointedIteration(ctx, o.Compute)
		if err != nil {
			return err
		}
		if changed == 0 && l.iterations > 1 {
			l.converged = true
			if err := l.relabel(ctx); err != nil {
				return err
			}
			return l.measure(ctx)
		}
		if movement <= tolerance {
			l.converged = true
			break
		}
	}
	if _, err := l.assign(ctx); err != nil {
		return err
	}
	return l.measure(ctx)
}

// iteration gives the rows the labels of their nearest centres, and moves the centres; it returns
// how many labels changed, and the sum of the squares of the movements.
func (l *lloyd) iteration(ctx context.Context) (changed int, movement float64, err error) {
	if changed, err = l.assign(ctx); err != nil {
		return 0, 0, err
	}
	movement, err = l.update(ctx, changed)
	return changed, movement, err
}

// measure sums Σ wᵢd²(xᵢ, its centre), without cancellation.
func (l *lloyd) measure(ctx context.Context) (err error) {
	parts := make([]float64, pass.Blocks(l.n))
	err = l.distances(ctx, func(i int, square float64) { parts[i/pass.BlockRows] += l.w[i] * square })
	l.inertia = inOrder(parts)
	return err
}

// distances makes a pass that finds the squared distance of every row to its centre. use is called
// from several goroutines, and for the rows of a block in their order.
func (l *lloyd) distances(ctx context.Context, use func(i int, square float64)) error {
	_, err := l.reduce(ctx, distances{l.mean, l.centres}, l.label, func(made *mat.Dense, from int) {
		for i, square := range made.RawMatrix().Data {
			use(from+i, square)
		}
	})
	return err
}

// label is what goes along with row i.
func (l *lloyd) label(numbers []float64, i int) { numbers[0] = float64(l.labels[i]) }

// update moves the centres to the means of their rows, and returns the sum of the squares of the
// movements.
func (l *lloyd) update(ctx context.Context, changed int) (float64, error) {
	copy(l.previous, l.centres)
	if err := l.add(ctx, changed); err != nil {
		return 0, err
	}
	if err := l.relocate(ctx); err != nil {
		return 0, err
	}
	for j := range l.k {
		if mass := l.sums.mass[j]; mass > 0 {
			floats.ScaleTo(l.centre(j), 1/mass, l.sums.sum[j*l.d:(j+1)*l.d])
		}
	}
	return l.movement(), nil
}

// movement advances the bounds by how far the centres have moved, and returns the sum of
// the squares of that.
func (l *lloyd) movement() float64 {
	total, movements := 0.0, make([]float64, l.k)
	for j := range l.k {
		s := squaredDistance(l.centre(j), l.previous[j*l.d:(j+1)*l.d])
		movements[j] = math.Sqrt(s) * (1 + float64(l.d+4)*0x1p-52)
		total += s
	}
	l.bounds.advance(movements)
	return total
}

// relocate gives each cluster without weight the row that is farthest from its centre,
// out of those that do not leave their own cluster empty.
func (l *lloyd) relocate(ctx context.Context) error {
	t := &l.sums
	if !slices.Contains(t.mass, 0) {
		return nil
	}
	distance, order, left := make([]float64, l.n), make([]int, 0, l.n), slices.Clone(t.rows)
	if err := l.distances(ctx, func(i int, square float64) { distance[i] = square }); err != nil {
		return err
	}
	for i := range l.labels {
		if l.w[i] > 0 && distance[i] > 0 {
			order = append(order, i)
		}
	}
	row := make([]float64, l.d)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(distance[b], distance[a]) })
	for j := range l.k {
		if t.mass[j] > 0 {
			continue
		}
		for len(order) > 0 && left[l.labels[order[0]]] < 2 {
			order = order[1:]
		}
		if len(order) == 0 {
			return nil
		}
		i := order[0]
		order = order[1:]
		from := int(l.labels[i])
		left[from]--
		l.centred(row, l.x.At(i))
		t.change(from, row, -l.w[i])
		t.change(j, row, l.w[i])
		t.known = false // the row keeps its label until the next assignment
		l.relocated++
	}
	return nil
}
