package gram

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"mercer/linalg"
)

// Checkpoint keeps what takes long in a computation, in the order in which it is found. The
// computation, started again after it was killed, is given it back instead of computing it,
// and goes on to the same bits.
type Checkpoint interface {
	// Step fills the results of a step from what is kept, or else by compute, and keeps them.
	// Name and sizes tell that it is the same step.
	Step(ctx context.Context, name string, results [][]float64, compute func() error) error
}

// Step is that of the checkpoint; without one it computes.
func (o Options) Step(ctx context.Context, name string, results [][]float64, compute func() error) error {
	if o.Checkpoint == nil {
		return compute()
	}
	return o.Checkpoint.Step(ctx, name, results, compute)
}

// Recalled returns an operator each of whose products is a step of the checkpoint; k itself
// where there is none.
func (o Options) Recalled(k linalg.Operator) linalg.Operator {
	if o.Checkpoint == nil {
		return k
	}
	return recalled{k, o}
}

type recalled struct {
	linalg.Operator
	o Options
}

func (r recalled) Mul(ctx context.Context, dst, x *mat.Dense) error {
	rows, cols := x.Dims()
	out := mat.NewDense(rows, cols, nil)
	err := r.o.Step(ctx, "product", [][]float64{out.RawMatrix().Data}, func() error { return r.Operator.Mul(ctx, out, x) })
	if err != nil {
		return err
	}
	if dst.IsEmpty() {
		dst.ReuseAs(rows, cols)
	}
	dst.Copy(out)
	return nil
}
