package sparsegp

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
)

// blockRows is the number of rows whose features are computed together. A constant, because
// bits depend on it.
const blockRows = 1024

// landmarks are K_mm + jitter = LLᵀ.
type landmarks struct {
	l      *linalg.CholeskyFactor
	jitter float64 // relative to the mean of the diagonal of K_mm
}

// newLandmarks factors K_mm.
func newLandmarks(ctx context.Context, pairs kernel.Pairs, jitter float64, o compute.Options) (*landmarks, error) {
	plain := compute.Options{Workers: o.Workers, MaxMemory: o.MaxMemory}
	k, err := gram.CopyDense(ctx, gram.Of(pairs, plain), plain)
	if err != nil {
		return nil, fmt.Errorf("sparsegp: landmarks: %w", err)
	}
	shift := jitter * mat.Trace(k) / float64(k.SymmetricDim())
	f, err := linalg.Factor(ctx, k, shift, linalg.Options{Workers: o.Workers})
	var singular *linalg.NotPositiveDefinite
	if errors.As(err, &singular) {
		return nil, fmt.Errorf("sparsegp: the Gram matrix of the landmarks is not positive definite at the jitter %g: the kernel is not on them, or its values are less exact than that; give a larger jitter: %w", jitter, err)
	}
	if err != nil {
		return nil, err
	}
	return &landmarks{l: &f.CholeskyFactor, jitter: jitter}, nil
}

// features are the rows as Φ, which goes by in blocks.
type features struct {
	*landmarks
	rows *gram.TallSkinny
	diag []float64  // kᵢᵢ
	held *mat.Dense // Φ where it fits; nil: it is computed in every pass
	full bool       // held has been filled
	o    compute.Options
}

// hold keeps Φ from the first pass on where it fits.
func (f *features) hold() {
	if n, m := f.rows.Dims(); compute.FitsInMemory(gram.TallBytes(n, m, compute.Double), f.o.MaxMemory) {
		f.held = mat.NewDense(n, m, nil)
	}
}

// each calls use for a block of the rows after the other: nm kernel values and nm² flops. use
// may overwrite phi where Φ is not held.
func (f *features) each(ctx context.Context, stage string, use func(from int, phi *mat.Dense) error) error {
	n, m := f.rows.Dims()
	var space *mat.Dense
	if f.held == nil {
		space = mat.NewDense(min(n, blockRows), m, nil)
	}
	told := f.o.Meter(stage, int64(n))
	for from := 0; from < n; from += blockRows {
		rows := min(blockRows, n-from)
		var phi *mat.Dense
		if f.held != nil {
			phi = f.held.Slice(from, from+rows, 0, m).(*mat.Dense)
		} else {
			phi = space.Slice(0, rows, 0, m).(*mat.Dense)
		}
		if !f.full {
			if err := f.rows.Block(ctx, phi, from); err != nil {
				return err
			}
			if err := f.l.Whiten(ctx, phi); err != nil {
				return err
			}
		}
		if err := use(from, phi); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		told.Add(int64(rows))
	}
	f.full = f.held != nil
	return nil
}

// square returns ‖x‖².
func square(x []float64) float64 {
	v := blas64.Vector{N: len(x), Inc: 1, Data: x}
	return blas64.Dot(v, v)
}
