package gram

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg/level3"
)

// DesignRows is the number of rows of a [Design] that are read at a time. A constant, because
// bits depend on it.
const DesignRows = 256

// Design is the matrix Φ of Dim explicit features of n points, its rows, which are made when
// they are read: K = ΦΦᵀ.
type Design struct {
	Rows, Dim int
	// Fill stores the features of the points from … in the rows of dst.
	Fill func(ctx context.Context, dst *mat.Dense, from int) error
}

// DesignOf returns the features that a kernel has of its points; ok is false where it has no
// finite map.
func DesignOf[T any](k kernel.Kernel[T], xs data.Set[T]) (d Design, ok bool) {
	m, ok := k.(kernel.Mapped[T])
	if !ok || xs.Len() == 0 {
		return Design{}, false
	}
	d.Rows = xs.Len()
	if d.Dim, ok = m.Features(xs.At(0)); !ok {
		return Design{}, false
	}
	d.Fill = func(_ context.Context, dst *mat.Dense, from int) error {
		raw := dst.RawMatrix()
		some := data.Run(xs, from, from+raw.Rows) // read at once, where they are in a file
		kernel.MapRows(m, kernel.Tile{Rows: raw.Rows, Cols: raw.Cols, Stride: raw.Stride, Data: raw.Data}, some, 0)
		return nil
	}
	return d, true
}

// DesignBlocks are (Φ − 1φ̄ᵀ)V, block by block of [DesignRows] rows: a design less the weighted
// mean of its rows, on other axes. At first φ̄ = 0 and V = I; [DesignBlocks.Centre] sets φ̄, and
// [DesignBlocks.Turn] sets V. Blocks are made in every pass, or once after [DesignBlocks.Hold],
// with the same bits.
type DesignBlocks struct {
	design Design
	mean   []float64  // φ̄
	axes   *mat.Dense // V; nil: I
	held   *mat.Dense // (Φ − 1φ̄ᵀ)V; nil: made in every pass
	block  *mat.Dense // of Φ − 1φ̄ᵀ
	turned *mat.Dense // the same times V

	product level3.Implementation // with V
}

// Blocks returns Φ as it is, block by block. The result is for one goroutine.
func (d Design) Blocks() *DesignBlocks {
	return &DesignBlocks{design: d, mean: make([]float64, d.Dim), block: mat.NewDense(min(DesignRows, d.Rows), d.Dim, nil)}
}

// BlocksWithin is [Design.Blocks] with the features held where they fit in the memory of o, see
// [compute.FitsInMemory].
func (d Design) BlocksWithin(ctx context.Context, o compute.Options) (*DesignBlocks, error) {
	r := d.Blocks()
	if !compute.FitsInMemory(8*int64(d.Rows)*int64(d.Dim), o.MaxMemory) {
		return r, nil
	}
	return r, r.Hold(ctx)
}

// Dims returns the number of rows and that of the features.
func (r *DesignBlocks) Dims() (rows, dim int) { return r.design.Rows, r.design.Dim }

// Mean returns φ̄. It must not be written.
func (r *DesignBlocks) Mean() []float64 { return r.mean }

// Each calls do with the rows from … to−1 in the rows of phi, which do must not write, for all
// blocks in their order. It ends with the error of do, of the features or of ctx.
func (r *DesignBlocks) Each(ctx context.Context, do func(from, to int, phi *mat.Dense) error) error {
	for from := 0; from < r.design.Rows; from += DesignRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+DesignRows, r.design.Rows)
		phi, err := r.read(ctx, from, to)
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
func (r *DesignBlocks) read(ctx context.Context, from, to int) (*mat.Dense, error) {
	if r.held != nil {
		return r.held.Slice(from, to, 0, r.design.Dim).(*mat.Dense), nil
	}
	phi := r.block.Slice(0, to-from, 0, r.design.Dim).(*mat.Dense)
	if err := r.design.Fill(ctx, phi, from); err != nil {
		return nil, err
	}
	r.subtract(phi)
	return r.onAxes(phi), nil
}

// subtract takes the mean from rows.
func (r *DesignBlocks) subtract(phi *mat.Dense) {
	for i := range phi.RawMatrix().Rows {
		row := phi.RawRowView(i)
		for d, m := range r.mean {
			row[d] -= m
		}
	}
}

// onAxes returns ΦV for a block, which is valid until the next.
func (r *DesignBlocks) onAxes(phi *mat.Dense) *mat.Dense {
	if r.axes == nil {
		return phi
	}
	out := r.turned.Slice(0, phi.RawMatrix().Rows, 0, r.design.Dim).(*mat.Dense)
	r.product.Gemm(blas.NoTrans, blas.NoTrans, 1, phi.RawMatrix(), r.axes.RawMatrix(), 0, out.RawMatrix())
	return out
}

