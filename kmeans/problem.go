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
)

// problem is what all starts share: the rows, which are looked at around their mean. That
// keeps the rounding of distances small.
type problem struct {
	n, d    int
	x       data.Vectors
	mean, w []float64
	norms   []float64 // ‖xᵢ‖² around the mean, for k-means++; nil where a start is given
	spread  float64   // mean variance of the columns
	panels  panels
	workers int
	buffers []*buffer // one for each worker
	product level3.Implementation
}

func newProblem(ctx context.Context, x data.Vectors, o Options) (*problem, error) {
	p := &problem{n: x.Len(), d: x.Dim(), x: x, w: o.weights(x.Len()), workers: max(1, o.Compute.WorkerCount()), product: level3.Implementation{Workers: 1}}
	for range p.workers {
		p.buffers = append(p.buffers, newBuffer(p.d))
	}
	largest, err := p.survey(ctx)
	if err != nil {
		return nil, err
	}
	if o.Start.Len() == 0 {
		p.norms = make([]float64, p.n)
	}
	return p, p.pack(ctx, largest)
}

// survey computes the mean of the rows and finds the largest |number|. It returns an error
// if one is not finite.
func (p *problem) survey(ctx context.Context) (float64, error) {
	slabs := min(maxSlabs, blocks(p.n))
	sums, most := make([][]float64, slabs), make([]float64, slabs)
	err := parallel.Each(ctx, p.workers, slabs, func(_, s int) {
		sums[s] = make([]float64, p.d)
		from, to := slab(p.n, s, slabs)
		for i := from * blockRows; i < min(p.n, to*blockRows); i++ {
			most[s] = larger(most[s], p.x.At(i))
			floats.AddScaled(sums[s], 1/float64(p.n), p.x.At(i))
		}
	})
	if err != nil {
		return 0, err
	}
	p.mean = make([]float64, p.d)
	for _, sum := range sums {
		floats.Add(p.mean, sum)
	}
	largest := larger(0, most)
	if !(largest <= math.MaxFloat64) {
		return 0, notFinite(p.x)
	}
	return largest, nil
}

// larger returns the largest of m and all |v|, NaN if one of them is.
func larger(m float64, row []float64) float64 {
	for _, v := range row {
		if a := math.Abs(v); !(a <= m) {
			m = max(m, a)
		}
	}
	return m
}

// notFinite is the error that names the first number of x that is not finite.
func notFinite(x data.Vectors) error {
	for i, v := range x.Raw() {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("kmeans: row %d, column %d is %v, not a finite number", i/x.Dim(), i%x.Dim(), v)
		}
	}
	return nil
}

// centred stores row i around the mean in dst.
func (p *problem) centred(dst []float64, i int) []float64 {
	return floats.SubTo(dst, p.x.At(i), p.mean)
}

// start returns the centres of a start, around the mean.
func (p *problem) start(ctx context.Context, k, number int, o Options) ([]float64, error) {
	centres := make([]float64, k*p.d)
	if o.Start.Len() > 0 {
		for j := range k {
			floats.SubTo(centres[j*p.d:(j+1)*p.d], o.Start.At(j), p.mean)
		}
		return centres, nil
	}
	rows, _, err := plusPlus(ctx, p, p.norms, p.w, k, p.workers, rand.New(rand.NewPCG(o.Seed, uint64(number))))
	for j, row := range rows {
		p.centred(centres[j*p.d:(j+1)*p.d], row)
	}
	return centres, err
}

// inner multiplies the rows with some of themselves.
func (p *problem) inner(ctx context.Context, dst []float64, rows []int) error {
	some := make([]float64, len(rows)*p.d)
	for t, row := range rows {
		p.centred(some[t*p.d:(t+1)*p.d], row)
	}
	return parallel.Each(ctx, p.workers, blocks(p.n), func(worker, b int) {
		from, to := cut(p.n, b)
		for x := p.buffers[worker].x; from < to; from += lanes {
			count := min(lanes, to-from)
			for t := range count {
				p.centred(x[t*p.d:(t+1)*p.d], from+t)
			}
			p.multiply(dst[from*len(rows):(from+count)*len(rows)], x[:count*p.d], some)
		}
	})
}

// multiply stores a·bᵀ in dst for rows of d numbers.
func (p *problem) multiply(dst, a, b []float64) {
	m, n := len(a)/p.d, len(b)/p.d
	p.product.Gemm(blas.NoTrans, blas.Trans, 1,
		blas64.General{Rows: m, Cols: p.d, Stride: p.d, Data: a}, blas64.General{Rows: n, Cols: p.d, Stride: p.d, Data: b},
		0, blas64.General{Rows: m, Cols: n, Stride: n, Data: dst})
}
