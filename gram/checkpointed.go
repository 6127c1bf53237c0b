package gram

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
)

// Checkpointed returns an operator each of whose products is a step of the checkpoint; k itself
// where there is none.
func Checkpointed(k Operator, o compute.Options) Operator {
	if o.Checkpoint == nil {
		return k
	}
	return checkpointed{k, o}
}

type checkpointed struct {
	Operator
	o compute.Options
}

func (r checkpointed) Mul(ctx context.Context, dst, x *mat.Dense) error {
	rows, _ := r.Dims()
	_, cols := x.Dims()
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
