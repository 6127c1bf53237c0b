package design

import (
	"context"
	"errors"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

// BlockRows is the number of rows of a [Matrix] that are read at a time.
const BlockRows = pass.BlockRows

// Matrix is the matrix Φ of Dim explicit features of n points, its rows, which are made when
// they are read: K = ΦΦᵀ.
type Matrix struct {
	Rows, Dim int
	// Fill stores the features of the points from … in the rows of dst.
	Fill func(ctx context.Context, dst *mat.Dense, from int) error
	// Elsewhere has passes made by the driver of the points, under a kernel with these features;
	// nil: they are made here.
	Elsewhere *pass.Sender
}

// Of returns the features that a kernel has of its points; ok is false where it has no
// finite map.
func Of[T any](k kernel.Kernel[T], xs data.Set[T]) (d Matrix, ok bool) {
	m, ok := k.(kernel.Mapped[T])
	if !ok || xs.Len() == 0 {
		return Matrix{}, false
	}
	d.Rows = xs.Len()
	if d.Dim, ok = m.Features(xs.At(0)); !ok {
		return Matrix{}, false
	}
	d.Elsewhere = pass.SenderOf(k, xs)
	d.Fill = func(_ context.Context, dst *mat.Dense, from int) error {
		raw := dst.RawMatrix()
		some := data.Run(xs, from, from+raw.Rows) // read at once, where they are in a file
		kernel.MapRows(m, kernel.Tile{Rows: raw.Rows, Cols: raw.Cols, Stride: raw.Stride, Data: raw.Data}, some, 0)
		return nil
	}
	return d, true
}

// Blocks are (Φ − 1φ̄ᵀ)V, block by block of [BlockRows] rows: a design less the weighted
// mean of its rows, on other axes. At first φ̄ = 0 and V = I; [Blocks.Centre] sets φ̄, and
// [Blocks.Turn] sets V. Blocks are made in every pass, or once after [Blocks.Hold],
// with the same bits.
type Blocks struct {
	design Matrix
	mean   []float64  // φ̄
	axes   *mat.Dense // V; nil: I
	held   *mat.Dense // (Φ − 1φ̄ᵀ)V; nil: made in every pass
	height int        // rows of a block
	block  *mat.Dense // of Φ − 1φ̄ᵀ, from the first that is made
	turned *mat.Dense // the same times V

	product level3.Implementation // with V
	ask     func(*request)        // has passes made together with others; nil: they are its own
}

// Blocks returns Φ as it is, block by block. The result is for one goroutine.
func (d Matrix) Blocks() *Blocks { return d.blocks(BlockRows) }

func (d Matrix) blocks(height int) *Blocks {
	return &Blocks{design: d, mean: make([]float64, d.Dim), height: height}
}

// BlocksWithin is [Matrix.Blocks] with the features held where they fit in the memory of o, see
// [compute.FitsInMemory], and no driver has the rows.
func (d Matrix) BlocksWithin(ctx context.Context, o compute.Options) (*Blocks, error) {
	return d.TallBlocksWithin(ctx, BlockRows, o)
}

// TallBlocksWithin is [Matrix.BlocksWithin] with so many rows in a block, a multiple of
// [BlockRows]: more for work that takes as long for a block of few rows, or of few of its rows.
// Bits of sums depend on it.
func (d Matrix) TallBlocksWithin(ctx context.Context, height int, o compute.Options) (*Blocks, error) {
	r := d.blocks(height)
	if d.Elsewhere != nil || !compute.FitsInMemory(8*int64(d.Rows)*int64(d.Dim), o.MaxMemory) {
		return r, nil
	}
	return r, r.hold(ctx, o.WorkerCount())
}

// HeldBlocks are those of features in memory.
func HeldBlocks(phi *mat.Dense, height int) *Blocks {
	rows, dim := phi.Dims()
	r := Matrix{Rows: rows, Dim: dim}.blocks(height)
	r.held = phi
	return r
}

// Dims returns the number of rows and that of the features.
func (r *Blocks) Dims() (rows, dim int) { return r.design.Rows, r.design.Dim }

// Mean returns φ̄. It must not be written.
func (r *Blocks) Mean() []float64 { return r.mean }

// Held reports whether the features are in memory.
func (r *Blocks) Held() bool { return r.held != nil }

// Each calls do with the rows from … to−1 in the rows of phi, which do must not write, for all
// blocks in their order. It ends with the error of do, of the features or of ctx.
func (r *Blocks) Each(ctx context.Context, do func(from, to int, phi *mat.Dense) error) error {
	return r.run(ctx, pass.Piece{To: r.design.Rows}, 1, do)
}

// Run is [Blocks.Each] for one of the [Pieces].
func (r *Blocks) Run(ctx context.Context, p pass.Piece, do func(from, to int, phi *mat.Dense) error) error {
	return r.run(ctx, p, 1, do)
}

// run is Run for a run of whole blocks, each of which several workers make.
func (r *Blocks) run(ctx context.Context, p pass.Piece, workers int, do func(from, to int, phi *mat.Dense) error) error {
	for from := p.From; from < p.To; from += r.height {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+r.height, p.To)
		phi, err := r.read(ctx, from, to, workers)
		if err != nil {
			return err
		}
		if err := do(from, to, phi); err != nil {
			return err
		}
	}
	return nil
}

