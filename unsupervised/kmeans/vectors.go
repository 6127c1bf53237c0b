package kmeans

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/data"
	"example.org/mercer/internal/simd"
	"example.org/mercer/model"
	"example.org/mercer/pass"
)

// Clusters are centres of vectors and the centre that each training row is nearest to.
type Clusters struct {
	Centres data.Vectors
	Labels  []int
}

// FitVectors finds k centres with a small Σ wᵢ‖xᵢ − c(i)‖², c(i) the centre nearest to xᵢ, by
// Lloyd's iteration:
//
//  1. Choose centres by k-means++, or take those given.
//  2. Give each row its nearest centre, the first of several at the same distance.
//  3. Move each centre to the mean of its rows. A centre without rows is put on the row of
//     positive weight that is farthest from its own centre and not alone there; the report counts
//     that.
//  4. Repeat from step 2 until the labels stay, the centres hardly move, or the limit is reached.
//
// Distances are computed in single precision, and again in double precision where the bound of
// their rounding errors leaves open which of two is less. With many centres those that the
// triangle inequality makes needless are not computed (Hamerly 2010). Neither changes a label.
// Started from the same centres, the result is that of scikit-learn's KMeans.
//
// An iteration takes at most 2nkd flops. Memory beside the rows is 4nd bytes for the panels, 8n(8
// + ln k) for what is kept of each row, most of it during k-means++, and 8·20kd. Errors: rows that
// are not finite or whose squares are not, k > n, wrong options, the end of ctx.
func FitVectors(ctx context.Context, x data.Rows, k int, o Options) (*Clusters, *Report, error) {
	if err := o.validate(x.Len(), k); err != nil {
		return nil, nil, err
	}
	if err := o.validateVectors(x, k); err != nil {
		return nil, nil, err
	}
	r, watch := &Report{N: x.Len(), K: k}, model.NewStopwatch()
	p, err := newProblem(ctx, x, k, o)
	if err != nil {
		return nil, nil, err
	}
	watch.Lap(&r.Run, "centre")
	best, err := p.search(ctx, k, o, r)
	if err != nil {
		return nil, nil, err
	}
	watch.Lap(&r.Run, "iterate")
	r.Objective, r.Iterations, r.Converged, r.Relocated = best.inertia, best.iterations, best.converged, best.relocated
	r.Pruned = 1 - float64(best.compared)/float64(best.passes*p.n)
	labels := make([]int, p.n)
	for i := range labels {
		labels[i] = int(best.labels[i])
	}
	r.count(labels, p.w)
	centres := data.MakeVectors(k, p.d)
	for j := range k {
		floats.AddTo(centres.At(j), best.centre(j), p.mean)
	}
	return &Clusters{Centres: centres, Labels: labels}, r, nil
}

// search runs the iteration from all starts and returns the run with the least inertia, the first
// of several. Over a file as many starts go side by side as their state of a few numbers for each
// row fits in memory.
func (p *problem) search(ctx context.Context, k int, o Options, r *Report) (*lloyd, error) {
	var mu sync.Mutex
	var best *lloyd
	first := 0
	r.Objectives = make([]float64, o.restarts())
	p.told = o.Compute.Meter("k-means", int64(o.restarts())*int64(o.iterations()))
	defer p.told.End(ctx)
	err := pass.Together(p.x, o.restarts(), concurrentStarts(startBytes(p.n, p.d, k), o), func(start int, x data.Rows) error {
		q := *p
		q.x = x
		l, err := q.lloyd(ctx, k, start, o)
		if err != nil {
			return err
		}
		p.told.Add(int64(o.iterations() - l.iterations))
		mu.Lock()
		defer mu.Unlock()
		r.Objectives[start] = l.inertia
		if best == nil || l.inertia < best.inertia || l.inertia == best.inertia && start < first {
			best, first = l, start
		}
		return nil
	})
	return best, err
}

// startBytes is the state of a start: squared distances during k-means++, labels, and bounds.
func startBytes(n, d, k int) int64 {
	if k*d >= boundsPay {
		return int64(n) * (8 + 4 + 8)
	}
	return int64(n) * (8 + 4)
}

// concurrentStarts is the number of starts that share a pass.
func concurrentStarts(each int64, o Options) int {
	return pass.MaxConcurrent(each, o.Compute.MaxMemory)
}

// PassBytes returns the memory of [FitVectors] for n streamed rows of d numbers: norms, weights and
// labels, the state of the best start, of those that share a pass, and of one that has just ended.
func PassBytes(n, d, k int, o Options) int64 {
	each := startBytes(n, d, k)
	return int64(n)*(8+8+8+8) + each*int64(1+min(o.restarts(), concurrentStarts(each, o)))
}

// validateVectors checks what options and rows have to do with one another.
func (o *Options) validateVectors(x data.Rows, k int) error {
	if x.Dim() == 0 {
		return fmt.Errorf("kmeans: the rows have no columns")
	}
	if o.StartLabels != nil {
		return fmt.Errorf("kmeans: vectors start from centres (Start), not from labels")
	}
	if s := o.Start; s.Len() > 0 && (s.Len() != k || s.Dim() != x.Dim()) {
		return fmt.Errorf("kmeans: the start has %d centres of %d columns; %d of %d are wanted", s.Len(), s.Dim(), k, x.Dim())
	}
	for i, v := range o.Start.Raw() {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("kmeans: column %d of centre %d of the start is %v, not a finite number", i%x.Dim(), i/x.Dim(), v)
		}
	}
	return nil
}

// Assign returns the nearest centre of every row, the first of several, and the squared
// distances to it. Which of two is nearer is computed as in [FitVectors].
func (c *Clusters) Assign(ctx context.Context, x data.Vectors, workers int) (labels []int, squared []float64, err error) {
	k, d := c.Centres.Len(), c.Centres.Dim()
	if k == 0 {
		return nil, nil, fmt.Errorf("kmeans: there are no centres")
	}
	if x.Dim() != d && x.Len() > 0 {
		return nil, nil, fmt.Errorf("kmeans: rows of %d columns, but the centres have %d", x.Dim(), d)
	}
	e := exact{mean: make([]float64, d)}
	for j := range k {
		floats.AddScaled(e.mean, 1/float64(k), c.Centres.At(j))
	}
	around := make([]float64, k*d)
	for j := range k {
		floats.SubTo(around[j*d:(j+1)*d], c.Centres.At(j), e.mean)
	}
	e.centres.Pack(around, d)
	labels, squared = make([]int, x.Len()), make([]float64, x.Len())
	buffers := make([]*buffer, max(1, workers))
	err = pass.Each(ctx, x, pass.Blocks(x.Len()), workers, func(worker, _, b int, rows data.Vectors) {
		if buffers[worker] == nil {
			buffers[worker] = newBuffer(d)
		}
		buf := buffers[worker]
		buf.rows, buf.block = rows, b
		for from, to := pass.BlockRange(x.Len(), b); from < to; from += simd.PanelWidth {
			buf.all = buf.all[:0]
			for i := from; i < min(from+simd.PanelWidth, to); i++ {
				buf.all = append(buf.all, i)
			}
			near := e.nearest(buf, buf.all)
			for t, i := range buf.all {
				labels[i] = int(near.Index[t])
				squared[i] = squaredDistance(buf.row(i), c.Centres.At(labels[i]))
			}
		}
	})
	return labels, squared, err
}

func squaredDistance(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += (v - y[i]) * (v - y[i])
	}
	return sum
}
