package kmeans

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"mercer/data"
	"mercer/internal/parallel"
	"mercer/internal/simd"
	"mercer/model"
)

// Clusters are centres of vectors and the centre that each training row is nearest to.
type Clusters struct {
	Centres data.Vectors
	Labels  []int
}

// FitVectors finds k centres with a small Σ wᵢ‖xᵢ − c(i)‖², c(i) the centre nearest to
// xᵢ, by Lloyd's iteration: rows go to the nearest centre, the first of several at the
// same distance, then centres go to the means of their rows. A centre that loses all its
// rows is put on the row of positive weight that is farthest from its own centre and not
// alone there; the report counts that.
//
// Distances are computed in single precision, and again in double precision where the
// bound of their rounding errors leaves open which of two is less. With many centres
// those that the triangle inequality makes needless are not computed (Hamerly 2010).
// Neither changes a label.
//
// Started from the same centres, the result is that of scikit-learn's KMeans. An
// iteration takes at most 2nkd flops; memory beside the rows is 4nd bytes for the panels,
// 8n(8 + ln k) for what is kept of each row, most of it during k-means++, and 8·20kd.
// Errors: rows that are not finite or whose squares are not, k > n, wrong options, the
// end of ctx.
func FitVectors(ctx context.Context, x data.Vectors, k int, o Options) (*Clusters, *Report, error) {
	if err := o.validate(x.Len(), k); err != nil {
		return nil, nil, err
	}
	if err := o.validateVectors(x, k); err != nil {
		return nil, nil, err
	}
	r, watch := &Report{N: x.Len(), K: k}, model.NewStopwatch()
	p, err := newProblem(ctx, x, o)
	if err != nil {
		return nil, nil, err
	}
	watch.Lap(&r.Run, "centre")
	var best *lloyd
	for start := range o.restarts() {
		l, err := p.lloyd(ctx, k, start, o)
		if err != nil {
			return nil, nil, err
		}
		r.Objectives = append(r.Objectives, l.inertia)
		if best == nil || l.inertia < best.inertia {
			best = l
		}
	}
	watch.Lap(&r.Run, "iterate")
	r.Objective, r.Iterations, r.Converged, r.Relocated = best.inertia, best.iterations, best.converged, best.relocated
	r.Pruned = 1 - float64(best.seen)/float64(best.passes*p.n)
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

// validateVectors checks what options and rows have to do with one another.
func (o *Options) validateVectors(x data.Vectors, k int) error {
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
	e := exact{x: x, mean: make([]float64, d)}
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
	err = parallel.Each(ctx, workers, blocks(x.Len()), func(worker, b int) {
		if buffers[worker] == nil {
			buffers[worker] = newBuffer(d)
		}
		buf := buffers[worker]
		for from, to := cut(x.Len(), b); from < to; from += simd.PanelWidth {
			buf.all = buf.all[:0]
			for i := from; i < min(from+simd.PanelWidth, to); i++ {
				buf.all = append(buf.all, i)
			}
			near := e.nearest(buf, buf.all)
			for t, i := range buf.all {
				labels[i] = int(near.Index[t])
				squared[i] = squaredDistance(x.At(i), c.Centres.At(labels[i]))
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
