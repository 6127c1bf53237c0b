package kmeans

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"mercer/internal/parallel"
)

// maxSlabs is the largest number of partial sums of the rows of each cluster.
const maxSlabs = 32

// fewCentres is the number of centres below which the distances to all of them, in a
// product of matrices, take about as long as one alone.
const fewCentres = 24

// lloyd is one run of Lloyd's iteration.
type lloyd struct {
	*problem
	k              int
	centres, moved []float64 // k×d: now, and before the last step
	labels         []int
	mass           []float64 // weight of each cluster at the last step
	// upper bounds the distance of a row to its centre, lower that to any other:
	// the bounds of Hamerly, Making k-means even faster, SDM 2010.
	upper, lower []float64
	buffers      []*buffer

	inertia                       float64
	iterations, relocated, passes int
	full                          int // rows whose distances were all computed
	converged                     bool
}

// buffer is what a worker computes in.
type buffer struct {
	rows    []int
	x, dots []float64
}

func newLloyd(p *problem, k int, centres []float64) *lloyd {
	l := &lloyd{problem: p, k: k, centres: centres, moved: make([]float64, len(centres)), labels: make([]int, p.n),
		mass: make([]float64, k), upper: make([]float64, p.n), lower: make([]float64, p.n)}
	for i := range p.n {
		l.upper[i] = math.Inf(1) // nothing is known
	}
	for range max(1, p.workers) {
		l.buffers = append(l.buffers, &buffer{x: make([]float64, blockRows*p.d), dots: make([]float64, blockRows*k)})
	}
	return l
}

func (l *lloyd) centre(j int) []float64 { return l.centres[j*l.d : (j+1)*l.d] }