// All returns every row: those that are held, which must not be written, or a copy of its own.
func (r *DesignBlocks) All(ctx context.Context) (*mat.Dense, error) {
	if r.held != nil {
		return r.held, nil
	}
	all := mat.NewDense(r.design.Rows, r.design.Dim, nil)
	err := r.Each(ctx, func(from, to int, phi *mat.Dense) error {
		all.Slice(from, to, 0, r.design.Dim).(*mat.Dense).Copy(phi)
		return nil
	})
	return all, err
}

// Hold makes all blocks now and keeps them, 8·n·dim bytes.
func (r *DesignBlocks) Hold(ctx context.Context) error {
	all, err := r.All(ctx)
	if err == nil {
		r.held = all
	}
	return err
}

// Centre sets φ̄ = Σ wᵢφᵢ/Σ wᵢ in one pass, a step of the checkpoint of o; nil weights are ones.
// It comes before [DesignBlocks.Turn], and once.
func (r *DesignBlocks) Centre(ctx context.Context, weights []float64, o compute.Options) error {
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
func (r *DesignBlocks) average(ctx context.Context, mean, weights []float64) error {
	total := 0.0
	err := r.Each(ctx, func(from, to int, phi *mat.Dense) error {
		for i := from; i < to; i++ {
			w := weight(weights, i)
			total += w
			for d, v := range phi.RawRowView(i - from) {
				mean[d] += w * v
			}
		}
		return nil
	})
	for d := range mean {
		mean[d] /= total
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
func (r *DesignBlocks) Moments(ctx context.Context, weights []float64, outputs int, target func(dst []float64, i int) error, o compute.Options) (second *mat.SymDense, first *mat.Dense, err error) {
	dim, height := r.design.Dim, min(DesignRows, r.design.Rows)
	second, first = mat.NewSymDense(dim, nil), mat.NewDense(dim, outputs, nil)
	targets, product := mat.NewDense(height, outputs, nil), level3.Implementation{Workers: o.Workers}
	var scaled *mat.Dense // W^½Φ of a block
	if weights != nil {
		scaled = mat.NewDense(height, dim, nil)
	}
	err = o.Step(ctx, "moments", [][]float64{second.RawSymmetric().Data, first.RawMatrix().Data}, func() error {
		return r.Each(ctx, func(from, to int, phi *mat.Dense) error {
			for i := from; i < to; i++ {
				if err := target(targets.RawRowView(i-from), i); err != nil {
					return err
				}
				if weights != nil {
					root := math.Sqrt(weights[i])
					floats.Scale(root, targets.RawRowView(i-from))
					floats.ScaleTo(scaled.RawRowView(i-from), root, phi.RawRowView(i-from))
				}
			}
			if weights != nil {
				phi = scaled.Slice(0, to-from, 0, dim).(*mat.Dense)
			}
			part := targets.Slice(0, to-from, 0, outputs).(*mat.Dense)
			product.Syrk(blas.Trans, 1, phi.RawMatrix(), 1, second.RawSymmetric())
			product.Gemm(blas.Trans, blas.NoTrans, 1, phi.RawMatrix(), part.RawMatrix(), 1, first.RawMatrix())
			return nil
		})
	})
	return second, first, err
}

// Values is [DesignBlocks.Each] with the products of the rows with w, one for each of its columns,
// in the rows of values, which do may write: 2·n·dim flops for each.
func (r *DesignBlocks) Values(ctx context.Context, w *mat.Dense, o compute.Options, do func(from, to int, phi, values *mat.Dense) error) error {
	_, columns := w.Dims()
	values, product := mat.NewDense(min(DesignRows, r.design.Rows), columns, nil), level3.Implementation{Workers: o.Workers}
	return r.Each(ctx, func(from, to int, phi *mat.Dense) error {
		some := values.Slice(0, to-from, 0, columns).(*mat.Dense)
		product.Gemm(blas.NoTrans, blas.NoTrans, 1, phi.RawMatrix(), w.RawMatrix(), 0, some.RawMatrix())
		return do(from, to, phi, some)
	})
}

// Turn sets V, dim×dim, once: 2·n·dim² flops in every later pass, or now where blocks are
// held, which are overwritten. o says how many workers share them.
func (r *DesignBlocks) Turn(ctx context.Context, axes *mat.Dense, o compute.Options) error {
	r.product.Workers = o.Workers
	r.turned, r.axes = mat.NewDense(min(DesignRows, r.design.Rows), r.design.Dim, nil), axes
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
func (r *DesignBlocks) Shift(b []float64, w *mat.Dense) []float64 {
	out := slices.Clone(b)
	blas64.Gemv(blas.Trans, -1, w.RawMatrix(), blas64.Vector{N: r.design.Dim, Inc: 1, Data: r.mean}, 1, blas64.Vector{N: len(out), Inc: 1, Data: out})
	return out
}
