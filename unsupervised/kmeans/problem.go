package kmeans

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/passes"
	"example.org/mercer/linalg/level3"
)

// problem is what all starts share: the rows, of which the mean is subtracted when they are
// read. That keeps the rounding of distances small.
type problem struct {
	n, d         int
	x            data.Rows
	streamed     bool // x is not in memory, and its panels are made in every pass
	slabs        int  // in which sums over the rows of clusters are added up
	mean, w      []float64
	norms        []float64 // ‖xᵢ‖² around the mean, for k-means++; nil where a start is given
	meanVariance float64   // mean variance of the columns
	panels       panels    // in memory, all of them
	workers      int
	buffers      []*buffer // one for each worker
	product      level3.Implementation
	told         *compute.Meter // of the iterations that all starts may make
}

func newProblem(ctx context.Context, x data.Rows, k int, o Options) (*problem, error) {
	n := x.Len()
	p := &problem{n: n, d: x.Dim(), x: x, streamed: !passes.InMemory(x), w: o.weights(n), workers: max(1, o.Compute.WorkerCount()), product: level3.Implementation{Workers: 1}}
	p.slabs = max(1, min(maxSlabs, passes.Blocks(n), n/(2*k)))
	for range p.workers {
		p.buffers = append(p.buffers, newBuffer(p.d))
	}
	largest, err := p.meanAndLargest(ctx)
	if err != nil {
		return nil, err
	}
	if o.Start.Len() == 0 {
		p.norms = make([]float64, p.n)
	}
	return p, p.pack(ctx, largest)
}

// each makes a pass over the blocks of the rows, which are in the buffer then. Where slabs are 0
// it does not matter how they are shared among workers: single blocks, or of a file runs of them.
func (p *problem) each(ctx context.Context, slabs int, use func(buf *buffer, slab, b int)) error {
	switch {
	case slabs == 0 && p.streamed:
		slabs = p.slabs
	case slabs == 0:
		slabs = passes.Blocks(p.n)
	}
	return passes.Each(ctx, p.x, slabs, p.workers, func(worker, slab, b int, rows data.Vectors) {
		buf := p.buffers[worker]
		if buf.block != b {
			buf.packed = [blockPanels]bool{}
		}
		buf.rows, buf.block = rows, b
		use(buf, slab, b)
	})
}

// sum is a pass that adds up what piece makes of the blocks, in their order.
func (p *problem) sum(ctx context.Context, piece func(buf *buffer, b int) float64) (float64, error) {
	parts := make([]float64, passes.Blocks(p.n))
	err := p.each(ctx, 0, func(buf *buffer, _, b int) { parts[b] = piece(buf, b) })
	return inOrder(parts), err
}

// inOrder adds numbers up one after another.
func inOrder(parts []float64) (total float64) {
	for _, v := range parts {
		total += v
	}
	return total
}

// meanAndLargest computes the mean of the rows and finds the largest |number|. It returns an error
// if one is not finite.
func (p *problem) meanAndLargest(ctx context.Context) (float64, error) {
	slabs := min(maxSlabs, passes.Blocks(p.n))
	sums, most := make([][]float64, slabs), make([]float64, slabs)
	err := p.each(ctx, slabs, func(buf *buffer, s, _ int) {
		if sums[s] == nil {
			sums[s] = make([]float64, p.d)
		}
		for i := range buf.rows.Len() {
			most[s] = larger(most[s], buf.rows.At(i))
			floats.AddScaled(sums[s], 1/float64(p.n), buf.rows.At(i))
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
func notFinite(x data.Rows) error {
	for i := range x.Len() {
		for j, v := range x.At(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("kmeans: row %d, column %d is %v, not a finite number", i, j, v)
			}
		}
	}
	return nil
}

// centred stores a row around the mean in dst.
func (p *problem) centred(dst, row []float64) []float64 { return floats.SubTo(dst, row, p.mean) }

// start returns the centres of a start, around the mean.
func (p *problem) start(ctx context.Context, k, number int, o Options) ([]float64, error) {
	centres := make([]float64, k*p.d)
	if o.Start.Len() > 0 {
		for j := range k {
			floats.SubTo(centres[j*p.d:(j+1)*p.d], o.Start.At(j), p.mean)
		}
		return centres, nil
	}
	g := newSeeding(p, p.norms, p.w, p.workers, rand.New(rand.NewPCG(o.Seed, uint64(number))))
	g.compute = o.Compute
	rows, err := g.plusPlus(ctx, k)
	for j, row := range rows {
		p.centred(centres[j*p.d:(j+1)*p.d], p.x.At(row))
	}
	return centres, err
}

// inner multiplies the rows with some of themselves. In memory the products are computed
// once; of a file they are computed in every visit, block by block.
func (p *problem) inner(ctx context.Context, rows []int, scratch []float64) (visit, error) {
	some := make([]float64, len(rows)*p.d)
	for t, row := range rows {
		p.centred(some[t*p.d:(t+1)*p.d], p.x.At(row))
	}
	products := func(dst []float64, buf *buffer) {
		for from := 0; from < buf.rows.Len(); from += lanes {
			count := min(lanes, buf.rows.Len()-from)
			for t := range count {
				p.centred(buf.x[t*p.d:(t+1)*p.d], buf.rows.At(from+t))
			}
			p.multiply(dst[from*len(rows):(from+count)*len(rows)], buf.x[:count*p.d], some)
		}
	}
	if p.streamed {
		return func(use func(b int, inner []float64)) error {
			return p.each(ctx, 0, func(buf *buffer, _, b int) {
				if need := buf.rows.Len() * len(rows); cap(buf.inner) < need {
					buf.inner = make([]float64, passes.BlockRows*len(rows))
				}
				inner := buf.inner[:buf.rows.Len()*len(rows)]
				products(inner, buf)
				use(b, inner)
			})
		}, nil
	}
	err := p.each(ctx, 0, func(buf *buffer, _, b int) {
		from, to := passes.BlockRange(p.n, b)
		products(scratch[from*len(rows):to*len(rows)], buf)
	})
	return stored(ctx, p.n, len(rows), p.workers, scratch), err
}

// holdsProducts reports whether inner needs memory for all products.
func (p *problem) holdsProducts() bool { return !p.streamed }

// multiply stores a·bᵀ in dst for rows of d numbers.
func (p *problem) multiply(dst, a, b []float64) {
	m, n := len(a)/p.d, len(b)/p.d
	p.product.Gemm(blas.NoTrans, blas.Trans, 1,
		blas64.General{Rows: m, Cols: p.d, Stride: p.d, Data: a}, blas64.General{Rows: n, Cols: p.d, Stride: p.d, Data: b},
		0, blas64.General{Rows: m, Cols: n, Stride: n, Data: dst})
}
