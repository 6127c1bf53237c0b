package kmeans

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
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
	p := &problem{n: n, d: x.Dim(), x: x, streamed: !pass.InMemory(x), w: o.weights(n), workers: max(1, o.Compute.WorkerCount()), product: level3.Implementation{Workers: 1}}
	p.slabs = slabsFor(n, k, p.d)
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

// each makes a pass over the blocks of rows in memory, which are in the buffer then. Where slabs
// are
// 0 it does not matter how they are shared among workers: single blocks.
func (p *problem) each(ctx context.Context, slabs int, use func(buf *buffer, slab, b int)) error {
	if slabs == 0 {
		slabs = pass.Blocks(p.n)
	}
	return pass.Each(ctx, p.x, slabs, p.workers, func(worker, slab, b int, rows data.Vectors) {
		buf := p.buffers[worker]
		buf.rows, buf.block = rows, b
		use(buf, slab, b)
	})
}

// reduce makes a pass over the rows, wherever they are.
func (p *problem) reduce(ctx context.Context, work pass.Work, in func(numbers []float64, i int), out func(made *mat.Dense, from int)) ([]float64, error) {
	return pass.Reduce(ctx, p.x, pass.Sums{Work: work, Slabs: p.slabs, In: in, Out: out}, compute.Options{Workers: p.workers})
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
	most := make([]float64, pass.Blocks(p.n))
	var err error
	p.mean, err = p.reduce(ctx, extent{p.n}, nil, func(made *mat.Dense, from int) {
		most[from/pass.BlockRows] = larger(0, made.RawMatrix().Data)
	})
	if err != nil {
		return 0, err
	}
	largest := larger(0, most)
	if !(largest <= math.MaxFloat64) {
		return 0, fmt.Errorf("kmeans: %w", pass.CheckFinite(p.x))
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
	if p.streamed {
		return func(use func(b int, inner []float64)) error {
			_, err := p.reduce(ctx, products{p.mean, some}, nil, func(made *mat.Dense, from int) {
				use(from/pass.BlockRows, made.RawMatrix().Data)
			})
			return err
		}, nil
	}
	err := p.each(ctx, 0, func(buf *buffer, _, b int) {
		from, to := pass.BlockRange(p.n, b)
		p.products(scratch[from*len(rows):to*len(rows)], buf, some)
	})
	return stored(ctx, p.n, len(rows), p.workers, scratch), err
}

// products stores those of the current block with some rows around the mean.
func (p *problem) products(dst []float64, buf *buffer, some []float64) {
	count := len(some) / p.d
	for from := 0; from < buf.rows.Len(); from += lanes {
		rows := min(lanes, buf.rows.Len()-from)
		for t := range rows {
			p.centred(buf.x[t*p.d:(t+1)*p.d], buf.rows.At(from+t))
		}
		p.multiply(dst[from*count:(from+rows)*count], buf.x[:rows*p.d], some)
	}
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
