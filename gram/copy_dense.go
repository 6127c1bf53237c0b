package gram

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
)

// CopyDense is [Materialize] into storage that belongs to the caller, who may let a solver
// write into it: the matrix of [FromMatrix] is copied. Elements are checked to be
// finite; the first that is not is an error that names its two rows.
func CopyDense(ctx context.Context, op Operator, o compute.Options) (*mat.SymDense, error) {
	a, err := Materialize(ctx, op, o)
	if err != nil {
		return nil, err
	}
	if m, ok := op.(*Matrix); ok && m.K == a {
		a = mat.NewSymDense(a.SymmetricDim(), nil)
		a.CopySym(m.K)
	}
	raw := a.RawSymmetric()
	for i := range raw.N {
		for j, v := range raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("gram: the kernel of rows %d and %d is %v, not a finite number: check the domain of the kernel and the size of its parameters", i, i+j, v)
			}
		}
	}
	return a, nil
}
