package sparsegp

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/pass"
)

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

// features are the rows as Φ, which goes by in blocks: held where it fits.
type features struct {
	*landmarks
	*design.Blocks
	elsewhere *pass.Sender // has passes made by the driver of the rows; nil: they are made here
	diag      []float64    // kᵢᵢ
	o         compute.Options
}

// features makes Φ of the rows of K_nm: nm kernel values and nm² flops in each pass.
func (l *landmarks) features(ctx context.Context, rows *gram.TallSkinny, diag []float64, o compute.Options) (*features, error) {
	d := design.Matrix{Elsewhere: l.sender(rows, o)}
	d.Rows, d.Dim = rows.Dims()
	d.Fill = func(ctx context.Context, dst *mat.Dense, from int) error {
		if err := rows.Block(ctx, dst, from); err != nil {
			return err
		}
		return l.l.Whiten(ctx, dst)
	}
	blocks, err := d.BlocksWithin(ctx, o)
	return &features{landmarks: l, Blocks: blocks, elsewhere: d.Elsewhere, diag: diag, o: o}, err
}

// square returns ‖x‖².
func square(x []float64) float64 {
	v := blas64.Vector{N: len(x), Inc: 1, Data: x}
	return blas64.Dot(v, v)
}