// run iterates until the labels stay, the centres hardly move, or the limit. The labels
// are those of the final centres.
func (l *lloyd) run(ctx context.Context, o Options) error {
	tolerance := o.Tolerance * l.spread
	if o.Tolerance == 0 {
		tolerance = 1e-4 * l.spread
	}
	for l.iterations < o.iterations() {
		l.iterations++
		changed, err := l.assign(ctx)
		if err != nil {
			return err
		}
		movement, err := l.update(ctx)
		if err != nil {
			return err
		}
		if changed == 0 && l.iterations > 1 {
			l.converged = true
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

// measure sums Σ wᵢd²(xᵢ, its centre), without cancellation.
func (l *lloyd) measure(ctx context.Context) (err error) {
	l.inertia, err = parallel.Sum(ctx, l.workers, blocks(l.n), func(_, b int) (sum float64) {
		for i, to := cut(l.n, b); i < to; i++ {
			sum += l.w[i] * squaredDistance(l.row(i), l.centre(l.labels[i]))
		}
		return sum
	})
	return err
}

// assign gives every row its nearest centre and returns how many changed.
func (l *lloyd) assign(ctx context.Context) (int, error) {
	half, norms := l.separations(), make([]float64, l.k)
	largest := 0.0
	for j := range norms {
		norms[j] = floats.Dot(l.centre(j), l.centre(j))
		largest = max(largest, norms[j])
	}
	changed, full := make([]int, blocks(l.n)), make([]int, blocks(l.n))
	err := parallel.Each(ctx, l.workers, blocks(l.n), func(worker, b int) {
		buf := l.buffers[worker]
		l.collect(buf, b, half)
		if len(buf.rows) == 0 {
			return
		}
		x := buf.x[:len(buf.rows)*l.d]
		for t, i := range buf.rows {
			copy(x[t*l.d:], l.row(i))
		}
		dots := buf.dots[:len(buf.rows)*l.k]
		l.multiply(dots, x, l.centres)
		for t, i := range buf.rows {
			if l.choose(i, dots[t*l.k:(t+1)*l.k], norms, largest) {
				changed[b]++
			}
		}
		full[b] = len(buf.rows)
	})
	total := 0
	for b, c := range changed {
		total += c
		l.full += full[b]
	}
	l.passes++
	return total, err
}

// collect lists the rows of a block for which the bounds do not show that the nearest
// centre is still the same.
func (l *lloyd) collect(buf *buffer, b int, half []float64) {
	buf.rows = buf.rows[:0]
	for i, to := cut(l.n, b); i < to; i++ {
		bound := max(l.lower[i], half[l.labels[i]])
		if l.upper[i] < bound {
			continue
		}
		if l.k >= fewCentres && !math.IsInf(l.upper[i], 1) {
			// One distance may do. Its relative error is below (d + 2)·2⁻⁵².
			l.upper[i] = math.Sqrt(squaredDistance(l.row(i), l.centre(l.labels[i]))) * (1 + float64(l.d+4)*0x1p-52)
			if l.upper[i] < bound {
				continue
			}
		}
		buf.rows = append(buf.rows, i)
	}
}

// choose takes the nearest centre of row i from its inner products with all of them. The
// error of ‖x‖² − 2⟨x, c⟩ + ‖c‖² is below 2(d + 2)·2⁻⁵²(‖x‖² + ‖c‖²), which goes into the bounds.
func (l *lloyd) choose(i int, dots, norms []float64, largest float64) bool {
	was := l.labels[i]
	norms = norms[:len(dots)]
	// The last centre goes first: few others will then be among the nearest two.
	best, first, second := was, norms[was]-2*dots[was], math.Inf(1)
	for j, dot := range dots {
		s := norms[j] - 2*dot
		if s > second || j == was {
			continue
		}
		if s < first || s == first && j < best {
			best, first, second = j, s, first
		} else {
			second = s
		}
	}
	slack := 2 * float64(l.d+2) * 0x1p-52 * (l.norms[i] + largest)
	l.upper[i] = math.Sqrt(max(0, l.norms[i]+first) + slack)
	l.lower[i] = math.Sqrt(max(0, l.norms[i]+second-slack))
	l.labels[i] = best
	return best != was
}

// separations returns half of the distance of each centre to the nearest other: a row
// nearer to its centre has no nearer one.
func (l *lloyd) separations() []float64 {
	half := make([]float64, l.k)
	for j := range half {
		half[j] = math.Inf(1)
	}
	for j := range l.k {
		for m := range j {
			s := math.Sqrt(squaredDistance(l.centre(j), l.centre(m))) / 2 * (1 - float64(l.d+4)*0x1p-52)
			half[j], half[m] = min(half[j], s), min(half[m], s)
		}
	}
	return half
}

// update moves the centres to the means of their rows, widens the bounds by the
// movements, and returns the sum of their squares.
func (l *lloyd) update(ctx context.Context) (float64, error) {
	copy(l.moved, l.centres)
	sums, err := l.sums(ctx)
	if err != nil {
		return 0, err
	}
	l.relocate(sums)
	steps, total := make([]float64, l.k), 0.0
	for j := range l.k {
		if l.mass[j] > 0 {
			floats.ScaleTo(l.centre(j), 1/l.mass[j], sums[j*l.d:(j+1)*l.d])
		}
		s := squaredDistance(l.centre(j), l.moved[j*l.d:(j+1)*l.d])
		steps[j] = math.Sqrt(s) * (1 + float64(l.d+4)*0x1p-52)
		total += s
	}
	most, next := 0, 0.0 // the centre that moved most, and the longest step of the others
	for j := range steps {
		if steps[j] > steps[most] {
			most = j
		}
	}
	for j := range steps {
		if j != most {
			next = max(next, steps[j])
		}
	}
	for i, j := range l.labels {
		l.upper[i] = (l.upper[i] + steps[j]) * (1 + 0x1p-51)
		step := steps[most]
		if j == most {
			step = next
		}
		l.lower[i] = (l.lower[i] - step) * (1 - 0x1p-51)
	}
	return total, nil
}

// sums adds up the rows of each cluster, and their weights, in slabs of rows whose number
// depends on the size of the problem alone.
func (l *lloyd) sums(ctx context.Context) ([]float64, error) {
	slabs := max(1, min(maxSlabs, blocks(l.n), l.n/(2*l.k)))
	parts, masses := make([][]float64, slabs), make([][]float64, slabs)
	err := parallel.Each(ctx, l.workers, slabs, func(_, s int) {
		part, mass := make([]float64, l.k*l.d), make([]float64, l.k)
		for i := s * l.n / slabs; i < (s+1)*l.n/slabs; i++ {
			j := l.labels[i]
			floats.AddScaled(part[j*l.d:(j+1)*l.d], l.w[i], l.row(i))
			mass[j] += l.w[i]
		}
		parts[s], masses[s] = part, mass
	})
	if err != nil {
		return nil, err
	}
	copy(l.mass, masses[0])
	for s := 1; s < slabs; s++ {
		floats.Add(parts[0], parts[s])
		floats.Add(l.mass, masses[s])
	}
	return parts[0], nil
}

// relocate gives each cluster without weight the row that is farthest from its centre,
// out of those that do not leave their own cluster empty.
func (l *lloyd) relocate(sums []float64) {
	empty := 0
	for _, m := range l.mass {
		if m == 0 {
			empty++
		}
	}
	if empty == 0 {
		return
	}
	distance, order, left := make([]float64, l.n), make([]int, 0, l.n), make([]int, l.k)
	for i, j := range l.labels {
		distance[i] = squaredDistance(l.row(i), l.centre(j))
		if l.w[i] > 0 && distance[i] > 0 {
			order = append(order, i)
		}
		if l.w[i] > 0 {
			left[j]++
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case distance[a] > distance[b]:
			return -1
		case distance[a] < distance[b]:
			return 1
		}
		return a - b
	})
	for j := range l.k {
		if l.mass[j] > 0 {
			continue
		}
		for len(order) > 0 && left[l.labels[order[0]]] < 2 {
			order = order[1:]
		}
		if len(order) == 0 {
			return
		}
		i := order[0]
		order = order[1:]
		from := l.labels[i]
		left[from]--
		floats.AddScaled(sums[from*l.d:(from+1)*l.d], -l.w[i], l.row(i))
		floats.ScaleTo(sums[j*l.d:(j+1)*l.d], l.w[i], l.row(i))
		l.mass[from] -= l.w[i]
		l.mass[j] = l.w[i]
		l.relocated++
	}
}