// read returns a block.
func (r *Blocks) read(ctx context.Context, from, to, workers int) (*mat.Dense, error) {
	if r.held != nil {
		return r.held.Slice(from, to, 0, r.design.Dim).(*mat.Dense), nil
	}
	if r.block == nil {
		r.block = mat.NewDense(min(r.height, r.design.Rows), r.design.Dim, nil)
	}
	phi := r.block.Slice(0, to-from, 0, r.design.Dim).(*mat.Dense)
	if err := r.fill(ctx, phi, from, workers); err != nil {
		return nil, err
	}
	r.subtract(phi)
	return r.onAxes(phi), nil
}

// fill makes the features of rows from one on, [BlockRows] at a time.
func (r *Blocks) fill(ctx context.Context, phi *mat.Dense, from, workers int) error {
	rows := phi.RawMatrix().Rows
	errs := make([]error, (rows+BlockRows-1)/BlockRows)
	err := parallel.Each(ctx, workers, len(errs), func(_, i int) {
		first, end := i*BlockRows, min((i+1)*BlockRows, rows)
		errs[i] = r.design.Fill(ctx, phi.Slice(first, end, 0, r.design.Dim).(*mat.Dense), from+first)
	})
	return errors.Join(append(errs, err)...)
}

// subtract takes the mean from rows.
func (r *Blocks) subtract(phi *mat.Dense) {
	for i := range phi.RawMatrix().Rows {
		row := phi.RawRowView(i)
		for d, m := range r.mean {
			row[d] -= m
		}
	}
}

// onAxes returns ΦV for a block, which is valid until the next.
func (r *Blocks) onAxes(phi *mat.Dense) *mat.Dense {
	if r.axes == nil {
		return phi
	}
	out := r.turned.Slice(0, phi.RawMatrix().Rows, 0, r.design.Dim).(*mat.Dense)
	r.product.Gemm(blas.NoTrans, blas.NoTrans, 1, phi.RawMatrix(), r.axes.RawMatrix(), 0, out.RawMatrix())
	return out
}

// All returns every row: those that are held, which must not be written, or a copy of its own.
func (r *Blocks) All(ctx context.Context) (*mat.Dense, error) { return r.all(ctx, 1) }

func (r *Blocks) all(ctx context.Context, workers int) (*mat.Dense, error) {
	if r.held != nil {
		return r.held, nil
	}
	all := mat.NewDense(r.design.Rows, r.design.Dim, nil)
	err := r.run(ctx, pass.Piece{To: r.design.Rows}, workers, func(from, to int, phi *mat.Dense) error {
		all.Slice(from, to, 0, r.design.Dim).(*mat.Dense).Copy(phi)
		return nil
	})
	return all, err
}

// Hold makes all blocks now and keeps them, 8·n·dim bytes.
func (r *Blocks) Hold(ctx context.Context) error { return r.hold(ctx, 1) }

func (r *Blocks) hold(ctx context.Context, workers int) error {
	all, err := r.all(ctx, workers)
	if err == nil {
		r.held = all
	}
	return err
}

// Centre sets φ̄ = Σ wᵢφᵢ/Σ wᵢ in one pass, a step of the checkpoint of o; nil weights are ones.
// It comes before [Blocks.Turn], and once.
func (r *Blocks) Centre(ctx context.Context, weights []float64, o compute.Options) error {
	mean := make([]float64, r.design.Dim)
	err := o.Step(ctx, "mean", [][]float64{mean}, func() error { return r.average(ctx, mean, weights) })
	if err != nil {
		return err
	}
	copy(r.mean, mean)
	if r.held != nil {
		r.subtract(r.held)
	}
	return nil
}

// average stores Σ wᵢφᵢ/Σ wᵢ.
func (r *Blocks) average(ctx context.Context, mean, weights []float64) error {
	total := 0.0
	for i := range r.design.Rows {
		total += weight(weights, i)
	}
	sums, err := r.Pass(ctx, pass.WeightedSum{}, func(dst []float64, i int) error {
		dst[0] = weight(weights, i)
		return nil
	}, nil, compute.Options{})
	for d, sum := range sums {
		mean[d] = sum / total
	}
	return err
}

