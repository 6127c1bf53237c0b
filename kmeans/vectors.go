package kmeans

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"mercer/data"
	"mercer/internal/parallel"
	"mercer/linalg/level3"
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
// alone there; the report counts that. Distances that the triangle inequality makes
// needless are not computed (Hamerly 2010), which changes no result: its bounds carry
// the rounding errors of the distances.
//
// Started from the same centres, the result is that of scikit-learn's KMeans. An
// iteration takes at most 2nkd flops and 8(n(d + 3) + 64kd) bytes. Errors: rows that are
// not finite, k > n, wrong options, the end of ctx.
func FitVectors(ctx context.Context, x data.Vectors, k int, o Options) (*Clusters, *Report, error) {
	if err := o.validate(x.Len(), k); err != nil {
		return nil, nil, err
	}
	if err := o.validateVectors(x, k); err != nil {
		return nil, nil, err
	}
	r, watch := &Report{N: x.Len(), K: k}, model.NewStopwatch()
	p, mean := newProblem(x, k, o)
	watch.Lap(&r.Run, "centre")
	var best *lloyd
	for start := range o.restarts() {
		centres, err := p.start(ctx, k, start, mean, o)
		if err != nil {
			return nil, nil, err
		}
		l := newLloyd(p, k, centres)
		if err := l.run(ctx, o); err != nil {
			return nil, nil, err
		}
		r.Objectives = append(r.Objectives, l.inertia)
		if best == nil || l.inertia < best.inertia {
			best = l
		}
	}
	watch.Lap(&r.Run, "iterate")
	r.Objective, r.Iterations, r.Converged, r.Relocated = best.inertia, best.iterations, best.converged, best.relocated
	r.Pruned = 1 - float64(best.full)/(float64(best.passes)*float64(p.n))
	r.count(best.labels, p.w)
	centres := data.MakeVectors(k, p.d)
	for j := range k {
		floats.AddTo(centres.At(j), best.centre(j), mean)
	}
	return &Clusters{Centres: centres, Labels: best.labels}, r, nil
}

// validateVectors checks what options and rows have to do with one another.
func (o *Options) validateVectors(x data.Vectors, k int) error {
	if x.Dim() == 0 {
		return fmt.Errorf("kmeans: the rows have no columns")
	}
	for i, v := range x.Raw() {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("kmeans: row %d, column %d is %v, not a finite number", i/x.Dim(), i%x.Dim(), v)
		}
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
// distances to it.
func (c *Clusters) Assign(ctx context.Context, x data.Vectors, workers int) (labels []int, squared []float64, err error) {
	if x.Dim() != c.Centres.Dim() && x.Len() > 0 {
		return nil, nil, fmt.Errorf("kmeans: rows of %d columns, but the centres have %d", x.Dim(), c.Centres.Dim())
	}
	labels, squared = make([]int, x.Len()), make([]float64, x.Len())
	err = parallel.Each(ctx, workers, blocks(x.Len()), func(_, b int) {
		for i, to := cut(x.Len(), b); i < to; i++ {
			squared[i] = math.Inf(1)
			for j := range c.Centres.Len() {
				if s := squaredDistance(x.At(i), c.Centres.At(j)); s < squared[i] {
					labels[i], squared[i] = j, s
				}
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

// problem is what all starts share: the rows around their mean, which keeps the
// rounding of distances small.
type problem struct {
	n, d    int
	x, w    []float64
	norms   []float64 // ‖xᵢ‖²
	spread  float64   // mean variance of the columns
	workers int
	product level3.Implementation
}

func newProblem(x data.Vectors, k int, o Options) (*problem, []float64) {
	p := &problem{n: x.Len(), d: x.Dim(), w: o.weights(x.Len()), workers: o.Compute.WorkerCount(), product: level3.Implementation{Workers: 1}}
	mean := make([]float64, p.d)
	for i := range p.n {
		floats.AddScaled(mean, 1/float64(p.n), x.At(i))
	}
	p.x, p.norms = make([]float64, p.n*p.d), make([]float64, p.n)
	for i := range p.n {
		row := p.row(i)
		floats.SubTo(row, x.At(i), mean)
		p.norms[i] = floats.Dot(row, row)
		p.spread += p.norms[i] / float64(p.n) / float64(p.d)
	}
	return p, mean
}

func (p *problem) row(i int) []float64 { return p.x[i*p.d : (i+1)*p.d] }

// start returns the centres of a start, around the mean.
func (p *problem) start(ctx context.Context, k, number int, mean []float64, o Options) ([]float64, error) {
	centres := make([]float64, k*p.d)
	if o.Start.Len() > 0 {
		for j := range k {
			floats.SubTo(centres[j*p.d:(j+1)*p.d], o.Start.At(j), mean)
		}
		return centres, nil
	}
	rows, _, err := plusPlus(ctx, p, p.norms, p.w, k, p.workers, rand.New(rand.NewPCG(o.Seed, uint64(number))))
	for j, row := range rows {
		copy(centres[j*p.d:], p.row(row))
	}
	return centres, err
}

// inner multiplies the rows with some of themselves.
func (p *problem) inner(ctx context.Context, dst []float64, rows []int) error {
	some := make([]float64, len(rows)*p.d)
	for t, row := range rows {
		copy(some[t*p.d:], p.row(row))
	}
	return parallel.Each(ctx, p.workers, blocks(p.n), func(_, b int) {
		from, to := cut(p.n, b)
		p.multiply(dst[from*len(rows):to*len(rows)], p.x[from*p.d:to*p.d], some)
	})
}

// multiply stores a·bᵀ in dst for rows of d numbers.
func (p *problem) multiply(dst, a, b []float64) {
	m, n := len(a)/p.d, len(b)/p.d
	p.product.Gemm(blas.NoTrans, blas.Trans, 1,
		blas64.General{Rows: m, Cols: p.d, Stride: p.d, Data: a}, blas64.General{Rows: n, Cols: p.d, Stride: p.d, Data: b},
		0, blas64.General{Rows: m, Cols: n, Stride: n, Data: dst})
}