func weight(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// Moments returns Σ wᵢφᵢφᵢᵀ, of which the upper triangle is set, and Σ wᵢφᵢtᵢᵀ (dim×outputs) of the
// rows as they are read, in one pass, a step of the checkpoint of o; nil weights are ones. target
// stores tᵢ in dst. n·dim² + 2n·dim·outputs flops.
func (r *Blocks) Moments(ctx context.Context, weights []float64, outputs int, target func(dst []float64, i int) error, o compute.Options) (second *mat.SymDense, first *mat.Dense, err error) {
	dim, work := r.design.Dim, Moments{Outputs: outputs, Weighted: weights != nil}
	// The sums of the pass become the results, and no copy of them: of many features each is
	// gigabytes.
	results := [][]float64{make([]float64, dim*dim), make([]float64, dim*outputs)}
	err = o.Step(ctx, "moments", results, func() error {
		sums, err := r.Pass(ctx, work, func(dst []float64, i int) error {
			if weights != nil {
				dst[outputs] = weights[i]
			}
			return target(dst[:outputs], i)
		}, nil, o)
		if err == nil {
			results[0], results[1] = sums[:dim*dim:dim*dim], sums[dim*dim:]
		}
		return err
	})
	return mat.NewSymDense(dim, results[0]), mat.NewDense(dim, outputs, results[1]), err
}

// Hessian returns Σ vᵢφᵢφᵢᵀ, of which the upper triangle is set, Σ vᵢφᵢ, and Σ φᵢgᵢᵀ (dim×m), of g
// with m columns or nil, in one pass: n·dim² + 2n·dim·(1 + m) flops.
func (r *Blocks) Hessian(ctx context.Context, v []float64, g *mat.Dense, o compute.Options) (second *mat.SymDense, first, adjoint *mat.Dense, err error) {
	dim, m := r.design.Dim, 0
	if g != nil {
		m = g.RawMatrix().Cols
	}
	sums, err := r.Pass(ctx, Hessian{1 + m}, func(dst []float64, i int) error {
		if m > 0 {
			copy(dst[1:], g.RawRowView(i))
		}
		dst[0], dst[1+m] = v[i], v[i]
		return nil
	}, nil, o)
	if err != nil {
		return nil, nil, nil, err
	}
	both := mat.NewDense(dim, 1+m, sums[dim*dim:])
	first = mat.DenseCopyOf(both.Slice(0, dim, 0, 1))
	if m > 0 {
		adjoint = mat.DenseCopyOf(both.Slice(0, dim, 1, 1+m))
	}
	return mat.NewSymDense(dim, sums[:dim*dim:dim*dim]), first, adjoint, nil
}

// Values calls do with the products of the rows from … to−1 with w, one for each of its columns, in
// the rows of values, which do may write, for all blocks in their order: 2·n·dim flops for each.
func (r *Blocks) Values(ctx context.Context, w *mat.Dense, o compute.Options, do func(from, to int, values *mat.Dense) error) error {
	_, err := r.Pass(ctx, Products{w}, nil, do, o)
	return err
}

// Multiply stores the products of the rows with w in dst, see [Blocks.Values].
func (r *Blocks) Multiply(ctx context.Context, dst, w *mat.Dense, o compute.Options) error {
	_, m := w.Dims()
	return r.Values(ctx, w, o, func(from, to int, values *mat.Dense) error {
		dst.Slice(from, to, 0, m).(*mat.Dense).Copy(values)
		return nil
	})
}

// Turn sets V, dim×dim, once: 2·n·dim² flops in every later pass, or now where blocks are
// held, which are overwritten. o says how many workers share them.
func (r *Blocks) Turn(ctx context.Context, axes *mat.Dense, o compute.Options) error {
	r.product.Workers = o.Workers
	r.turned, r.axes = mat.NewDense(min(r.height, r.design.Rows), r.design.Dim, nil), axes
	if r.held == nil {
		return nil
	}
	return r.Each(ctx, func(_, _ int, phi *mat.Dense) error {
		phi.Copy(r.onAxes(phi))
		return nil
	})
}

// Shift returns b − wᵀφ̄: with it the functions ⟨w, φ − φ̄⟩ + b, columns of w, are functions
// of the features themselves.
func (r *Blocks) Shift(b []float64, w *mat.Dense) []float64 {
	out := slices.Clone(b)
	blas64.Gemv(blas.Trans, -1, w.RawMatrix(), blas64.Vector{N: r.design.Dim, Inc: 1, Data: r.mean}, 1, blas64.Vector{N: len(out), Inc: 1, Data: out})
	return out
}
